import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// Documents as the server holds them: nested objects, lists of objects and what the schema does not name are looked at, edited, copied and pasted.

const fixture = useOwnWindow({ products: 10, clipboard: true });

const FIELDS = [
  { name: 'rank', type: 'int32' },
  { name: 'title', type: 'string' },
  { name: 'code', type: 'int64', optional: true },
  { name: 'place', type: 'geopoint', optional: true },
  { name: 'seller', type: 'object', optional: true },
  { name: 'seller.name', type: 'string', optional: true },
  { name: 'parts', type: 'object[]', optional: true },
  { name: 'parts.size', type: 'int32[]', optional: true },
];
const stored = (index: number): string =>
  `{"id":"n${index}","rank":${index},"title":"Lamp ${index}","code":9007199254740993,"place":[48.85,2.35],` +
  `"seller":{"name":"Ann"},"parts":[{"size":${index},"deep":{"x":[]}},{"size":2}],"extra":{"constructor":{"n":9007199254740995}}}`;

async function ask(method: string, path: string, body?: string): Promise<string> {
  const { port, apiKey } = fixture.application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}
const held = async (id: string): Promise<string> =>
  (await ask('GET', `/collections/nested/documents/${id}`)).replaceAll(/\s/g, '');
/** The ids of all documents. */
const all = async (): Promise<string> =>
  JSON.stringify(
    (await ask('GET', '/collections/nested/documents/export'))
      .split('\n')
      .map((line) => (parsed(line) as { readonly id: string }).id),
  );
const parsed = (text: string): unknown => JSON.parse(text);

let made = false;
beforeEach(async () => {
  if (made) await ask('DELETE', '/collections/nested');
  made = true;
  await ask(
    'POST',
    '/collections',
    JSON.stringify({ name: 'nested', enable_nested_fields: true, fields: FIELDS, default_sorting_field: 'rank' }),
  );
  for (const index of [1, 2, 3]) await ask('POST', '/collections/nested/documents', stored(index));
  await fixture.page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('button', { name: 'Refresh collections' })
    .click();
  await openTable(fixture.page, 'nested');
});

const grid = () => tableGrid(fixture.page, 'nested');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const panel = () => fixture.page.getByRole('complementary', { name: 'Value' });
const text = () => panel().getByRole('textbox', { name: 'Row as JSON' });
const copied = () => fixture.page.evaluate(() => navigator.clipboard.readText());
const press = (keys: string) => fixture.page.keyboard.press(keys);
const pasteText = async (changed: string): Promise<void> => {
  await fixture.page.evaluate((copy) => navigator.clipboard.writeText(copy), changed);
  await press('Control+v');
};
async function edit(changed: string): Promise<void> {
  await panel().getByRole('button', { name: 'Edit as JSON' }).click();
  await panel().getByRole('button', { name: 'Stage the changes' }).waitFor();
  await text().click();
  await press('Control+a');
  await pasteText(changed);
}
/** Shows the first row as JSON, and gives the text that its button copies. */
async function copyOfFirst(): Promise<string> {
  await (await cell(0, 'id')).click();
  await press('Control+i');
  await panel().getByRole('radiogroup', { name: 'View' }).getByText('JSON', { exact: true }).click();
  await soon(() => text().innerText()).toContain('9007199254740995');
  await panel().getByRole('button', { name: 'Copy the row as JSON' }).click();
  await soon(async () => parsed(await copied())).toEqual(parsed(stored(3)));
  return copied();
}
const stage = () => panel().getByRole('button', { name: 'Stage the changes' }).click();
async function save(changes: string): Promise<void> {
  await fixture.page.getByRole('button', { name: 'Review…' }).click();
  await fixture.page
    .getByRole('dialog')
    .getByRole('button', { name: `Save ${changes}` })
    .click();
  await fixture.page.getByText(`Saved ${changes} of nested`).waitFor();
}

