import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { sampleDatabase } from '../../scripts/start/sampleDatabase.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, savedConnection, soon, tableGrid } from './openTable.ts';

// Two people write into one table: nothing that one wrote is overwritten by the other unseen.

const fixture = useOwnWindow({ products: 300 });

const review = (table: string): Locator => fixture.page.getByRole('dialog', { name: `Changes of ${table}` });
const staged = (text: string) => fixture.page.getByText(text, { exact: true }).waitFor();

async function edit(grid: Locator, row: number, column: string, text: string): Promise<void> {
  await (await cellOf(fixture.page, grid, row, column)).click();
  await fixture.page.keyboard.press('F2');
  const field = fixture.page.getByRole('textbox', { name: `Edit ${column}` });
  await field.fill(text);
  await field.press('Enter');
}

/** Another client of the sandbox. */
async function request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const { sandbox } = fixture.application;
  const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method,
    headers: { 'x-typesense-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const idAt = async (grid: Locator, row: number): Promise<string> => (await cellOf(fixture.page, grid, row, 'id')).innerText();
const document = (id: string): string => `/collections/products/documents/${id}`;

describe('a search server with two writers', () => {
  it('keeps what the other client wrote until the person decides, row by row', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    const [first, second, third] = [await idAt(grid, 0), await idAt(grid, 1), await idAt(grid, 2)];
    const before = await request('GET', document(second));
    await edit(grid, 0, 'brand', 'Mine');
    await edit(grid, 1, 'brand', 'Mine');
    await (await cellOf(page, grid, 2, 'brand')).click();
    await page.keyboard.press('Delete');
    await staged('3 changes');
    await request('PATCH', document(first), { brand: 'Theirs' });
    await request('DELETE', document(second));
    await request('PATCH', document(third), { stock: 4_711 });

    await page.getByRole('button', { name: 'Review…' }).click();
    const dialog = review('products');
    await dialog.getByText('3 rows are no longer as you saw them. They are not saved until you decide.').waitFor();
    await screenshot(page, 'two-writers-01-review');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'two-writers-02-small-dark');
    const line = (id: string): Locator => dialog.getByRole('listitem').filter({ hasText: id });
    await line(first)
      .getByRole('row', { name: /^brand .* Mine Theirs$/ })
      .waitFor();
    await line(first).getByRole('button', { name: 'Keep mine' }).click();
    await line(second).getByRole('button', { name: 'Insert again' }).click();
    await line(third).getByRole('button', { name: 'Keep the row' }).click();
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('Saved 2 changes of products').waitFor();

    await expect(request('GET', document(first))).resolves.toMatchObject({ brand: 'Mine' });
    await expect(request('GET', document(third))).resolves.toMatchObject({ stock: 4_711 });
    const again = await request('GET', document(second));
    expect(again).toMatchObject({ brand: 'Mine', name: before['name'], price: before['price'], barcode: before['barcode'] });
  });

  it('notices what is written between review and save', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    const id = await idAt(grid, 5);
    await edit(grid, 5, 'brand', 'Mine');
    await page.getByRole('button', { name: 'Review…' }).click();
    const save = review('products').getByRole('button', { name: 'Save 1 change' });
    await review('products').getByText(/PATCH/).waitFor();
    await soon(() => save.isEnabled()).toBe(true);
    await request('PATCH', document(id), { brand: 'Theirs' });
    await save.click();
    await review('products').getByRole('button', { name: 'Take theirs' }).click();
    await soon(() => page.getByText('1 change', { exact: true }).count()).toBe(0);
    await expect(request('GET', document(id))).resolves.toMatchObject({ brand: 'Theirs' });
  });

  it('does not save into another collection to which an alias was moved meanwhile, until the person decides', async () => {
    const { page } = fixture;
    for (const name of ['shelf_1', 'shelf_2']) {
      await request('POST', '/collections', { name, fields: [{ name: 'title', type: 'string' }] });
      await request('POST', `/collections/${name}/documents`, { id: '1', title: `On ${name}` });
    }
    onTestFinished(async () => {
      for (const path of ['/aliases/shelf', '/collections/shelf_1', '/collections/shelf_2']) await request('DELETE', path);
    });
    await request('PUT', '/aliases/shelf', { collection_name: 'shelf_1' });
    const grid = await openTable(page, 'shelf');
    await edit(grid, 0, 'title', 'Mine');
    await staged('1 change');
    await request('PUT', '/aliases/shelf', { collection_name: 'shelf_2' });

    await page.keyboard.press('ControlOrMeta+s');
    const dialog = review('shelf');
    await dialog.getByText(/^The name of the table leads to another table than when you changed this row /).waitFor();
    await dialog.getByText('As the server names the two').click();
    await dialog.getByText(/^shelf_1, created /).waitFor();
    await dialog.getByText(/^shelf_2, created /).waitFor();
    await screenshot(page, 'two-writers-04-elsewhere');
    expect(await request('GET', '/collections/shelf_2/documents/1')).toMatchObject({ title: 'On shelf_2' });

    await dialog.getByRole('button', { name: 'Save it there' }).click();
    // Its row there has another value than the one that was seen.
    await dialog.getByText('On shelf_2').waitFor();
    expect(await request('GET', '/collections/shelf_2/documents/1')).toMatchObject({ title: 'On shelf_2' });
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save 1 change' }).click();
    await soon(async () => (await request('GET', '/collections/shelf_2/documents/1'))['title']).toBe('Mine');
    expect(await request('GET', '/collections/shelf_1/documents/1')).toMatchObject({ title: 'On shelf_1' });
  });
});

describe('a SQLite file with two writers', () => {
  it('keeps what the other program wrote, and saves nothing of a transaction in which one row differs', async () => {
    const { application, page } = fixture;
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-two-writers-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const file = await sampleDatabase(folder);
    await application.registry.publish(join(root, 'drivers/sqlite'));
    await application.command(
      ...['connections', 'add', '--driver', 'sqlite', '--name', 'Two writers', '--set', `file=${file}`],
      ...['--ai-policy', 'alwaysAllow'],
    );
    using other = new DatabaseSync(file);
    const titleOf = (id: number): unknown => other.prepare('SELECT title FROM books WHERE id = ?').get(id)?.['title'];
    await page.goto(new URL('#new', page.url()).href);
    await page.reload();
    await savedConnection(page, 'Two writers').click();
    const question = page.getByRole('dialog', { name: /leave the sandbox/ });
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('navigation', { name: 'Tables' }).getByText('books', { exact: true }).click();
    const grid = tableGrid(page, 'books');
    await grid.locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
    const [first, second] = [Number(await idAt(grid, 0)), Number(await idAt(grid, 1))];
    await edit(grid, 0, 'title', 'Mine');
    await edit(grid, 1, 'title', 'Mine, too');
    await staged('2 changes');
    expect(other.prepare('UPDATE books SET title = ? WHERE id = ?').run('Theirs', first).changes).toBe(1);
    await page.getByRole('button', { name: 'Review…' }).click();
    const dialog = review('books');
    await dialog.getByRole('row', { name: /^title .* Mine Theirs$/ }).waitFor();
    await soon(() => dialog.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
    expect(titleOf(second)).not.toBe('Mine, too');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('Saved 2 changes of books').waitFor();
    expect([titleOf(first), titleOf(second)]).toEqual(['Mine', 'Mine, too']);
  });
});
