import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { filterText } from './filters.ts';
import { collectionOf } from './schema.ts';
import { sortText } from './sorts.ts';

/** As 29.0 and 30.0-dev list it after the first document: declared first, learned later. */
const schema = collectionOf({
  name: 'named',
  enable_nested_fields: true,
  fields: [
    { name: 'count', type: 'auto', facet: true, optional: true, sort: false },
    { name: 'label', type: 'string*', facet: true, optional: true, sort: false },
    { name: 'labels', type: 'string*', optional: true, sort: false },
    { name: 'later', type: 'auto', optional: true, sort: false },
    { name: 'count', type: 'int64', facet: true, optional: true, sort: true },
    { name: 'labels', type: 'string[]', optional: true, sort: false },
    { name: 'label', type: 'string', facet: true, optional: true, sort: false },
  ],
});

describe('a field that was declared by name as auto or string*', () => {
  it('is one field with its learned type, in the place of its declaration', () => {
    expect(schema?.fields.map(({ name, type }) => [name, type])).toEqual([
      ['count', 'int64'],
      ['label', 'string'],
      ['labels', 'string[]'],
      ['later', 'auto'],
    ]);
  });

  it('is one column, filtered and sorted by its learned type', () => {
    if (schema === undefined) throw new Error('The schema was not read.');
    expect(columnsOf(schema).map(({ name, kind }) => [name, kind])).toEqual([
      ['id', 'text'],
      ['count', 'integer'],
      ['label', 'text'],
      ['labels', 'json'],
      ['later', 'text'],
    ]);
    const equals = { column: 'count', operator: 'greaterThan', values: ['3'] } as const;
    expect(filterText({ match: 'all', conditions: [equals] }, schema)).toBe('count:>3');
    expect(sortText([{ column: 'count', direction: 'ascending' }], schema)).toEqual({ text: 'count:asc', dropped: [] });
  });

  it('keeps its learned type when the declaration is listed last', () => {
    const reversed = collectionOf({
      name: 'named',
      fields: [
        { name: 'count', type: 'int64' },
        { name: 'count', type: 'auto' },
      ],
    });
    expect(reversed?.fields.map(({ type }) => type)).toEqual(['int64']);
  });
});
