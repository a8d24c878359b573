import { driverText } from '@tabularium/sdk';
import type { Ability, ObjectKind } from '@tabularium/sdk';
import { EXTENSIONS, FUNCTIONS, SCHEMAS, SEQUENCES, TRIGGERS, TYPES } from './objectQueries.ts';

/** A kind with the query for its objects. */
export interface PgObjectKind {
  readonly kind: ObjectKind;
  /**
   * Gives the name, then the facts in the order of the kind's columns, and last the document. $1: the schema of the objects or of their table, or whether those of
   * the server itself count; $2: the table. Both are always used.
   */
  readonly source: string;
}

/** Nothing of them is changed here: each has statements of its own, which the console runs. */
const CONSOLE_ONLY: Ability = {
  allowed: false,
  reason: 'Objects of PostgreSQL are shown here. Change them by a statement in the console.',
  texts: { reason: driverText('object.fixed') },
};

function objectKind(
  id: string,
  [one, other, help]: readonly [one: string, other: string, help: string],
  columns: readonly (readonly [id: string, label: string])[],
  place: Pick<ObjectKind, 'scope' | 'within'> = { scope: 'server', within: 'schema' },
): ObjectKind {
  return {
    id,
    term: { one, other },
    help,
    texts: {
      one: driverText(`object.${id}.one`),
      other: driverText(`object.${id}.other`),
      help: driverText(`object.${id}.help`),
    },
    ...place,
    columns: columns.map(([column, label]) => ({ id: column, label, texts: { label: driverText(`objectColumn.${column}`) } })),
    form: [],
    save: CONSOLE_ONLY,
    remove: CONSOLE_ONLY,
  };
}

/** In the order in which they are shown. */
export const OBJECT_KINDS: readonly PgObjectKind[] = [
  {
    kind: objectKind(
      'schema',
      ['Schema', 'Schemas', 'Schemas that your role may use, with functions, types and sequences.'],
      [['owner', 'Owner']],
      { scope: 'server' },
    ),
    source: SCHEMAS,
  },
  {
    kind: objectKind(
      'extension',
      ['Extension', 'Extensions', 'Extensions that are installed in this database.'],
      [
        ['version', 'Version'],
        ['schema', 'Schema'],
      ],
      { scope: 'server' },
    ),
    source: EXTENSIONS,
  },
  {
    kind: objectKind(
      'trigger',
      ['Trigger', 'Triggers', 'Triggers of a table, without those that constraints have.'],
      [
        ['function', 'Function'],
        ['enabled', 'Fires'],
      ],
      { scope: 'table' },
    ),
    source: TRIGGERS,
  },
  {
    kind: objectKind(
      'function',
      ['Function', 'Functions', 'Functions, procedures and aggregates of a schema, with their definitions.'],
      [
        ['kind', 'Kind'],
        ['returns', 'Returns'],
        ['language', 'Language'],
        ['volatility', 'Volatility'],
        ['extension', 'Extension'],
      ],
    ),
    source: FUNCTIONS,
  },
  {
    kind: objectKind(
      'type',
      ['Type', 'Types', 'Enumerations, domains, composite types and ranges of a schema.'],
      [
        ['kind', 'Kind'],
        ['of', 'Of'],
        ['extension', 'Extension'],
      ],
    ),
    source: TYPES,
  },
  {
    kind: objectKind(
      'sequence',
      ['Sequence', 'Sequences', 'Sequences of a schema, with their last number where your role may read it.'],
      [
        ['type', 'Type'],
        ['last', 'Last number'],
        ['column', 'Of column'],
      ],
    ),
    source: SEQUENCES,
  },
];
