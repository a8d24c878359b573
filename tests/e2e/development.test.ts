import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { axe } from './axe.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { ledgerBook } from '../fixtures/ledger-driver/book.test-helper.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser } from './browser.ts';
import { cellOf, savedConnection, soon } from './openTable.ts';

// A driver is developed while a window is open: every build is seen at once, and what is wrong with it as well.

let application: Application;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let address: string | undefined;
/** The name of this test's connection. */
let books: string;
let folder: string;
let lines: Record<string, unknown>[];
const stack = new AsyncDisposableStack();

/** A project of the ledger driver, as its author has it, and `tabularium-driver dev` running in it. */
async function develop(home: string): Promise<void> {
  const project = join(folder, 'project');
  await cp(join(root, 'tests/fixtures/ledger-driver/src'), join(project, 'src'), { recursive: true });
  await cp(join(root, 'tests/fixtures/ledger-driver/package.json'), join(project, 'package.json'));
  await mkdir(join(project, 'node_modules/@tabularium'), { recursive: true });
  await symlink(join(root, 'sdk'), join(project, 'node_modules/@tabularium/sdk'));
  await symlink(join(root, 'node_modules/zod'), join(project, 'node_modules/zod'));
  const dev = spawn(process.execPath, [join(root, 'sdk/bin/tabularium-driver.mjs'), 'dev', '--json', '--home', home], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    if (dev.exitCode !== null) return;
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  });
  lines = [];
  createInterface({ input: dev.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await vi.waitFor(() => expect(lines.filter(({ event }) => event === 'loaded')).toHaveLength(1), { timeout: 120_000 });
}

/** The sources that a test has changed, as they were before. */
const sources = new Map<string, string>();

/** Changes one of the sources, as an editor does. */
async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, 'project/src', file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  if (!sources.has(file)) sources.set(file, text);
  await writeFile(path, text.replace(from, to));
}

/** Takes back every change of a test, and waits for the build. */
async function restoreSources(): Promise<void> {
  const loaded = lines.filter(({ event }) => event === 'loaded').length;
  let changed = false;
  for (const [file, text] of sources) {
    const path = join(folder, 'project/src', file);
    if ((await readFile(path, 'utf8')) === text) continue;
    changed = true;
    await writeFile(path, text);
  }
  sources.clear();
  if (changed) await soon(() => lines.filter(({ event }) => event === 'loaded').length).toBeGreaterThan(loaded);
}

beforeAll(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'sdk'), log: () => undefined });
  folder = await mkdtemp(join(tmpdir(), 'tabularium-development-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(join(folder, 'book.json'), JSON.stringify(ledgerBook));
  [application, browser] = await Promise.all([startApplication({ products: 100 }), startBrowser()]);
  await develop(application.home);
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
});

let count = 0;
beforeEach(async () => {
  // A connection and a window of its own, with the rows of its table.
  count += 1;
  books = `Books ${count}`;
  await application.command('connections', 'add', '--driver', 'ledger', '--name', books, '--book', join(folder, 'book.json'));
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  // The first address opens the window once; its cookie opens the others.
  await page.goto(new URL('#new', address ?? application.ui).href);
  await savedConnection(page, books).click();
  address = page.url();
  await page.getByRole('navigation', { name: 'Tables' }).getByText('account', { exact: true }).click();
  await soon(async () => (await cell(0, 'title')).innerText()).toBe('Cash');
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
  await page.close();
  await restoreSources();
});

afterAll(async () => {
  await browser?.close();
  await stack.disposeAsync();
  await application?.[Symbol.asyncDispose]();
});

const grid = () => page.getByRole('grid', { name: /account/ });
const cell = (row: number, column: string) => cellOf(page, grid(), row, column);
const panel = () => page.getByRole('status', { name: 'Driver in development' });

describe('a driver that is being developed', () => {
  it('shows its new rows in the open table automatically, and keeps staged changes', async () => {
    await (await cell(1, 'title')).click();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit title' });
    await field.fill('Savings');
    await field.press('Enter');
    await page.getByText('1 change', { exact: true }).waitFor();

    await change('book.ts', 'JSON.parse(text)', "JSON.parse(text.replaceAll('Cash', 'Till'))");
    await soon(async () => (await cell(0, 'title')).innerText()).toBe('Till');
    await soon(async () => (await cell(1, 'title')).innerText()).toBe('Savings');
    await page.getByText('1 change', { exact: true }).waitFor();
    expect(lines.findLast(({ event }) => event === 'loaded')).toMatchObject({
      driver: 'ledger',
      sessions: expect.arrayContaining([{ connection: books }]) as unknown[],
    });
    await soon(() => panel().count()).toBe(0);
  });

  it('that failed to build shows the position, and continues with the previous build', async () => {
    await change('book.ts', 'JSON.parse(text)', 'JSON.parse(text');
    await panel().getByText('Ledger File failed to build').waitFor();
    await panel()
      .getByText(/src\/book\.ts:\d+:\d+/)
      .waitFor();
    await soon(async () => (await cell(0, 'title')).innerText()).toBe('Cash');
    await screenshot(page, 'development-01-build-failed');
    const { violations } = await axe(page).include('[aria-label="Driver in development"]').analyze();
    expect(violations).toEqual([]);
    await change('book.ts', 'JSON.parse(text', 'JSON.parse(text)');
    await panel().waitFor({ state: 'detached' });
  });

  it('that fails says where in its sources, in the window and in the terminal', async () => {
    await change(
      'index.ts',
      'return readPage(',
      "if (store.list().length > 0) throw new TypeError('not a shelf');\n        return readPage(",
    );
    await panel().getByText('Ledger File reported errors').waitFor();
    await panel()
      .getByText(/TypeError: not a shelf[\s\S]*src\/index\.ts:\d+:\d+/)
      .waitFor();
    await page
      .getByText(/not a shelf \(.*src\/index\.ts:\d+:\d+\)/)
      .first()
      .waitFor();
    expect(lines.filter(({ event }) => event === 'log').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['TypeError: not a shelf', expect.stringMatching(/^\s+at .*src\/index\.ts:\d+:\d+\)?$/)]),
    );
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'development-02-errors');
    await panel().getByRole('button', { name: 'Dismiss' }).click();
    await panel().waitFor({ state: 'detached' });
  });
});
