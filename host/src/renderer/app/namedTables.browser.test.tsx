import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { HostError } from '../../common/errors.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
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

  it('are reloaded also where removing one fails, because another window may have removed it', async () => {
    const services = exampleServices({ connections: ['Narrow key'] });
    let isRemoved = false;
    await renderWindow(
      fakeContext({
        ...services,
        tables: { ...services.tables, list: async () => [] },
        namedTables: {
          ...services.namedTables,
          view: async (...input) =>
            isRemoved ? { tables: [] } : { ...(await services.namedTables.view(...input)), tables: [PRODUCTS] },
          forget: () => {
            isRemoved = true;
            throw new HostError('INVALID_REQUEST', 'It is gone.');
          },
        },
      }),
    );
    await page.getByText('Narrow key').click();
    const table = sidebar().getByRole('button', { name: 'products' });
    await table.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove from this list' }).click();
    await expect.element(table).not.toBeInTheDocument();
  });
});
