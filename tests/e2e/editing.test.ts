import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, cellOf, openTable, soon, tableGrid } from './openTable.ts';

// Editing rows over the real driver and a real server: staged, reviewed, saved.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 2_000 }), startBrowser()]);
  await addConnection(application, 'Cluster');
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(application.ui);
  await page.getByRole('button', { name: 'Open Cluster' }).click();
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const grid = () => tableGrid(page, 'products');
const cell = (row: number, column: string) => cellOf(page, grid(), row, column);
const review = () => page.getByRole('dialog', { name: 'Changes of products' });

async function edit(row: number, column: string, text: string): Promise<void> {
  await (await cell(row, column)).click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: `Edit ${column}` });
  await field.fill(text);
  await field.press('Enter');
}

describe('editing', { timeout: 120_000 }, () => {
  it('stages a cell from the keyboard, marks it, and takes it back', async () => {
    await openTable(page, 'products');
    await (await cell(0, 'brand')).click();
    await page.keyboard.type('Acme & Sons');
    await screenshot(page, 'editing-01-editor');
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).waitFor();
    await soon(async () => (await cell(0, 'brand')).innerText()).toBe('Acme & Sons');
    expect(await (await cell(0, 'brand')).getAttribute('data-changed')).toBe('true');
    await grid().focus();
    await page.keyboard.press('Control+z');
    await soon(() => page.getByText('1 change', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+Shift+z');
    await page.getByText('1 change', { exact: true }).waitFor();
  });

  it("rejects a value of the wrong type, and explains why a key can't be edited", async () => {
    await (await cell(1, 'price')).click();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit price' });
    await field.fill('a lot');
    await field.press('Enter');
    await page.getByRole('alert').getByText('Not changed: enter a number.').waitFor();
    await screenshot(page, 'editing-02-fault');
    await field.press('Escape');
    await (await cell(1, 'id')).click();
    await page.keyboard.press('F2');
    await page
      .getByRole('contentinfo')
      .getByText(/^Read-only: /)
      .waitFor();
  });

  it('inserts, duplicates and deletes rows', async () => {
    await (await cell(2, 'brand')).click();
    await page.keyboard.press('Delete');
    await grid().locator('[data-staged="delete"]').waitFor();
    await (await cell(3, 'brand')).click({ button: 'right' });
    await screenshot(page, 'editing-03-menu');
    await page.getByRole('menuitem', { name: 'Duplicate row' }).click();
    await grid().locator('[data-staged="insert"]').waitFor();
    await page.getByText('3 changes', { exact: true }).waitFor();
    await screenshot(page, 'editing-04-staged');
  });

  it('keeps what is staged over sorting, a reload of the rows and of the window', async () => {
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await page.getByText('3 changes', { exact: true }).waitFor();
    await page.reload();
    await grid().getByRole('gridcell').first().waitFor();
    await page.getByText('3 changes', { exact: true }).waitFor();
    await grid().locator('[data-staged="delete"]').waitFor();
    // The row to be inserted stands above the others.
    await soon(async () => (await cell(1, 'brand')).innerText()).toBe('Acme & Sons');
  });

  it('shows the exact requests, saves them, and says what became of each', async () => {
    await grid().focus();
    await page.keyboard.press('Control+s');
    await review()
      .getByText(/PATCH \/collections\/products\/documents\//)
      .waitFor();
    await review()
      .getByText(/DELETE \/collections\/products\/documents\//)
      .waitFor();
    await review()
      .getByText(/POST \/collections\/products\/documents/)
      .waitFor();
    await screenshot(page, 'editing-05-review');
    const { violations } = await axe(page).include('[role="dialog"]').analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    await review().getByRole('button', { name: 'Save 3 changes' }).click();
    await page.getByText('Saved 3 changes of products').waitFor();
    await soon(() => page.getByRole('button', { name: 'Review…' }).count()).toBe(0);
    await page.getByText('1–1,000 of 2,000').waitFor();
    await soon(() => grid().locator('[data-staged]').count()).toBe(0);
  });

  it('keeps a row that failed, with the reason beside its cell', async () => {
    await edit(4, 'price', '12.5');
    await edit(5, 'stock', '99999999999');
    await page.getByRole('button', { name: 'Review…' }).click();
    await review().getByRole('listitem').nth(1).waitFor();
    const save = review().getByRole('button', { name: 'Save 2 changes' });
    await save.click();
    await review().getByRole('alert').waitFor();
    await screenshot(page, 'editing-06-failed');
    await page.keyboard.press('Escape');
    await grid().locator('[data-failed]').waitFor();
    await page.getByText('1 failed', { exact: true }).waitFor();
    await screenshot(page, 'editing-07-failed-grid');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard 1 change' }).click();
    await soon(() => grid().locator('[data-staged]').count()).toBe(0);
  });

  it('holds in the dark and at 900×600, without a script error', async () => {
    await edit(0, 'name', 'Lamp');
    await (await cell(1, 'brand')).click();
    await page.keyboard.press('Delete');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'editing-10-small-dark');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(overflow).toBe(false);
    expect(faults).toEqual([]);
  });
});
