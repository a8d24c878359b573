import type { Column } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, canFilterBy, faultOf, filterOf, isFiltering, offeredOperators, rowFor, splitList } from './filterModel.ts';
import type { FilterRow, FilterSelection } from './filterModel.ts';
import { lastOfList, withChosen } from './lastOfList.ts';
import { readPresets, presetRenamed, withPreset } from './presets.ts';
import { readFilter } from './rememberedFilter.ts';

const filtering: FilterSelection = {
  classes: {
    words: { value: 'text', operators: ['equals', 'in', { operator: 'isNull', refused: 'No index of missing values.' }] },
    numbers: { value: 'integer', operators: ['greaterThan', 'between', 'equals'] },
    nothing: { value: 'text', operators: [{ operator: 'equals', refused: 'Not indexed.' }] },
  },
  match: ['all', 'any'],
  caseControl: { available: false, reason: 'Never.' },
};
const column = (name: string, filterClass?: string): Column => ({
  name,
  kind: 'text',
  type: 'string',
  nullable: true,
  editable: { allowed: true },
  sortable: { allowed: true },
  ...(filterClass === undefined ? {} : { filterClass }),
});
const row = (more: Partial<FilterRow> = {}): FilterRow => ({
  id: 'r',
  enabled: true,
  column: 'name',
  operator: 'equals',
  texts: ['', ''],
  ...more,
});

describe('the operators of a column', () => {
  it('are those of its class, the refused ones with their reason', () => {
    expect(offeredOperators(filtering, column('name', 'words'))).toEqual([
      { operator: 'equals' },
      { operator: 'in' },
      { operator: 'isNull', refused: 'No index of missing values.' },
    ]);
    expect(offeredOperators(filtering, column('name'))).toEqual([]);
  });

  it('decide whether the column can be filtered by', () => {
    expect(canFilterBy(filtering, column('name', 'words'))).toBe(true);
    expect(canFilterBy(filtering, column('name', 'nothing'))).toBe(false);
    expect(canFilterBy(filtering, column('name'))).toBe(false);
  });

  it('stay chosen when another column has them too', () => {
    const before = row({ operator: 'equals', texts: ['7', ''] });
    expect(rowFor(filtering, column('price', 'numbers'), before)).toMatchObject({ operator: 'equals', texts: ['7', ''] });
    expect(rowFor(filtering, column('price', 'numbers'), row({ operator: 'in' })).operator).toBe('greaterThan');
  });
});

describe('a list of values', () => {
  it.each([
    ['a, b', ['a', 'b']],
    ['"a, b", c', ['a, b', 'c']],
    ['"say ""hi""", ', ['say "hi"']],
    ['5" pipe, x', ['5" pipe', 'x']],
    ['', []],
    ['""', ['']],
  ])('%j', (text, values) => {
    expect(splitList(text)).toEqual(values);
  });
});

describe('a fault', () => {
  it('is found before anything is sent', () => {
    expect(faultOf(row(), 'text')).toBe('missing');
    expect(faultOf(row({ texts: ['x', ''] }), 'text')).toBeUndefined();
    expect(faultOf(row({ texts: ['1.5', ''] }), 'integer')).toBe('integer');
    expect(faultOf(row({ texts: ['1.5', ''] }), 'number')).toBeUndefined();
    expect(faultOf(row({ operator: 'between', texts: ['1', ''] }), 'integer')).toBe('missing');
    expect(faultOf(row({ operator: 'in', texts: ['1, x', ''] }), 'integer')).toBe('integer');
    expect(faultOf(row({ operator: 'isNull' }), 'boolean')).toBeUndefined();
    expect(faultOf(row({ texts: ['yes', ''] }), 'boolean')).toBe('boolean');
    // A text is looked for in a column of numbers that stores text, too.
    expect(faultOf(row({ operator: 'contains', texts: ['n/a', ''] }), 'integer')).toBeUndefined();
    const float = { ...column('name', 'numbers'), specialValues: ['NaN'] };
    expect(faultOf(row({ texts: ['nan', ''] }), 'number', [float])).toBeUndefined();
    expect(faultOf(row({ texts: ['nan', ''] }), 'number', [column('name', 'numbers')])).toBe('number');
  });
});

describe('the filter', () => {
  it('leaves out what is switched off', () => {
    const filter = filterOf({
      match: 'any',
      rows: [row({ texts: ['x', ''] }), row({ enabled: false }), row({ operator: 'between', texts: ['1', '2'] })],
      raw: { enabled: true, text: ' ' },
    });
    expect(filter).toEqual({
      match: 'any',
      conditions: [
        { column: 'name', operator: 'equals', values: ['x'] },
        { column: 'name', operator: 'between', values: ['1', '2'] },
      ],
    });
    expect(isFiltering(filter)).toBe(true);
    expect(isFiltering(filterOf(EMPTY_DRAFT))).toBe(false);
    expect(filterOf({ match: 'all', rows: [], raw: { enabled: true, text: 'a:1' } }).raw).toBe('a:1');
  });
});

describe('what was remembered', () => {
  it.each([null, undefined, '', '{', { rows: 1 }])('is nothing when %j was kept', (stored) => {
    expect(readFilter(stored)).toEqual(EMPTY_DRAFT);
    expect(readPresets(stored)).toEqual([]);
  });

  it('comes back as it was', () => {
    const draft = { match: 'any' as const, rows: [row({ texts: ['x', ''] })], raw: { enabled: false, text: 'y' } };
    expect(readFilter(structuredClone(draft))).toEqual(draft);
  });
});

describe('presets', () => {
  const draft = { match: 'all' as const, rows: [row()] };

  it('are saved under a name, once each, and listed by it', () => {
    const one = withPreset([], ' New ', draft);
    const again = withPreset(withPreset(one, 'Cheap', EMPTY_DRAFT), 'New', { ...draft, match: 'any' });
    expect(readPresets(again).map(({ name, draft: saved }) => [name, saved.match])).toEqual([
      ['Cheap', 'all'],
      ['New', 'any'],
    ]);
    expect(again.find(({ name }) => name === 'New')?.id).toBe(one[0]?.id);
  });

  it('take a new name that is free', () => {
    const two = withPreset(withPreset([], 'a', draft), 'b', draft);
    const id = two[0]?.id ?? '';
    expect(presetRenamed(two, id, 'b')).toBeUndefined();
    expect(presetRenamed(two, id, ' ')).toBeUndefined();
    expect(presetRenamed(two, id, ' c ')?.map(({ name }) => name)).toEqual(['c', 'b']);
  });
});

describe('a list that is being typed', () => {
  it.each([
    ['', '', ''],
    ['a', '', 'a'],
    ['a, b', 'a,', 'b'],
    ['"x, y", z', '"x, y",', 'z'],
    ['a, "b c', 'a,', 'b c'],
  ])('%j', (text, before, typed) => {
    expect(lastOfList(text)).toEqual({ before, typed });
  });

  it('takes a chosen value as its last one', () => {
    expect(withChosen('', 'red')).toBe('red, ');
    expect(withChosen('red, bl', 'blue')).toBe('red, blue, ');
    expect(splitList(withChosen('red, ', 'dark, "deep" blue'))).toEqual(['red', 'dark, "deep" blue']);
  });
});
