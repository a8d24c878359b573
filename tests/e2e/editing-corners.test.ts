import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useOwnWindow } from './fixture.ts';
import { addConnection, cellOf, openTable, savedConnection, soon, tableGrid } from './openTable.ts';
import { openSlowly } from './slowServer.ts';

// Editing as a hurried person does it: in two windows at once, cancelling and typing while a save runs.

const fixture = useOwnWindow({ products: 1_200, clipboard: true });

const grid = (page: Page): Locator => tableGrid(page, 'products');
const cell = (page: Page, row: number, column: string) => cellOf(page, grid(page), row, column);
const review = (page: Page): Locator => page.getByRole('dialog', { name: 'Changes of products' });
const changes = (page: Page, count: number) =>
  page.getByText(`${count.toLocaleString('en')} change${count === 1 ? '' : 's'}`, { exact: true });
const staged = (page: Page, count: number) => changes(page, count).waitFor();

async function edit(page: Page, row: number, column: string, text: string): Promise<void> {
  await (await cell(page, row, column)).click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: `Edit ${column}` });
  await field.fill(text);
  await field.press('Enter');
}

async function pasteAt(page: Page, row: number, column: string, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await (await cell(page, row, column)).click();
  await page.keyboard.press('Control+v');
}

/** Stages a brand of its own for each of the first rows. */
async function stageBrands(page: Page, count: number, prefix: string): Promise<void> {
  await pasteAt(page, 0, 'brand', Array.from({ length: count }, (_unused, index) => `${prefix} ${index}`).join('\n'));
  const dialog = page.getByRole('dialog', { name: 'Paste into products' });
  await dialog.getByRole('button', { name: `Stage ${count} cells` }).click();
  await staged(page, count);
}

async function save(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Review…' }).click();
  await review(page)
    .getByRole('button', { name: `Save ${count} change${count === 1 ? '' : 's'}`, exact: true })
    .click();
}

