import { ABSENT, DriverError } from '@tabularium/sdk';
import type {
  Cell,
  CallOptions,
  Column,
  ColumnKind,
  DriverContext,
  ForeignKey,
  ReferringKey,
  TableDescription,
  TableRef,
} from '@tabularium/sdk';

// The database of the correct driver: three small tables, all of whose rows are known, and one that is made row by row as it is read.

export type Row = readonly Cell[];

export interface Table {
  readonly ref: TableRef;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  readonly foreignKeys?: readonly ForeignKey[];
  readonly referredBy?: readonly ReferringKey[];
  /** Indexes, triggers, order and comment. */
  readonly structure?: Pick<TableDescription, 'indexes' | 'triggers' | 'defaultSort' | 'comment'>;
  readonly paging: 'offset' | 'cursor';
  rows: readonly Row[];
}

/** One row of the table that is never in memory as a whole. */
export interface Bulk {
  readonly ref: TableRef;
  readonly columns: readonly Column[];
  readonly rows: number;
  row(index: number): Row;
}

/** The data and state of one session. */
export interface World {
  readonly tables: Map<string, Table>;
  readonly bulk: Bulk;
  readonly principals: Map<string, string>;
  /** Documents of notes, by name. */
  readonly notes: Map<string, string>;
  /** Statements that run, by the id of their entry. */
  readonly running: Map<string, { readonly text: string; readonly began: number; readonly ends: AbortController }>;
  readonly context: DriverContext;
  closed: boolean;
  /** Begins every call: cancelled and closed are refused, and the server is asked whether it is there. */
  ready(options: CallOptions): Promise<void>;
  table(ref: TableRef): Table;
}

/** The password of the database. */
export const SECRET = 'blossom-0417';
/** Of the large table: 5,000 rows of 2 kB, which is more than the kit asks for. */
const BULK_ROWS = 5_000;
const BULK_BYTES = 1_024;

const YES = { allowed: true } as const;
const CLASSES: Partial<Record<ColumnKind, string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'truth',
  date: 'time',
  enum: 'label',
  text: 'text',
};

function column(name: string, kind: ColumnKind, changes: Partial<Column> = {}): Column {
  const filterClass = CLASSES[kind];
  return {
    name,
    kind,
    type: kind.toUpperCase(),
    nullable: true,
    editable: YES,
    sortable: kind === 'json' ? { allowed: false, reason: 'Documents have no order.' } : YES,
    ...(filterClass === undefined ? {} : { filterClass }),
    ...changes,
  };
}

const KEY = { nullable: false, editable: { allowed: false, reason: 'A key stays what it is.' } } as const;

const NAMES = ['Pear', 'apple', 'Apple', 'old quince', "O'Brien's", '', 'Éclair 💥', 'apple pie', '100%', 'plum_1'];

/** Not in the order of their letters. */
const STATES = ['seedling', 'grown', 'old'] as const;

const trees: Row[] = Array.from({ length: 23 }, (_, index): Row => [
  String(9_007_199_254_740_993n + BigInt((index * 7) % 23)),
  index % 9 === 4 ? null : (NAMES[index % NAMES.length] ?? null),
  index % 8 === 3 ? null : `${((index * 37) % 120) - 10}.${index % 2 === 0 ? '50' : '25'}`,
  index % 4,
  index % 7 === 2 ? null : index % 3 === 0,
  `20${String(10 + ((index * 5) % 15))}-0${1 + (index % 9)}-1${index % 10}`,
  index % 3 === 1 ? ABSENT : `{"rings":${index}}`,
  index % 6 === 5 ? null : (STATES[(index * 2) % 3] ?? null),
  index % 5 === 0 ? null : `{${index},${index * 3}}`,
]);

const picks: Row[] = Array.from({ length: 41 }, (_, index): Row => [
  `row ${(index * 3) % 5}`,
  String(9_223_372_036_854_775_807n - BigInt((index * 11) % 41)),
  (index * 29) % 6,
]);

