import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { screenshot, startBrowser, watchFaults } from './browser.ts';
import { soon } from './openTable.ts';
import { expectAccessible, lookEverywhere, openTool } from './openTool.ts';

// A server's figures, live.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 3_000 }), startBrowser()]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  faults = watchFaults(page);
  await openTool(page, application, 'Dashboard');
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const figures = () => page.getByRole('list', { name: 'Figures' });
const interval = () => page.getByRole('combobox', { name: 'Refresh' });
const lastRefresh = async () => page.getByText(/Last refresh/).innerText();

describe('the dashboard', { timeout: 60_000 }, () => {
  it('shows figures with units, refreshed every five seconds unless another pace is chosen', async () => {
    await figures().getByRole('listitem').first().waitFor();
    expect(await interval().inputValue()).toBe('5');
    expect(await interval().getByRole('option').allInnerTexts()).toHaveLength(6);
    await page
      .getByText(/of [\d.]+ [kMGT]?B/)
      .first()
      .waitFor();
    await page
      .getByText(/[\d.]+% used/)
      .first()
      .waitFor();
    await screenshot(page, 'dashboard-01-first');
  });

  it('draws lines from the readings since it was opened', async () => {
    await interval().selectOption('1');
    await figures().getByRole('img').first().waitFor();
    const before = await lastRefresh();
    await soon(lastRefresh).not.toBe(before);
    await screenshot(page, 'dashboard-02-lines');
    await expectAccessible(page);
  });

  it('stops when paused, and reads when asked', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/Paused · Last refresh/).waitFor();
    const button = page.getByRole('button', { name: 'Refresh now' });
    await soon(() => button.getAttribute('data-busy')).toBeNull();
    const before = await lastRefresh();
    await soon(async () => {
      await button.click();
      return lastRefresh();
    }).not.toBe(before);
    await screenshot(page, 'dashboard-03-paused');
    await page.getByRole('button', { name: 'Go on' }).click();
  });

  it('says why panels are missing', async () => {
    for (const name of [/sessions/i, /slow/i]) await page.getByRole('region', { name }).getByRole('paragraph').waitFor();
  });

  it('keeps its lines over a reload of the page', async () => {
    await page.reload();
    await figures().getByRole('img').first().waitFor();
    await lookEverywhere(page, 'dashboard-04');
    expect(faults).toEqual([]);
  });
});
