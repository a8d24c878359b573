import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { cell } from '../../testing/gridSteps.test-helper.ts';
import { renderProducts } from '../../testing/renderWindow.test-helper.tsx';

/** The parts of the active cell's place that a person sees, and those of them that are cut. */
function parts(): { readonly shown: readonly string[]; readonly cut: readonly string[] } {
  const place = document.querySelector<HTMLElement>('[title="Row 1, name"]');
  if (place === null) throw new Error('The footer has no place.');
  const box = place.getBoundingClientRect();
  const visible = [...place.children].filter((part) => part.getBoundingClientRect().top < box.bottom);
  const text = (part: Element): string => part.textContent ?? '';
  return {
    shown: visible.map(text),
    cut: visible.filter((part) => part.getBoundingClientRect().right > box.right + 1).map(text),
  };
}

it('the footer shows row and column of the active cell, each whole or not at all', async () => {
  const grid = await renderProducts();
  await cell(grid, 'Lamp 1').click();
  await expect.element(page.getByTitle('Row 1, name')).toBeVisible();
  const place = page.getByTitle('Row 1, name').element();
  if (!(place instanceof HTMLElement)) throw new TypeError('The place is not an element of the page.');
  const full = [...place.children].reduce((width, part) => width + part.getBoundingClientRect().width, 0);
  const seen = new Set<string>();
  for (let width = 0; width <= Math.ceil(full) + 2; width += 1) {
    place.style.width = `${width}px`;
    const { shown, cut } = parts();
    expect(cut, `${width} px`).toEqual([]);
    seen.add(shown.join(''));
  }
  expect([...seen]).toEqual(['', 'Row 1', 'Row 1, name']);
});
