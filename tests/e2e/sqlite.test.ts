import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { sampleDatabase } from '../../scripts/start/sampleDatabase.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { cellOf, choose, savedConnection, shownIn, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// The second kind of database, with the sample that `npm start` brings: consent, browsing, filtering, editing, SQL.

const NAME = 'Bookshop';

let application: Application;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];
/** Where the window is: the key in the address that the host prints is good for once. */
let address: string;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-bookshop-'));
  [application, browser, file] = await Promise.all([startApplication({ products: 50 }), startBrowser(), sampleDatabase(folder)]);
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command(
    ...['connections', 'add', '--driver', 'sqlite', '--name', NAME, '--set', `file=${file}`],
    ...['--ai-policy', 'alwaysAllow'],
  );
  address = application.ui;
  context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
});

beforeEach(async () => {
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(new URL('#new', address).href);
  await savedConnection(page, NAME).waitFor();
  address = page.url();
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

const question = () => page.getByRole('dialog', { name: /leave the sandbox/ });
const tables = () => page.getByRole('navigation', { name: 'Tables' });
const editor = () => page.getByRole('textbox', { name: 'Requests', exact: true });
const results = () => page.getByRole('region', { name: 'Results' });

/** Opens the connection; its driver may leave the sandbox. */
async function openBookshop(): Promise<void> {
  await savedConnection(page, NAME).click();
  const books = tables().getByText('books', { exact: true });
  await question().or(books).first().waitFor();
  if (await question().isVisible()) await question().getByRole('button', { name: 'Allow', exact: true }).click();
  await books.waitFor();
}

/** Shows what the driver is and may do. */
async function openDriver(): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Drivers' }).click();
  await page.getByRole('listbox', { name: 'Drivers' }).getByRole('option').filter({ hasText: 'SQLite File' }).click();
  await page.getByRole('region', { name: 'SQLite File', exact: true }).waitFor();
}

const revoke = () => page.getByRole('button', { name: 'Revoke the permissions of the driver for SQLite File' });

async function openConsole(): Promise<void> {
  await openBookshop();
  await tables().getByRole('button', { name: 'Console', exact: true }).click();
  await editor().waitFor();
}

async function open(table: string) {
  await tables().getByText(table, { exact: true }).click();
  const grid = tableGrid(page, table);
  await grid.getByRole('gridcell').first().waitFor();
  return grid;
}

async function write(text: string): Promise<void> {
  await editor().focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('Control+v');
}

describe('a SQLite file', () => {
  it('is shown in the chooser with what its driver asks for', async () => {
    await page.getByRole('button', { name: 'New connection' }).first().click();
    await page.getByText('Can open any file that you can').waitFor();
    await screenshot(page, 'sqlite-00-chooser');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByText('Can open any file that you can').waitFor({ state: 'detached' });
  });

  it('asks before its driver leaves the sandbox, in words, and stays closed when that is refused', async () => {
    // Another test may have allowed it.
    await openDriver();
    if (await revoke().isVisible()) {
      await revoke().click();
      await revoke().waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Close' }).first().click();
    await savedConnection(page, NAME).click();
    await question().waitFor();
    await question().getByText('It can open, read and change any file that you can.').waitFor();
    await screenshot(page, 'sqlite-01-question');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sqlite-02-question');
    await page.keyboard.press('Escape');
    await soon(() => question().count()).toBe(0);
    await page
      .getByText(/asks to leave the sandbox/)
      .first()
      .waitFor();
    await screenshot(page, 'sqlite-03-refused');
    await page.getByRole('button', { name: 'Try again' }).click();
    await question().getByRole('button', { name: 'Allow', exact: true }).click();
    await tables().getByText('books', { exact: true }).waitFor();
  });

  it('shows tables and views with typed columns', async () => {
    await openBookshop();
    const grid = await open('books');
    await page.getByText('1–500 of 1,200').waitFor();
    await screenshot(page, 'sqlite-04-books');
    await expectNoViolations(page);
    await open('bestsellers');
    await open('Price List 2027 (draft)');
    await screenshot(page, 'sqlite-05-odd-names');
    await open('books');
    await grid.focus();
    await page.keyboard.press('Control+End');
    await soon(async () => (await shownIn(page, grid, 'id')).includes('1200')).toBe(true);
  });

  it('filters and sorts', async () => {
    await openBookshop();
    const grid = await open('books');
    const bar = page.getByRole('region', { name: 'Filter rows' });
    await bar.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose(page, bar.getByRole('combobox', { name: 'Column' }).first(), /^title/);
    await choose(page, bar.getByRole('combobox', { name: 'Operator' }).first(), 'contains');
    await bar.getByLabel('Value', { exact: true }).fill('lantern');
    await bar.getByLabel('Value', { exact: true }).press('Enter');
    await page.getByText(/of [\d,]+ filtered/).waitFor();
    const titles = await shownIn(page, grid, 'title');
    expect(titles.length).toBeGreaterThan(3);
    expect(titles.every((title) => title.includes('Lantern'))).toBe(true);
    await screenshot(page, 'sqlite-06-filtered');
    await bar
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await bar.getByLabel('Value', { exact: true }).waitFor({ state: 'detached' });
  });

  it('stages changes, shows the statements, and saves them in one transaction', async () => {
    await openBookshop();
    const grid = await open('authors');
    await (await cellOf(page, grid, 0, 'name')).click();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit name' });
    await field.fill("Zoë O'Neill");
    await field.press('Enter');
    await page.getByText('1 change', { exact: true }).waitFor();
    await grid.focus();
    await page.keyboard.press('Control+s');
    const review = page.getByRole('dialog', { name: 'Changes of authors' });
    await review.getByText(/UPDATE main\."authors" SET "name" = 'Zoë O''Neill' WHERE "id" = 1/).waitFor();
    await screenshot(page, 'sqlite-07-review');
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Saved 1 change of authors').waitFor();
    await soon(async () => (await cellOf(page, grid, 0, 'name')).innerText()).toBe("Zoë O'Neill");
  });

  it('runs SQL, several statements, and refuses another file', async () => {
    await openConsole();
    await write('SELECT shelf, count(*) AS books, avg(price) FROM books GROUP BY shelf ORDER BY 2 DESC;');
    await page.keyboard.press('Control+Enter');
    const grid = results().getByRole('grid');
    await grid.getByRole('gridcell').first().waitFor();
    await soon(() => grid.getAttribute('aria-rowcount')).toBe('6');
    await screenshot(page, 'sqlite-08-console');
    await expectNoViolations(page);
    await write(`ATTACH '${file}' AS other`);
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/ATTACH is not run here/)
      .first()
      .waitFor();
    await screenshot(page, 'sqlite-09-attach');
  });

  it('names the missing WHERE and the rows before it changes all of them, and formats SQL', async () => {
    await openConsole();
    await write('DELETE FROM books');
    await page.keyboard.press('Control+Enter');
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await question.getByText(/There is no WHERE, so every row of “books” is affected\. Rows now: [\d,]+\./).waitFor();
    await question.getByLabel('The request as written').getByText('DELETE FROM books').waitFor();
    await expectNoViolations(page);
    await screenshot(page, 'sqlite-11-where');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await write("select name from books where name = 'two  words'");
    await page.getByRole('button', { name: 'Format SQL' }).click();
    await soon(async () => (await editor().innerText()).split('\n').filter((line) => line.trim() !== '').length).toBe(6);
    expect(await editor().innerText()).toContain("'two  words'");
  });

  it('shows the structure, and what the driver may do, which can be taken back', async () => {
    await openBookshop();
    await open('orders');
    await openDriver();
    await page.getByText(/To leave the sandbox\. It can open, read and change any file/).waitFor();
    await revoke().scrollIntoViewIfNeeded();
    await screenshot(page, 'sqlite-10-driver');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Close' }).first().click();
  });
});
