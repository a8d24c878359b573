import { beforeAll, describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon } from './openTable.ts';

// Queries of the server's own users, and two ways to search compared over them, over the real driver and the sample server.

const fixture = useOwnWindow({ products: 300 });

const view = () => fixture.page.getByRole('region', { name: 'Relevance of products' });
const search = () => fixture.page.getByRole('region', { name: 'Search in products' });
const dialog = () => fixture.page.getByRole('dialog');
const box = () => search().getByRole('textbox', { name: 'Words to search for' });
const rows = (table: string) => view().getByRole('table', { name: table }).getByRole('row');

async function admin(method: string, path: string, body: string): Promise<void> {
  const { port, apiKey } = fixture.application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers: { 'x-typesense-api-key': apiKey } });
  expect(response.ok, `${method} ${path}: ${await response.text()}`).toBe(true);
}

async function openPart(name: string): Promise<void> {
  await openTable(fixture.page, 'products');
  await fixture.page.getByText('Relevance', { exact: true }).click();
  await view().getByText(name, { exact: true }).click();
}

async function expectNoViolations(): Promise<void> {
  const { violations } = await axe(fixture.page).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

describe('queries of users', () => {
  beforeAll(async () => {
    const fields = [
      { name: 'q', type: 'string' },
      { name: 'count', type: 'int32' },
    ];
    await admin('POST', '/collections', JSON.stringify({ name: 'asked', fields }));
    const lines = [
      { q: 'kettle', count: 41 },
      { q: 'ketle', count: 7 },
      { q: 'desk lamp', count: 12 },
      { q: '<b>chair</b>', count: 2 },
    ];
    await admin('POST', '/collections/asked/documents/import', lines.map((line) => JSON.stringify(line)).join('\n'));
    await admin(
      'POST',
      '/analytics/rules',
      JSON.stringify({
        name: 'what people want',
        type: 'popular_queries',
        params: { source: { collections: ['products'] }, destination: { collection: 'asked' }, limit: 100 },
      }),
    );
  });

  it('are a table that is sorted, leads into the search, and fills a query set', async () => {
    await openPart('From users');
    const texts = (): Promise<string[]> => rows('Popular').getByRole('rowheader').allInnerTexts();
    await soon(texts).toEqual(['kettle', 'desk lamp', 'ketle', '<b>chair</b>']);
    await view().getByText('4 queries', { exact: true }).waitFor();
    await expectNoViolations();
    await view().getByRole('button', { name: 'Searches' }).click();
    await soon(texts).toEqual(['<b>chair</b>', 'ketle', 'desk lamp', 'kettle']);
    await view().getByRole('button', { name: 'Query', exact: true }).click();
    await soon(texts).toEqual(['<b>chair</b>', 'desk lamp', 'ketle', 'kettle']);

    await view().getByRole('checkbox', { name: 'Choose all 4 queries' }).click();
    await view().getByRole('checkbox', { name: 'Choose <b>chair</b>' }).click();
    await screenshot(fixture.page, 'user-queries-01-popular');
    await view().getByRole('button', { name: 'Add 3 queries to a query set' }).click();
    await fixture.page.getByRole('menuitem', { name: 'New query set…' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('What people want');
    await fixture.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await fixture.page.getByText('3 queries added to “What people want”').waitFor();
    await view().getByText('3 queries, 0 judgments', { exact: true }).waitFor();
    // The same again: nothing is there twice, and it is said.
    await view().getByRole('checkbox', { name: 'Choose kettle' }).click();
    await view().getByRole('button', { name: 'Add 1 query to a query set' }).click();
    await fixture.page.getByRole('menuitem', { name: 'What people want' }).click();
    await fixture.page.getByText('No query added to “What people want”; 1 was there').waitFor();

    await view().getByRole('button', { name: 'ketle', exact: true }).click();
    await soon(() => box().inputValue()).toBe('ketle');
    await search().getByRole('article').first().waitFor();
  });

  it('that are not recorded have a reason, which leads to the objects that record', async () => {
    await openPart('From users');
    await view().getByText('Without hits', { exact: true }).click();
    await view().getByText('No analytics rule of the type nohits_queries counts searches of “products”.').waitFor();
    await screenshot(fixture.page, 'user-queries-02-none');
    await expectNoViolations();
    await view().getByRole('button', { name: 'Open Objects' }).click();
    const objects = fixture.page.getByRole('region', { name: 'Objects', exact: true });
    await objects.getByRole('row', { name: /^what people want/ }).waitFor();
  });

  it('show for which of them two ways to search differ, and lead into their comparison', async () => {
    await openPart('Differences');
    await view().getByText('There is one way to search so far.').waitFor();
    await view().getByText('Search', { exact: true }).click();
    const options = search().getByRole('region', { name: 'Options' });
    await options.getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await search().getByText('Relevance', { exact: true }).click();
    await view().getByText('Differences', { exact: true }).click();
    await view().getByRole('textbox', { name: 'Queries to compare, pasted' }).fill('kettle\nketle\n\nketle');
    await view().getByRole('button', { name: 'Compare', exact: true }).click();
    await view()
      .getByText('1 of 2 queries find other hits in “Search now” (B) than in “Default” (A). Mean overlap: 0.500.')
      .waitFor();
    const cells = (await rows('Differences per query').nth(1).innerText()).split(/\s*[\t\n]\s*/);
    expect(cells.slice(0, 6)).toEqual(['ketle', '0.000', '0', '0', '7', '0']);
    await screenshot(fixture.page, 'user-queries-03-differences');
    await expectNoViolations();
    await view().getByRole('button', { name: 'ketle', exact: true }).click();
    await soon(() => box().inputValue()).toBe('ketle');
    await search().getByRole('region', { name: 'A', exact: true }).getByRole('article').first().waitFor();
    await search().getByRole('region', { name: 'B', exact: true }).getByText('Nothing found').waitFor();
  });
});
