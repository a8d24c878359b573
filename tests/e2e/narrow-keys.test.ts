import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NARROW_KEY } from './application.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openConnection, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// A key that may search in one collection and list none: its collection is opened by name, and keeps its place.

const fixture = useOwnWindow({
  products: 3_000,
  tool: 'API Keys',
  clipboard: true,
  sharesConnection: true,
  // The server refuses what the key may not do, and the host is restarted under a window.
  provokes: /Failed to load resource/,
});

const sidebar = () => fixture.page.getByRole('navigation', { name: 'Collections' });
const named = () => sidebar().getByRole('region', { name: 'Opened by name' });
const dialog = () => fixture.page.getByRole('dialog', { name: 'Open collection by name' });

async function saveConnection(name: string): Promise<void> {
  await fixture.application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name],
    ...['--set', 'host=127.0.0.1', '--set', `port=${fixture.application.sandbox.port}`, '--set', 'sslMode=disabled'],
    ...['--api-key-env', 'E2E_NARROW_KEY', '--external-clients', 'readOnly'],
  );
}

/** Each test has a connection of its own: the host remembers the collections that were opened by name. */
let narrow: string;
let connections = 0;

/** Opens the connection, and the collection by its name. */
async function openProducts(): Promise<void> {
  const { page } = fixture;
  await openConnection(page, narrow);
  await sidebar().getByRole('button', { name: 'Open collection by name…' }).click();
  await dialog().getByLabel('Collection name').fill('products');
  await page.keyboard.press('Enter');
  await tableGrid(page, 'products').locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
  await named().getByRole('button', { name: 'products' }).waitFor();
}

beforeAll(() => createKey(['documents:search'], ['products'], NARROW_KEY));
beforeEach(async () => {
  connections += 1;
  narrow = `Narrow ${connections}`;
  await saveConnection(narrow);
});

async function createKey(actions: readonly string[], collections: readonly string[], value: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${fixture.application.sandbox.port}/keys`, {
    method: 'POST',
    headers: { 'x-typesense-api-key': fixture.application.sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'narrow', actions, collections, value }),
  });
  expect(response.status).toBe(201);
}

async function searched(key: string): Promise<{ status: number; found: number }> {
  const response = await fetch(`http://127.0.0.1:${fixture.application.sandbox.port}/multi_search`, {
    method: 'POST',
    headers: { 'x-typesense-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ searches: [{ collection: 'products', q: '*', per_page: 0 }] }),
  });
  const answer = (await response.json()) as { results?: { found: number }[] };
  return { status: response.status, found: answer.results?.[0]?.found ?? -1 };
}

describe('a search-only key for one collection', () => {
  it('computes a scoped key from it, shown once, which works and filters', async () => {
    const { page } = fixture;
    await page.getByRole('button', { name: 'Generate Scoped Search Key…' }).click();
    const form = page.getByRole('dialog', { name: 'Generate Scoped Search Key' });
    await form.getByRole('button', { name: 'Generate', exact: true }).click();
    await form.getByText('Enter Parent key.').waitFor();
    await form
      .getByLabel(/^Parent key/)
      .first()
      .fill('not-a-key-of-it');
    await form
      .getByLabel(/^Filter/)
      .first()
      .fill('price:<50');
    await form.getByRole('button', { name: 'Generate', exact: true }).click();
    await form.getByText('The server has no key that begins like this one.').first().waitFor();
    await screenshot(page, 'narrow-01-generate');
    await expectNoViolations(page);
    await form
      .getByLabel(/^Parent key/)
      .first()
      .fill(NARROW_KEY);
    await form.getByRole('button', { name: 'Generate', exact: true }).click();
    const once = page.getByRole('dialog', { name: 'New Scoped Search Key' });
    await once.getByRole('button', { name: 'Copy' }).click();
    const value = await page.evaluate(() => navigator.clipboard.readText());
    await screenshot(page, 'narrow-02-generated');
    await expectNoViolations(page);
    const { status, found } = await searched(value);
    const all = await searched(NARROW_KEY);
    expect([status, all]).toEqual([200, { status: 200, found: 3_000 }]);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(3_000);
    await once.getByLabel('I saved it').check();
    await once.getByRole('button', { name: 'Done' }).click();
    expect(await page.locator('body').innerText()).not.toContain(value);
  });

  it('opens, says what it may do, and nothing is called failed', async () => {
    const { page } = fixture;
    await openConnection(page, narrow);
    await page.getByText(/can't list collections.* It may search documents\. Open a collection by name\./).waitFor();
    await sidebar().getByText("This key can't list collections: it lacks the action collections:list.").waitFor();
    expect(await page.locator('[data-failed]').count()).toBe(0);
    await screenshot(page, 'narrow-03-open');
    await expectNoViolations(page);
    await lookEverywhere(page, 'narrow-04');
  });

  it('refuses a wrong name by name, and opens the right one', async () => {
    const { page } = fixture;
    await openConnection(page, narrow);
    await sidebar().getByRole('button', { name: 'Open collection by name…' }).click();
    await dialog().getByRole('button', { name: 'Open', exact: true }).click();
    await dialog().getByText('Enter the name of the collection.').waitFor();
    await dialog().getByLabel('Collection name').fill('articles');
    await page.keyboard.press('Enter');
    await dialog().getByText('This key may not search in a collection “articles”.').waitFor();
    await screenshot(page, 'narrow-05-refused');
    await expectNoViolations(page);
    await dialog().getByLabel('Collection name').fill(' products ');
    await page.keyboard.press('Enter');
    const grid = tableGrid(page, 'products');
    await grid.locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
    await named().getByRole('button', { name: 'products' }).waitFor();
    await screenshot(page, 'narrow-06-grid');
    await lookEverywhere(page, 'narrow-07');
  });

  it('remembers the name in this home, and forgets it when asked', async () => {
    const { page } = fixture;
    await openProducts();
    await page.goto('about:blank');
    await fixture.application.restart();
    await page.goto(fixture.application.ui);
    await openConnection(page, narrow);
    await named().getByRole('button', { name: 'products' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove from this list' }).click();
    await named().getByRole('button', { name: 'products' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('collection by name');
    await palette.getByRole('option', { name: 'Open collection by name…' }).click();
    await dialog().getByLabel('Collection name').fill('products');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await soon(() => named().getByRole('button', { name: 'products' }).count()).toBe(0);
  });

  it('exports what it may search, though it may not export', async () => {
    const file = `${fixture.application.files}/narrow.jsonl`;
    const done = await fixture.application.command('export', narrow, 'products', '--format', 'jsonl', '--output', file);
    expect(done).toMatchObject({ rows: 3_000 });
  });
});
