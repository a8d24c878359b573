import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { soon } from './openTable.ts';
import { expectAccessible, lookEverywhere, openTool } from './openTool.ts';

// Requests as a person writes, runs, stops, keeps and takes them up again.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 3_000 }), startBrowser()]);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  faults = watchFaults(page);
  await openTool(page, application, 'Console');
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const editor = () => page.getByRole('textbox', { name: 'Requests', exact: true });
const results = () => page.getByRole('region', { name: 'Results' });
const editorText = async () => (await editor().innerText()).replaceAll('\u00a0', ' ').replaceAll('\n\n', '\n');

/** Puts a text in place of all others, as a paste does: typing would close brackets by itself. */
async function write(text: string): Promise<void> {
  await editor().focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('Control+v');
}

describe('the console', { timeout: 60_000 }, () => {
  it('says what it is for while it is empty', async () => {
    await editor().waitFor();
    await page.getByText('No results yet').waitFor();
    await screenshot(page, 'console-01-empty');
    await expectAccessible(page);
  });

  it('completes what is typed', async () => {
    await editor().focus();
    await page.keyboard.type('GET /coll');
    const option = page.getByRole('listbox').getByRole('option').first();
    await option.waitFor();
    await screenshot(page, 'console-02-completion');
    await page.keyboard.press('Escape');
  });

  it('runs the request at the cursor and shows documents as a grid', async () => {
    await write('GET /collections/products/documents/search?q=*&query_by=name&per_page=20');
    await page.keyboard.press('Control+Enter');
    const grid = results().getByRole('grid');
    await grid.getByRole('gridcell').first().waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('21');
    await results()
      .getByText(/200 OK · 20 rows/)
      .waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Value' }).waitFor();
    await screenshot(page, 'console-03-grid');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close the value' }).click();
  });

  it('shows any other answer as a tree, and as text', async () => {
    await write('GET /collections/products');
    await page.keyboard.press('Control+Enter');
    await results().getByRole('tree').waitFor();
    await results()
      .getByRole('treeitem', { name: /^fields/ })
      .waitFor();
    await screenshot(page, 'console-04-tree');
    await expectAccessible(page);
    await results().getByText('Text', { exact: true }).click();
    await results().getByLabel('Answer as text').waitFor();
    await screenshot(page, 'console-05-text');
  });

  it('asks before a request that does more than read, naming what it does, and runs it only after a yes', async () => {
    await write(
      'POST /collections\n{"name":"made here","fields":[{"name":"title","type":"string"}]}\n\nGET /collections/made%20here',
    );
    await page.keyboard.press('Control+Shift+Enter');
    const dialog = page.getByRole('dialog', { name: 'Run these 2 requests?' });
    await dialog
      .getByText(/made here/)
      .first()
      .waitFor();
    await screenshot(page, 'console-06-confirm');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await results().getByRole('button', { name: /made/ }).count()).toBe(0);
    await editor().focus();
    await page.keyboard.press('Control+Shift+Enter');
    await dialog.getByRole('button', { name: 'Run all 2' }).click();
    await results().getByRole('tree').waitFor();
    await screenshot(page, 'console-07-several');
  });

  it('asks more plainly before one that destroys', async () => {
    await write('DELETE /collections/made%20here');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Run this request?' });
    await dialog.getByText(/This destroys data in “My cluster”/).waitFor();
    await dialog.getByText(/made here/).waitFor();
    await screenshot(page, 'console-08-confirm-destroys');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await results().getByText('200 OK').waitFor();
  });

  it('says what the server says, and does not run what follows', async () => {
    await write('GET /collections/nowhere\n\nGET /health');
    await page.keyboard.press('Control+Shift+Enter');
    await results().getByRole('alert').waitFor();
    await screenshot(page, 'console-09-failed');
    await expectAccessible(page);
    await results()
      .getByRole('button', { name: /health/ })
      .click();
    await results().getByText('Not run, because a request before it failed or was stopped.').waitFor();
  });

  it('refuses what is no request, with a message that helps', async () => {
    await write('DELETE FROM products');
    await page.keyboard.press('Control+Enter');
    await page.getByText('it looks like SQL').waitFor();
    expect(await page.getByRole('button', { name: 'Run it' }).count()).toBe(0);
    await screenshot(page, 'console-10-refused');
  });

  it('indents JSON without changing a number', async () => {
    await write('POST /multi_search\n{"searches":[{"collection":"products","q":"*","page":9007199254740993}]}');
    await page.getByRole('button', { name: 'Format JSON' }).click();
    await soon(editorText).toContain('"page": 9007199254740993');
    await screenshot(page, 'console-11-formatted');
    await page.keyboard.press('Control+z');
  });

  it('saves a request with variables for all connections, and asks for their values', async () => {
    await write('GET /collections/{{collection}}');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Save request' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('One collection');
    await dialog.getByText('All connections').click();
    await screenshot(page, 'console-12-save');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await write('');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Saved' }).click();
    const panel = page.getByRole('complementary', { name: 'Saved' });
    await panel.getByRole('button', { name: /^One collection/ }).click();
    await soon(editorText).toContain('{{collection}}');
    await screenshot(page, 'console-13-saved');
    await editor().focus();
    await page.keyboard.press('Control+Enter');
    const values = page.getByRole('dialog', { name: 'Values for the variables' });
    await values.getByRole('textbox', { name: 'collection' }).fill('products');
    await screenshot(page, 'console-14-variables');
    await values.getByRole('button', { name: 'Run with these values' }).click();
    await results().getByRole('tree').waitFor();
  });

  it('finds in the history what was run', async () => {
    await page.getByRole('button', { name: 'History' }).click();
    const panel = page.getByRole('complementary', { name: 'History' });
    await panel.getByText('GET /collections/products', { exact: true }).first().waitFor();
    await panel.getByRole('textbox', { name: 'Search the history' }).fill('nowhere');
    await soon(() => panel.getByRole('listitem').count()).toBe(1);
    await screenshot(page, 'console-15-history');
    await expectAccessible(page);
    await lookEverywhere(page, 'console-16');
    await panel.getByRole('button', { name: /^GET \/collections\/nowhere/ }).click();
    await soon(editorText).toContain('nowhere');
    await page.getByRole('button', { name: 'Close the panel' }).click();
  });

  it('keeps the text across tabs and a reload, and meets no fault', async () => {
    await write('GET /aliases');
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).click();
    await page.getByRole('tab', { name: 'Console' }).click();
    await soon(editorText).toBe('GET /aliases');
    await page.reload();
    await page.getByRole('tab', { name: 'Console' }).waitFor();
    await soon(editorText).toBe('GET /aliases');
    // The browser tells of every answer with an error; two requests above were to fail.
    expect(faults.filter((fault) => !/^Failed to load resource: .* status of 40[04]/.test(fault))).toEqual([]);
  });
});
