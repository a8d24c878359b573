import type { Cell, PageRequest, TableDescription } from '@tabularium/sdk';
import { ABSENT, DriverError, encodeBatch } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

const HATS = 2_500;
const COLUMNS = [
  { name: 'size', kind: 'integer' as const },
  { name: 'name', kind: 'text' as const },
  { name: 'tags', kind: 'json' as const },
];

let machine: FakeMachine;
let asked: PageRequest[];
let paging: TableDescription['paging'];
let total: { rows: number; exact: boolean } | undefined;

const rowOf = (index: number): Cell[] => [
  index === 0 ? '9007199254740993' : index,
  index === 1 ? ABSENT : `Hat ${index}`,
  index === 2 ? null : '["wool", 1.50]',
];

beforeEach(async () => {
  machine = await FakeMachine.create();
  asked = [];
  paging = 'offset';
  total = { rows: HATS, exact: true };
  machine.database.tables = [{ ref: { namespace: ['attic'], name: 'hats' }, kind: 'table' }];
  machine.database.describeTable = async (ref) => ({
    ref,
    kind: 'table',
    columns: COLUMNS.map((column) => ({
      ...column,
      type: column.kind,
      nullable: true,
      editable: { allowed: true },
      sortable: { allowed: true },
    })),
    key: ['size'],
    paging,
    readsFromEnd: false,
    notes: [],
  });
  machine.database.readPage = async (request) => {
    asked.push(request);
    if (request.filter.raw === 'nonsense') throw new DriverError('INVALID_INPUT', 'The filter is not understood.');
    const { position } = request;
    const from = position.from === 'offset' ? position.offset : position.from === 'cursor' ? Number(position.cursor) : 0;
    const count = Math.min(request.limit, HATS - from);
    const columns = COLUMNS.filter(({ name }) => request.columns?.includes(name) ?? true);
    const rows = Array.from({ length: count }, (_, index) =>
      rowOf(from + index).filter((_cell, column) => columns.some(({ name }) => name === COLUMNS[column]?.name)),
    );
    const atEnd = from + count >= HATS;
    return {
      rowCount: count,
      atEnd,
      ...(paging === 'cursor' && !atEnd ? { nextCursor: String(from + count) } : {}),
      ...(total === undefined ? {} : { total }),
      droppedSorts: request.sorts
        .filter(({ column }) => column === 'tags')
        .map(({ column }) => ({ column, reason: 'Lists have no order.' })),
      batch: encodeBatch({ columns, rows }),
    };
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'S', '--access-key-env', 'K'], { env: { K: 'k' } });
});
afterEach(() => machine[Symbol.asyncDispose]());

const words = (...more: string[]): string[] => ['rows', 's', 'hats', ...more];

describe('tabularium rows', () => {
  it('prints rows as lists, exactly, with the total', async () => {
    const { out, err, code } = await machine.run([...words('--limit', '3'), '--json']);
    expect([code, err]).toEqual([0, '']);
    // Digit for digit: no parser may be between.
    expect(out).toContain('[9007199254740993,"Hat 0",["wool",1.50]]');
    expect(JSON.parse(out)).toMatchObject({
      columns: ['size', 'name', 'tags'],
      rows: [expect.anything(), [1, null, ['wool', 1.5]], [2, 'Hat 2', null]],
      total: HATS,
    });
    expect(asked).toMatchObject([{ table: { namespace: ['attic'], name: 'hats' }, limit: 3, filter: { conditions: [] } }]);
  });

  it('prints a table for people, and says beside it how many there are', async () => {
    const { out, err } = await machine.run(words('--limit', '2', '--columns', 'name,size'));
    expect(out).toMatch(/^name +size\n/i);
    expect(out).toContain('9007199254740993');
    expect(err).toBe(`2 of ${HATS} rows\n`);
    total = { rows: HATS, exact: false };
    expect((await machine.run(words('--limit', '2'))).err).toBe(`2 of about ${HATS} rows\n`);
    total = undefined;
    expect((await machine.run(words('--limit', '2'))).err).toBe('2 rows, and there are more\n');
    expect(await machine.json(words('--limit', '1'))).toMatchObject({ total: null });
  });

  it.each(['offset', 'cursor'] as const)('reads on over pages by %s, each row once', async (kind) => {
    paging = kind;
    const answer = (await machine.json(words('--limit', '10000', '--columns', 'name'))) as { rows: unknown[][] };
    expect(answer.rows).toHaveLength(HATS);
    expect(new Set(answer.rows.map(([name]) => name)).size).toBe(HATS);
    expect(asked.map(({ limit }) => limit)).toEqual([1_000, 1_000, 1_000]);
  });

  it('sends filter and sorts in their order, and takes colons in names', async () => {
    await machine.run(words('--filter', 'size > 1', '--sort', 'name:DESC', '--sort', 'size', '--sort', 'a:b', '--sort', 'c:asc'));
    expect(asked).toMatchObject([
      {
        filter: { raw: 'size > 1' },
        sorts: [
          { column: 'name', direction: 'descending' },
          { column: 'size', direction: 'ascending' },
          { column: 'a:b', direction: 'ascending' },
          { column: 'c', direction: 'ascending' },
        ],
      },
    ]);
  });

  it.each([
    [['--sort', 'tags'], /cannot be sorted by "tags": Lists have no order\..*Leave out this --sort/s],
    [['--columns', 'colour'], /There is no column "colour"\..*The columns are: size, name, tags\./s],
    [['--filter', 'nonsense'], /The filter is not understood/],
    [['--limit', '0'], /--limit takes a whole number from 1 to 10000/],
    [['--limit', '10001'], /--limit takes a whole number from 1 to 10000/],
    [['--columns', 'a,,b'], /--columns takes names/],
    [['--sort', ':desc'], /--sort takes the name of a column/],
  ])('refuses %j before it prints anything', async (more, says) => {
    const { code, out, err } = await machine.run(words(...more));
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toMatch(says);
  });
});
