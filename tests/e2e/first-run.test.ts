import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { de } from '../../host/src/renderer/i18n/de/index.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { speak } from './speak.ts';

// A person's first start, in a data directory that is empty but for the sample that the start brings along: the offer of the tour, its steps, each way
// out of it, and the line above the sample.

let application: Application;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];
let isFirst = true;

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 2_000, withSample: true }), startBrowser()]);
});

beforeEach(async () => {
  if (!isFirst) await application.startOver();
  isFirst = false;
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(application.ui);
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
  await context?.close();
  // A host that starts again is away for a moment: refused, reset or in the middle of an answer.
  expect(faults.filter((fault) => !/Failed to load resource|net::ERR/.test(fault))).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const offer = (where = page) => where.getByRole('button', { name: 'Take the tour' });
const card = (where = page) => where.locator('[data-region="tour"]');
const next = () => card().getByRole('button', { name: 'Next' });

describe('the first start', () => {
  it('offers a tour that leads over the sample to every part, and never offers it again', async () => {
    await offer().waitFor();
    // The offer is a line that waits: the keyboard begins where it always does.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await expectNoViolations(page);
    await screenshot(page, 'first-run-offer');
    await lookEverywhere(page, 'first-run-offer');
    await offer().click();
    await card().getByRole('button', { name: 'Open “Sample cluster”' }).waitFor();
    await offer().waitFor({ state: 'detached' });
    await screenshot(page, 'first-run-1');
    await expectNoViolations(page);
    await lookEverywhere(page, 'first-run-1');
    await card().getByRole('button', { name: 'Open “Sample cluster”' }).click();
    await tableGrid(page, 'products').getByRole('gridcell').first().waitFor();
    for (const [place, title] of ['Rows and changes', 'Filter and search', 'Console', 'Everything by its name'].entries()) {
      await card().getByRole('heading', { name: title }).waitFor();
      await screenshot(page, `first-run-${place + 2}`);
      await expectNoViolations(page);
      await lookEverywhere(page, `first-run-${place + 2}`);
      if (place < 3) await next().click();
    }
    await card().getByRole('button', { name: 'Done' }).click();
    await card().waitFor({ state: 'detached' });

    await application.restart();
    await page.goto(new URL('#new', application.ui).href);
    await page.getByRole('heading', { name: 'Connections', exact: true }).waitFor();
    expect(await offer().count()).toBe(0);
  });

  it('is answered in one of two windows, and the other one offers nothing either', async () => {
    const other = await context.newPage();
    await other.goto(new URL('#new', page.url()).href);
    await offer(other).waitFor();
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await offer().waitFor({ state: 'detached' });
    await offer(other).waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('heading', { name: 'Connections', exact: true }).waitFor();
    expect(await offer(other).count()).toBe(0);
    // A person can have it all the same.
    await other.keyboard.press('Control+k');
    await other.getByRole('combobox').waitFor();
    await other.keyboard.type('take the tour');
    await other.keyboard.press('Enter');
    await card(other).waitFor();
    await other.keyboard.press('Escape');
    await card(other).waitFor({ state: 'detached' });
  });

  it('has a line above the sample that leads to real views and stays away once it is dismissed', async () => {
    await page.getByRole('button', { name: /^Open Sample cluster/ }).click();
    const line = page.getByRole('region', { name: 'About Sample cluster' });
    await line.getByRole('button', { name: 'Edit a product' }).waitFor();
    await screenshot(page, 'first-run-sample');
    await expectNoViolations(page);
    await lookEverywhere(page, 'first-run-sample');
    await line.getByRole('button', { name: 'Search the articles' }).click();
    await page.getByRole('region', { name: 'Search in articles' }).waitFor();
    await line.getByRole('button', { name: 'Measure their search' }).click();
    await page.getByText('12 queries').waitFor();
    await line.getByRole('button', { name: 'Edit a product' }).click();
    await tableGrid(page, 'products').getByRole('gridcell').first().waitFor();
    const other = await context.newPage();
    other.setDefaultTimeout(STEP_MILLISECONDS);
    await other.goto(new URL('#new', page.url()).href);
    await other.getByRole('button', { name: /^Open Sample cluster/ }).click();
    const lineThere = other.getByRole('region', { name: 'About Sample cluster' });
    await lineThere.waitFor();
    const saved = page.waitForResponse((response) => response.url().includes('workspace.save') && response.ok());
    await line.getByRole('button', { name: 'Dismiss' }).click();
    await saved;
    await line.waitFor({ state: 'detached' });
    await lineThere.waitFor({ state: 'detached' });
    await other.close();
    await application.restart();
    await page.goto(application.ui);
    await tableGrid(page, 'products').getByRole('gridcell').first().waitFor();
    expect(await line.count()).toBe(0);
  });

  it('speaks German in a German window', async () => {
    await speak(page, 'de');
    await page.getByRole('button', { name: de.tour.start }).click();
    await card()
      .getByRole('button', { name: de.tour.open('Sample cluster') })
      .click();
    await card().getByRole('heading', { name: de.tour.grid.title }).waitFor();
    await page
      .getByRole('region', { name: de.tour.sample.label('Sample cluster') })
      .getByText('erfundener Laden')
      .waitFor();
    await screenshot(page, 'first-run-german');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await soon(() => card().count()).toBe(0);
  });
});
