import type { Cell, ColumnKind, ResultEvent } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { cellJson, cellText, compactJson } from './cellText.ts';
import { JsonQueryOutput, TextQueryOutput } from './queryOutput.ts';
import type { QueryOutput } from './queryOutput.ts';
import { textTable } from './table.ts';

describe('a cell in JSON', () => {
  it.each<[Cell, ColumnKind, string | undefined]>([
    [null, 'text', 'null'],
    [['absent'], 'text', undefined],
    ['9007199254740993', 'integer', '9007199254740993'],
    [['number', '0.10000000000000000001'], 'text', '0.10000000000000000001'],
    ['not a number', 'integer', '"not a number"'],
    ['0x10', 'integer', '"0x10"'],
    [12, 'integer', '12'],
    [true, 'boolean', 'true'],
    [['boolean', 'true'], 'text', 'true'],
    ['{"a": 9007199254740993, "b": [1, " x  y "]}', 'json', '{"a":9007199254740993,"b":[1," x  y "]}'],
    ['no json', 'json', '"no json"'],
    [['json', '[1, 2]'], 'text', '[1,2]'],
    ['12', 'text', '"12"'],
    [['text', 'x'], 'integer', '"x"'],
    ['aGk=', 'bytes', '"aGk="'],
  ])('%j as %s is %s', (cell, kind, json) => {
    expect(cellJson(cell, kind)).toBe(json);
  });

  it('keeps strings as they were written, also very long ones', () => {
    const text = `{ "k\\" :" : "${'a b\\\\ '.repeat(500_000)}" }`;
    expect(compactJson(text)).toBe(`{"k\\" :":"${'a b\\\\ '.repeat(500_000)}"}`);
  });
});

it('shows null and absent differently to people', () => {
  expect([cellText(null, 'text'), cellText(['absent'], 'text')]).toEqual(['NULL', '']);
});

describe('a table for people', () => {
  it('is aligned, cuts long values, and lets no value steer the terminal', () => {
    expect(
      textTable(
        [{ title: 'NAME' }, { title: 'N', align: 'right' }],
        [
          ['a', '1'],
          ['zwölf', '12'],
          ['x\u001b[31my\nz', '123'],
        ],
      ),
    ).toBe('NAME                N\na                   1\nzwölf              12\nx⟨U+001B⟩[31my⏎z  123\n');
    expect(textTable([{ title: 'N' }], [['x'.repeat(100)]])).toContain(`${'x'.repeat(59)}…\n`);
  });
});

const rows: ResultEvent[] = [
  {
    type: 'rowsBegin',
    columns: [
      { name: 'id', kind: 'integer' },
      { name: '__proto__', kind: 'json' },
      { name: 'id', kind: 'text' },
    ],
  },
  { type: 'rows', rows: [['9007199254740993', '[1]', 'a']] },
  { type: 'rows', rows: [[2, ['absent'], null]] },
  { type: 'done', truncated: true, status: 'OK', milliseconds: 4 },
];
const text: ResultEvent[] = [
  { type: 'text', mediaType: 'application/json', text: '{"ok": true}' },
  { type: 'done', truncated: false, milliseconds: 1 },
];
const changed: ResultEvent[] = [{ type: 'done', truncated: false, affectedRows: 3, milliseconds: 1 }];

async function outputOf(
  make: (write: (chunk: string) => Promise<void>) => QueryOutput,
  events: readonly ResultEvent[],
): Promise<string> {
  let written = '';
  const output = make(async (chunk) => {
    written += chunk;
  });
  for (const event of events) await output.event(event);
  await output.end();
  return written;
}

describe('results in JSON', () => {
  const json = (events: readonly ResultEvent[]): Promise<string> => outputOf((write) => new JsonQueryOutput(write), events);

  it('are rows as objects, exact, without the fields that a row does not have', async () => {
    const written = await json(rows);
    expect(written).toContain('\n{"id":9007199254740993,"__proto__":[1],"id (2)":"a"},\n{"id":2,"id (2)":null}');
    expect(JSON.parse(written)).toMatchObject({
      columns: [{ name: 'id' }, {}, {}],
      truncated: true,
      status: 'OK',
      milliseconds: 4,
    });
  });

  it('prints results without rows as JSON or text, and an empty result as a number', async () => {
    expect(JSON.parse(await json(text))).toEqual({ json: { ok: true }, truncated: false, milliseconds: 1 });
    expect(JSON.parse(await json(changed))).toEqual({ affectedRows: 3, truncated: false, milliseconds: 1 });
    expect(JSON.parse(await json([]))).toEqual({});
  });

  it('prints several results next to each other', async () => {
    expect(JSON.parse(await json([...changed, ...rows, ...text]))).toMatchObject({
      affectedRows: 3,
      more: [{ rows: [{}, {}], truncated: true }, { json: { ok: true } }],
    });
    expect(JSON.parse(await json([...rows, ...changed]))).toMatchObject({
      rows: [{}, {}],
      status: 'OK',
      more: [{ affectedRows: 3 }],
    });
  });
});

describe('results for people', () => {
  it('are a table with what is said of it, and plain text', async () => {
    let notices = '';
    const written = await outputOf(
      (write) =>
        new TextQueryOutput(write, async (chunk) => {
          notices += chunk;
        }),
      [...rows, ...text],
    );
    expect(written).toBe(
      '              id  __proto__  id\n9007199254740993  [1]        a\n               2             NULL\n{"ok": true}\n',
    );
    expect(notices).toBe('2 rows, and there are more · OK · 4 ms\n1 ms\n');
  });
});
