import { ABSENT } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { rowFromJson } from './rowFromJson.ts';
import type { JsonColumn } from './rowFromJson.ts';
import { matchingPlaces, rowJson } from './rowJson.ts';

const column = (name: string, kind: JsonColumn['kind'], more: Partial<JsonColumn> = {}): JsonColumn => ({
  name,
  kind,
  nullable: true,
  refusal: undefined,
  ...more,
});
const columns = [
  column('id', 'text', { refusal: 'The id names the row.', nullable: false }),
  column('name', 'text'),
  column('code', 'integer', { nullable: false }),
  column('price', 'decimal'),
  column('new', 'boolean'),
  column('tags', 'json'),
];
const row: readonly Cell[] = ['a', 'Lamp', '9007199254740993', 1.5, null, '["x",  12345678901234567890]'];
const text = rowJson(columns, row);
const issuesOf = (changed: string) => {
  const result = rowFromJson(changed, columns, row);
  return result.ok ? [] : result.issues;
};

describe('a row as JSON', () => {
  it('has what a column stores besides numbers as a text', () => {
    const special = [column('id', 'text'), column('price', 'decimal', { specialValues: ['NaN', 'Infinity'] })];
    expect(rowFromJson('{"id":"a","price":"nan"}', special, ['a', 1.5])).toMatchObject({
      ok: true,
      changes: [{ place: 1, value: ['text', 'NaN'] }],
    });
    expect(rowFromJson('{"id":"a","price":"none"}', special, ['a', 1.5])).toMatchObject({ ok: false });
  });

  it('has every digit, and leaves out what the row lacks', () => {
    expect(text).toContain('"code": 9007199254740993');
    expect(text).toContain('12345678901234567890');
    expect(rowJson(columns, ['a', ABSENT, 1, 2, true, ABSENT])).not.toContain('name');
    expect(rowJson(columns, row, [0])).toBe('{\n  "id": "a"\n}');
  });

  it('is found by names and values', () => {
    const textAt = (place: number): string => String(row[place]);
    expect(matchingPlaces(columns, textAt, 'LAMP')).toEqual([1]);
    expect(matchingPlaces(columns, textAt, 'co')).toEqual([2]);
    expect(matchingPlaces(columns, textAt, '')).toHaveLength(6);
  });
});

describe('an edited row', () => {
  it('changes nothing when it says the same, however it is written', () => {
    expect(rowFromJson(text, columns, row)).toEqual({ ok: true, changes: [] });
    expect(rowFromJson(text.replaceAll(/\s+/g, ' '), columns, row)).toEqual({ ok: true, changes: [] });
  });

  it('changes what is other, digit for digit', () => {
    const changed = text.replace('9007199254740993', '-9007199254740995').replace('"Lamp"', '"Läm\\"p"').replace('null', 'true');
    expect(rowFromJson(changed, columns, row)).toEqual({
      ok: true,
      changes: [
        { place: 1, value: 'Läm"p' },
        { place: 2, value: '-9007199254740995' },
        { place: 4, value: true },
      ],
    });
  });

  it('distinguishes null, absent and empty', () => {
    const changed = text
      .replace('"Lamp"', '""')
      .replace('1.5', 'null')
      .replace(/,\s*"tags"[\s\S]*\]/, '');
    expect(rowFromJson(changed, columns, row)).toEqual({
      ok: true,
      changes: [
        { place: 1, value: '' },
        { place: 3, value: null },
        { place: 5, value: ABSENT },
      ],
    });
  });

  it("says where the text isn't valid JSON", () => {
    expect(issuesOf('{"id": "a",\n "name": }')).toMatchObject([{ is: 'syntax', code: 'ValueExpected', line: 2, column: 10 }]);
    expect(issuesOf('{"id": 1,} // no')[0]).toMatchObject({ is: 'syntax' });
    expect(issuesOf('')[0]).toMatchObject({ is: 'syntax', line: 1 });
    expect(issuesOf('[1]')).toMatchObject([{ is: 'notObject', line: 1, column: 1 }]);
  });

  it('reports unknown fields, duplicates and wrong types, each with its position', () => {
    const changed = text
      .replace('"name": "Lamp"', '"nmae": "Lamp", "name": 5')
      .replace('9007199254740993', '1.5')
      .replace('1.5,\n  "new": null', '"1.5",\n  "new": "yes", "new": 1');
    const issues = issuesOf(changed);
    expect(issues.map((issue) => [issue.is, 'name' in issue ? issue.name : ''])).toEqual([
      ['unknown', 'nmae'],
      ['type', 'name'],
      ['type', 'code'],
      ['type', 'price'],
      ['type', 'new'],
      ['twice', 'new'],
    ]);
    for (const { from, to } of issues) expect(changed.slice(from, to)).not.toBe('');
    expect(issues[1]).toMatchObject({ line: 3, wanted: 'text' });
  });

  it('keeps what cannot be changed', () => {
    expect(issuesOf(text.replace('"a"', '"b"'))).toMatchObject([{ is: 'readOnly', name: 'id', reason: 'The id names the row.' }]);
    expect(issuesOf(text.replace('"id": "a",', ''))).toMatchObject([{ is: 'readOnly', name: 'id' }]);
    expect(issuesOf(text.replace('9007199254740993', 'null'))).toMatchObject([{ is: 'null', name: 'code' }]);
  });
});
