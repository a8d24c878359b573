import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser } from './browser.ts';
import { onceWindowAsks } from './onceWindowAsks.ts';
import { cellOf, openTable, savedConnection, soon, tableGrid } from './openTable.ts';

// Six windows of one browser, which allows them six connections to the host between them, all on a screen at the same time.

const WINDOWS = 6;

let application: Application;
let browser: Browser;
let context: BrowserContext;
const pages: Page[] = [];
/** Streams that a page itself asked for. The worker's own requests are not among those of the pages. */
const endless: string[] = [];
const faults: string[] = [];

const pageAt = (number: number): Page => {
  const page = pages.at(number);
  if (page === undefined) throw new RangeError(`There are ${pages.length} windows.`);
  return page;
};

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 2_000 }), startBrowser()]);
  await application.command('drivers', 'install', 'search');
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', 'Cluster', '--host', '127.0.0.1'],
    ...['--port', String(application.sandbox.port), '--api-key-env', 'E2E_API_KEY', '--external-clients', 'readWrite'],
  );
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.on('request', (request) => {
    if (request.url().includes('watches.follow')) endless.push(request.url());
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  const first = await context.newPage();
  await first.goto(application.ui);
  first.setDefaultTimeout(STEP_MILLISECONDS);
  await showRows(first);
  pages.push(first);
});

/** All windows show the rows, those that a test closed again. */
beforeEach(async () => {
  while (pages.length < WINDOWS) {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    await page.goto(new URL('#new', pageAt(0).url()).href);
    await showRows(page);
    pages.push(page);
  }
  endless.length = 0;
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [number, page] of pages.entries()) await screenshot(page, `failed windows ${number} ${task.name.slice(0, 30)}`);
});

afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

async function showRows(page: Page): Promise<void> {
  await savedConnection(page, 'Cluster').click();
  await openTable(page, 'products');
}

const approval = (page: Page) => page.getByRole('dialog', { name: /^Allow .+ to change data in / });

async function connectClient(): Promise<Client> {
  const minted = await application.command('tokens', 'create', '--name', 'Six', '--scope', 'readWrite');
  const { token } = z.looseObject({ token: z.string() }).parse(minted);
  const client = new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(application.mcp), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** Changes a cell in the first window, sees it in all of them, and takes it back. */
async function stageInFirst(text: string): Promise<void> {
  const first = pageAt(0);
  await (await cellOf(first, tableGrid(first, 'products'), 0, 'brand')).click();
  await first.keyboard.type(text);
  await first.keyboard.press('Enter');
  for (const page of pages) {
    await page.getByText('1 change', { exact: true }).waitFor();
    const cell = await cellOf(page, tableGrid(page, 'products'), 0, 'brand');
    await soon(async () => cell.innerText()).toBe(text);
  }
  await tableGrid(first, 'products').focus();
  await first.keyboard.press('Control+z');
  for (const page of pages) await soon(() => page.getByText('1 change', { exact: true }).count()).toBe(0);
}

describe('six windows of one browser', () => {
  it('each show the rows of a table, and none of them holds a connection for its own', async () => {
    // Nothing is hidden, so that each follows its table.
    const seen = await Promise.all(pages.map((page) => page.evaluate(() => document.visibilityState)));
    expect(seen).toEqual(pages.map(() => 'visible'));
    for (const page of pages) {
      await page.getByRole('button', { name: 'Reload rows' }).click();
      await tableGrid(page, 'products').getByRole('gridcell').first().waitFor();
    }
    expect(endless).toEqual([]);
  });

  it('show what is staged in one of them', async () => {
    await stageInFirst('Acme & Sons');
  });

  it('show what is staged after one of them was away: another table in front, or a reload', async () => {
    const [first, away, reloaded] = [pageAt(0), pageAt(1), pageAt(2)];
    await openTable(away, 'articles');
    await (await cellOf(first, tableGrid(first, 'products'), 1, 'brand')).click();
    await first.keyboard.type('Nobody');
    await first.keyboard.press('Enter');
    await first.getByText('1 change', { exact: true }).waitFor();
    expect(await away.getByText('1 change', { exact: true }).count()).toBe(0);
    await away.getByRole('tab', { name: /products/ }).click();
    await away.getByText('1 change', { exact: true }).waitFor();
    await reloaded.reload();
    await reloaded.getByText('1 change', { exact: true }).waitFor();
    await tableGrid(first, 'products').focus();
    await first.keyboard.press('Control+z');
    for (const page of pages) await soon(() => page.getByText('1 change', { exact: true }).count()).toBe(0);
  });

  it('follow on when the worker that they share is killed', async () => {
    const session = await browser.newBrowserCDPSession();
    const { targetInfos } = await session.send('Target.getTargets');
    const workers = targetInfos.filter(({ type }) => type === 'shared_worker');
    expect(workers).toHaveLength(1);
    for (const { targetId } of workers) await session.send('Target.closeTarget', { targetId });
    await session.detach();
    await stageInFirst('Revived');
  });

  it('include one whose browser has no shared workers, which subscribes directly', async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await page.goto(new URL('#new', pageAt(0).url()).href);
    await showRows(page);
    pages.push(page);
    await stageInFirst('Alone');
    expect(endless.length).toBeGreaterThan(0);
    await pages.pop()?.close();
  });

  it('ask what a client may do, also those that are left when others were closed', async () => {
    await using stack = new AsyncDisposableStack();
    const client = await connectClient();
    stack.defer(() => client.close());
    const ask = async (id: string) =>
      (await onceWindowAsks(() =>
        client.callTool({
          name: 'execute_query',
          arguments: {
            connection: 'Cluster',
            statement: `POST /collections/products/documents\n{"id":"${id}","name":"Chair"}`,
          },
        }),
      )) as unknown as { content: [{ text: string }] };
    const first = ask('six-windows');
    for (const page of pages) await approval(page).getByText('six-windows').waitFor();
    await approval(pageAt(3)).getByRole('button', { name: 'Deny' }).click();
    expect((await first).content[0].text).toMatch(/^APPROVAL_DECLINED/);
    for (const page of pages) await approval(page).waitFor({ state: 'detached' });

    for (const page of pages.splice(0, WINDOWS - 1)) await page.close();
    const second = ask('last-window');
    await approval(pageAt(0)).getByText('last-window').waitFor();
    await approval(pageAt(0)).getByRole('button', { name: 'Deny' }).click();
    expect((await second).content[0].text).toMatch(/^APPROVAL_DECLINED/);
  });
});
