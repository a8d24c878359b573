import { encodeBatch } from '@tabularium/sdk';
import type { TableDescription } from '@tabularium/sdk';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ApiContext } from '../../../runtime/api/context.ts';
import { PRODUCTS_DESCRIPTION } from '../../testing/exampleTable.test-helper.ts';
import { exampleServices, renderProducts } from '../../testing/renderWindow.test-helper.tsx';

type Columns = TableDescription['columns'];

/** Gives the table other columns, as somebody else does who changes it. A page has rows of these columns alone. */
function alter(services: ApiContext, columns: Columns): { readonly described: () => number } {
  const describe = vi.spyOn(services.tables, 'describe').mockResolvedValue({ ...PRODUCTS_DESCRIPTION, columns });
  const cells = columns.map(({ name, kind }) => (kind === 'integer' ? '1' : kind === 'text' ? `${name} 1` : null));
  vi.spyOn(services.tables, 'readPage').mockImplementation(async () => ({
    head: { rowCount: 1, atEnd: true, droppedSorts: [], milliseconds: 1 },
    batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: [cells] }),
  }));
  return { described: () => describe.mock.calls.length };
}

const { columns } = PRODUCTS_DESCRIPTION;
const [first] = columns;
if (first === undefined) throw new Error('The example has no column.');

it.each([
  ['renamed', columns.map((column) => (column.name === 'brand' ? { ...column, name: 'maker' } : column)), 'maker', 'brand'],
  ['added', [first, ...columns.slice(1), { ...first, name: 'maker', kind: 'text' as const }], 'maker', undefined],
  ['dropped', columns.filter(({ name }) => name !== 'brand'), undefined, 'brand'],
])('a column that was %s elsewhere comes with the reload of the rows, which says so', async (_, now, came, went) => {
  const services = exampleServices();
  const grid = await renderProducts(services);
  alter(services, now);
  await page.getByRole('button', { name: 'Reload rows' }).click();
  await expect
    .element(page.getByText('The columns of “products” were changed elsewhere. Its structure was read again.'))
    .toBeVisible();
  const heads = (): readonly string[] =>
    [...grid.element().querySelectorAll('[role="columnheader"]')].map((head) => head.textContent ?? '');
  if (came !== undefined) await expect.poll(() => heads().some((text) => text.includes(came))).toBe(true);
  if (went !== undefined) expect(heads().some((text) => text.includes(went))).toBe(false);
  await expect.element(page.getByText('not read')).not.toBeInTheDocument();
});

it('rows of a driver that leaves columns out are read as before, the structure once', async () => {
  const services = exampleServices();
  await renderProducts(services);
  const { described } = alter(services, columns.slice(0, 3));
  const describe = vi.spyOn(services.tables, 'describe').mockResolvedValue(PRODUCTS_DESCRIPTION);
  await page.getByRole('button', { name: 'Reload rows' }).click();
  await expect.poll(() => describe.mock.calls.length).toBe(1);
  await page.getByRole('button', { name: 'Reload rows' }).click();
  await expect.element(page.getByText('1–1 of 1')).toBeVisible();
  expect(described()).toBe(1);
});
