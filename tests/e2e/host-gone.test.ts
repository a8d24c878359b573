import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon } from './openTable.ts';

// The host is ended under an open window, as a crash or a person does it.

const fixture = useOwnWindow({
  products: 3_000,
  provokes: /Failed to load resource|net::ERR|Failed to fetch/,
});

const bar = (page: Page, name: string): Locator => page.getByRole('region', { name });
const stopped = (page: Page): Locator => bar(page, 'Tabularium stopped.');

/** A value that a load of the page would take away. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  const mark = await page.evaluateHandle(() => document.documentElement);
  return () => mark.evaluate((element) => element.isConnected).catch(() => false);
}

async function editBrand(page: Page, grid: Locator, row: number, text: string): Promise<void> {
  await (await cellOf(page, grid, row, 'brand')).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('a window whose host was killed', () => {
  it('keeps rows and staged changes, stages what is typed meanwhile, and continues with the next host without a load', async () => {
    const { page, application } = fixture;
    const grid = await openTable(page, 'products');
    await editBrand(page, grid, 0, 'Before');
    await page.getByText('1 change', { exact: true }).waitFor();
    const isSamePage = await markPage(page);
    const address = page.url();

    await application.stopHost('SIGKILL');
    await stopped(page).waitFor();
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Before');
    expect(await stopped(page).innerText()).toContain('Your tabs and staged changes are kept.');
    await editBrand(page, grid, 1, 'Meanwhile');

    await application.startHost();
    await stopped(page).waitFor({ state: 'detached' });
    await page.getByText('2 changes', { exact: true }).waitFor();
    await soon(async () => (await cellOf(page, grid, 1, 'brand')).innerText()).toBe('Meanwhile');
    expect(new URL(page.url()).origin).toBe(new URL(address).origin);
    // The path that another program may have learned meanwhile opens nothing any more.
    expect(page.url()).not.toBe(address);

    await grid.focus();
    await page.keyboard.press('Control+End');
    await grid.locator('[data-row="2999"] [role="gridcell"]').first().waitFor();
    expect(await isSamePage()).toBe(true);

    await page.getByRole('button', { name: 'Review…' }).click();
    await page.getByRole('dialog').getByText('Meanwhile').first().waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('2 changes', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Discard/ })
      .click();
    await page.getByText('2 changes', { exact: true }).waitFor({ state: 'detached' });
  });

  it('continues after a load of the page, too, and the address from before leads into the window again', async () => {
    const { page, application } = fixture;
    await openTable(page, 'products');
    const address = page.url();
    await application.stopHost('SIGKILL');
    await stopped(page).waitFor();
    await page.goto('about:blank');
    await application.startHost();
    await page.goBack();
    await page.getByRole('tab', { name: 'products' }).waitFor();
    await soon(() => page.url()).not.toBe(address);
    expect(new URL(page.url()).pathname).toMatch(/^\/w\/[\w-]{43}\/$/);
  });

  it("sends a program that listens at the same address nothing that opens the window, and says that it isn't Tabularium", async () => {
    const { page, application } = fixture;
    await openTable(page, 'products');
    const { port } = new URL(page.url());
    await application.stopHost('SIGKILL');
    await stopped(page).waitFor();
    const asked: string[] = [];
    const cookies: string[] = [];
    const random = 'A'.repeat(43);
    const stranger = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.replace(/\/w\/[\w-]+/, '')}`);
      cookies.push(request.headers.cookie ?? '');
      const isUnknown = request.url?.endsWith('/session') === true;
      response.writeHead(isUnknown ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ nonce: 'x', run: random, recognition: random, proof: random, path: `/w/${random}/` }));
    });
    stranger.listen(Number(port), '127.0.0.1');
    await once(stranger, 'listening');
    expect((stranger.address() as AddressInfo).port).toBe(Number(port));
    try {
      await bar(page, 'Another program answers at this address.').waitFor();
      expect(asked.filter((line) => !line.includes('watches.follow')).toSorted()).toEqual(
        expect.arrayContaining(['GET /session', 'POST /resume', 'POST /resume/challenge']),
      );
      await page.getByRole('button', { name: 'Reload rows' }).click();
      await soon(() => asked.some((line) => line.includes('rows') || line.includes('page'))).toBe(false);
    } finally {
      stranger.closeAllConnections();
      stranger.close();
    }
    await application.startHost();
    // The stranger has got nothing that opens the window.
    for (const cookie of new Set(cookies)) {
      const answer = await fetch(page.url(), { headers: { cookie } });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('data-returning')]);
      const call = await fetch(new URL('api/trpc/application.info', page.url()), {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      });
      expect(call.status).toBe(401);
    }
    await bar(page, 'Another program answers at this address.').getByRole('button', { name: 'Try again' }).click();
    await bar(page, 'Another program answers at this address.').waitFor({ state: 'detached' });
  });
});

describe('a one-time address', () => {
  it('that was used opens a page that says how to continue', async () => {
    const { page, application } = fixture;
    const other = await page.context().newPage();
    await other.goto(application.ui);
    await other.goto(application.ui);
    await other.getByRole('heading', { name: 'This address was already used, or has expired' }).waitFor();
    await other.getByText('tabularium open', { exact: true }).waitFor();
    const font = await other.locator('main').evaluate((element) => getComputedStyle(element).borderRadius);
    expect(font).toBe('8px');
  });
});
