import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NARROW_KEY } from './application.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';
import { SmallDisk, hasSmallDisks } from './smallDisk.ts';

// The server, the key or the driver of an open table goes away. Rows and staged changes stay, and the window continues without a load.

const fixture = useOwnWindow({ products: 500, provokes: /Failed to load resource/ });

async function stageBrand(page: Page, text: string): Promise<void> {
  await (await cellOf(page, tableGrid(page, 'products'), 0, 'brand')).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.getByText('1 change', { exact: true }).waitFor();
}

async function discardAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard/ })
    .click();
  await page.getByText('1 change', { exact: true }).waitFor({ state: 'detached' });
}

async function addAndOpen(name: string, port: number, keyVariable: string): Promise<Locator> {
  const { application, page } = fixture;
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name],
    ...['--set', 'host=127.0.0.1', '--set', `port=${port}`, '--set', 'sslMode=disabled'],
    ...['--api-key-env', keyVariable, '--external-clients', 'readOnly'],
  );
  await page.reload();
  await page.getByRole('button', { name: /: switch connection$/ }).click();
  await page.getByRole('menuitem', { name }).click();
  return openTable(page, 'products');
}

const stale = (page: Page): Locator =>
  page.getByRole('region').filter({ hasText: 'The rows below are the ones that were read before.' });

describe('an open table', () => {
  it('whose server stops keeps its rows and changes, opens the review, and is read again when the server is back', async () => {
    const { page, application } = fixture;
    const options = { apiKey: application.sandbox.apiKey, sampleData: { products: 500 } };
    let server: Sandbox | undefined = await startSandbox(options);
    const { port } = server;
    try {
      const grid = await addAndOpen('Stopping', port, 'E2E_API_KEY');
      await stageBrand(page, 'Staged');
      await server.close();
      server = undefined;
      await page.getByRole('button', { name: 'Reload rows' }).click();
      await stale(page).waitFor();
      // Rows that are asked for while those from before are shown are read as well when the server is back.
      await page.getByRole('button', { name: 'Reload rows' }).click();
      await stale(page).waitFor();
      await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Staged');
      expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
      await expectNoViolations(page);
      await page.getByRole('button', { name: 'Review…' }).click();
      await page.getByRole('dialog').getByText('Staged', { exact: false }).first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

      server = await startSandbox({ ...options, port });
      await stale(page).waitFor({ state: 'detached' });
      await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Staged');
      await soon(() => grid.locator('[role="row"][aria-busy]').count()).toBe(0);
      await discardAll(page);
    } finally {
      await server?.close();
    }
  });

  it('whose key is revoked keeps its rows, and leads to the connection', async () => {
    const { page, application } = fixture;
    const { port, apiKey } = application.sandbox;
    const keys = async (method: string, path: string, body?: unknown): Promise<{ id?: number }> => {
      const response = await fetch(`http://127.0.0.1:${port}/keys${path}`, {
        method,
        headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.ok).toBe(true);
      return (await response.json()) as { id?: number };
    };
    const key = { description: 'whole', actions: ['*'], collections: ['*'], value: NARROW_KEY };
    const { id } = await keys('POST', '', key);
    const grid = await addAndOpen('Revoked', port, 'E2E_NARROW_KEY');
    await stageBrand(page, 'Before the key went');
    await keys('DELETE', `/${id}`);
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await stale(page).waitFor();
    await stale(page).getByText('The API key no longer works: it has expired, or it was deleted.').waitFor();
    expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
    await stale(page).getByRole('button', { name: 'Edit connection…' }).click();
    await page.getByRole('dialog', { name: /Revoked/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: /Revoked/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Review…' }).click();
    const review = page.getByRole('dialog', { name: 'Changes of products' });
    await review
      .getByText(/The API key no longer works/)
      .first()
      .waitFor();
    const save = review.getByRole('button', { name: 'Save 1 change' });
    expect(await save.isDisabled()).toBe(true);
    await keys('POST', '', key);
    // Without a press.
    await soon(() => save.isDisabled()).toBe(false);
    await save.click();
    await review.waitFor({ state: 'detached' });
    await stale(page).waitFor({ state: 'detached' });
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Before the key went');
  });

  it('whose driver process is killed is read again, with its staged changes', async () => {
    const { page, application } = fixture;
    const grid = await openTable(page, 'products');
    await stageBrand(page, 'Survives');
    const processes = await readFile(join(application.home, 'cache', 'driver-processes.json'), 'utf8');
    for (const [, pid] of processes.matchAll(/"pid":\s*(\d+)/g)) process.kill(Number(pid), 'SIGKILL');
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Survives');
    await soon(() => grid.locator('[role="row"][aria-busy]').count()).toBe(0);
    await stale(page).waitFor({ state: 'detached' });
    await discardAll(page);
  });

  it(
    'on a full disk says where and how much is free, keeps staged changes, and continues without a load when there is space',
    { timeout: 400_000 },
    async () => {
      const { page, application } = fixture;
      if (!hasSmallDisks) return;
      await using disk = await SmallDisk.mount(fixture);
      const grid = await openTable(page, 'products');
      await stageBrand(page, 'Before');
      disk.fill();
      const bar = page.getByRole('region', { name: 'The disk is full.' });
      const reopened = grid.getByRole('textbox', { name: 'Edit brand' });
      let row = 0;
      while ((await reopened.count()) === 0 && row < 40) {
        row += 1;
        await (await cellOf(page, grid, row % 10, 'brand')).click();
        await page.keyboard.type(`Edit ${row} ${'x'.repeat(400)}`);
        await page.keyboard.press('Enter');
        // The host's answer takes a moment; a text that it rejects is back in its editor then.
        await page.waitForTimeout(300);
      }
      expect(await reopened.inputValue()).toContain(`Edit ${row} x`);
      await bar.getByText(application.home).waitFor();
      await bar.getByText(/ has 0 B left/).waitFor();
      await expectNoViolations(page);
      await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Before');
      await screenshot(page, 'bad-days-disk-full');
      await disk.free();
      await bar.getByRole('button', { name: 'Check again' }).click();
      await bar.waitFor({ state: 'detached' });
      // The rejected text is still in its editor: it takes no key that is meant for another cell, and is staged from there.
      await reopened.first().click();
      await page.keyboard.press('Enter');
      await soon(async () => (await cellOf(page, grid, row % 10, 'brand')).innerText()).toContain(`Edit ${row} x`);
      await (await cellOf(page, grid, 12, 'brand')).click();
      await page.keyboard.type('After');
      await page.keyboard.press('Enter');
      await soon(async () => (await cellOf(page, grid, 12, 'brand')).innerText()).toBe('After');
      await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Before');
    },
  );
});
