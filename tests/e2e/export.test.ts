import { AxeBuilder } from '@axe-core/playwright';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, choose, openTable, soon } from './openTable.ts';

// Exports to files on the host's computer, from the window.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 5_000 }), startBrowser()]);
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

const dialog = () => page.getByRole('dialog', { name: 'Export products' });
const open = () => page.getByRole('button', { name: 'Export…' }).click();

describe('export', { timeout: 90_000 }, () => {
  it('writes all rows as JSON lines, and says where', async () => {
    await openTable(page, 'products');
    await open();
    await soon(() => dialog().getByLabel('File').inputValue()).toMatch(/products.*\.jsonl$/);
    await screenshot(page, 'export-01-dialog');
    const { violations } = await new AxeBuilder({ page }).include('[role="dialog"]').analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    const file = join(application.home, 'all.jsonl');
    await dialog().getByLabel('File').fill(file);
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText(`to ${file}`).waitFor();
    await screenshot(page, 'export-02-done');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(5_000);
  });

  it('asks before it replaces a file, naming it', async () => {
    const file = join(application.home, 'kept.csv');
    await writeFile(file, 'mine');
    await page.keyboard.press('Control+f');
    const bar = page.getByRole('region', { name: 'Filter rows' });
    await choose(page, bar.getByRole('combobox', { name: 'Column' }), /^price/);
    await choose(page, bar.getByRole('combobox', { name: 'Operator' }), 'is greater than');
    await bar.getByLabel('Value', { exact: true }).fill('400');
    await bar.getByLabel('Value', { exact: true }).press('Enter');
    await page.getByText(/^of [\d,]+ filtered$/).waitFor();
    const shown = Number(/of ([\d,]+)/.exec(await page.getByTestId('range').innerText())?.[1]?.replaceAll(',', ''));
    await open();
    await dialog().getByText('CSV', { exact: true }).click();
    await dialog().getByLabel('Chosen columns').check();
    await page.emulateMedia({ colorScheme: 'dark' });
    await screenshot(page, 'export-03-csv-dark');
    await dialog().getByLabel('All, also those').check();
    await dialog().getByLabel('File').fill(file);
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    await dialog().getByRole('alert').getByText('This file exists').waitFor();
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'export-04-exists-small-dark');
    expect(await readFile(file, 'utf8')).toBe('mine');
    await dialog()
      .getByRole('button', { name: `Replace ${file}` })
      .click();
    await page.getByText(`to ${file}`).waitFor();
    const lines = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
    expect(lines[0]).toContain('price');
    expect(lines.length).toBeGreaterThanOrEqual(shown + 1);
  });

  it('meets no script error', () => {
    expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
  });
});
