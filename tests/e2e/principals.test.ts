import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NARROW_KEY } from './application.ts';
import { screenshot } from './browser.ts';
import { soon } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// The principals of the database: listed, added with a value that is shown once, and deleted.

const fixture = useOwnWindow({
  products: 500,
  tool: 'API Keys',
  clipboard: true,
  sharesConnection: true,
  // The browser reports every answer with an error; the refused list is one.
  provokes: /^Failed to load resource: .* status of 40[0-9]/,
});

const keys = () => fixture.page.getByRole('table', { name: 'API Keys' });
const row = (name: string) =>
  keys()
    .getByRole('row')
    .filter({ has: fixture.page.getByRole('rowheader', { name, exact: true }) });

/** Adds a key through the form. @returns the dialog that shows its value */
async function add(description: string, collection: string): Promise<Locator> {
  await fixture.page.getByRole('button', { name: 'Add API Key…' }).first().click();
  const dialog = fixture.page.getByRole('dialog', { name: 'Add API Key' });
  await dialog.getByRole('textbox', { name: /Description/ }).fill(description);
  const collections = dialog.getByLabel(/^Collections/).first();
  await collections.click();
  await collections.press('Backspace');
  await collections.fill(collection);
  await collections.press('Enter');
  await screenshot(fixture.page, 'principals-02-add');
  await dialog.getByRole('button', { name: 'Add API Key' }).click();
  return fixture.page.getByRole('dialog', { name: `“${description}” was added` });
}

/** Adds a key whose value the test doesn't need. */
async function addSaved(description: string, collection: string): Promise<void> {
  const added = await add(description, collection);
  await added.getByLabel('I saved it').check();
  await added.getByRole('button', { name: 'Done' }).click();
  await row(description).waitFor();
}

describe('the keys of a server', () => {
  it('says what the list is for, and that keys cannot be edited', async () => {
    await fixture.page.getByRole('region', { name: 'API Keys' }).waitFor();
    await fixture.page.getByRole('button', { name: 'Add API Key…' }).first().waitFor();
    await screenshot(fixture.page, 'principals-01-list');
    await expectNoViolations(fixture.page);
  });

  it('adds one, and shows its value once, until it was saved', async () => {
    const dialog = await add('reader of products', 'products');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    const value = await fixture.page.evaluate(() => navigator.clipboard.readText());
    expect(value.length).toBeGreaterThan(10);
    await fixture.page.keyboard.press('Escape');
    await dialog.getByText(value).waitFor();
    const done = dialog.getByRole('button', { name: 'Done' });
    await soon(() => done.isDisabled()).toBe(true);
    await screenshot(fixture.page, 'principals-03-value');
    await expectNoViolations(fixture.page);
    await dialog.getByLabel('I saved it').check();
    await done.click();
    await row('reader of products').waitFor();
    expect(await fixture.page.locator('body').innerText()).not.toContain(value);
    await soon(() => row('reader of products').innerText()).toContain('documents:search');
  });

  it('marks what is server-wide, finds by words, and says why editing is not there', async () => {
    await addSaved('everything', '*');
    await addSaved('reader of brands', 'brands');
    await row('everything').getByText('Server-wide').waitFor();
    const edit = row('everything').getByRole('button', { name: 'Edit everything' });
    await soon(() => edit.getAttribute('aria-disabled')).toBe('true');
    await soon(() => edit.getAttribute('title')).not.toBe('');
    await screenshot(fixture.page, 'principals-04-two');
    await expectNoViolations(fixture.page);
    await lookEverywhere(fixture.page, 'principals-05');
    const search = fixture.page.getByRole('textbox', { name: 'Search API Keys' });
    await search.fill('reader of brands');
    await row('reader of brands').waitFor();
    await row('everything').waitFor({ state: 'detached' });
    await search.fill('nothing at all');
    await fixture.page.getByText('Nothing matches “nothing at all”.').waitFor();
    await fixture.page.getByRole('button', { name: 'Clear the search' }).click();
  });

  it('says in place what is missing or wrong in the form', async () => {
    await fixture.page.getByRole('button', { name: 'Add API Key…' }).first().click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Add API Key' });
    await dialog.getByRole('textbox', { name: /Description/ }).waitFor();
    await expectNoViolations(fixture.page);
    const actions = dialog.getByLabel(/^Actions/).first();
    await actions.click();
    await actions.press('Backspace');
    await actions.press('Tab');
    await dialog.getByRole('button', { name: 'Add API Key' }).click();
    await dialog.getByText(/^Enter Actions/).waitFor();
    await screenshot(fixture.page, 'principals-07-fields');
    await fixture.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('deletes one after its name was typed', async () => {
    await addSaved('doomed', 'products');
    await addSaved('kept', 'products');
    await row('doomed').getByRole('button', { name: 'Delete doomed…' }).click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Delete “doomed”?' });
    const confirm = dialog.getByRole('button', { name: 'Delete doomed' });
    await soon(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type doomed to confirm').fill('doomed');
    await screenshot(fixture.page, 'principals-06-delete');
    await expectNoViolations(fixture.page);
    await confirm.click();
    await row('doomed').waitFor({ state: 'detached' });
    expect(await row('kept').count()).toBe(1);
  });

  it("says why keys can't be listed with a key that may not", async () => {
    const response = await fetch(`http://127.0.0.1:${fixture.application.sandbox.port}/keys`, {
      method: 'POST',
      headers: { 'x-typesense-api-key': fixture.application.sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        description: 'narrow',
        actions: ['documents:search', 'collections:list', 'collections:get'],
        collections: ['*'],
        value: NARROW_KEY,
      }),
    });
    expect(response.status).toBe(201);
    const { page } = fixture;
    await fixture.application.command(
      ...['connections', 'add', '--driver', 'search', '--name', 'Narrow'],
      ...['--set', 'host=127.0.0.1', '--set', `port=${fixture.application.sandbox.port}`, '--set', 'sslMode=disabled'],
      ...['--api-key-env', 'E2E_NARROW_KEY'],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Switch connection' }).click();
    await page.getByRole('menuitem', { name: /Narrow/ }).click();
    await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'API Keys', exact: true }).click();
    const problem = page.getByRole('alert').filter({ hasText: "API Keys can't be listed" });
    await problem.getByText(/keys:/).first().waitFor();
    expect(await page.getByRole('button', { name: 'Add API Key…' }).count()).toBe(0);
    await screenshot(page, 'principals-08-refused');
    await expectNoViolations(page);
  });
});
