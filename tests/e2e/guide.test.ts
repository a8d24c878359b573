import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { screenshot } from './browser.ts';
import { cellOf, choose, openTable, shownIn, soon, tableGrid } from './openTable.ts';
import { useOwnWindow } from './fixture.ts';

// The guide's walk through the window, with its pictures. TABULARIUM_GUIDE_IMAGES=1 takes the pictures for the guide again.

const fixture = useOwnWindow({ products: 20_000, connection: 'Sample cluster', clipboard: true, sharesConnection: true });
const images = join(root, 'docs/guide/window/images');

async function picture(name: string): Promise<void> {
  if (process.env['TABULARIUM_GUIDE_IMAGES'] !== '1') return screenshot(fixture.page, `guide-${name}`);
  mkdirSync(images, { recursive: true });
  await fixture.page.screenshot({ path: join(images, `${name}.png`) });
}

const grid = () => tableGrid(fixture.page, 'products');
const lastRefresh = async () => fixture.page.getByText(/Last refresh/).innerText();
const side = () => fixture.page.getByRole('navigation', { name: 'Collections' });

describe('the guide', () => {
  it('opens a collection', async () => {
    await openTable(fixture.page, 'products');
    await (await cellOf(fixture.page, grid(), 4, 'brand')).click();
    await picture('grid');
  });

  it('filters it', async () => {
    await openTable(fixture.page, 'products');
    const bar = fixture.page.getByRole('region', { name: 'Filter rows' });
    const add = bar.getByRole('button', { name: 'Filter', exact: true });
    await add.click();
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Column' }).first(), /^price/);
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Operator' }).first(), 'is greater than');
    await bar.getByLabel('Value', { exact: true }).fill('100');
    await add.click();
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Column' }).last(), /^category/);
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Operator' }).last(), /^is$/);
    await bar.getByLabel('Value', { exact: true }).last().fill('Kitchen');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByText(/1–[\d,]+ of [\d,]+ filtered/).waitFor();
    expect(new Set(await shownIn(fixture.page, grid(), 'category'))).toEqual(new Set(['Kitchen']));
    await fixture.page.keyboard.press('Escape');
    await picture('filter');
    await bar.getByRole('button', { name: 'Clear', exact: true }).click();
    await soon(() => fixture.page.getByText(/filtered/).count()).toBe(0);
  });

  it('finds a text in all collections', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await page.keyboard.press('Control+Alt+f');
    const tab = page.getByRole('region', { name: 'Find in collections' });
    await tab.getByRole('searchbox', { name: 'Text to find' }).fill('Kettle');
    await page.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'products 10+', exact: true }).waitFor();
    await soon(() => tab.getByRole('status').innerText()).toMatch(/rows in \d+ collections?$/);
    expect(await tab.locator('mark').first().innerText()).toBe('Kettle');
    await picture('find');
  });

  it('changes three rows and reviews them', async () => {
    await openTable(fixture.page, 'products');
    for (const [row, column, text] of [
      [0, 'brand', 'Acme & Sons'],
      [1, 'price', '12.5'],
      [2, 'name', 'Folding Stool'],
    ] as const) {
      await (await cellOf(fixture.page, grid(), row, column)).click();
      await fixture.page.keyboard.press('F2');
      const field = fixture.page.getByRole('textbox', { name: `Edit ${column}` });
      await field.fill(text);
      await field.press('Enter');
    }
    await fixture.page.getByRole('button', { name: 'Review…' }).click();
    const review = fixture.page.getByRole('dialog', { name: 'Changes of products' });
    await review.getByRole('button', { name: 'Save 3 changes' }).waitFor();
    await picture('review');
    await review.getByRole('button', { name: 'Save 3 changes' }).click();
    await fixture.page.getByText('Saved 3 changes of products').waitFor();
  });

  it('exports it', async () => {
    await openTable(fixture.page, 'products');
    await fixture.page.getByRole('button', { name: 'Export…' }).click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Export products' });
    await soon(() => dialog.getByLabel('File').inputValue()).toMatch(/products.*\.jsonl$/);
    await dialog.getByLabel('File').fill('/home/me/products.jsonl');
    await picture('export');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('finds a command', async () => {
    await fixture.page.keyboard.press('Control+k');
    await fixture.page.getByRole('dialog', { name: 'Command palette' }).getByRole('option').first().waitFor();
    await picture('palette');
    await fixture.page.keyboard.press('Escape');
  });

  it('runs a request', async () => {
    await side().getByRole('button', { name: 'Console', exact: true }).click();
    await fixture.page.getByRole('textbox', { name: 'Requests', exact: true }).focus();
    await fixture.page.evaluate(() =>
      navigator.clipboard.writeText('GET /collections/products/documents/search?q=kettle&query_by=name&per_page=20'),
    );
    await fixture.page.keyboard.press('Control+v');
    await fixture.page.keyboard.press('Control+Enter');
    await fixture.page.getByRole('region', { name: 'Results' }).getByRole('gridcell').first().waitFor();
    await picture('console');
  });

  it('adds a key', async () => {
    await side().getByRole('button', { name: 'API Keys', exact: true }).click();
    for (const description of ['shop front', 'nightly import']) {
      await fixture.page.getByRole('button', { name: 'Add API Key…' }).first().click();
      const dialog = fixture.page.getByRole('dialog', { name: 'Add API Key' });
      await dialog.getByRole('textbox', { name: /Description/ }).fill(description);
      await dialog.getByRole('button', { name: 'Add API Key' }).click();
      const reported = fixture.page.getByRole('dialog', { name: `“${description}” was added` });
      await reported.getByLabel('I saved it').check();
      await reported.getByRole('button', { name: 'Done' }).click();
    }
    await fixture.page.getByRole('rowheader', { name: 'nightly import' }).waitFor();
    await picture('keys');
  });

  it('watches the metrics', async () => {
    await side().getByRole('button', { name: 'Dashboard', exact: true }).click();
    await fixture.page.getByRole('combobox', { name: 'Refresh' }).selectOption('1');
    const metrics = fixture.page.getByRole('list', { name: 'Metrics' });
    await soon(() => metrics.locator('canvas').count()).toBeGreaterThan(2);
    // A line needs several readings.
    for (let reading = 0; reading < 4; reading += 1) {
      const before = await lastRefresh();
      await soon(lastRefresh).not.toBe(before);
    }
    await picture('dashboard');
  });

  it('lists the connections, and makes a new one', async () => {
    // Installs the driver, without which the type leads to the offer to download it.
    await openTable(fixture.page, 'products');
    await fixture.page.keyboard.press('Control+Shift+l');
    await fixture.page.getByRole('button', { name: 'New connection', exact: true }).waitFor();
    await picture('connections');
    await fixture.page.getByRole('button', { name: 'New connection', exact: true }).click();
    await fixture.page.getByRole('button', { name: /^Search Server/ }).click();
    await fixture.page.getByRole('textbox', { name: 'Name' }).waitFor();
    await picture('new-connection');
  });

  it('searches articles, proves a change of the search, and shows what decides it', async () => {
    const { page } = fixture;
    const search = page.getByRole('region', { name: 'Search in articles' });
    const relevance = page.getByRole('region', { name: 'Relevance of articles' });
    const view = (name: string) => page.getByText(name, { exact: true }).filter({ visible: true }).last();
    await openTable(page, 'articles');
    await view('Search').click();
    await search.getByRole('textbox', { name: 'Words to search for' }).fill('sourdough');
    await search.getByRole('heading', { name: 'Notes on sourdough' }).waitFor();
    await picture('search');

    await view('Relevance').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      relevance.getByRole('button', { name: 'Import…' }).click(),
    ]);
    await chooser.setFiles(join(root, 'docs/examples/articles-queries.csv'));
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Everyday words');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await relevance.getByText('Runs', { exact: true }).click();
    await relevance.getByRole('button', { name: 'Run', exact: true }).click();
    await relevance.getByRole('table', { name: 'Metrics in all' }).waitFor();
    await picture('relevance');

    await view('Search').click();
    await search.getByRole('region', { name: 'Options' }).getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await view('Relevance').click();
    await relevance.getByText('Differences', { exact: true }).click();
    await relevance.getByRole('button', { name: 'Compare', exact: true }).click();
    await relevance.getByRole('table', { name: 'Differences per query' }).waitFor();
    await picture('differences');

    await side().getByRole('button', { name: 'Objects', exact: true }).click();
    const objects = page.getByRole('region', { name: 'Objects', exact: true });
    await objects.getByRole('button', { name: 'Synonyms', exact: true }).click();
    await objects.getByRole('row', { name: /^typing-machines/ }).waitFor();
    await picture('objects');
  });
});
