import { describe, expect, it } from 'vitest';
import { cellOf } from './cells.ts';
import { fieldReader } from './fieldReader.ts';
import { learnColumns } from './learnedColumns.ts';

const document = {
  id: '1',
  author: { name: 'Ann', address: { city: 'Oslo' }, tags: ['a', 'b'] },
  editions: [{ year: 2001, fmt: 'hb', marks: [{ n: 1 }, {}] }, { year: 2004 }, { fmt: 'pb' }],
  none: null,
  empty: [],
  'a.b': 'literal',
  c: { 'd.e': 'inner' },
  list: [{ constructor: { name: 'own' } }, {}],
  x: { y: 1 },
  'x.z': 2,
};

describe('finding a field in a document', () => {
  it.each([
    ['author.name', 'Ann'],
    ['author.address.city', 'Oslo'],
    ['author.tags', ['a', 'b']],
    ['editions.year', [2001, 2004, null]],
    ['editions.fmt', ['hb', null, 'pb']],
    ['editions.marks.n', [[1, null], null, null]],
    ['empty.x', []],
    ['a.b', 'literal'],
    ['c.d.e', 'inner'],
    ['x.z', 2],
    ['none', null],
    ['none.x', undefined],
    ['author.nothing', undefined],
    ['id.length', undefined],
    ['constructor', undefined],
    ['author.constructor.name', undefined],
    ['list.constructor.name', ['own', null]],
    ['__proto__', undefined],
  ])('%s', (name, value) => {
    expect(fieldReader(name)(document)).toEqual(value);
  });

  it('finds a member that is called like an inherited one', () => {
    expect(fieldReader('__proto__.x')(JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>)).toBe(1);
    expect(fieldReader('constructor')({ constructor: 'me' })).toBe('me');
  });
});

describe('a value as a cell', () => {
  it.each([
    [undefined, 'text', ['absent']],
    [null, 'integer', null],
    ['x', 'text', 'x'],
    ['x', 'integer', ['text', 'x']],
    ['x', 'json', ['text', 'x']],
    [5, 'integer', 5],
    [5, 'text', ['number', '5']],
    [true, 'boolean', true],
    [false, 'text', ['boolean', 'false']],
    [[1, 'a'], 'json', '[1,"a"]'],
    [[48.5, 2.25], 'geo', '[48.5,2.25]'],
    [{ a: 1 }, 'integer', ['json', '{"a":1}']],
  ] as const)('%j in a column of kind %s', (value, kind, cell) => {
    expect(cellOf(value, kind, false)).toEqual(cell);
  });
});

describe('columns of documents without a schema', () => {
  it('are all leaves, id first, of a kind that fits all values', () => {
    const documents = [
      { z: 1, id: 'a', n: { deep: true }, mixed: 1, list: [1], empty: {} },
      { id: 'b', z: 1.5, B: null, mixed: 'x', n: { deep: null } },
    ];
    expect(learnColumns(documents)).toEqual([
      { name: 'id', kind: 'text' },
      { name: 'B', kind: 'text' },
      { name: 'empty', kind: 'json' },
      { name: 'list', kind: 'json' },
      { name: 'mixed', kind: 'text' },
      { name: 'n.deep', kind: 'boolean' },
      { name: 'z', kind: 'decimal' },
    ]);
  });
});
