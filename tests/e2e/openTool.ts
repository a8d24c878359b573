import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { soon } from './openTable.ts';

/** Rows of a grid are alike: the first few speak for all. Looking at each cell of a full screen took 3 to 5 seconds. */
const MORE_OF_THE_SAME = '[role="row"]:nth-child(n + 6)';

/** No fault for assistive technology, of whatever weight. */
export async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await axe(page).exclude(MORE_OF_THE_SAME).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

/** Pictures in the dark theme and in the smallest window, and that nothing is cut there. */
export async function lookEverywhere(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await screenshot(page, `${name}-dark`);
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 900, height: 600 });
  await screenshot(page, `${name}-small`);
  const wide = (): Promise<string[]> =>
    page.evaluate(() =>
      document.documentElement.scrollWidth <= window.innerWidth
        ? []
        : [...document.querySelectorAll('body *')]
            .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
            .map((element) => element.outerHTML.slice(0, 200)),
    );
  // The window is laid out again after it was resized.
  await soon(wide).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}
