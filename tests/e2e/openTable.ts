import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS } from './browser.ts';

// Common steps of the tests that work on the rows of a table.

/** Makes a connection to the sandbox. Its key comes from a variable of the host's environment. */
export async function addConnection(
  application: Application,
  name: string,
  externalClients: 'readOnly' | 'readWrite' = 'readOnly',
): Promise<void> {
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name],
    ...['--set', 'host=127.0.0.1', '--set', `port=${application.sandbox.port}`, '--set', 'sslMode=disabled'],
    ...['--api-key-env', 'E2E_API_KEY', '--external-clients', externalClients],
  );
}

/** A connection in the list of all, or of its group. The start view lists the last opened ones a second time, above, once there are many. */
export const savedConnection = (page: Page, name: string): Locator =>
  page.locator('ul:not([aria-label="Recently opened"])').getByRole('button', { name: `Open ${name}` });

/** Opens a connection in a window that begins with nothing and has read the list of connections again. */
export async function openConnection(page: Page, name: string): Promise<void> {
  await page.goto(new URL('#new', page.url()).href);
  // Another fragment alone loads nothing.
  await page.reload();
  await savedConnection(page, name).click();
}

/** Waits until something is so: the machine may have much else to do. */
export function soon<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: STEP_MILLISECONDS });
}

export const tableGrid = (page: Page, name: string): Locator => page.getByRole('grid', { name: `Rows of ${name}` });

/** Opens a table from the sidebar and waits for its first rows, and until the window has read whether they may be edited: a key before that is refused. */
export async function openTable(page: Page, name: string): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true }).click();
  const grid = tableGrid(page, name);
  await grid.locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
  await grid.and(page.locator('[aria-readonly]')).waitFor();
  return grid;
}

/** The header of a column, which is brought on the screen as a person does it: with the keys. A header beside the screen isn't drawn. */
export async function headerOf(page: Page, grid: Locator, name: string): Promise<Locator> {
  const headers = grid.getByRole('columnheader');
  await headers.first().waitFor();
  const header = headers.filter({ has: page.getByText(name, { exact: true }) });
  /** The grid has drawn what the last key brought; otherwise fast keys walk past the header. */
  const reached = async (column: number): Promise<boolean> =>
    (await header.isVisible()) || (await grid.locator(`[data-active][aria-colindex="${column}"]`).count()) > 0;
  if (await header.isVisible()) return header;
  await soon(async () => {
    await grid.focus();
    await page.keyboard.press('Home');
    return reached(2);
  }).toBe(true);
  const columns = Number(await grid.getAttribute('aria-colcount'));
  for (let column = 3; column <= columns && !(await header.isVisible()); column += 1) {
    await page.keyboard.press('ArrowRight');
    await soon(() => reached(column)).toBe(true);
  }
  await header.waitFor();
  return header;
}

/** The place of a column, counted from 1. */
async function placeOf(page: Page, grid: Locator, name: string): Promise<string> {
  return (await (await headerOf(page, grid, name)).getAttribute('aria-colindex')) ?? '';
}

/** One cell by its row, counted from 0, and the name of its column. */
export async function cellOf(page: Page, grid: Locator, row: number, column: string): Promise<Locator> {
  return grid.locator(`[data-row="${row}"] [aria-colindex="${await placeOf(page, grid, column)}"]`);
}

/** The cells of a column on the screen, once all rows are there. */
export async function shownIn(page: Page, grid: Locator, column: string): Promise<string[]> {
  await soon(() => grid.locator('[role="row"][aria-busy]').count()).toBe(0);
  return grid.locator(`[role="gridcell"][aria-colindex="${await placeOf(page, grid, column)}"]`).allInnerTexts();
}

/** Takes a choice from one of the window's selects. */
export async function choose(page: Page, select: Locator, option: string | RegExp): Promise<void> {
  await select.click();
  await page.getByRole('option', { name: option }).first().click();
}
