import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, shownIn, soon } from './openTable.ts';

// Rows of a table that are copied into another connection, both ways between two drivers.

const fixture = useOwnWindow({ products: 20 });

/** A connection of a SQLite file. */
async function addFile(name: string, sql: string): Promise<string> {
  const { application } = fixture;
  const file = join(application.files, `${name}.db`);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command('drivers', 'install', 'sqlite').catch(() => undefined);
  await application.command('drivers', 'allow', 'sqlite', 'sqlite');
  await application.command('drivers', 'install', 'sqlite');
  await application.command('connections', 'add', '--driver', 'sqlite', '--name', name, '--set', `file=${file}`);
  return file;
}

const dialog = () => fixture.page.getByRole('dialog', { name: /^Copy / });

async function copyFrom(table: string): Promise<void> {
  const { page } = fixture;
  await page.getByRole('navigation', { name: 'Collections' }).getByText(table, { exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy to…' }).click();
  await dialog().waitFor();
}

describe('copy', () => {
  it('makes a collection like the source and copies its documents, with the request to be seen first', async () => {
    const { page } = fixture;
    const name = `copied${Date.now()}`;
    await copyFrom('products');
    await dialog().getByLabel('Name', { exact: true }).fill(name);
    await dialog()
      .getByText(/20 rows of .* are copied as they are now/)
      .waitFor();
    await dialog().getByText('That of the source. Change it before it is created.').waitFor();
    await dialog()
      .getByText(/^POST \/collections/)
      .waitFor();
    await screenshot(page, 'copy-01-like');
    const { violations } = await axe(page).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
    await dialog().getByRole('button', { name: 'Create and copy' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('contentinfo').getByText(`Copied 20 rows into ${name}.`).waitFor();
    const grid = await openTable(page, name);
    expect(await shownIn(page, grid, 'id')).toHaveLength(20);
  });

  it('writes into a table that is there only when its name was typed', async () => {
    const { page } = fixture;
    const name = `there${Date.now()}`;
    for (const isFirst of [true, false]) {
      await copyFrom('products');
      if (isFirst) await dialog().getByLabel('Name', { exact: true }).fill(name);
      else {
        await dialog().getByLabel('A collection that is there').check();
        await dialog().getByLabel('Collection', { exact: true }).selectOption(name);
        await dialog().getByText('The target has 20 rows.').waitFor();
        const start = dialog().getByRole('button', { name: 'Copy', exact: true });
        expect(await start.isDisabled()).toBe(true);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize({ width: 900, height: 600 });
        await screenshot(page, 'copy-02-there-small-dark');
        await dialog().getByLabel(`Type ${name} to confirm`).fill(name);
        await start.click();
        await page
          .getByRole('region', { name: 'Imports' })
          .getByText(`Copied 0 rows into ${name}; 20 rows were rejected.`)
          .waitFor();
        continue;
      }
      await dialog().getByRole('button', { name: 'Create and copy' }).click();
      await page.getByRole('contentinfo').getByText(`Copied 20 rows into ${name}.`).waitFor();
      await soon(() => page.getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true }).count()).toBe(1);
    }
  });

  it('can be started as soon as the places for a new collection are read, not before', async () => {
    const { page } = fixture;
    const name = `placed${Date.now()}`;
    const places = Promise.withResolvers<void>();
    await page.route(/imports\.namespaces/, async (route) => {
      await places.promise;
      await route.continue();
    });
    await copyFrom('products');
    await dialog().getByLabel('Name', { exact: true }).fill(name);
    const start = dialog().getByRole('button', { name: 'Create and copy' });
    expect(await start.isDisabled()).toBe(true);
    await dialog().getByLabel('Name', { exact: true }).press('Enter');
    places.resolve();
    await start.click();
    await page.getByRole('contentinfo').getByText(`Copied 20 rows into ${name}.`).waitFor();
  });

  it('goes to a file of SQLite and back, integers digit for digit, the id as text where the server needs it', async () => {
    const { application, connection } = fixture;
    const file = await addFile(
      'Shelf',
      `CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, big INTEGER, sold BOOLEAN);
       INSERT INTO books VALUES (1, 'Walden', 9007199254740993, 1), (2, 'Emma', NULL, 0)`,
    );
    const copy = (...words: string[]): Promise<unknown> => application.command('copy', ...words, '--json');
    await copy('Shelf', 'books', connection, '--create');
    await copy(connection, 'books', 'Shelf', 'back', '--create');
    const database = new DatabaseSync(file, { readBigInts: true });
    expect(database.prepare('SELECT id, title, big, sold FROM back ORDER BY id').all()).toEqual([
      { id: '1', title: 'Walden', big: 9007199254740993n, sold: 1n },
      { id: '2', title: 'Emma', big: null, sold: 0n },
    ]);
    database.close();
  });
});
