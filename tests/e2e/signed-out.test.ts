import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';

// The host ends under a window whose connection has a key for this run only. The next host lacks the key, and the window asks for it.

const fixture = useOwnWindow({ products: 500, provokes: /Failed to load resource|net::ERR|Failed to fetch/ });

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'API Key needed' });

/** Ends the host as a crash does, and starts it again. The key is gone then. */
async function loseKey(page: Page): Promise<void> {
  await fixture.application.stopHost('SIGKILL');
  await page.getByRole('region', { name: 'Tabularium stopped.' }).waitFor();
  await fixture.application.startHost();
  await dialog(page).waitFor();
}

async function signInAgain(page: Page): Promise<void> {
  await dialog(page).getByLabel('API Key', { exact: true }).fill(fixture.application.sandbox.apiKey);
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
}

describe('a connection that is signed out', () => {
  let count = 0;

  beforeEach(async () => {
    const { page, application } = fixture;
    count += 1;
    const name = `Entered ${count}`;
    await application.commandReading(
      application.sandbox.apiKey,
      ...['connections', 'add', '--driver', 'search', '--name', name],
      ...['--set', 'host=127.0.0.1', '--set', `port=${application.sandbox.port}`, '--set', 'sslMode=disabled'],
      '--api-key-session',
    );
    await page.reload();
    await page.getByRole('button', { name: /: switch connection$/ }).click();
    await page.getByRole('menuitem', { name }).click();
  });

  it('stages the text in the editor of a cell once the key is there', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.type('Typed before the crash');
    await loseKey(page);
    await dialog(page)
      .getByText(/was kept only until Tabularium stopped/)
      .waitFor();
    await screenshot(page, 'signed-out-dialog');
    await expectNoViolations(page);
    await signInAgain(page);
    await page.getByText('1 change', { exact: true }).waitFor();
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Typed before the crash');
  });

  it("keeps a text that isn't a number in the editor of its cell, with the reason", async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    await (await cellOf(page, grid, 0, 'price')).click();
    await page.keyboard.type('12 or so');
    await loseKey(page);
    await signInAgain(page);
    await soon(() => grid.getByRole('textbox', { name: 'Edit price' }).inputValue()).toBe('12 or so');
    await grid.getByText('Not changed: enter a number.').waitFor();
  });

  it('keeps what is typed in the JSON editor and in the filter', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    const bar = page.getByRole('region', { name: 'Filter rows' });
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.press('Control+Shift+f');
    await bar.getByLabel('Value', { exact: true }).fill('Not applied');
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.press('Control+i');
    const panel = page.getByRole('complementary', { name: 'Value' });
    await panel.getByText('JSON', { exact: true }).click();
    await panel.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = panel.getByRole('textbox', { name: 'Row as JSON' });
    await json.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Typed as JSON');
    await loseKey(page);
    await signInAgain(page);
    await soon(() => json.innerText()).toBe('Typed as JSON');
    await soon(() => bar.getByLabel('Value', { exact: true }).inputValue()).toBe('Not applied');
  });

  it('can be looked at without the key, and says how to sign in', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    await loseKey(page);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
    const bar = page.getByRole('region', { name: /is signed out/ });
    await screenshot(page, 'signed-out-bar');
    await expectNoViolations(page);
    await bar.getByRole('button', { name: 'Sign in…' }).click();
    await signInAgain(page);
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await soon(() => grid.locator('[role="row"][aria-busy]').count()).toBe(0);
    await soon(() => page.getByRole('region').filter({ hasText: 'The rows below are' }).count()).toBe(0);
  });
});
