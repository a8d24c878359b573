import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, startBrowser } from './browser.ts';
import { savedConnection, soon } from './openTable.ts';

// Two browsers that share nothing but the host, so that neither could have the news from the other.

let application: Application;
let browser: Browser;
let pages: readonly [Page, Page];
let file: string;

const newPage = async (): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  return page;
};

/** An address opens one window. */
const open = async (page: Page): Promise<void> => {
  const { url } = z.looseObject({ url: z.url() }).parse(await application.command('url'));
  await page.goto(url);
};

const addDatabase = (name: string): Promise<unknown> =>
  application.command('connections', 'add', '--driver', 'sqlite', '--name', name, '--set', `file=${file}`);

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 20 }), startBrowser()]);
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command('drivers', 'install', 'sqlite').catch(() => undefined);
  file = join(application.files, 'books.sqlite');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)');
  database.close();
  await addDatabase('First');
});

beforeEach(async () => {
  await Promise.all((pages ?? []).map((page) => page.context().close()));
  pages = [await newPage(), await newPage()];
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

describe('saved by a command while windows are open', () => {
  it('a connection is listed in all of them, and is gone from them when it was removed', async () => {
    for (const page of pages) {
      await open(page);
      await savedConnection(page, 'First').waitFor();
    }
    await addDatabase('Ledger');
    for (const page of pages) await savedConnection(page, 'Ledger').waitFor();
    await application.command('connections', 'remove', 'Ledger');
    for (const page of pages) await soon(() => savedConnection(page, 'Ledger').count()).toBe(0);
  });

  it('the answer to a question of a driver is taken by every window that asks it', async () => {
    await addDatabase('Asked');
    const [first, second] = pages;
    for (const page of pages) {
      await open(page);
      await savedConnection(page, 'Asked').click();
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    }
    await first.getByRole('button', { name: 'Allow', exact: true }).click();
    for (const page of [first, second]) {
      await page.getByRole('navigation').getByText('books', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0);
    }
  });
});
