import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, soon, tableGrid } from './openTable.ts';
import { openSlowly } from './slowServer.ts';
import type { SlowServer } from './slowServer.ts';
import { SmallDisk, hasSmallDisks } from './smallDisk.ts';

// The driver, the host, the disk or the window goes away in the middle of a save. Each row is then saved, not sent, or perhaps saved, and the window says which.

const fixture = useOwnWindow({ products: 500, clipboard: true, provokes: /Failed to load resource|net::ERR|Failed to fetch/ });

const review = (page: Page): Locator => page.getByRole('dialog', { name: 'Changes of products' });
const changes = (page: Page, count: number): Locator =>
  page.getByText(`${count} change${count === 1 ? '' : 's'}`, { exact: true });

/** The lines of the review that have an outcome, by it. */
const lines = (page: Page, outcome: string): Locator =>
  review(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(outcome, { exact: true }) });

/** Stages a brand for the first ten rows, and saves them until the server holds the fourth and the window has the outcome of three. */
async function saveUntilHeld(name: string): Promise<SlowServer> {
  const { page } = fixture;
  const slow = await openSlowly(fixture, 3, name);
  const brands = Array.from({ length: 10 }, (_unused, index) => `${name} ${index}`);
  await page.evaluate((value) => navigator.clipboard.writeText(value), brands.join('\n'));
  await (await cellOf(page, tableGrid(page, 'products'), 0, 'brand')).click();
  await page.keyboard.press('Control+v');
  await page.getByRole('dialog', { name: 'Paste into products' }).getByRole('button', { name: 'Stage 10 cells' }).click();
  await changes(page, 10).waitFor();
  await page.getByRole('button', { name: 'Review…' }).click();
  await review(page).getByRole('button', { name: 'Save 10 changes', exact: true }).click();
  await soon(() => slow.updates.length).toBe(4);
  // An outcome is on its way to the window for a moment.
  await soon(() => lines(page, 'Saved').count()).toBe(3);
  return slow;
}

/** How many documents of the server have a brand of this save. */
async function savedOn(name: string): Promise<number> {
  const { port, apiKey } = fixture.application.sandbox;
  const query = new URLSearchParams({ q: '*', filter_by: `brand:${name}`, per_page: '0' });
  const answer = await fetch(`http://127.0.0.1:${port}/collections/products/documents/search?${query}`, {
    headers: { 'x-typesense-api-key': apiKey },
  });
  return ((await answer.json()) as { found: number }).found;
}

/** Saves the rows of uncertain outcome one after the other, which nothing does unasked. */
async function saveTheRest(name: string): Promise<void> {
  const { page } = fixture;
  await page.getByRole('button', { name: 'Review…' }).last().click();
  await review(page)
    .getByRole('button', { name: /^Save 7 changes/ })
    .click();
  await page.getByText('Saved 7 changes of products').waitFor();
  await changes(page, 7).waitFor({ state: 'detached' });
  await soon(() => savedOn(name)).toBe(10);
  await soon(async () => (await cellOf(page, tableGrid(page, 'products'), 9, 'brand')).innerText()).toBe(`${name} 9`);
}

describe('a save in whose middle', () => {
  it('the driver process is killed says what was saved and what may have been, and saves that again on request', async () => {
    const { page, application } = fixture;
    const slow = await saveUntilHeld('Crashed');
    const processes = await readFile(join(application.home, 'cache', 'driver-processes.json'), 'utf8');
    for (const [, pid] of processes.matchAll(/"pid":\s*(\d+)/g)) process.kill(Number(pid), 'SIGKILL');
    await review(page)
      .getByText('Saved 3 changes; 7 changes may have been saved: look at the rows before you save them again.')
      .waitFor();
    await soon(() => lines(page, 'Saved').count()).toBe(3);
    await soon(() => lines(page, 'Uncertain').count()).toBe(7);
    await lines(page, 'Uncertain')
      .first()
      .getByText('The change may have been made; check the row before you save it again.')
      .waitFor();
    await screenshot(page, 'save-interrupted-driver');
    slow.open();
    // Nothing is sent again unasked.
    expect(slow.updates).toHaveLength(4);
    await saveTheRest('Crashed');
  });

  it('the host is killed says what was saved and what may have been, also after it was started again', async () => {
    const { page, application } = fixture;
    const slow = await saveUntilHeld('Killed');
    await application.stopHost('SIGKILL');
    await review(page)
      .getByText('Saved 3 changes; 7 changes may have been saved: look at the rows before you save them again.')
      .waitFor();
    await screenshot(page, 'save-interrupted-host');
    slow.open();
    await application.startHost();
    await soon(() => lines(page, 'Uncertain').count()).toBe(7);
    await lines(page, 'Uncertain').first().getByText('Tabularium stopped while it was sending this change').waitFor();
    expect(slow.updates).toHaveLength(4);
    await saveTheRest('Killed');
  });

  it('the window is loaded again continues, and the window shows what it saved', async () => {
    const { page } = fixture;
    const slow = await saveUntilHeld('Reloaded');
    await page.reload();
    await changes(page, 7).waitFor();
    // The grid has the rows as they were before the rest is saved.
    await soon(() => tableGrid(page, 'products').locator('[role="row"][aria-busy]').count()).toBe(0);
    slow.open();
    await page.getByRole('button', { name: 'Review…' }).waitFor({ state: 'detached' });
    await soon(async () => (await cellOf(page, tableGrid(page, 'products'), 9, 'brand')).innerText()).toBe('Reloaded 9');
    expect(slow.updates).toHaveLength(10);
    expect(new Set(slow.updates).size).toBe(10);
    expect(await savedOn('Reloaded')).toBe(10);
  });

  it('the disk becomes full ends well, and the next edit is refused with the reason', async () => {
    const { page } = fixture;
    if (!hasSmallDisks) return;
    await using disk = await SmallDisk.mount(fixture);
    const slow = await saveUntilHeld('Full');
    disk.fill();
    slow.open();
    await page.getByText('Saved 10 changes of products').waitFor();
    expect(slow.updates).toHaveLength(10);
    const bar = page.getByRole('region', { name: 'The disk is full.' });
    const editor = page.getByRole('textbox', { name: 'Edit name' });
    const full = bar.waitFor().then(() => 'full' as const);
    full.catch(() => undefined);
    for (let row = 0; row < 40; row += 1) {
      const cell = await cellOf(page, tableGrid(page, 'products'), row % 10, 'name');
      // An edit that is refused comes back to its own editor, at any time and over the cells below it.
      const clicked = cell.click().then(() => 'clicked' as const);
      clicked.catch(() => undefined);
      if ((await Promise.race([full, clicked])) === 'full') break;
      await page.keyboard.type(`Edit ${row} ${'x'.repeat(400)}`);
      await page.keyboard.press('Enter');
    }
    await full;
    await editor.first().waitFor();
    expect(await editor.first().inputValue()).toMatch(/^Edit \d+ x{400}$/);
    await disk.free();
    await bar.getByRole('button', { name: 'Check again' }).click();
    await bar.waitFor({ state: 'detached' });
    // A host that starts does not stage again the rows that were saved.
    await fixture.application.restart();
    await soon(async () => (await cellOf(page, tableGrid(page, 'products'), 9, 'brand')).innerText()).toBe('Full 9');
    expect(await page.getByText(/uncertain/).count()).toBe(0);
    expect(await savedOn('Full')).toBe(10);
  });
});
