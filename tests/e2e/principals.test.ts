import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { expectAccessible, lookEverywhere, openTool } from './openTool.ts';

// Who may use the database: listed, added with a value that is told once, and deleted.

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
  await openTool(page, application, 'API Keys');
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const keys = () => page.getByRole('table', { name: 'API Keys' });
const row = (name: string) =>
  keys()
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

async function add(description: string, collection: string): Promise<void> {
  await page.getByRole('button', { name: 'Add API Key…' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add API Key' });
  await sheet.getByRole('textbox', { name: /Description/ }).fill(description);
  const collections = sheet.getByLabel(/^Collections/).first();
  await collections.click();
  await collections.press('Backspace');
  await collections.fill(collection);
  await collections.press('Enter');
  await screenshot(page, 'principals-02-add');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Add API Key' }).click();
}

describe('the keys of a server', { timeout: 60_000 }, () => {
  it('says what the list is for, and that keys cannot be edited', async () => {
    await page.getByRole('region', { name: 'API Keys' }).waitFor();
    await page.getByRole('button', { name: 'Add API Key…' }).first().waitFor();
    await screenshot(page, 'principals-01-list');
    await expectAccessible(page);
  });

  it('adds one, and tells its value once, until it was saved', async () => {
    await add('reader of products', 'products');
    const dialog = page.getByRole('dialog', { name: '“reader of products” was added' });
    await dialog.getByRole('button', { name: 'Copy' }).click();
    const value = await page.evaluate(() => navigator.clipboard.readText());
    expect(value.length).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
    await dialog.getByText(value).waitFor();
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    await screenshot(page, 'principals-03-value');
    await expectAccessible(page);
    await dialog.getByLabel('I saved it').check();
    await done.click();
    await row('reader of products').waitFor();
    expect(await page.locator('body').innerText()).not.toContain(value);
    expect(await row('reader of products').innerText()).toContain('documents:search');
  });

  it('marks what is server-wide, finds by words, and says why editing is not there', async () => {
    await add('everything', '*');
    const dialog = page.getByRole('dialog', { name: '“everything” was added' });
    await dialog.getByLabel('I saved it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row('everything').getByText('Server-wide').waitFor();
    const edit = row('everything').getByRole('button', { name: 'Edit everything' });
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    expect(await edit.getAttribute('title')).not.toBe('');
    await screenshot(page, 'principals-04-two');
    await expectAccessible(page);
    await lookEverywhere(page, 'principals-05');
    const search = page.getByRole('textbox', { name: 'Search API Keys' });
    await search.fill('reader');
    await row('everything').waitFor({ state: 'detached' });
    await search.fill('nothing at all');
    await page.getByText('Nothing matches “nothing at all”.').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
  });

  it('deletes one after a question that names it', async () => {
    await row('everything').getByRole('button', { name: 'Delete everything…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “everything”?' });
    await screenshot(page, 'principals-06-delete');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await row('everything').waitFor({ state: 'detached' });
    expect(await row('reader of products').count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
