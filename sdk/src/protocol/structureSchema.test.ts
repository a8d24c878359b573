import { describe, expect, it } from 'vitest';
import type { Column } from '../model/column.ts';
import type { TableIndex, TableTrigger } from '../model/structure.ts';
import type { TableDescription } from '../model/table.ts';
import { columnSchema, tableDescriptionSchema } from './schemas.ts';
import { tableIndexSchema, tableTriggerSchema } from './structureSchemas.ts';

const index: TableIndex = {
  name: 'i',
  columns: [{ name: 'a', descending: true }, { expression: 'lower(b)' }],
  unique: true,
  primary: true,
  includes: ['c'],
  method: 'btree',
  where: 'a > 0',
  note: 'It is being made.',
};
const trigger: TableTrigger = {
  name: 't',
  timing: 'insteadOf',
  events: ['insert', 'update'],
  columns: ['a'],
  level: 'row',
  enabled: false,
  when: 'new.a > 0',
  calls: 'f()',
};
const column: Column = {
  name: 'a',
  kind: 'integer',
  type: 'int',
  nullable: true,
  editable: { allowed: true },
  sortable: { allowed: true },
};
const table: TableDescription = {
  ref: { namespace: [], name: 't' },
  kind: 'table',
  columns: [],
  key: [],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
};

describe('the structure of a description', () => {
  it('travels whole, and is absent where the driver is of an earlier contract', () => {
    const whole: TableDescription = {
      ...table,
      columns: [
        { ...column, default: 'now()', comment: 'c' },
        { ...column, name: 'b', generated: { kind: 'stored', expression: 'a + 1' } },
      ],
      indexes: [index],
      triggers: [trigger],
      defaultSort: [{ column: 'a', direction: 'descending' }],
      comment: 'A table.',
    };
    expect(tableDescriptionSchema.parse(whole)).toEqual(whole);
    expect(tableDescriptionSchema.parse(table)).toEqual(table);
  });

  it.each<[string, unknown]>([
    ['no column', { columns: [] }],
    ['more than 64 columns', { columns: Array.from({ length: 65 }, (_, place) => ({ name: `c${place}` })) }],
    ['a column that is neither a name nor an expression', { columns: [{ descending: true }] }],
    ['an expression without an end', { columns: [{ expression: 'x'.repeat(4_001) }] }],
    ['an empty condition', { where: '' }],
    ['an empty name', { name: '' }],
    ['a method without an end', { method: 'x'.repeat(101) }],
    ['no word on uniqueness', { unique: undefined }],
  ])('refuses an index with %s', (_, wrong) => {
    expect(tableIndexSchema.parse(index)).toEqual(index);
    expect(tableIndexSchema.safeParse({ ...index, ...(wrong as object) }).success).toBe(false);
  });

  it.each<[string, unknown]>([
    ['no event', { events: [] }],
    ['an unknown event', { events: ['login'] }],
    ['an unknown timing', { timing: 'sometimes' }],
    ['an empty list of columns', { columns: [] }],
    ['a call without an end', { calls: 'x'.repeat(4_001) }],
  ])('refuses a trigger with %s', (_, wrong) => {
    expect(tableTriggerSchema.parse(trigger)).toEqual(trigger);
    expect(tableTriggerSchema.safeParse({ ...trigger, ...(wrong as object) }).success).toBe(false);
  });

  it.each<[string, unknown]>([
    ['an empty default', { default: '' }],
    ['a default without an end', { default: 'x'.repeat(4_001) }],
    ['a comment without an end', { comment: 'x'.repeat(10_001) }],
    ['an unknown generation', { generated: { kind: 'magic' } }],
  ])('refuses a column with %s', (_, wrong) => {
    expect(columnSchema.safeParse({ ...column, ...(wrong as object) }).success).toBe(false);
  });

  it('has 1,000 indexes and triggers at most, and a comment of 10,000 characters', () => {
    for (const [member, one] of [
      ['indexes', index],
      ['triggers', trigger],
    ] as const) {
      const described = (count: number) => ({ ...table, [member]: Array.from({ length: count }, () => one) });
      expect(tableDescriptionSchema.safeParse(described(1_000)).success).toBe(true);
      expect(tableDescriptionSchema.safeParse(described(1_001)).success).toBe(false);
    }
    expect(tableDescriptionSchema.safeParse({ ...table, comment: 'x'.repeat(10_001) }).success).toBe(false);
  });
});
