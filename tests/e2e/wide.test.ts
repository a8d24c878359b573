import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// Documents with vectors and long texts: pages hold placeholders, and whatever is done with a row is done with its whole values.

const DIMENSIONS = 1_536;
const COUNT = 40;

const fixture = useOwnWindow({ products: 10, clipboard: true });

interface Stored {
  readonly id: string;
  readonly body: string;
  readonly rank: number;
  readonly vector?: readonly number[];
}

/** Every fourth document has no vector. */
const stored = (index: number): Stored => ({
  id: `w${index}`,
  body: `Body ${index} ${'long text '.repeat(2_000)}end`,
  rank: index,
  ...(index % 4 === 3 ? {} : { vector: Array.from({ length: DIMENSIONS }, (_unused, place) => (index + place) / 4) }),
});

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
const documentNow = async (id: string): Promise<unknown> => JSON.parse(await ask('GET', `/collections/wide/documents/${id}`));

beforeEach(async () => {
  const fields = [
    { name: 'body', type: 'string' },
    { name: 'rank', type: 'int32' },
    { name: 'vector', type: 'float[]', num_dim: DIMENSIONS, optional: true },
  ];
  const collections = JSON.parse(await ask('GET', '/collections')) as readonly { readonly name: string }[];
  if (collections.some(({ name }) => name === 'wide')) await ask('DELETE', '/collections/wide');
  await ask('POST', '/collections', JSON.stringify({ name: 'wide', fields, default_sorting_field: 'rank' }));
  // The highest rank comes first.
  const lines = Array.from({ length: COUNT }, (_unused, index) => JSON.stringify(stored(index)));
  await ask('POST', '/collections/wide/documents/import?action=create', lines.join('\n'));
  await fixture.page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('button', { name: 'Refresh collections' })
    .click();
  await openTable(fixture.page, 'wide');
});

/** The document in a row of the grid. */
const inRow = (row: number): Stored => stored(COUNT - 1 - row);
const grid = () => tableGrid(fixture.page, 'wide');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const panel = () => fixture.page.getByRole('complementary', { name: 'Value' });
const copied = () => fixture.page.evaluate(() => navigator.clipboard.readText());
const press = (keys: string) => fixture.page.keyboard.press(keys);
const show = (view: 'Value' | 'Fields' | 'JSON') =>
  panel().getByRole('radiogroup', { name: 'View' }).getByText(view, { exact: true }).click();
const select = async (row: number, column: string): Promise<void> => (await cell(row, column)).click();

async function save(changes: string): Promise<void> {
  await fixture.page.getByRole('button', { name: 'Review…' }).click();
  await fixture.page
    .getByRole('dialog')
    .getByRole('button', { name: `Save ${changes}` })
    .click();
  await fixture.page.getByText(`Saved ${changes} of wide`).waitFor();
}

