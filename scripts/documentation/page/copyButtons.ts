const SHOWN_MILLISECONDS = 2_000;

/** Gives every block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, block.querySelector('code')?.textContent ?? ''));
    const status = document.createElement('span');
    status.className = 'hidden';
    status.setAttribute('role', 'status');
    block.append(button, status);
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not copied: select the text and copy it',
  );
  button.textContent = said;
  const status = button.nextElementSibling;
  if (status !== null) status.textContent = said;
  setTimeout(() => {
    button.textContent = 'Copy';
    if (status !== null) status.textContent = '';
  }, SHOWN_MILLISECONDS);
}