async function document(id: string): Promise<Record<string, unknown>> {
  const { port, apiKey } = fixture.application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}/collections/products/documents/${id}`, {
    headers: { 'x-typesense-api-key': apiKey },
  });
  return (await response.json()) as Record<string, unknown>;
}

/** Another window on a connection of its own, as another person has it. */
async function otherWindow(name: string): Promise<Page> {
  await addConnection(fixture.application, name);
  const page = await fixture.page.context().newPage();
  await page.goto(new URL('#new', fixture.page.url()).href);
  await savedConnection(page, name).click();
  await openTable(page, 'products');
  return page;
}

describe('two windows', () => {
  it('overwrite nothing unseen: not the same cell, not a deletion, and both keep other cells of one row', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    const other = await otherWindow('Other person');
    const ids = await Promise.all([0, 1, 2].map(async (row) => (await cell(page, row, 'id')).innerText()));
    const [same = '', different = '', deleted = ''] = ids;
    await edit(page, 0, 'brand', 'First');
    await edit(page, 1, 'brand', 'First');
    await edit(page, 2, 'brand', 'First');
    await edit(other, 0, 'brand', 'Second');
    await edit(other, 1, 'name', 'Second');
    await (await cell(other, 2, 'brand')).click();
    await other.keyboard.press('Delete');
    await staged(page, 3);
    await staged(other, 3);
    await save(page, 3);
    await page.getByText('Saved 3 changes of products').waitFor();
    await other.getByRole('button', { name: 'Review…' }).click();
    const line = (id: string): Locator => review(other).getByRole('listitem').filter({ hasText: id });
    await line(same)
      .getByRole('row', { name: /^brand .* Second First$/ })
      .waitFor();
    await line(same).getByRole('button', { name: 'Keep mine' }).click();
    await line(deleted).getByRole('button', { name: 'Keep the row' }).click();
    await review(other).getByRole('button', { name: 'Save 2 changes' }).click();
    await other.getByText('Saved 2 changes of products').waitFor();
    await expect(document(same)).resolves.toMatchObject({ brand: 'Second' });
    await expect(document(different)).resolves.toMatchObject({ brand: 'First', name: 'Second' });
    await expect(document(deleted)).resolves.toMatchObject({ brand: 'First' });
  });

  it('of one connection show the same changes, and either takes them back', async () => {
    const { page, connection } = fixture;
    await openTable(page, 'products');
    const other = await page.context().newPage();
    await other.goto(new URL('#new', page.url()).href);
    await savedConnection(other, connection).click();
    await openTable(other, 'products');
    await edit(page, 0, 'brand', 'Staged here');
    await soon(async () => (await cell(other, 0, 'brand')).innerText()).toBe('Staged here');
    await edit(other, 0, 'brand', 'Staged there');
    await soon(async () => (await cell(page, 0, 'brand')).innerText()).toBe('Staged there');
    await grid(page).focus();
    await page.keyboard.press('Control+z');
    await soon(async () => (await cell(other, 0, 'brand')).innerText()).toBe('Staged here');
    await grid(other).focus();
    await other.keyboard.press('Control+z');
    await soon(() => changes(page, 1).count()).toBe(0);
  });
});

describe('a save that takes long', () => {
  it('says what it saved when it is cancelled; the rest stays, is saved later, and nothing is sent twice', async () => {
    const { page } = fixture;
    const slow = await openSlowly(fixture, 18, 'Slow to cancel');
    await stageBrands(page, 50, 'Cancelled');
    await save(page, 50);
    await soon(() => slow.updates.length).toBe(19);
    const cancelled = page.waitForResponse(/editing\.cancelSave/);
    await review(page).getByRole('button', { name: 'Cancel' }).click();
    await cancelled;
    slow.open();
    await page
      .getByText('Saved 20 changes of products, then cancelled; 30 changes were not sent and stay staged.')
      .first()
      .waitFor();
    await staged(page, 30);
    expect(slow.updates).toHaveLength(20);
    await review(page).getByRole('button', { name: 'Review…' }).click();
    await review(page).getByRole('button', { name: 'Save 30 changes' }).click();
    await page.getByText('Saved 30 changes of products').waitFor();
    expect(slow.updates).toHaveLength(50);
    expect(new Set(slow.updates).size).toBe(50);
  });

  it('is left alone by Escape, Ctrl+Z and typing, which loses nothing', async () => {
    const { page } = fixture;
    const slow = await openSlowly(fixture, 3, 'Slow to type');
    await stageBrands(page, 30, 'Typed');
    await save(page, 30);
    await soon(() => slow.updates.length).toBe(4);
    await page.keyboard.press('Escape');
    await review(page).waitFor({ state: 'detached' });
    await grid(page).focus();
    await page.keyboard.press('Control+z');
    await (await cell(page, 25, 'brand')).click();
    await page.keyboard.type('While it runs');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Escape');
    // Nothing was taken off the stage: three are saved, the others wait.
    await staged(page, 27);
    slow.open();
    await page.getByText('Saved 30 changes of products').waitFor();
    await soon(() => changes(page, 30).count()).toBe(0);
    expect(new Set(slow.updates).size).toBe(30);
    expect(slow.updates).toHaveLength(30);
  });
});

describe('a save that the server does not answer', () => {
  it('says why, and leaves everything staged', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await edit(page, 0, 'brand', 'Unreachable');
    await page.getByRole('button', { name: 'Review…' }).click();
    const button = review(page).getByRole('button', { name: 'Save 1 change', exact: true });
    await soon(() => button.isEnabled()).toBe(true);
    fixture.application.sandbox.fault(() => ({ kind: 'answer', status: 503, body: '{"message":"Not Ready or Lagging"}' }));
    await button.click();
    await review(page).getByText('The changes could not be saved', { exact: true }).waitFor();
    fixture.application.sandbox.fault();
    await review(page).getByRole('button', { name: 'Review…' }).click();
    await review(page).getByRole('button', { name: 'Save 1 change', exact: true }).click();
    await page.getByText('Saved 1 change of products').waitFor();
  });
});