describe('wide documents', () => {
  it('show vectors and long texts as placeholders with their size', async () => {
    await soon(async () => (await cell(1, 'vector')).innerText()).toBe('1,536 dimensions');
    expect(await (await cell(1, 'body')).innerText()).toMatch(/^20 kB · Body 38 long text/);
    await screenshot(fixture.page, 'wide-01-placeholders');
    await expectNoViolations(fixture.page);
  });

  it('read one value when it is asked for in the inspector', async () => {
    await select(1, 'vector');
    await press('Control+i');
    await show('Value');
    await panel().getByText("This value wasn't read with the page (1,536 dimensions).").waitFor();
    await screenshot(fixture.page, 'wide-02-inspector');
    await panel().getByRole('button', { name: 'Read the value of vector' }).click();
    await panel().getByRole('button', { name: 'Edit' }).waitFor();
    await soon(async () => (await cell(1, 'vector')).innerText()).toMatch(/^1,536 numbers · 9\.5, 9\.75, 10, /);
    await screenshot(fixture.page, 'wide-03-value');
    await select(2, 'vector');
    await show('JSON');
    await panel().getByRole('button', { name: 'Edit as JSON' }).waitFor();
    await panel().getByRole('button', { name: 'Copy the row as JSON' }).click();
    await soon(async () => JSON.parse(await copied()) as unknown).toEqual(inRow(2));
  });

  it('copy whole values, one and many, also of rows without a vector', async () => {
    await select(3, 'vector');
    await press('Control+c');
    await soon(async () => JSON.parse(await copied()) as unknown).toEqual(inRow(3).vector);
    await select(3, 'body');
    await press('Shift+ArrowDown');
    await press('Control+c');
    await soon(async () => (await copied()).split('\n')).toEqual([inRow(3).body, inRow(4).body]);
    expect(inRow(0).vector).toBeUndefined();
    await select(0, 'vector');
    await press('Control+c');
    await soon(copied).toBe('');
  });

  it('keep their vectors when a value beside them is changed', async () => {
    await select(5, 'rank');
    // Typing on the cell replaces its value.
    await fixture.page.keyboard.type('1000');
    await press('Enter');
    await save('1 change');
    expect(await documentNow(inRow(5).id)).toEqual({ ...inRow(5), rank: 1_000 });
    expect(await documentNow(inRow(6).id)).toEqual(inRow(6));
  });

  it('open the whole text in the editor, stage what was changed, and give the text back', async () => {
    await select(7, 'body');
    await press('F2');
    const editor = grid().getByRole('textbox');
    await soon(() => editor.inputValue()).toMatch(/^Body \d+ long text .*end$/);
    const before = await editor.inputValue();
    await editor.fill(`${before} more`);
    await press('Control+Enter');
    await fixture.page.getByText('1 change', { exact: true }).waitFor();
    await grid().focus();
    await press('Control+z');
    await soon(() => fixture.page.getByText('1 change', { exact: true }).count()).toBe(0);
    await soon(async () => (await cell(7, 'body')).innerText()).toContain('long text');
  });

  it('are duplicated with their vectors', async () => {
    await select(9, 'rank');
    const id = await (await cell(9, 'id')).innerText();
    await press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Duplicate row' }).click();
    await fixture.page.getByText('1 change', { exact: true }).waitFor();
    await save('1 change');
    const lines = (await ask('GET', '/collections/wide/documents/export')).trimEnd().split('\n');
    const documents = lines.map((line) => JSON.parse(line) as Stored);
    const source = documents.find((document) => document.id === id);
    const copies = documents.filter((document) => document.rank === source?.rank);
    expect(copies).toHaveLength(2);
    expect(copies[0]?.vector).toEqual(copies[1]?.vector);
    expect(copies[0]?.body).toBe(copies[1]?.body);
  });

  it('export what is stored', async () => {
    const dialog = fixture.page.getByRole('dialog', { name: 'Export wide' });
    const file = join(fixture.application.files, 'wide.jsonl');
    await fixture.page.getByRole('button', { name: 'Export…' }).click();
    await soon(() => dialog.getByLabel('File').inputValue()).toMatch(/wide.*\.jsonl$/);
    await dialog.getByLabel('File').fill(file);
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await fixture.page.getByText(`to ${file}`).waitFor();
    const sorted = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Stored)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(sorted(await readFile(file, 'utf8'))).toEqual(sorted(await ask('GET', '/collections/wide/documents/export')));
  });

  it('leave hidden columns out of pages, and read them when they are shown again', async () => {
    const requests: string[] = [];
    fixture.page.on('request', (request) => {
      if (request.url().endsWith('/api/page')) requests.push(request.postData() ?? '');
    });
    const columns = fixture.page.getByRole('button', { name: 'Columns…' });
    await columns.click();
    await fixture.page.getByRole('checkbox', { name: 'Show body' }).uncheck();
    await screenshot(fixture.page, 'wide-04-columns');
    await press('Escape');
    await fixture.page.getByRole('button', { name: 'Reload rows' }).click();
    await soon(() => requests.some((body) => body.includes('"columns":["id","rank","vector"]'))).toBe(true);
    await soon(async () => (await cell(1, 'vector')).innerText()).toBe('1,536 dimensions');
    // The inspector has all fields: what was not read is read there.
    await select(1, 'rank');
    await press('Control+i');
    await show('Fields');
    await panel().getByRole('button', { name: 'Read the value of body' }).click();
    await soon(() => panel().getByRole('button', { name: 'Value of body', exact: true }).innerText()).toContain('long text');
    await press('Control+i');
    await columns.click();
    await fixture.page.getByRole('button', { name: 'Show all' }).click();
    await press('Escape');
    await soon(async () => (await cell(1, 'body')).innerText()).toMatch(/^20 kB · Body/);
  });
});
