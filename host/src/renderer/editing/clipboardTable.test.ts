import { describe, expect, it } from 'vitest';
import { jsonText } from '../grid/model/rowDocument.ts';
import { looksLikeHeader, readAs, readClipboard, TooManyFields, withHeader } from './clipboardTable.ts';
import type { PastedTable } from './clipboardTable.ts';

const texts = ({ rows }: PastedTable): unknown[][] =>
  rows.map((row) =>
    row.map((field) => (field.form === 'text' ? field.text : field.value === undefined ? undefined : jsonText(field.value))),
  );

describe('a text from the clipboard', () => {
  it('is divided at tabs, with quotes where fields have tabs, quotes and breaks', () => {
    const table = readClipboard('a\t"b\t""c"""\r\n"two\nlines"\t\r\n');
    expect(table.format).toBe('tsv');
    expect(texts(table)).toEqual([
      ['a', 'b\t"c"'],
      ['two\nlines', ''],
    ]);
  });

  it('distinguishes an empty string from a missing value', () => {
    expect(readClipboard('""\t').rows[0]).toEqual([
      { form: 'text', text: '', quoted: true },
      { form: 'text', text: '', quoted: false },
    ]);
  });

  it('is CSV where every line has as many commas, else lines', () => {
    expect(texts(readClipboard('a,b\n"1,5",2\n'))).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
    expect(texts(readClipboard('Hello, world\nSecond line'))).toEqual([['Hello, world'], ['Second line']]);
    expect(texts(readClipboard('Oak, round'))).toEqual([['Oak, round']]);
    expect(texts(readClipboard('a 5" screen'))).toEqual([['a 5" screen']]);
  });

  it('is JSON with all its digits: an array of objects, of arrays, one object, objects line by line', () => {
    const objects = readClipboard('[{"id":"1","n":9007199254740993},{"id":"2","tags":["x",1.0]}]');
    expect(objects.names).toEqual(['id', 'n', 'tags']);
    expect(texts(objects)).toEqual([
      ['"1"', '9007199254740993', undefined],
      ['"2"', undefined, '["x",1.0]'],
    ]);
    expect(texts(readClipboard('[[1,"a"],[2,null]]'))).toEqual([
      ['1', '"a"'],
      ['2', 'null'],
    ]);
    expect(readClipboard('{"id":1}').rows).toHaveLength(1);
    expect(readClipboard('{"id":1}\n{"id":2}\n').rows).toHaveLength(2);
  });

  it('is read whole with hundreds of thousands of members, which no search among all for each would end', () => {
    const members = Array.from({ length: 400_000 }, (_, index) => `"m${index}":${index}`);
    const table = readClipboard(`{${members.join(',')}}`);
    expect(table.names).toHaveLength(400_000);
    expect(table.rows[0]?.[399_999]).toMatchObject({ value: { text: '399999' } });
  });

  it('is refused when objects with names of their own would make a table of millions of fields', () => {
    const objects = Array.from({ length: 2_000 }, (_, index) => `{"a${index}":1}`);
    expect(() => readClipboard(`[${objects.join(',')}]`)).toThrow(TooManyFields);
    expect(readClipboard(`[${objects.slice(0, 1_000).join(',')}]`).rows).toHaveLength(1_000);
  });

  it("isn't valid JSON only because it begins like it", () => {
    expect(readClipboard('[draft] a title').format).toBe('lines');
    expect(readClipboard('["x",1]').format).toBe('lines');
    expect(readAs('[draft]', 'json')).toBeUndefined();
  });

  it('has a header where all of the first line are names of columns', () => {
    const table = readClipboard('id\tname\n1\tLamp');
    expect(looksLikeHeader(table, ['id', 'name', 'price'])).toBe(true);
    expect(looksLikeHeader(table, ['id'])).toBe(false);
    expect(looksLikeHeader(readClipboard('id'), ['id'])).toBe(false);
    expect(withHeader(table)).toEqual({ format: 'tsv', names: ['id', 'name'], rows: table.rows.slice(1) });
  });

  it('keeps the text after an open quote', () => {
    expect(texts(readClipboard('a\t"open'))).toEqual([['a', 'open']]);
  });
});

describe('texts of many lines', () => {
  it('reads 300,000 lines, more than a call takes arguments', () => {
    const lines = 'a,b\n'.repeat(300_000);
    expect(readClipboard(lines)).toMatchObject({ format: 'csv' });
    expect(readClipboard(`${lines}c\n`).format).toBe('lines');
    expect(readClipboard(lines).rows).toHaveLength(300_000);
  });
});

describe('text between semicolons, as spreadsheets write it where numbers have decimal commas', () => {
  it.each([
    [
      '"A; B";1,5\r\nC;2,25\r\n',
      'semicolons',
      [
        ['A; B', '1,5'],
        ['C', '2,25'],
      ],
    ],
    [
      '1,5;2,5\n3,5;4,5',
      'semicolons',
      [
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    ],
    [
      'a;b\nc;d',
      'semicolons',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b;c\nd,e;f',
      'csv',
      [
        ['a', 'b;c'],
        ['d', 'e;f'],
      ],
    ],
    ['a;b\nc', 'lines', [['a;b'], ['c']]],
  ])('%j is read as %s', (text, format, rows) => {
    const table = readClipboard(text);
    expect(table.format).toBe(format);
    expect(table.rows.map((row) => row.map((field) => (field.form === 'text' ? field.text : '')))).toEqual(rows);
  });
});
