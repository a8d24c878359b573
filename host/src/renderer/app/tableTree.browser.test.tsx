import { DriverError } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { withoutScrollEvents } from '../testing/withoutScrollEvents.test-helper.ts';

const sidebar = (): Locator => page.getByRole('navigation', { name: 'Tables' });
const group = (name: string): Locator => sidebar().getByRole('button', { name, exact: true });
const tables = (): Locator => sidebar().getByRole('button', { name: 'articles', exact: true });

/** A connection that shows two databases of its server. */
async function renderServer(): Promise<void> {
  const list = async (): Promise<readonly TableSummary[]> =>
    [
      ['shop', 'public'],
      ['shop', 'stock'],
      ['sales', 'public'],
    ].map((namespace) => ({ ref: { namespace, name: 'articles' }, kind: 'table' }));
  const services = exampleServices({ connections: ['Whole server'] });
  await renderWindow(fakeContext({ ...services, tables: { ...services.tables, list } }));
  await page.getByText('Whole server').click();
  await expect.element(group('shop')).toBeVisible();
}

it('the sidebar has schemas below their database, and folds the databases after the first', async () => {
  await renderServer();
  await expect.element(group('shop')).toHaveAttribute('aria-expanded', 'true');
  await expect.element(group('public')).toBeVisible();
  await expect.element(group('sales.public')).toHaveAttribute('aria-expanded', 'false');
  await expect.element(tables()).toHaveLength(2);
  await group('sales.public').click();
  await expect.element(tables()).toHaveLength(3);
  await group('shop').click();
  await expect.element(tables()).toHaveLength(1);
  await expect.element(group('stock')).not.toBeInTheDocument();
});

it('a list that the changed credentials can’t read says so, and leads to the form of the connection', async () => {
  let isRefused = false;
  const services = exampleServices({ connections: ['Whole server'] });
  const list = async (): Promise<readonly TableSummary[]> => {
    if (isRefused) throw new DriverError('ACCESS_REFUSED', 'The server rejected the password.');
    return [{ ref: { namespace: [], name: 'articles' }, kind: 'table' }];
  };
  await renderWindow(fakeContext({ ...services, tables: { ...services.tables, list } }));
  await page.getByText('Whole server').click();
  await expect.element(tables()).toBeVisible();
  isRefused = true;
  await sidebar().getByRole('button', { name: 'Refresh tables' }).click();
  const problem = sidebar().getByRole('alert', { name: "Tables can't be listed" });
  await problem.getByRole('button', { name: 'Edit connection…' }).click();
  await expect.element(page.getByRole('dialog', { name: /Edit Whole server/ })).toBeVisible();
});

it('the keyboard goes through groups and tables, folds and unfolds, and a filter unfolds all', async () => {
  await renderServer();
  const filter = sidebar().getByRole('textbox');
  await filter.click();
  await press('{ArrowDown}');
  await expect.element(tables().first()).toHaveFocus();
  await press('{ArrowUp}');
  await expect.element(group('public')).toHaveFocus();
  await press('{ArrowLeft}');
  await expect.element(group('public')).toHaveAttribute('aria-expanded', 'false');
  await expect.element(tables()).toHaveLength(1);
  await press('{End}');
  await expect.element(group('sales.public')).toHaveFocus();
  await press('{ArrowRight}');
  await expect.element(tables()).toHaveLength(2);
  await filter.fill('art');
  await expect.element(tables()).toHaveLength(3);
  await expect.element(group('shop')).toHaveAttribute('aria-disabled', 'true');
  await filter.fill('sales.');
  await expect.element(tables()).toHaveLength(1);
});

it('the keyboard reaches the last of a thousand tables at once, before what was scrolled to is drawn', async () => {
  const services = exampleServices();
  const list = async (): Promise<readonly TableSummary[]> =>
    Array.from({ length: 1_000 }, (_, place) => ({ ref: { namespace: [], name: `table ${place}` }, kind: 'table' }));
  await renderWindow(fakeContext({ ...services, tables: { ...services.tables, list } }), 'console');
  await expect.element(sidebar().getByRole('button', { name: 'table 0', exact: true })).toBeVisible();
  await sidebar().getByRole('textbox').click();
  await withoutScrollEvents(async () => {
    await press('{ArrowDown}{End}');
    expect(document.activeElement?.textContent).toBe('table 999');
    await press('{Home}');
    expect(document.activeElement?.textContent).toBe('table 0');
  });
});
