import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { savedConnection, shownIn, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// The search across tables in the window, over a SQLite file whose values aren't those that its columns declare, and are long.

const NAME = 'Mixed values';
const LARGE = 15 * 1024 * 1024;

let application: Application;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];
/** Where the window is: the key in the address that the host prints is good for once. */
let address: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-find-'));
  const file = join(folder, 'mixed.db');
  using database = new DatabaseSync(file);
  database.exec(`CREATE TABLE parts (id INTEGER PRIMARY KEY, stock INTEGER, price REAL, sold BOOLEAN, photo BLOB, note TEXT);
    INSERT INTO parts VALUES (1, 4711, 1e20, 1, x'00', 'plain'), (2, 'unknown', 'unknown price', 'unknown', 'unknown photo', 'x'), (3, 5, 0.1, 0, x'01', 'the unknown part');
    CREATE TABLE orders (id INTEGER PRIMARY KEY, part TEXT);
    INSERT INTO orders VALUES (1, 'unknown'), (2, '4711-b');
    CREATE TABLE scans (id INTEGER PRIMARY KEY, title TEXT, scan TEXT, data BLOB);
    WITH RECURSIVE i(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM i WHERE id < 12)
    INSERT INTO scans SELECT id, 'Scan ' || id, 'page ' || id || ' ' || hex(zeroblob(${LARGE / 2})), zeroblob(${LARGE}) FROM i;`);
  [application, browser] = await Promise.all([startApplication({ products: 5 }), startBrowser()]);
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command('connections', 'add', '--driver', 'sqlite', '--name', NAME, '--set', `file=${file}`);
  address = application.ui;
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
});

beforeEach(async () => {
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(new URL('#new', address).href);
  await savedConnection(page, NAME).waitFor();
  address = page.url();
  await savedConnection(page, NAME).click();
  const question = page.getByRole('dialog', { name: /leave the sandbox/ });
  await question.or(listed('parts')).first().waitFor();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Allow', exact: true }).click();
  await listed('parts').waitFor();
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
  await page.close();
  expect(faults).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const listed = (table: string) => page.getByRole('navigation', { name: 'Tables' }).getByText(table, { exact: true });
const tab = () => page.getByRole('region', { name: 'Find in tables' });
const field = () => tab().getByRole('searchbox', { name: 'Text to find' });
const found = (name: string | RegExp) => tab().getByRole('button', { name });
const bar = () => page.getByRole('region', { name: 'Filter rows' });

async function find(text: string): Promise<void> {
  await page.keyboard.press('Control+Alt+f');
  await field().fill(text);
  await page.keyboard.press('Enter');
}

describe('finding in tables', () => {
  it('finds text in columns of numbers, truth values and blobs, and opens the table with exactly the rows found', async () => {
    await find('unknown');
    await found('parts 2').waitFor();
    await soon(() => tab().getByRole('status').innerText()).toMatch(/^3 rows in 2 tables$/);
    await screenshot(page, 'find-01-text');
    await expectNoViolations(page);
    await lookEverywhere(page, 'find-02-text');
    // Nothing was left out.
    expect(await tab().getByText('not compared').count()).toBe(0);
    await found('parts 2').click();
    const grid = tableGrid(page, 'parts');
    await soon(() => shownIn(page, grid, 'id')).toEqual(['2', '3']);
    await soon(() => bar().getByLabel('Value', { exact: true }).count()).toBe(5);
    await screenshot(page, 'find-03-opened');
    await lookEverywhere(page, 'find-04-opened');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await soon(() => shownIn(page, grid, 'id')).toEqual(['1', '2', '3']);
  });

  it('finds a number in another spelling', async () => {
    await find('1e20');
    await found(/^1 price 100000000000000000000$/).waitFor();
    await find('4711.00');
    await found(/^1 stock 4711$/).waitFor();
  });

  it('leads by keys from the field to a found table, whose rows have the keyboard', async () => {
    await page.getByRole('textbox', { name: 'Filter tables' }).fill('a');
    await find('unknown part');
    await found('parts 1').waitFor();
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const grid = tableGrid(page, 'parts');
    await soon(() => shownIn(page, grid, 'id')).toEqual(['3']);
    await soon(() => grid.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await screenshot(page, 'find-05-focus');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  });

  it('has its text again after a reload', async () => {
    await find('unknown');
    await tab().getByRole('combobox', { name: 'Rows per table' }).selectOption('25');
    await found('parts 2').waitFor();
    await page.reload();
    await soon(() => field().inputValue()).toBe('unknown');
    expect(await tab().getByRole('combobox', { name: 'Rows per table' }).inputValue()).toBe('25');
    await screenshot(page, 'find-06-reloaded');
  });
});

describe('long values', () => {
  it('of a page are cut, and one is read whole on its own', async () => {
    await find('page 7');
    await found('scans 1').waitFor();
    await screenshot(page, 'find-07-long');
    await listed('scans').click();
    const grid = tableGrid(page, 'scans');
    await soon(() => shownIn(page, grid, 'title')).toHaveLength(12);
    await screenshot(page, 'find-08-page');
    await lookEverywhere(page, 'find-09-page');
    await grid.getByText('15.7 MB · page 7').click();
    await page.keyboard.press('Control+i');
    const panel = page.getByRole('complementary', { name: 'Value' });
    await panel.getByRole('button', { name: 'Read the value of scan' }).click();
    await soon(() => panel.getByRole('button', { name: 'Read the value of scan' }).count()).toBe(0);
    await screenshot(page, 'find-10-whole');
  });

  it('end an export with a sentence, and the connection stays open', async () => {
    const output = join(folder, 'scans.jsonl');
    const exported = application.command('export', NAME, 'scans', '--format', 'jsonl', '--output', output);
    await expect(exported).rejects.toThrow(/A row has \d+ MB, more than can be handed over in one piece/);
    const { tables } = (await application.command('tables', NAME)) as { tables: { name: string }[] };
    expect(tables.map(({ name }) => name)).toContain('scans');
  });
});
