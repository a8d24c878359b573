import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, openTable, soon } from './openTable.ts';

// What is done to a table as a whole, from the sidebar and from its tab.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 1_500 }), startBrowser()]);
  await addConnection(application, 'Cluster');
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
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

const entry = (name: string) => page.getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true });

describe('operations on a table', { timeout: 90_000 }, () => {
  it('are offered in the sidebar, and name the table behind an alias', async () => {
    await entry('shop').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Empty…' }).waitFor();
    await screenshot(page, 'operations-01-menu');
    await page.getByRole('menuitem', { name: 'Empty…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Empty products' });
    await dialog.getByText('“shop” stands for “products”').waitFor();
    await screenshot(page, 'operations-02-alias');
    const { violations } = await new AxeBuilder({ page }).include('[role="dialog"]').analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Empty products' });
    await dialog.getByLabel('Type products to confirm').fill('shop');
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await soon(() => dialog.count()).toBe(0);
  });

  it('are done after the name was typed, and say what they did', async () => {
    await openTable(page, 'articles');
    await page.getByRole('button', { name: 'More for this table' }).click();
    await page.getByRole('menuitem', { name: 'Empty…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Empty articles' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 900, height: 600 });
    await dialog.getByLabel('Type articles to confirm').fill('articles');
    await screenshot(page, 'operations-03-small-dark');
    await dialog.getByRole('button', { name: 'Empty articles' }).click();
    await page
      .getByRole('contentinfo')
      .getByText(/articles/)
      .waitFor();
    await page.getByText(/^No documents$/).waitFor();
    await screenshot(page, 'operations-04-done');
    expect(faults).toEqual([]);
  });
});
