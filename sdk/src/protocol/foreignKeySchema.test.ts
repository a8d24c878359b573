import { describe, expect, it } from 'vitest';
import type { ForeignKey, ReferringKey, TableDescription } from '../model/table.ts';
import { foreignKeySchema, referringKeySchema, tableDescriptionSchema } from './schemas.ts';

const key: ForeignKey = { columns: ['a'], references: { namespace: ['s'], name: 't' }, referencedColumns: ['b'] };
const table: TableDescription = {
  ref: key.references,
  kind: 'table',
  columns: [],
  key: [],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
};

describe('the foreign keys of a description', () => {
  it('have as many columns as they refer to, 1 to 64', () => {
    const many = Array.from({ length: 65 }, (_, index) => `c${index}`);
    expect(foreignKeySchema.parse({ ...key, name: 'k' })).toEqual({ ...key, name: 'k' });
    for (const wrong of [
      { referencedColumns: ['b', 'c'] },
      { columns: [], referencedColumns: [] },
      { columns: many, referencedColumns: many },
      { references: { namespace: [], name: '' } },
    ])
      expect(foreignKeySchema.safeParse({ ...key, ...wrong }).success).toBe(false);
  });

  it('are 1,000 at most, and none where the driver is of an earlier contract', () => {
    const described = (count: number) => ({ ...table, foreignKeys: Array.from({ length: count }, () => key) });
    expect(tableDescriptionSchema.safeParse(described(1_000)).success).toBe(true);
    expect(tableDescriptionSchema.safeParse(described(1_001)).success).toBe(false);
    expect(tableDescriptionSchema.parse(table)).toEqual(table);
  });
});

describe('the keys by which others refer to a described table', () => {
  const referring: ReferringKey = { table: key.references, columns: ['a'], referencedColumns: ['b'] };

  it('have as many columns as they refer to, 1 to 64', () => {
    expect(referringKeySchema.parse({ ...referring, name: 'k' })).toEqual({ ...referring, name: 'k' });
    for (const wrong of [
      { referencedColumns: ['b', 'c'] },
      { columns: [], referencedColumns: [] },
      { table: { namespace: [], name: '' } },
    ])
      expect(referringKeySchema.safeParse({ ...referring, ...wrong }).success).toBe(false);
  });

  it('are 1,000 at most', () => {
    const described = (count: number) => ({ ...table, referredBy: Array.from({ length: count }, () => referring) });
    expect(tableDescriptionSchema.safeParse(described(1_000)).success).toBe(true);
    expect(tableDescriptionSchema.safeParse(described(1_001)).success).toBe(false);
  });
});
