import type { Page, PageCell, PageRequest, Session, TableDescription } from '@tabularium/sdk';
import { ABSENT, DriverError, encodeBatch } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenSession } from '../../data/sessions.ts';
import { profileTable } from './profileTable.ts';
import type { ToolContext } from './tool.ts';

const ROWS = 1_000;
const cells = (index: number): PageCell[] => [
  String(9_007_199_254_740_993n + BigInt(index)),
  index % 4 === 0 ? ABSENT : (['red', 'blue', 'red'][index % 3] ?? 'red'),
  index % 2 === 0 ? null : index / 2,
  ['unread', { dimensions: 3 }],
];
const COLUMNS = [
  { name: 'id', kind: 'integer' as const, sortable: true },
  { name: 'colour', kind: 'text' as const, sortable: true },
  { name: 'constructor', kind: 'decimal' as const, sortable: true },
  { name: 'vector', kind: 'json' as const, sortable: false },
];

let asked: PageRequest[];
let failing: string | undefined;
let description: TableDescription;

beforeEach(() => {
  asked = [];
  failing = undefined;
  description = {
    ref: { namespace: [], name: 'things' },
    kind: 'table',
    columns: COLUMNS.map(({ name, kind, sortable }) => ({
      ...{ name, kind, type: kind, nullable: true, editable: { allowed: true as const } },
      sortable: sortable ? { allowed: true as const } : { allowed: false as const, reason: 'It is a vector.' },
    })),
    key: ['id'],
    paging: 'offset',
    readsFromEnd: false,
    notes: [],
  };
});

async function readPage(request: PageRequest): Promise<Page> {
  asked.push(request);
  const [sort] = request.sorts;
  if (sort !== undefined && sort.column === failing) throw new DriverError('SERVER_ERROR', 'It does not sort today.');
  const columns = COLUMNS.filter(({ name }) => request.columns?.includes(name) ?? true);
  const first = sort?.direction === 'descending' ? ROWS - 1 : 1;
  const rows = Array.from({ length: Math.min(request.limit, ROWS) }, (_, index) =>
    cells(first + index).filter((_cell, column) => columns.some(({ name }) => name === COLUMNS[column]?.name)),
  );
  return {
    ...{ rowCount: rows.length, atEnd: false, droppedSorts: [] },
    batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: rows }),
  };
}

const session = {
  describeTable: () => Promise.resolve(description),
  countRows: () => Promise.resolve({ rows: ROWS, exact: true }),
  readPage,
  rows: {},
} as unknown as Session;
const context = {
  signal: new AbortController().signal,
  timeLimit: () => undefined,
  withConnection: (_named: string, _action: object, work: (open: OpenSession) => Promise<unknown>) =>
    work({ session, manifest: { filtering: { classes: {} } } as Manifest } as OpenSession),
} as unknown as ToolContext;
const profile = (args: object = {}) => profileTable.call({ connection: 'C', table: 'things', ...args }, context);

describe('profile_table', () => {
  it('counts what is filled and different in a sample, and asks the database for the ends', async () => {
    expect(await profile()).toEqual({
      rows: ROWS,
      sampledRows: 250,
      columns: [
        {
          name: 'id',
          filled: 250,
          distinct: 250,
          examples: ['9007199254740994', '9007199254740995', '9007199254740996'],
          min: '9007199254740994',
          max: '9007199254741992',
        },
        { name: 'colour', filled: 188, distinct: 2, examples: ['red', 'blue'] },
        { name: 'constructor', filled: 125, distinct: 125, examples: [0.5, 1.5, 2.5], min: 0.5, max: 499.5 },
        { name: 'vector', filled: 250, distinct: 1, examples: ['(a long value)'] },
      ],
    });
    // Neither a vector nor a long value is read for it.
    expect(asked[0]?.placeholders).toBeDefined();
    expect(asked.slice(1).every(({ limit, columns }) => limit === 1 && (columns?.length ?? 9) <= 2)).toBe(true);
  });

  it('leaves out the ends that cannot be asked for', async () => {
    failing = 'constructor';
    const { columns } = (await profile({ columns: ['constructor'] })) as { columns: object[] };
    expect(columns).toEqual([{ name: 'constructor', filled: 125, distinct: 125, examples: [0.5, 1.5, 2.5] }]);
  });

  it('asks for the ends of a bounded number of columns, and says so', async () => {
    const wide = Array.from({ length: 40 }, (_, index) => ({ ...description.columns[2], name: `n${index}` }));
    description = { ...description, columns: wide as TableDescription['columns'] };
    const { notes } = (await profile()) as { notes: string[] };
    expect(notes).toEqual(['min and max were asked of the first 12 of 40 columns that have them. Name the columns you need.']);
    expect(asked).toHaveLength(1 + 2 * 12);
  });

  it('refuses a column that there is not, with the nearest name', async () => {
    await expect(profile({ columns: ['color'] })).rejects.toMatchObject({
      message: 'There is no column "color".',
      advice: 'Did you mean "colour"? The columns are: id, colour, constructor, vector.',
    });
  });
});
