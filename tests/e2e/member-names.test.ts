import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, choose, headerOf, openTable, shownIn, soon, tableGrid } from './openTable.ts';

// Columns with the names of members that every JavaScript object has: a lookup in a plain object finds the member instead of nothing.

const fixture = useOwnWindow({ products: 20, clipboard: true, externalClients: 'readWrite' });

const TABLE = 'members';
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'] as const;
const ROWS = 300;
/** The document that a test inserts. */
const INSERTED = 'fresh';

/** A document with a member for each name, in this order; `n` counts the rows. */
function documentOf(index: number): string {
  const members = NAMES.map(
    (name, place) => `${JSON.stringify(name)}:${JSON.stringify(`${name} ${(index * 7 + place) % ROWS}`)}`,
  );
  return `{"id":"r${index}",${members.join(',')},"n":${index}}`;
}

const collectionsOf = () => `http://127.0.0.1:${fixture.application.sandbox.port}/collections`;
const headers = () => ({ 'x-typesense-api-key': fixture.application.sandbox.apiKey });

beforeAll(async () => {
  const fields = [
    ...NAMES.map((name) => ({ name, type: 'string', optional: true, sort: true, facet: true })),
    { name: 'n', type: 'int32' },
  ];
  const body = JSON.stringify({ name: TABLE, fields });
  const created = await fetch(collectionsOf(), { method: 'POST', headers: headers(), body });
  expect(created.status).toBe(201);
});

/** The documents are as at the beginning, whatever another test made of them. */
beforeEach(async () => {
  const at = `${collectionsOf()}/${TABLE}/documents`;
  await fetch(`${at}/${INSERTED}`, { method: 'DELETE', headers: headers() });
  const body = Array.from({ length: ROWS }, (_unused, index) => documentOf(index)).join('\n');
  const imported = await fetch(`${at}/import?action=upsert`, { method: 'POST', headers: headers(), body });
  expect(await imported.text()).not.toContain('"success":false');
  await openTable(fixture.page, TABLE);
});

const grid = () => tableGrid(fixture.page, TABLE);
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const bar = () => fixture.page.getByRole('region', { name: 'Filter rows' });
const copied = () => fixture.page.evaluate(() => navigator.clipboard.readText());

async function edit(row: number, column: string, text: string): Promise<void> {
  await (await cell(row, column)).click();
  await fixture.page.keyboard.press('F2');
  const field = fixture.page.getByRole('textbox', { name: `Edit ${column}` });
  await field.fill(text);
  await field.press('Enter');
}

async function save(count: number): Promise<void> {
  await grid().focus();
  await fixture.page.keyboard.press('Control+s');
  const review = fixture.page.getByRole('dialog', { name: `Changes of ${TABLE}` });
  await review.getByRole('button', { name: `Save ${count} change${count === 1 ? '' : 's'}` }).click();
  await fixture.page.getByText(new RegExp(`^Saved ${count} changes? of ${TABLE}`)).waitFor();
  await soon(() => grid().locator('[data-staged]').count()).toBe(0);
}

/** The documents of the server, as their text. */
async function stored(id: string): Promise<string> {
  const { port, apiKey } = fixture.application.sandbox;
  const answer = await fetch(`http://127.0.0.1:${port}/collections/${TABLE}/documents/${id}`, {
    headers: { 'x-typesense-api-key': apiKey },
  });
  return answer.text();
}

