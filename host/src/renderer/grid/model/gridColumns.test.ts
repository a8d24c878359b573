import type { Column, TableDescription } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { valueOf } from '../../editing/editValue.ts';
import { writableColumns } from '../tab/writableColumns.ts';
import { gridColumns } from './gridColumns.ts';

const column = (name: string, kind: Column['kind'] = 'text'): Column => ({
  name,
  kind,
  type: kind,
  nullable: true,
  editable: { allowed: true },
  sortable: { allowed: true },
});

const description = (columns: readonly Column[], key: readonly string[]): TableDescription => ({
  ref: { namespace: [], name: 't' },
  kind: 'table',
  columns,
  key,
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
});

describe('gridColumns', () => {
  it('passes on to every editor the values that a column stores besides numbers', () => {
    const special = { ...column('n', 'decimal'), specialValues: ['NaN'] };
    const described = description([column('id'), special], ['id']);
    const { columns } = gridColumns(described);
    const [, typed] = columns;
    const [, pasted] = writableColumns(columns, described);
    for (const one of [typed, pasted])
      expect(one === undefined ? undefined : valueOf('nan', one)).toEqual({ ok: true, value: ['text', 'NaN'] });
  });

  it('puts the key first, in its own order, and keeps it in place', () => {
    const { columns, frozen } = gridColumns(description([column('a'), column('k2'), column('k1')], ['k1', 'k2']));
    expect(columns.map(({ name }) => name)).toEqual(['k1', 'k2', 'a']);
    expect(frozen).toBe(2);
    expect(columns.map(({ isKey }) => isKey)).toEqual([true, true, false]);
  });

  it('freezes nothing where rows have no key, or a key of too many columns', () => {
    expect(gridColumns(description([column('a')], [])).frozen).toBe(0);
    const many = ['a', 'b', 'c', 'd'];
    expect(
      gridColumns(
        description(
          many.map((name) => column(name)),
          many,
        ),
      ).frozen,
    ).toBe(0);
  });

  it('aligns numbers at the end', () => {
    const { columns } = gridColumns(description([column('n', 'integer'), column('d', 'decimal'), column('t')], []));
    expect(columns.map(({ alignEnd }) => alignEnd)).toEqual([true, true, false]);
  });

  it('leaves out a key column that is not described', () => {
    expect(gridColumns(description([column('a')], ['gone'])).columns.map(({ name }) => name)).toEqual(['a']);
  });
});
