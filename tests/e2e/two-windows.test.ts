import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, startBrowser } from './browser.ts';
import { cellOf, savedConnection, tableGrid } from './openTable.ts';

// Two windows of one host on the same cell: neither overwrites unseen what the other one saved.

let application: Application;
let browser: Browser;
let pages: readonly [Page, Page];
let file: string;

const newPage = async (): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  return page;
};

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 20 }), startBrowser()]);
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command('drivers', 'install', 'sqlite').catch(() => undefined);
  file = join(application.files, 'books.sqlite');
  using database = new DatabaseSync(file);
  database.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO books VALUES (1, 'One'), (2, 'Two')");
  await application.command('connections', 'add', '--driver', 'sqlite', '--name', 'First', '--set', `file=${file}`);
});

beforeEach(async () => {
  await Promise.all((pages ?? []).map((page) => page.context().close()));
  pages = [await newPage(), await newPage()];
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

describe('a cell that one window has staged while another one edits it', () => {
  const TITLES = ['One', 'Two'];

  async function openBooks(page: Page): Promise<Locator> {
    const { url } = z.looseObject({ url: z.url() }).parse(await application.command('url'));
    await page.goto(url);
    await savedConnection(page, 'First').click();
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    const table = page.getByRole('navigation', { name: 'Tables' }).getByText('books', { exact: true });
    await allow.or(table).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    await table.click();
    const grid = tableGrid(page, 'books');
    await grid.and(page.locator('[aria-readonly]')).waitFor();
    return grid;
  }

  /** Opens the editor of a title and types into it. */
  async function type(page: Page, grid: Locator, row: number, text: string): Promise<Locator> {
    await (await cellOf(page, grid, row, 'title')).click();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit title' });
    await field.fill(text);
    return field;
  }

  const titleOf = (id: number): unknown => {
    using database = new DatabaseSync(file);
    return database.prepare('SELECT title FROM books WHERE id = ?').get(id)?.['title'];
  };

  const ENDS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    'saved it': async (page) => {
      await page.getByRole('button', { name: 'Review…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save 1 change' }).click();
      await page.getByText('Saved 1 change of books').waitFor();
    },
    'discarded it before somebody else wrote': async (page) => {
      await page.getByRole('button', { name: 'Discard', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard 1 change' }).click();
      await page.getByText('1 change', { exact: true }).first().waitFor({ state: 'detached' });
      using database = new DatabaseSync(file);
      database.exec("UPDATE books SET title = 'Theirs' WHERE id = 2");
    },
  };

  it.each(Object.entries(ENDS))('is compared with the database after the first one %s', async (way, end) => {
    const [mine, theirs] = pages;
    const row = Object.keys(ENDS).indexOf(way);
    const [grid, theirGrid] = [await openBooks(mine), await openBooks(theirs)];
    await (await type(theirs, theirGrid, row, 'Theirs')).press('Enter');
    for (const page of pages) await page.getByText('1 change', { exact: true }).first().waitFor();
    const field = await type(mine, grid, row, 'Mine');
    await end(theirs);
    await field.press('Enter');
    await mine.getByText('1 change', { exact: true }).first().waitFor();
    await mine.getByRole('button', { name: 'Review…' }).click();
    const review = mine.getByRole('dialog', { name: 'Changes of books' });
    await review.getByText('Somebody changed “title” of this row meanwhile.').waitFor();
    await review.getByRole('row', { name: `title ${TITLES[row] ?? ''} Mine Theirs` }).waitFor();
    expect(await review.getByRole('button', { name: 'Save 1 change' }).isDisabled()).toBe(true);
    expect(titleOf(row + 1)).toBe('Theirs');
    await review.getByRole('button', { name: 'Take theirs' }).click();
    await mine.getByText('1 change', { exact: true }).first().waitFor({ state: 'detached' });
  });
});
