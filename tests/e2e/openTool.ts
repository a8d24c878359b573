import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Application } from './application.ts';
import { addConnection } from './openTable.ts';
import { screenshot } from './browser.ts';

/** Opens a connection to the sandbox and one of the entries below its tables. */
export async function openTool(page: Page, application: Application, entry: string): Promise<void> {
  await addConnection(application, 'My cluster');
  await page.goto(application.ui);
  await page.getByRole('button', { name: 'Open My cluster' }).click();
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: entry, exact: true }).click();
}

/** No serious fault for assistive technology. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

/** Pictures in the dark theme and in the smallest window, and that nothing is cut there. */
export async function lookEverywhere(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await screenshot(page, `${name}-dark`);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 900, height: 600 });
  await screenshot(page, `${name}-small`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
}
