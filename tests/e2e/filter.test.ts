import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, choose, openTable, shownIn, soon, tableGrid } from './openTable.ts';

// The filter bar over the real driver and a real server.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 3_000 }), startBrowser()]);
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

const bar = () => page.getByRole('region', { name: 'Filter rows' });
const grid = () => tableGrid(page, 'products');
const column = () => bar().getByRole('combobox', { name: 'Column' });
const operator = () => bar().getByRole('combobox', { name: 'Operator' });

describe('the filter bar', { timeout: 90_000 }, () => {
  it('opens with Ctrl+F, and Enter applies what was typed', async () => {
    await openTable(page, 'products');
    await screenshot(page, 'filter-01-none');
    await page.keyboard.press('Control+f');
    await bar().getByLabel('Value', { exact: true }).waitFor();
    await choose(page, column().first(), /^price/);
    await choose(page, operator().first(), 'is greater than');
    await bar().getByLabel('Value', { exact: true }).fill('400');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await page.getByText(/1–[\d,]+ of [\d,]+ filtered/).waitFor();
    const prices = (await shownIn(page, grid(), 'price')).map(Number);
    expect(prices.length).toBeGreaterThan(5);
    expect(prices.every((price) => price > 400)).toBe(true);
    await screenshot(page, 'filter-02-one');
  });

  it('dims the operators that are refused and says why', async () => {
    await operator().first().click();
    const refused = page.getByRole('option', { name: /is null/ });
    await refused.getByText('The server keeps no index of missing values').waitFor();
    expect(await refused.getAttribute('data-combobox-disabled')).toBe('true');
    await refused.scrollIntoViewIfNeeded();
    await screenshot(page, 'filter-03-operators');
    await page.keyboard.press('Escape');
    const matchCase = bar().getByRole('button', { name: 'Match case' });
    expect(await matchCase.getAttribute('aria-disabled')).toBe('true');
    expect(await matchCase.getAttribute('aria-description')).toContain('Not supported by this database');
  });

  it('marks a value of the wrong kind before anything is sent', async () => {
    await bar().getByLabel('Value', { exact: true }).fill('much');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await bar().getByRole('alert').getByText('Enter a number.').waitFor();
    await screenshot(page, 'filter-04-wrong');
    await bar().getByLabel('Value', { exact: true }).fill('400');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await soon(() => bar().getByRole('alert').count()).toBe(0);
  });

  it('joins conditions by all or any, and switches one off', async () => {
    await bar().getByRole('button', { name: 'Filter', exact: true }).click();
    await choose(page, column().last(), /^price/);
    await choose(page, operator().last(), 'is between');
    await bar().getByLabel('From', { exact: true }).fill('100');
    await bar().getByLabel('To', { exact: true }).fill('120');
    await bar().getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('Nothing passes this filter').waitFor();
    await screenshot(page, 'filter-05-nothing');
    await bar().getByText('Any', { exact: true }).click();
    await grid().getByRole('gridcell').first().waitFor();
    const prices = (await shownIn(page, grid(), 'price')).map(Number);
    expect(prices.every((price) => price > 400 || (price >= 100 && price <= 120))).toBe(true);
    await bar().getByRole('checkbox').first().uncheck();
    await soon(async () =>
      (await shownIn(page, grid(), 'price')).map(Number).every((price) => price >= 100 && price <= 120),
    ).toBe(true);
    await bar().getByRole('button', { name: 'Remove the condition on price' }).first().click();
    await soon(() => bar().getByTestId('filter-row').count()).toBe(1);
  });

  it('sends the raw row as typed, and shows what the server says of it in place', async () => {
    await bar().getByRole('button', { name: 'Raw filter' }).click();
    const raw = bar().getByRole('textbox', { name: 'Raw filter' });
    await raw.fill('nowhere:=1');
    await raw.press('Enter');
    await bar().getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
    await bar().getByRole('button', { name: 'Reload structure' }).waitFor();
    await screenshot(page, 'filter-06-structure');
    await bar().getByText('All', { exact: true }).click();
    await raw.fill('price:<110');
    await raw.press('Enter');
    await soon(async () => (await shownIn(page, grid(), 'price')).map(Number).every((price) => price >= 100 && price < 110)).toBe(
      true,
    );
  });

  it('is remembered for its table, and cleared at once', async () => {
    await page.reload();
    await grid().getByRole('gridcell').first().waitFor();
    expect(await bar().getByLabel('From', { exact: true }).inputValue()).toBe('100');
    expect(await bar().getByRole('textbox', { name: 'Raw filter' }).inputValue()).toBe('price:<110');
    await page.getByText(/^of [\d,]+ filtered$/).waitFor();
    await bar().getByRole('button', { name: 'Clear' }).click();
    await page.getByText('1–1,000 of 3,000').waitFor();
    expect(await bar().getByTestId('filter-row').count()).toBe(0);
  });

  it('holds in the dark, at 900×600, and for people who do not see it', async () => {
    await page.keyboard.press('Control+f');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'filter-07-small-dark');
    const { violations } = await new AxeBuilder({ page }).include('section[aria-label="Filter rows"]').analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    // The one error that the server's refusal of the raw filter leaves in the browser's log.
    expect(faults.filter((fault) => !fault.includes('/api/page') && !fault.includes('Failed to load resource'))).toEqual([]);
  });
});
