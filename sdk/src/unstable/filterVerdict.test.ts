import { describe, expect, it } from 'vitest';
import type { Cell } from '../model/cell.ts';
import type { ColumnKind } from '../model/column.ts';
import type { FilterOperator } from '../model/filter.ts';
import { filterVerdict } from './filterVerdict.ts';
import type { FilterVerdict, TextRule } from './filterVerdict.ts';

function verdict(
  kind: ColumnKind,
  cell: Cell,
  operator: FilterOperator,
  values: readonly string[],
  rule?: TextRule,
  matchCase?: boolean,
): FilterVerdict {
  const filter = {
    match: 'all',
    conditions: [{ column: 'a', operator, values }],
    ...(matchCase === undefined ? {} : { matchCase }),
  } as const;
  return filterVerdict(filter, { a: cell }, [{ name: 'a', kind }], rule);
}

describe('filterVerdict', () => {
  it.each<[ColumnKind, Cell, FilterOperator, string[], FilterVerdict]>([
    ['integer', '9007199254740993', 'equals', ['9007199254740992'], 'fails'],
    ['integer', '9007199254740993', 'greaterThan', ['9007199254740992'], 'passes'],
    ['decimal', '1.50', 'equals', ['1.5'], 'passes'],
    ['decimal', 2, 'between', ['1', '2'], 'passes'],
    ['decimal', 2, 'between', ['1', '1.99'], 'fails'],
    ['integer', ['number', '12'], 'in', ['11', '12'], 'passes'],
    ['integer', 1, 'notIn', ['1'], 'fails'],
    ['integer', 1, 'equals', ['one'], 'either'],
    ['integer', null, 'equals', ['1'], 'fails'],
    ['integer', null, 'notEquals', ['1'], 'either'],
    ['integer', ['absent'], 'isNull', [], 'either'],
    ['integer', null, 'isNull', [], 'passes'],
    ['integer', 1, 'isNotNull', [], 'passes'],
    ['boolean', true, 'equals', ['false'], 'fails'],
    ['boolean', true, 'equals', ['1'], 'either'],
    ['date', '2026-01-02', 'lessThan', ['2026-01-10'], 'passes'],
    ['date', '2026-01-02', 'lessThan', ['10.1.2026'], 'either'],
    ['uuid', 'AB', 'equals', ['ab'], 'passes'],
    ['json', '[1]', 'contains', ['1'], 'either'],
    ['text', '', 'isEmpty', [], 'passes'],
    ['text', null, 'isEmpty', [], 'either'],
    ['text', 'x', 'isNotEmpty', [], 'passes'],
    ['text', 'plum', 'matchesRegex', ['^p'], 'either'],
    ['text', 'plum', 'matchesRegex', ['plum'], 'passes'],
  ])('%s %j %s %j: %s', (kind, cell, operator, values, expected) => {
    expect(verdict(kind, cell, operator, values)).toBe(expected);
  });

  it.each<[string, FilterOperator, string, FilterVerdict, FilterVerdict, FilterVerdict]>([
    ['Apple', 'equals', 'Apple', 'passes', 'passes', 'passes'],
    ['Apple', 'equals', 'apple', 'fails', 'passes', 'either'],
    ['Apple', 'equals', 'Appl', 'fails', 'fails', 'fails'],
    ['an-apple', 'equals', 'an apple', 'fails', 'fails', 'either'],
    ['apple pie', 'contains', 'pie', 'passes', 'passes', 'passes'],
    ['apple pie', 'contains', 'pp', 'passes', 'passes', 'either'],
    ['apple pie', 'startsWith', 'pie', 'fails', 'fails', 'either'],
    ['apple pie', 'endsWith', 'pie', 'passes', 'passes', 'passes'],
    ['apple pie', 'notContains', 'quince', 'passes', 'passes', 'passes'],
    ['b', 'greaterThan', 'a', 'passes', 'passes', 'passes'],
    ['B', 'greaterThan', 'a', 'either', 'either', 'either'],
  ])('%j %s %j: exact %s, ignoring letter case %s, loose %s', (cell, operator, value, ...expected) => {
    const rules = ['exact', 'ignoresCase', 'loose'] as const;
    expect(rules.map((rule) => verdict('text', cell, operator, [value], rule))).toEqual(expected);
  });

  it('minds letter case where the filter says so', () => {
    expect(verdict('text', 'Apple', 'equals', ['apple'], 'ignoresCase', true)).toBe('fails');
    expect(verdict('text', 'Apple', 'equals', ['apple'], 'loose', true)).toBe('fails');
  });

  it('joins conditions, and rejects a raw filter', () => {
    const columns = [
      { name: 'a', kind: 'integer' },
      { name: 'b', kind: 'integer' },
    ] as const;
    const one = { column: 'a', operator: 'equals', values: ['1'] } as const;
    const two = { column: 'b', operator: 'equals', values: ['2'] } as const;
    const row = { a: 1, b: 3 };
    expect(filterVerdict({ match: 'all', conditions: [one, two] }, row, columns)).toBe('fails');
    expect(filterVerdict({ match: 'any', conditions: [one, two] }, row, columns)).toBe('passes');
    expect(filterVerdict({ match: 'all', conditions: [one], raw: 'x' }, row, columns)).toBe('either');
    expect(filterVerdict({ match: 'all', conditions: [one, { ...two, column: 'c' }] }, row, columns)).toBe('either');
    expect(filterVerdict({ match: 'all', conditions: [] }, row, columns)).toBe('passes');
  });
});