describe('documents', () => {
  it('are shown as the server returns them, and what is pasted back is what was copied', async () => {
    const whole = await copyOfFirst();
    expect(whole.replaceAll(/\s/g, '')).toContain('"extra":{"constructor":{"n":9007199254740995}}');
    await screenshot(fixture.page, 'documents-01-json');
    await expectNoViolations(fixture.page);
    await edit(whole);
    await stage();
    await fixture.page.getByText('Nothing was changed.').waitFor();
  });

  it('have lists of objects, nested values and undeclared members edited, and saved with every digit', async () => {
    const whole = await copyOfFirst();
    await edit(
      whole
        .replace(/"size": 2/, '"size": 7')
        .replace('"Ann"', '"Bo"')
        .replace('9007199254740995', '9007199254740997'),
    );
    await screenshot(fixture.page, 'documents-02-editing');
    await expectNoViolations(fixture.page);
    await stage();
    await soon(async () => (await cell(0, 'parts.size')).innerText()).toBe('[3,7]');
    await soon(async () => (await cell(0, 'seller.name')).innerText()).toBe('Bo');
    await save('1 change');
    const after = await held('n3');
    expect(after).toContain('9007199254740997');
    expect(parsed(after)).toMatchObject({ seller: { name: 'Bo' }, parts: [{ size: 3, deep: { x: [] } }, { size: 7 }] });
  });

  it('ask before a member is added that no field is called, and say where a value does not fit', async () => {
    const whole = await copyOfFirst();
    await edit(whole.replace('"title":', '"titel":').replace('"rank": 3', '"rank": "high"'));
    await stage();
    const issues = panel().getByRole('alert', { name: 'Problems' });
    await issues.getByText(/“rank” holds whole numbers/).waitFor();
    await text().click();
    await press('Control+a');
    await pasteText(whole.replace('"title": "Lamp 3"', '"title": "Lamp 3", "titel": 1'));
    await stage();
    await issues.getByText(/There is no field “titel”/).waitFor();
    await text().click();
    await press('Escape');
    await fixture.page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
    await panel().getByRole('button', { name: 'Edit as JSON' }).waitFor();
    await soon(() => fixture.page.getByText('1 change', { exact: true }).count()).toBe(0);
  });

  it('are copied from the grid as whole documents, pasted as new rows and duplicated, and lose nothing', async () => {
    await (await cell(1, 'id')).click();
    await press('Shift+Space');
    await press('Shift+ArrowDown');
    await press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Copy as', exact: true }).hover();
    await fixture.page.getByRole('menuitem', { name: 'JSON', exact: true }).click();
    await soon(async () => (await copied()).startsWith('[') && parsed(await copied())).toEqual([
      parsed(stored(2)),
      parsed(stored(1)),
    ]);
    const text = await copied();
    expect(text).toContain('9007199254740995');
    await fixture.page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text.replaceAll('"id":"n', '"id":"m'));
    await (await cell(0, 'id')).click();
    await press('Control+v');
    const dialog = fixture.page.getByRole('dialog', { name: 'Paste into nested' });
    await dialog.getByText('No column has this name. It is stored with the row.').first().waitFor();
    await screenshot(fixture.page, 'documents-03-pasting');
    await expectNoViolations(fixture.page);
    await dialog.getByRole('button', { name: /^Stage / }).click();
    await dialog.waitFor({ state: 'detached' });
    await save('2 changes');
    const saved = async (id: string): Promise<unknown> => parsed(await ask('GET', `/collections/nested/documents/${id}`));
    for (const index of [1, 2]) expect(await saved(`m${index}`)).toEqual(parsed(stored(index).replace('"n', '"m')));
    expect(await held('m1')).toContain('9007199254740995');

    const before = new Set(parsed(await all()) as string[]);
    await soon(async () => (await cell(0, 'id')).innerText()).toMatch(/^n3/);
    await (await cell(0, 'id')).click();
    await press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Duplicate row', exact: true }).click();
    await save('1 change');
    const [added = ''] = (parsed(await all()) as string[]).filter((id) => !before.has(id));
    expect(await saved(added)).toEqual({ ...((await saved('n3')) as object), id: added });
    expect(await held(added)).toMatch(/"n":900719925474099[57]/);
  });
});
