import { describe, expect, it } from 'vitest';
import { exceeds } from './exceeds.ts';
import type { PermittedStatement } from './statement.ts';
import type { TableRef } from './table.ts';

const EFFECTS = ['read', 'write', 'destructive'] as const;
const ALL: readonly PermittedStatement[] = EFFECTS.flatMap((effect) => [{ effect }, { effect, unknown: true }]);

it('says that a statement does more where its effect is worse, or where it alone is not understood', () => {
  for (const [place, effect] of EFFECTS.entries())
    for (const [most, other] of EFFECTS.entries()) expect(exceeds({ effect }, { effect: other })).toBe(place > most);
  for (const effect of EFFECTS) {
    expect(exceeds({ effect, unknown: true }, { effect: 'destructive' })).toBe(true);
    expect(exceeds({ effect: 'read' }, { effect, unknown: true })).toBe(false);
  }
});

it('lets every statement do what it does', () => {
  for (const statement of ALL) expect(exceeds(statement, statement)).toBe(false);
});

const TABLES: readonly TableRef[] = [
  { namespace: ['public'], name: 'orders' },
  { namespace: ['tester'], name: 'orders' },
  { namespace: ['public'], name: 'people' },
];

describe.each(['write', 'destructive'] as const)('a statement with the effect %s', (effect) => {
  it.each(TABLES)('does more where it changes another table than $namespace.$name', (table) => {
    for (const other of TABLES) {
      const isOther = other !== table;
      expect(exceeds({ effect, tables: [other] }, { effect, tables: [table] })).toBe(isOther);
      expect(exceeds({ effect, tables: [table, other] }, { effect, tables: [table] })).toBe(isOther);
      expect(exceeds({ effect, tables: [table] }, { effect, tables: [table, other] })).toBe(false);
      // Understanding less of it gives it no further tables.
      expect(exceeds({ effect, tables: [other] }, { effect, tables: [table], unknown: true })).toBe(isOther);
    }
    expect(exceeds({ effect, tables: [table] }, { effect, tables: [] })).toBe(true);
    expect(exceeds({ effect }, { effect, tables: [table] })).toBe(true);
    expect(exceeds({ effect, tables: [table] }, { effect })).toBe(false);
    expect(exceeds({ effect: 'read', tables: [table] }, { effect, tables: [] })).toBe(false);
  });

  it.each(TABLES)('does more where it changes every row of $namespace.$name and some were permitted', (table) => {
    const every = { effect, tables: [table], everyRowOf: table };
    expect(exceeds(every, { effect, tables: [table] })).toBe(true);
    expect(exceeds({ effect, tables: [table] }, every)).toBe(false);
    for (const other of TABLES) expect(exceeds({ ...every, everyRowOf: other }, every)).toBe(other !== table);
  });
});
