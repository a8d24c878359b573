import { DriverError } from '@tabularium/sdk';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { OtherWriter } from '../testing/exampleTable.test-helper.ts';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

const tables = () => page.getByRole('navigation');

describe('how much is staged', () => {
  it('is shown in the sidebar, on the tab and in the title of the window, until it is saved', async () => {
    const grid = await renderProducts();
    await expect.poll(() => document.title).toBe('products – Shop – Tabularium');
    await cell(grid, 'Lamp 1').click();
    await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
    await cell(grid, 'Kettle 3').click();
    await press('{Delete}');
    await expect.element(tables().getByRole('img', { name: '2 changes' })).toBeVisible();
    await expect.element(page.getByRole('tab', { name: 'products 2 changes' })).toBeVisible();
    await expect.poll(() => document.title).toBe('2 changes – products – Shop – Tabularium');
    await page.getByRole('button', { name: 'Review…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save 2 changes' }).click();
    await expect.poll(() => document.title).toBe('products – Shop – Tabularium');
    await expect.element(tables().getByRole('img', { name: '2 changes' })).not.toBeInTheDocument();
  });
});

describe('staged changes of a table that somebody dropped', () => {
  it('are named with their table, stay when the person keeps them, and go when they are discarded', async () => {
    const others = new OtherWriter();
    const grid = await renderProducts(exampleServices({}, others));
    await cell(grid, 'Lamp 1').click();
    await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
    await expect.element(tables().getByRole('img', { name: '1 change' })).toBeVisible();
    others.dropTable();
    await tables()
      .getByRole('button', { name: /^(Refresh|Reload)/ })
      .click();
    const missing = page.getByRole('region', { name: 'Staged changes of missing tables' });
    await expect.element(missing.getByText('products')).toBeVisible();
    await expect.element(missing.getByText('1 change')).toBeVisible();
    await missing.getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('dialog', { name: 'Discard 1 change of “products”?' });
    await question.getByRole('button', { name: 'Keep changes' }).click();
    await expect.element(missing.getByText('1 change')).toBeVisible();
    await missing.getByRole('button', { name: 'Discard' }).click();
    await question.getByRole('button', { name: 'Discard 1 change' }).click();
    await expect.element(missing).not.toBeInTheDocument();
  });
});

it('are not taken for those of a missing table because the list of tables is empty, as it is for a deleted key', async () => {
  const services = exampleServices();
  let lists = true;
  const { tables: list } = services;
  const listTables = list.list.bind(list);
  vi.spyOn(list, 'list').mockImplementation(async (...asked) => (lists ? listTables(...asked) : []));
  const describeTable = vi.spyOn(list, 'describe');
  const grid = await renderProducts(services);
  await cell(grid, 'Lamp 1').click();
  await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
  await expect.element(tables().getByRole('img', { name: '1 change' })).toBeVisible();
  lists = false;
  describeTable.mockRejectedValue(new DriverError('ACCESS_REFUSED', 'The key no longer works.'));
  describeTable.mockClear();
  await tables()
    .getByRole('button', { name: /^(Refresh|Reload)/ })
    .click();
  await expect.poll(() => describeTable.mock.calls.length).toBeGreaterThan(0);
  await expect.element(tables().getByRole('button', { name: 'products' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('region', { name: 'Staged changes of missing tables' })).not.toBeInTheDocument();
  await expect.element(page.getByText('1 change', { exact: true }).first()).toBeVisible();
});
