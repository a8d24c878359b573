import { describe, expect, it } from 'vitest';
import { NARROW_KEY } from './application.ts';
import { screenshot } from './browser.ts';
import { expectAccessible, lookEverywhere } from './openTool.ts';
import { useScene } from './fixture.ts';

// Who may use the database: listed, added with a value that is told once, and deleted.

const scene = useScene({ products: 3_000, tool: 'API Keys', clipboard: true });

const keys = () => scene.page.getByRole('table', { name: 'API Keys' });
const row = (name: string) =>
  keys()
    .getByRole('row')
    .filter({ has: scene.page.getByRole('rowheader', { name, exact: true }) });

async function add(description: string, collection: string): Promise<void> {
  await scene.page.getByRole('button', { name: 'Add API Key…' }).first().click();
  const sheet = scene.page.getByRole('dialog', { name: 'Add API Key' });
  await sheet.getByRole('textbox', { name: /Description/ }).fill(description);
  const collections = sheet.getByLabel(/^Collections/).first();
  await collections.click();
  await collections.press('Backspace');
  await collections.fill(collection);
  await collections.press('Enter');
  await screenshot(scene.page, 'principals-02-add');
  await expectAccessible(scene.page);
  await sheet.getByRole('button', { name: 'Add API Key' }).click();
}

describe('the keys of a server', { timeout: 120_000 }, () => {
  it('says what the list is for, and that keys cannot be edited', async () => {
    await scene.page.getByRole('region', { name: 'API Keys' }).waitFor();
    await scene.page.getByRole('button', { name: 'Add API Key…' }).first().waitFor();
    await screenshot(scene.page, 'principals-01-list');
    await expectAccessible(scene.page);
  });

  it('adds one, and tells its value once, until it was saved', async () => {
    await add('reader of products', 'products');
    const dialog = scene.page.getByRole('dialog', { name: '“reader of products” was added' });
    await dialog.getByRole('button', { name: 'Copy' }).click();
    const value = await scene.page.evaluate(() => navigator.clipboard.readText());
    expect(value.length).toBeGreaterThan(10);
    await scene.page.keyboard.press('Escape');
    await dialog.getByText(value).waitFor();
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    await screenshot(scene.page, 'principals-03-value');
    await expectAccessible(scene.page);
    await dialog.getByLabel('I saved it').check();
    await done.click();
    await row('reader of products').waitFor();
    expect(await scene.page.locator('body').innerText()).not.toContain(value);
    expect(await row('reader of products').innerText()).toContain('documents:search');
  });

  it('marks what is server-wide, finds by words, and says why editing is not there', async () => {
    await add('everything', '*');
    const dialog = scene.page.getByRole('dialog', { name: '“everything” was added' });
    await dialog.getByLabel('I saved it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row('everything').getByText('Server-wide').waitFor();
    const edit = row('everything').getByRole('button', { name: 'Edit everything' });
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    expect(await edit.getAttribute('title')).not.toBe('');
    await screenshot(scene.page, 'principals-04-two');
    await expectAccessible(scene.page);
    await lookEverywhere(scene.page, 'principals-05');
    const search = scene.page.getByRole('textbox', { name: 'Search API Keys' });
    await search.fill('reader');
    await row('everything').waitFor({ state: 'detached' });
    await search.fill('nothing at all');
    await scene.page.getByText('Nothing matches “nothing at all”.').waitFor();
    await scene.page.getByRole('button', { name: 'Clear the search' }).click();
  });

  it('says in place what is missing or wrong in the form', async () => {
    await scene.page.getByRole('button', { name: 'Add API Key…' }).first().click();
    const sheet = scene.page.getByRole('dialog', { name: 'Add API Key' });
    const actions = sheet.getByLabel(/^Actions/).first();
    await actions.click();
    await actions.press('Backspace');
    await actions.press('Tab');
    await sheet.getByRole('button', { name: 'Add API Key' }).click();
    await sheet.getByText(/^Enter Actions/).waitFor();
    await screenshot(scene.page, 'principals-07-fields');
    await scene.page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
  });

  it('deletes one after its name was typed', async () => {
    await row('everything').getByRole('button', { name: 'Delete everything…' }).click();
    const dialog = scene.page.getByRole('dialog', { name: 'Delete “everything”?' });
    const confirm = dialog.getByRole('button', { name: 'Delete everything' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type everything to confirm').fill('everything');
    await screenshot(scene.page, 'principals-06-delete');
    await expectAccessible(scene.page);
    await confirm.click();
    await row('everything').waitFor({ state: 'detached' });
    expect(await row('reader of products').count()).toBe(1);
  });

  it('says why keys cannot be listed with a key that may not', async () => {
    const response = await fetch(`http://127.0.0.1:${scene.application.sandbox.port}/keys`, {
      method: 'POST',
      headers: { 'x-typesense-api-key': scene.application.sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        description: 'narrow',
        actions: ['documents:search', 'collections:list', 'collections:get'],
        collections: ['*'],
        value: NARROW_KEY,
      }),
    });
    expect(response.status).toBe(201);
    const { page } = scene;
    await scene.application.command(
      ...['connections', 'add', '--driver', 'search', '--name', 'Narrow'],
      ...['--set', 'host=127.0.0.1', '--set', `port=${scene.application.sandbox.port}`, '--set', 'sslMode=disabled'],
      ...['--api-key-env', 'E2E_NARROW_KEY'],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Switch connection' }).click();
    await page.getByRole('menuitem', { name: /Narrow/ }).click();
    await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'API Keys', exact: true }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'API Keys cannot be listed' });
    await problem.getByText(/keys:/).first().waitFor();
    expect(await page.getByRole('button', { name: 'Add API Key…' }).count()).toBe(0);
    await screenshot(page, 'principals-08-refused');
    await expectAccessible(page);
    // The browser tells of every answer with an error; the refused list is one.
    expect(scene.faults.filter((fault) => !/^Failed to load resource: .* status of 40[0-9]/.test(fault))).toEqual([]);
  });
});
