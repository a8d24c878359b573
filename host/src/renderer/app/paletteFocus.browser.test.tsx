import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderProducts, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const palette = page.getByRole('dialog', { name: 'Command palette' });
const grid = page.getByRole('grid', { name: 'Rows of products' });

async function choose(text: string): Promise<void> {
  await press('{Control>}k{/Control}');
  await expect.element(palette.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard(text);
  await press('{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
}

/** Whether something on the screen has the keyboard. */
const hasFocus = (): boolean => {
  const at = document.activeElement;
  return at !== null && at !== document.body && at.closest('[inert]') === null;
};

it.each(['Console', 'Find in tables', 'Activity'])(
  'a table whose tab is open already has the keyboard in its rows when the palette brings it back from %s',
  async (tool) => {
    await renderProducts();
    await choose(tool);
    await expect.poll(() => document.querySelector('[role="grid"]')?.closest('[inert]') !== null).toBe(true);
    await expect.poll(hasFocus).toBe(true);
    await choose('products');
    await expect.element(grid).toHaveFocus();
  },
);

it('a table that the palette opens has the keyboard in its rows once they are there', async () => {
  await renderWindow(exampleServices(), 'console');
  await choose('products');
  await expect.element(grid).toHaveFocus();
});

it('a table that is in front has the keyboard in its rows when the palette names it from elsewhere', async () => {
  await renderProducts();
  await page.getByRole('textbox', { name: 'Filter tables' }).click();
  await choose('products');
  await expect.element(grid).toHaveFocus();
});

it.each(['Reload rows', 'Console', 'Activity', 'Find in tables', 'Go to row', 'Settings', 'Add filter', 'Structure'])(
  'something has the keyboard after “%s” of the palette',
  async (entry) => {
    const list = await renderProducts();
    await list.getByRole('gridcell', { name: 'Lamp 1', exact: true }).click();
    await choose(entry);
    await expect.poll(hasFocus).toBe(true);
  },
);
