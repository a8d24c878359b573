import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const sidebar = (): Locator => page.getByRole('navigation', { name: 'Tables' });
const dialog = (): Locator => page.getByRole('dialog', { name: 'Open table by name' });

/** Opens the connection whose key may list nothing. */
async function renderNarrow(): Promise<void> {
  const services = exampleServices({ connections: ['Narrow key'] });
  await renderWindow(fakeContext({ ...services, tables: { ...services.tables, list: async () => [] } }));
  await page.getByText('Narrow key').click();
  await expect.element(sidebar().getByText('This key may not list tables.')).toBeVisible();
}

describe('tables that are opened by name', () => {
  it('are listed under a heading of their own, and the list stays empty', async () => {
    await renderNarrow();
    await expect.element(sidebar().getByText('Opened by name')).not.toBeInTheDocument();
    await sidebar().getByRole('button', { name: 'Open table by name…' }).click();
    await expect.element(dialog().getByRole('textbox')).toHaveFocus();
    await press('products');
    await press('{Enter}');
    await expect.element(page.getByRole('grid', { name: 'Rows of products' })).toBeVisible();
    await expect.element(sidebar().getByRole('heading', { name: 'Opened by name 1' })).toBeVisible();
    await expect.element(sidebar().getByRole('heading', { name: 'Tables 0' })).toBeVisible();
    await sidebar().getByRole('button', { name: 'products' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove from this list' }).click();
    await expect.element(sidebar().getByRole('button', { name: 'products' })).not.toBeInTheDocument();
  });

  it('keep a wrong name in the field, with the reason, and Escape leaves', async () => {
    await renderNarrow();
    await sidebar().getByRole('button', { name: 'Open table by name…' }).click();
    await press('{Enter}');
    await expect.element(dialog().getByRole('textbox')).toHaveAccessibleDescription(/Enter the name of the table\./);
    await press('nowhere');
    await press('{Enter}');
    await expect.element(dialog().getByText('There is no table “nowhere”.')).toBeVisible();
    await expect.element(dialog().getByRole('textbox')).toHaveValue('nowhere');
    await press('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(sidebar().getByText('Opened by name')).not.toBeInTheDocument();
  });
});
