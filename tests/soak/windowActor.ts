import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_ARGUMENTS } from '../../scripts/testing/chromiumArguments.ts';
import { startBrowser } from '../e2e/browser.ts';
import type { Actor } from './actor.ts';
import type { SoakWorld } from './soakWorld.ts';

const STEPS_OF_A_WINDOW = 60;
const LONGEST_STEP = 20_000;

/** A person at a window: opens tables, scrolls, filters, edits a cell and takes it back, closes the tab. */
export function windowActor(): Actor {
  let browser: Browser | undefined;
  let page: Page | undefined;
  let address: string | undefined;
  let turn = 0;

  const openWindow = async ({ application, connection }: SoakWorld): Promise<Page> => {
    browser ??= await startBrowser({ handleSIGINT: false, args: CHROMIUM_ARGUMENTS });
    const context = browser.contexts()[0] ?? (await browser.newContext({ viewport: { width: 1280, height: 800 } }));
    const opened = await context.newPage();
    opened.setDefaultTimeout(LONGEST_STEP);
    await opened.goto(new URL('#new', address ?? application.ui).href);
    address = opened.url();
    await opened
      .locator('ul:not([aria-label="Recently opened"])')
      .getByRole('button', { name: `Open ${connection}` })
      .click();
    return opened;
  };

  return {
    name: 'window',
    every: 500,
    async step(world) {
      turn += 1;
      if (page === undefined || turn % STEPS_OF_A_WINDOW === 0) {
        await page?.close();
        page = undefined;
        page = await openWindow(world);
      }
      const table = turn % 2 === 0 ? 'products' : 'articles';
      try {
        await page.getByRole('navigation', { name: 'Collections' }).getByText(table, { exact: true }).click();
        const grid = page.getByRole('grid', { name: `Rows of ${table}` });
        await grid.locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
        await grid.hover();
        for (let times = 0; times < 10; times += 1) await page.mouse.wheel(0, 600);
        await grid.focus();
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('F2');
        await page.keyboard.type('soak');
        await page.keyboard.press('Escape');
      } catch (error) {
        // The next step begins in a new window.
        await page.close();
        page = undefined;
        throw error;
      }
    },
    close: async () => browser?.close(),
  };
}
