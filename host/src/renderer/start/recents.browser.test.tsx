import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { noteOpened } from './listState.ts';

it('the connections that were opened last are before the others, until the list is searched', async () => {
  const names = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Oak', 'Pine'];
  const services = exampleServices({ connections: names });
  await renderWindow(services);
  const recents = page.getByRole('list', { name: 'Recently opened' });
  await expect.element(page.getByRole('list', { name: 'Saved connections' }).getByText('Pine')).toBeVisible();
  await expect.element(recents).not.toBeInTheDocument();

  const idOf = (name: string): string => services.connectionStore.list().find((one) => one.name === name)?.id ?? '';
  noteOpened(idOf('Oak'));
  // Times have milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5));
  noteOpened(idOf('Cedar'));
  const shown = (): string[] =>
    recents
      .getByRole('button', { name: /^Open / })
      .elements()
      .map((one) => one.textContent);
  await expect.poll(shown).toEqual([expect.stringContaining('Cedar'), expect.stringContaining('Oak')]);
  await expect.element(page.getByRole('heading', { name: 'All connections' })).toBeVisible();

  // Arrow keys go from one list into the other.
  (recents.getByRole('button', { name: /Open Oak/ }).element() as HTMLElement).focus();
  await press('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('Ash');

  await page.getByRole('textbox', { name: 'Filter connections' }).fill('elm');
  await expect.element(recents).not.toBeInTheDocument();
});
