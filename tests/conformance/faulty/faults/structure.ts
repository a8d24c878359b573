import type { Column, ColumnGeneration, TableDescription, TableIndex, TableTrigger } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const NAMED = ['core', 'indexes and triggers have names of their own, and indexes are on columns of their table'] as const;
const WRITTEN = [
  'core',
  'a column that the database writes itself takes no value, and defaults and comments keep to their lengths',
] as const;
const ORDERED = ['core', 'rows come in the default sort where no other is asked for'] as const;

/** Of the one table that has a structure, with another one. */
const structured = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (correct: TableDescription) => Partial<TableDescription>,
): Seeded =>
  acts(name, breaks, says, ({ describeTable }) => ({
    describeTable: async (...asked) => {
      const table = await describeTable(...asked);
      return table.indexes === undefined ? table : { ...table, ...change(table) };
    },
  }));

const indexed = (name: string, says: RegExp, change: (first: TableIndex) => readonly TableIndex[]): Seeded =>
  structured(name, NAMED, says, ({ indexes = [] }) => ({ indexes: indexes.slice(0, 1).flatMap(change) }));

const triggered = (name: string, says: RegExp, change: (first: TableTrigger) => readonly TableTrigger[]): Seeded =>
  structured(name, NAMED, says, ({ triggers = [] }) => ({ triggers: triggers.flatMap(change) }));

const columned = (name: string, says: RegExp, changes: Partial<Column>): Seeded =>
  structured(name, WRITTEN, says, ({ columns }) => ({
    columns: columns.map((column) => (column.name === 'colour' ? { ...column, ...changes } : column)),
  }));

const generated = (kind: ColumnGeneration['kind'], changes: Partial<Column> = {}): Partial<Column> => ({
  default: undefined,
  generated: { kind },
  editable: { allowed: false, reason: 'The database computes it.' },
  ...changes,
});

export const structureFaults: readonly Seeded[] = [
  indexed('an index on a column that the table lacks', /is on "leaf", which isn't a column/, (index) => [
    { ...index, columns: [{ name: 'leaf' }] },
  ]),
  indexed('an index that stores a column that the table lacks', /includes "leaf", which isn't a column/, (index) => [
    { ...index, includes: ['leaf'] },
  ]),
  indexed('an index without a column', /has 0 columns/, (index) => [{ ...index, columns: [] }]),
  indexed('an index without a name', /has no name/, (index) => [{ ...index, name: '' }]),
  indexed('an index that is described twice', /has the index "fallen_key" twice/, (index) => [index, index]),
  indexed('a primary key that takes two rows', /of the primary key and isn't unique/, (index) => [{ ...index, unique: false }]),
  indexed('two primary keys', /two indexes of a primary key/, (index) => [index, { ...index, name: 'other' }]),
  indexed('an index of an empty expression', /is empty/, (index) => [{ ...index, columns: [{ expression: '' }] }]),
  indexed('an index with a condition without an end', /has 4001 characters/, (index) => [{ ...index, where: 'x'.repeat(4_001) }]),
  indexed('indexes without an end', /has 1001 indexes/, (index) =>
    Array.from({ length: 1_001 }, (_, place) => ({ ...index, name: `index ${place}` })),
  ),
  triggered('a trigger that is described twice', /has the trigger "sweep" twice/, (trigger) => [trigger, trigger]),
  triggered('a trigger without a name', /has no name/, (trigger) => [{ ...trigger, name: '' }]),
  triggered('a trigger on nothing', /fires on no event/, (trigger) => [{ ...trigger, events: [] }]),
  triggered('a trigger on one event twice', /fires on "insert" twice/, (trigger) => [
    { ...trigger, columns: undefined, events: ['insert', 'insert'] },
  ]),
  triggered('a trigger on the update of columns that no update fires', /doesn't fire on an update/, (trigger) => [
    { ...trigger, events: ['delete'] },
  ]),
  triggered('a trigger with an empty condition', /is empty/, (trigger) => [{ ...trigger, when: '' }]),
  triggered('triggers without an end', /has 1001 triggers/, (trigger) =>
    Array.from({ length: 1_001 }, (_, place) => ({ ...trigger, name: `trigger ${place}` })),
  ),
  columned(
    'a computed column that can be edited',
    /generated \(stored\) and is said to be editable/,
    generated('stored', { editable: { allowed: true } }),
  ),
  columned(
    'an identity that can be edited',
    /generated \(identityAlways\) and is said to be editable/,
    generated('identityAlways', { editable: { allowed: true } }),
  ),
  columned('a computed column with a default', /generated and has a default/, generated('virtual', { default: '1' })),
  columned(
    'a computed column that a new row has to fill',
    /generated, and a new row is said to need a value/,
    generated('identityByDefault', { required: true }),
  ),
  columned('an empty default', /The default of .* is empty/, { default: '' }),
  columned('a default without an end', /has 4001 characters/, { default: 'x'.repeat(4_001) }),
  columned('a comment of a column without an end', /has 10001 characters/, { comment: 'x'.repeat(10_001) }),
  structured('an empty comment', WRITTEN, /The comment of .* is empty/, () => ({ comment: '' })),
  structured('a default sort by a column that the table lacks', ORDERED, /is by "leaf", which isn't a column/, () => ({
    defaultSort: [{ column: 'leaf', direction: 'ascending' }],
  })),
  structured('a default sort by one column twice', ORDERED, /has "id" twice/, ({ defaultSort = [] }) => ({
    defaultSort: [...defaultSort, ...defaultSort],
  })),
  structured('a default sort by nothing', ORDERED, /has no column/, () => ({ defaultSort: [] })),
  structured('a default sort in which the rows do not come', ORDERED, /as row 1, and without a sort it is/, () => ({
    defaultSort: [{ column: 'id', direction: 'descending' }],
  })),
];