describe('columns with the names of members of every object', () => {
  it('are all in the grid, in the order of the schema, with their values', async () => {
    const places: (string | null)[] = [];
    for (const name of ['id', ...NAMES, 'n']) {
      places.push(await (await headerOf(fixture.page, grid(), name)).getAttribute('aria-colindex'));
    }
    expect(places.map(Number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    for (const name of NAMES) {
      const shown = await shownIn(fixture.page, grid(), name);
      expect(shown.length).toBeGreaterThan(5);
      expect(shown.every((text) => text.startsWith(`${name} `))).toBe(true);
    }
    await screenshot(fixture.page, 'members-01-grid');
  });

  it('are sorted and filtered by', async () => {
    for (const name of NAMES) {
      await (await headerOf(fixture.page, grid(), name)).getByRole('button').click();
      await soon(async () => (await headerOf(fixture.page, grid(), name)).getAttribute('aria-sort')).toBe('ascending');
      await soon(async () => (await shownIn(fixture.page, grid(), name))[0]).toBe(`${name} 0`);
    }
    await (await headerOf(fixture.page, grid(), 'n')).getByRole('button').click();
    await soon(async () => (await shownIn(fixture.page, grid(), 'n'))[0]).toBe('0');
    for (const name of NAMES) {
      await fixture.page.keyboard.press('Control+Shift+f');
      await bar().getByLabel('Value', { exact: true }).waitFor();
      await choose(fixture.page, bar().getByRole('combobox', { name: 'Column' }), new RegExp(`^${name} `));
      await bar().getByLabel('Value', { exact: true }).fill(`${name} 4`);
      await bar().getByLabel('Value', { exact: true }).press('Enter');
      await fixture.page.getByText(/of 1 filtered/).waitFor();
      await soon(async () => shownIn(fixture.page, grid(), name)).toEqual([`${name} 4`]);
      await bar().getByRole('button', { name: 'Clear' }).click();
      await fixture.page.getByText(/of 300$/).waitFor();
    }
  });

  it('keep widths, order and sorting over a reload of the window', async () => {
    const page = fixture.page;
    const widthOf = async (name: string) => (await (await headerOf(page, grid(), name)).boundingBox())?.width ?? 0;
    const before = new Map<string, number>();
    await (await headerOf(page, grid(), 'n')).getByRole('button').click();
    await soon(async () => (await headerOf(page, grid(), 'n')).getAttribute('aria-sort')).toBe('ascending');
    for (const name of NAMES) {
      const width = await widthOf(name);
      await (await cell(0, name)).click();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Alt+ArrowRight');
      await soon(() => widthOf(name)).toBe(width + 16);
      before.set(name, width + 16);
    }
    await page.reload();
    await grid().locator('[role="row"]:not([aria-busy]) [role="gridcell"]').first().waitFor();
    for (const name of NAMES) expect(await widthOf(name)).toBe(before.get(name));
    await soon(async () => (await headerOf(page, grid(), 'n')).getAttribute('aria-sort')).toBe('ascending');
  });

  it('are edited, pasted and inserted, and reach the server', async () => {
    // The lowest number first.
    await (await headerOf(fixture.page, grid(), 'n')).getByRole('button').click();
    await soon(async () => (await shownIn(fixture.page, grid(), 'n'))[0]).toBe('0');
    for (const name of NAMES) await edit(1, name, `edited ${name}`);
    await save(1);
    const document = await stored('r1');
    for (const name of NAMES) expect(document).toContain(`${JSON.stringify(name)}:"edited ${name}"`);

    const text = NAMES.map((name) => `pasted ${name}`).join('\t');
    await fixture.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await (await cell(2, NAMES[0])).click();
    await fixture.page.keyboard.press('Control+v');
    for (const name of NAMES) await soon(async () => (await cell(2, name)).innerText()).toBe(`pasted ${name}`);
    await save(1);
    expect(await stored('r2')).toContain('"__proto__":"pasted __proto__"');

    const row = `[{${[...NAMES.map((name) => `"${name}":"new ${name}"`), `"id":"${INSERTED}"`, '"n":-1'].join(',')}}]`;
    await fixture.page.evaluate((value) => navigator.clipboard.writeText(value), row);
    await (await cell(0, 'n')).click();
    await fixture.page.keyboard.press('Control+v');
    await fixture.page.getByRole('dialog', { name: `Paste into ${TABLE}` }).waitFor();
    await fixture.page.keyboard.press('Enter');
    await grid().locator('[data-staged="insert"]').waitFor();
    await save(1);
    const inserted = await stored(INSERTED);
    for (const name of NAMES) expect(inserted).toContain(`${JSON.stringify(name)}:"new ${name}"`);
  });

  it('are in the inspector, in copies, in an export, in the console’s answer and in those of an MCP client', async () => {
    const { page, application } = fixture;
    await (await cell(5, 'constructor')).click();
    await page.keyboard.press('Control+i');
    const panel = page.getByRole('complementary', { name: 'Value' });
    await panel.getByRole('radiogroup', { name: 'View' }).getByText('Fields', { exact: true }).click();
    const first = await shownIn(page, grid(), 'constructor');
    await soon(() => panel.getByLabel('Value of constructor', { exact: true }).inputValue()).toBe(first[5]);
    for (const name of NAMES) {
      await soon(() => panel.getByLabel(`Value of ${name}`, { exact: true }).inputValue()).toMatch(new RegExp(`^${name} \\d+$`));
    }
    await page.keyboard.press('Control+i');

    await (await cell(5, 'constructor')).click();
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('Control+c');
    for (const name of NAMES) await soon(copied).toMatch(new RegExp(`(^|\\t)${name} \\d+(\\t|$)`));

    const file = join(application.files, 'members.jsonl');
    await application.command('export', fixture.connection, TABLE, '--format', 'jsonl', '--output', file);
    const line = (await readFile(file, 'utf8')).split('\n').find((text) => text.includes('"r7"')) ?? '';
    for (const name of NAMES) expect(line).toMatch(new RegExp(`${JSON.stringify(name)}: ?"${name} \\d+"`));

    const answer = JSON.stringify(
      await application.command('query', fixture.connection, `GET /collections/${TABLE}/documents/r7`),
    );
    for (const name of NAMES) expect(answer).toContain(name);

    const { token } = z
      .object({ token: z.string() })
      .parse(await application.command('tokens', 'create', '--name', 'members', '--scope', 'readOnly'));
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(application.mcp), { requestInit: { headers } }));
    try {
      for (const name of NAMES) {
        const read = await client.callTool({
          name: 'browse_table',
          arguments: {
            connection: fixture.connection,
            table: TABLE,
            columns: ['id', name],
            filters: [{ column: name, operator: 'equals', values: [`${name} 49`] }],
          },
        });
        expect(JSON.stringify(read)).toContain(`${name} 49`);
      }
    } finally {
      await client.close();
    }
  });
});
