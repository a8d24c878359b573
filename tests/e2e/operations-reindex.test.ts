import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon } from './openTable.ts';

// Operations with an input, over the real driver and the sample server.

const fixture = useOwnWindow({ products: 12_000 });

const sidebar = () => fixture.page.getByRole('navigation', { name: 'Collections' });
const entry = (name: string) => sidebar().getByText(name, { exact: true });
const dialog = () => fixture.page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const open = () => fixture.page.getByRole('region', { name: 'Operations that need you' });

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { port, apiKey } = fixture.application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-typesense-api-key': apiKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

async function openMenu(name: string, item: string): Promise<void> {
  await entry(name).click({ button: 'right' });
  await fixture.page.getByRole('menuitem', { name: item }).click();
}

const aliasTarget = async (): Promise<string> => (await ask<{ collection_name: string }>('GET', '/aliases/shop')).collection_name;

describe('operations with an input', () => {
  it('a collection is reindexed behind its alias, and the alias is moved back by the undo', async () => {
    const old = await aliasTarget();
    await openMenu('shop', 'Reindex and swap…');
    const target = dialog().getByRole('textbox', { name: 'New collection' });
    await target.waitFor();
    await screenshot(fixture.page, 'operations-10-reindex-form');
    expect((await axe(fixture.page).include('[role="dialog"]').analyze()).violations).toEqual([]);

    await target.fill(old);
    await button('Review…').click();
    await dialog().getByText(`There is a collection “${old}” already.`).waitFor();
    await button('Back').click();
    // Escape asks before it discards a typed value.
    await fixture.page.keyboard.press('Escape');
    const question = fixture.page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.waitFor();
    await fixture.page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await target.fill('products_next');
    await button('Review…').click();
    await dialog().getByText('PUT /aliases/shop').waitFor();
    await screenshot(fixture.page, 'operations-11-reindex-review');
    expect((await axe(fixture.page).include('[role="dialog"]').analyze()).violations).toEqual([]);
    expect(await aliasTarget()).toBe(old);

    // A second click of a hasty hand begins nothing twice.
    await button('Reindex and swap').dblclick();
    await dialog().waitFor({ state: 'detached' });
    await open().getByText('“shop” leads to “products_next”').waitFor({ timeout: 60_000 });
    await screenshot(fixture.page, 'operations-12-result');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    expect(await aliasTarget()).toBe('products_next');
    expect(await ask('GET', '/collections/products_next')).toMatchObject({ num_documents: 12_000 });
    expect(await ask('GET', `/collections/${old}`)).toMatchObject({ num_documents: 12_000 });
    await entry('products_next').waitFor();

    // The result is still there after a reload.
    await fixture.page.reload();
    await open().getByRole('button', { name: 'Undo…' }).click();
    await dialog().getByText(`"collection_name": "${old}"`).waitFor();
    await screenshot(fixture.page, 'operations-13-undo');
    await button('Move shop back').click();
    await soon(aliasTarget).toBe(old);
    await ask('DELETE', '/collections/products_next');
  });

  it('a collection is made of a preset, in a narrow dark window', async () => {
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await fixture.page.getByRole('button', { name: 'New collection…', exact: true }).click();
    await dialog().getByRole('combobox', { name: 'Begin with' }).click();
    await fixture.page.getByRole('option', { name: 'Articles' }).click();
    await soon(() => dialog().getByRole('textbox', { name: 'Name', exact: true }).first().inputValue()).toBe('articles');
    await screenshot(fixture.page, 'operations-14-new');
    expect((await axe(fixture.page).include('[role="dialog"]').analyze()).violations).toEqual([]);
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).first().fill('notes');
    await dialog().getByText('JSON', { exact: true }).click();
    await screenshot(fixture.page, 'operations-15-json');
    await button('Review…').click();
    await dialog().getByText('POST /collections').waitFor();
    await fixture.page.keyboard.press('Enter');
    expect(await ask('GET', '/collections/notes')).not.toHaveProperty('num_documents');
    await button('New collection').click();
    await entry('notes').waitFor();
    await ask('DELETE', '/collections/notes');
  });

  it('documents are deleted by a filter after their count, the typed name and a word on what is staged', async () => {
    const grid = await openTable(fixture.page, 'articles');
    await (await cellOf(fixture.page, grid, 0, 'title')).click();
    await fixture.page.keyboard.type('lost');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByText('1 change', { exact: true }).waitFor();
    await openMenu('articles', 'Delete documents by filter…');
    await dialog().getByRole('textbox', { name: 'Filter' }).fill('id:!=none');
    await button('Review…').click();
    await dialog().getByText('DELETE /collections/articles/documents?filter_by=').waitFor();
    await dialog().getByRole('checkbox', { name: 'Discard 1 staged change of articles' }).check();
    await screenshot(fixture.page, 'operations-16-delete');
    const run = button('Delete documents by filter');
    await soon(() => run.isDisabled()).toBe(true);
    await dialog().getByLabel('Type articles to confirm').fill('articles');
    await run.click();
    await soon(async () => (await ask<{ num_documents: number }>('GET', '/collections/articles')).num_documents).toBe(0);
    await fixture.page.getByText('1 change', { exact: true }).waitFor({ state: 'detached' });
  });
});
