/** Lets the keyboard scroll what is wider than its box: such a box takes the focus, and no other does. */
export function letScroll(): void {
  const boxes = document.querySelectorAll<HTMLElement>('.code pre, .table');
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => update(target)));
  for (const box of boxes) watch.observe(box);
}

function update(box: Element): void {
  if (box.scrollWidth > box.clientWidth) {
    box.setAttribute('tabindex', '0');
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', box.matches('.table') ? 'Table' : 'Code');
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name);
  }
}