function ref(name: string): TableRef {
  return { namespace: ['orchard'], name };
}

export function keyOf({ namespace, name }: TableRef): string {
  return JSON.stringify([...namespace, name]);
}

function tables(): Table[] {
  return [
    {
      ref: ref('trees'),
      paging: 'offset',
      key: ['id'],
      referredBy: [{ name: 'fell_from', table: ref('fallen "leaves"; --'), columns: ['id'], referencedColumns: ['plot'] }],
      columns: [
        column('id', 'integer', KEY),
        column('name', 'text'),
        column('height', 'decimal'),
        column('plot', 'integer', { range: { least: '0', greatest: '4095' } }),
        column('alive', 'boolean'),
        column('planted', 'date'),
        column('rings', 'json'),
        column('state', 'enum', { values: STATES }),
        column('harvests', 'array'),
      ],
      rows: trees,
    },
    {
      ref: ref('picks'),
      paging: 'cursor',
      key: ['row', 'number'],
      columns: [column('row', 'text', KEY), column('number', 'integer', KEY), column('baskets', 'integer')],
      rows: picks,
    },
    {
      ref: ref('fallen "leaves"; --'),
      paging: 'offset',
      key: ['id'],
      foreignKeys: [{ name: 'fell_from', columns: ['id'], references: ref('trees'), referencedColumns: ['plot'] }],
      structure: {
        comment: 'Swept on Fridays',
        defaultSort: [{ column: 'id', direction: 'ascending' }],
        indexes: [
          { name: 'fallen_key', columns: [{ name: 'id' }], unique: true, primary: true },
          { name: 'by_colour', columns: [{ expression: 'lower(colour)' }], includes: ['id'], unique: false, where: 'id > 0' },
        ],
        triggers: [
          { name: 'sweep', timing: 'after', events: ['insert', 'update'], columns: ['colour'], level: 'row', calls: 'sweep()' },
        ],
      },
      columns: [
        column('id', 'integer', { ...KEY, generated: { kind: 'identityAlways' } }),
        column('colour', 'text', { default: "'brown'", comment: 'As seen in October' }),
      ],
      rows: [
        [1, 'brown'],
        [2, 'yellow'],
        [3, 'red'],
        [4, 'red'],
      ],
    },
  ];
}

const bulk: Bulk = {
  ref: ref('bulk'),
  columns: [column('id', 'integer', KEY), column('text', 'text')],
  rows: BULK_ROWS,
  row: (index) => [index, Buffer.alloc(BULK_BYTES, `${index} `).toString('hex')],
};

export function makeWorld(context: DriverContext): World {
  const world: World = {
    tables: new Map(tables().map((table) => [keyOf(table.ref), table])),
    bulk,
    principals: new Map([['keeper', 'Everything']]),
    notes: new Map([['gate', '{"text":"Shut it."}']]),
    running: new Map(),
    context,
    closed: false,
    async ready({ signal }) {
      if (signal.aborted) throw new DriverError('CANCELLED');
      if (world.closed) throw new DriverError('CONNECTION_LOST', 'The session is closed.');
      const alive = await context.http?.request({ method: 'GET', path: '/alive', signal, repeatable: true });
      await alive?.discard();
      if (alive?.status === 401) throw new DriverError('ACCESS_REFUSED', 'The password was refused.');
      if (alive?.headers['x-orchard'] !== '1') throw new DriverError('BAD_ANSWER', 'Another program answers there.');
      // It may have been closed while the server was asked.
      if (world.closed) throw new DriverError('CONNECTION_LOST', 'The session was closed.');
    },
    table(wanted) {
      const found = world.tables.get(keyOf(wanted));
      if (found === undefined) throw new DriverError('NOT_FOUND', `There is no table “${wanted.name}”.`);
      return found;
    },
  };
  return world;
}

export const knownTables = tables();
export const knownBulk = bulk;
