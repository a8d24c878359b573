import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon } from './openTable.ts';

// Named objects over the real driver and the sample server.

const fixture = useOwnWindow({ products: 3_000, tool: 'Objects' });

const view = () => fixture.page.getByRole('region', { name: 'Objects', exact: true });
const dialog = () => fixture.page.getByRole('dialog');
const row = (name: string) => view().getByRole('row', { name: new RegExp(`^${name}\\b`) });
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

async function openKind(name: string): Promise<void> {
  await view().getByRole('navigation', { name: 'Kinds' }).getByRole('button', { name, exact: true }).click();
}

async function chooseCollection(name: string): Promise<void> {
  const choice = view().getByRole('combobox', { name: 'Collection' });
  await choice.click();
  await fixture.page.getByRole('option', { name, exact: true }).click();
  await soon(() => choice.inputValue()).toBe(name);
}

async function typeTexts(label: string, ...values: readonly string[]): Promise<void> {
  const field = dialog().getByRole('combobox', { name: label });
  await field.click();
  for (const value of values) {
    await fixture.page.keyboard.type(value);
    await fixture.page.keyboard.press('Enter');
  }
}

describe('objects', () => {
  it('a synonym is added with its request shown first, is used by a search, changed and deleted', async () => {
    await openKind('Synonyms');
    await chooseCollection('products');
    await view().getByText('No synonyms yet').waitFor();
    await screenshot(fixture.page, 'objects-01-empty');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);

    await view().getByRole('button', { name: 'New Synonym…' }).first().click();
    await soon(() => button('Review…').isDisabled()).toBe(true);
    await dialog().getByRole('textbox', { name: 'Name' }).fill('kettles');
    // No key loses what was typed, however often it is pressed: the second one answers the question of the first.
    const question = fixture.page.getByRole('dialog', { name: 'Discard your changes?' });
    await fixture.page.keyboard.press('Escape');
    await question.waitFor();
    await fixture.page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await dialog().getByRole('textbox', { name: 'Name' }).inputValue()).toBe('kettles');
    await button('Review…').click();
    await dialog().getByText('The document has no “synonyms” (Synonyms).').waitFor();
    await typeTexts('Synonyms', 'kettle', 'boilerpot');
    await screenshot(fixture.page, 'objects-02-form');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await button('Review…').click();
    await dialog().getByText('PUT /collections/products/synonyms/kettles').waitFor();
    await screenshot(fixture.page, 'objects-03-review');
    await button('Back').click();
    await button('Review…').click();
    await button('Save Synonym').click();
    await dialog().waitFor({ state: 'detached' });
    await row('kettles').getByText('kettle, boilerpot').waitFor();

    await openTable(fixture.page, 'products');
    await fixture.page.getByText('Search', { exact: true }).click();
    const search = fixture.page.getByRole('region', { name: 'Search in products' });
    await search.getByRole('textbox').first().fill('boilerpot');
    await search.getByRole('list', { name: 'Hits' }).getByRole('article').first().waitFor();

    await fixture.page.getByRole('tab', { name: 'Objects' }).click();
    await view().getByRole('button', { name: 'Edit kettles' }).click();
    await dialog().getByText('JSON', { exact: true }).click();
    await screenshot(fixture.page, 'objects-04-json');
    await dialog().getByText('Form', { exact: true }).click();
    await dialog().getByRole('textbox', { name: 'Root' }).fill('kettle');
    await button('Review…').click();
    await button('Save Synonym').click();
    await dialog().waitFor({ state: 'detached' });
    await row('kettles').getByText('kettle', { exact: true }).waitFor();

    await view().getByRole('button', { name: 'Delete kettles…' }).click();
    await dialog().getByText('DELETE /collections/products/synonyms/kettles').waitFor();
    await screenshot(fixture.page, 'objects-05-delete');
    await fixture.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await row('kettles').waitFor();
    await view().getByRole('button', { name: 'Delete kettles…' }).click();
    await button('Delete kettles').click();
    await dialog().waitFor({ state: 'detached' });
    await view().getByText('No synonyms yet').waitFor();
  });

  it('an alias that leads elsewhere says so before, and one that was changed meanwhile is not overwritten', async () => {
    await openKind('Aliases');
    await view().getByRole('button', { name: 'New Alias…' }).first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('front');
    await dialog().getByRole('combobox', { name: 'Collection' }).fill('products');
    await fixture.page.keyboard.press('Enter');
    await dialog().getByText('The alias “front” leads to the collection “products”.').waitFor();
    await button('Save Alias').click();
    await dialog().waitFor({ state: 'detached' });

    await view().getByRole('button', { name: 'Edit front' }).click();
    await dialog().getByRole('combobox', { name: 'Collection' }).fill('nowhere');
    await button('Review…').click();
    await dialog().getByText('There is no collection “nowhere”').waitFor();
    await button('Back').click();
    await dialog().getByRole('combobox', { name: 'Collection' }).fill('articles');
    await fixture.page.getByRole('option', { name: 'articles' }).click();
    await button('Review…').click();
    await dialog().getByText('leads to the collection “articles” instead of “products”').waitFor();
    const { port, apiKey } = fixture.application.sandbox;
    await fetch(`http://127.0.0.1:${port}/aliases/front`, {
      method: 'PUT',
      headers: { 'x-typesense-api-key': apiKey },
      body: '{"collection_name":"orders"}',
    });
    await button('Save Alias').click();
    await dialog().getByText('The alias “front” was changed meanwhile.').waitFor();
    await screenshot(fixture.page, 'objects-06-conflict');
    await button('Back').click();
    // The first Escape may close the list of collections, which opens with the focus.
    await button('Cancel').click();
    await button('Discard').click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('one that was changed meanwhile is shown as it is, and not deleted once it is another', async () => {
    const { port, apiKey } = fixture.application.sandbox;
    const put = (document: string) =>
      fetch(`http://127.0.0.1:${port}/aliases/side`, {
        method: 'PUT',
        headers: { 'x-typesense-api-key': apiKey },
        body: document,
      });
    await put('{"collection_name":"products"}');
    await openKind('Aliases');
    await row('side').getByText('products', { exact: true }).waitFor();
    // The list is old by now; the question shows the alias of this moment.
    await put('{"collection_name":"articles"}');
    await view().getByRole('button', { name: 'Delete side…' }).click();
    await dialog().getByRole('region', { name: 'Document' }).getByText('"collection_name": "articles"').waitFor();
    await put('{"collection_name":"orders"}');
    await button('Delete side').click();
    await dialog().getByText('“side” was changed meanwhile.', { exact: false }).waitFor();
    await screenshot(fixture.page, 'objects-06-changed');
    expect(await button('Delete side').count()).toBe(0);
    await button('Try again').click();
    await dialog().getByText('"collection_name": "orders"').waitFor();
    await button('Delete side').click();
    await dialog().waitFor({ state: 'detached' });
    await soon(() => row('side').count()).toBe(0);
  });

  it('presets are written to a file and taken from one, which says before what it does', async () => {
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await openKind('Presets');
    await view().getByRole('button', { name: 'New Preset…' }).first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('all');
    const parameters = dialog().getByRole('textbox', { name: 'Parameters' });
    await parameters.fill('{"query_by":');
    await dialog().getByText('This isn’t valid JSON yet.').waitFor();
    expect(await button('Review…').isDisabled()).toBe(true);
    await parameters.fill('{"query_by":"name","limit":12345678901234567890}');
    await screenshot(fixture.page, 'objects-07-narrow-form');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await button('Review…').click();
    await button('Save Preset').click();
    await dialog().waitFor({ state: 'detached' });
    await screenshot(fixture.page, 'objects-08-narrow-list');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);

    const [download] = await Promise.all([
      fixture.page.waitForEvent('download'),
      view().getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('preset.json');
    expect(await readFile(await download.path(), 'utf8')).toContain('12345678901234567890');

    const file = join(fixture.application.files, 'presets.json');
    const choose = async (): Promise<void> => {
      const [chooser] = await Promise.all([
        fixture.page.waitForEvent('filechooser'),
        view().getByRole('button', { name: 'Import…' }).click(),
      ]);
      await chooser.setFiles(file);
    };
    await writeFile(file, ' '.repeat(8 * 1024 * 1024 + 1));
    await choose();
    await view()
      .getByText(/“presets\.json” has .*, and at most .* can be imported at once/)
      .waitFor();
    expect(await dialog().count()).toBe(0);
    await writeFile(file, '{"kind":"preset",\n"objects":[{"name":"x"}]}');
    await choose();
    await dialog().getByText('Line 2 of the file: “x” has no “document”').waitFor();
    await button('Close').last().click();
    await writeFile(
      file,
      '{"kind":"preset","objects":[{"name":"two","document":{"value":{"q":"*"}}},{"name":"bad","document":{}}]}',
    );
    await choose();
    await dialog().getByText('The file adds 1 and changes 0. 0 are there already, 1 can’t be taken.').waitFor();
    await screenshot(fixture.page, 'objects-09-import');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await button('Import 1 object').click();
    await dialog().getByText('Added 1, changed 0. 0 were there already, 1 failed.').waitFor();
    await button('Close').last().click();
    await row('two').waitFor();
    expect(await row('bad').count()).toBe(0);
  });
});
