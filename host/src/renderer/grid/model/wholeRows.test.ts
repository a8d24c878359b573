import { ABSENT } from '@tabularium/sdk';
import type { PageCell, RowBatch, RowKey } from '@tabularium/sdk';
import { describe, expect, it, vi } from 'vitest';
import { windowProblem } from '../../api/problem.ts';
import type { GridRow } from './gridRow.ts';
import { WholeRows, isWhole, keyOfRow, wholeCell } from './wholeRows.ts';

const never = new AbortController().signal;
const UNREAD: PageCell = ['unread', { dimensions: 3 }];
const columns = ['id', 'name', 'vector', 'note'];
const row = (id: string): GridRow => [id, `name ${id}`, UNREAD, UNREAD];

/** The database's rows: a vector for every row; a note for none. */
const stored = async (keys: readonly RowKey[], names: readonly string[]): Promise<RowBatch> => ({
  columns: names.map((name) => ({ name, kind: 'text' })),
  rows: keys.map(([id]) => names.map((name) => (name === 'id' ? (id ?? null) : name === 'note' ? ABSENT : `[${String(id)}]`))),
});

describe('rows that are read whole', () => {
  it('have the values that were asked for, in their own order, and keep other placeholders', async () => {
    const readRows = vi.fn(async (keys: readonly RowKey[], names: readonly string[]) => stored(keys.toReversed(), names));
    const whole = new WholeRows({ columns, key: ['id'], readRows });
    const rows = [row('a'), ['b', 'name b', 'here', 'note'], row('c')] satisfies GridRow[];
    expect(await whole.read(rows, [2], never)).toEqual([
      ['a', 'name a', '[a]', UNREAD],
      ['b', 'name b', 'here', 'note'],
      ['c', 'name c', '[c]', UNREAD],
    ]);
    expect(readRows).toHaveBeenCalledExactlyOnceWith([['a'], ['c']], ['id', 'vector'], never);
  });

  it('ask for nothing where nothing is missing', async () => {
    const readRows = vi.fn(stored);
    const rows = [row('a')];
    expect(await new WholeRows({ columns, key: ['id'], readRows }).read(rows, [0, 1], never)).toBe(rows);
    expect(readRows).not.toHaveBeenCalled();
  });

  it('hold absent where the row has no such field', async () => {
    const whole = new WholeRows({ columns, key: ['id'], readRows: stored });
    expect(await whole.read([row('a')], [2, 3], never)).toEqual([['a', 'name a', '[a]', ABSENT]]);
  });

  it('come a hundred at a time, and fewer where a hundred are too large for one answer', async () => {
    const sizes: number[] = [];
    const readRows = async (keys: readonly RowKey[], names: readonly string[]): Promise<RowBatch> => {
      sizes.push(keys.length);
      if (keys.length > 30) throw windowProblem('TOO_LARGE', 'The answer is too large.', 'Ask for fewer.');
      return stored(keys, names);
    };
    const rows = Array.from({ length: 120 }, (_unused, index) => row(String(index)));
    const read = await new WholeRows({ columns, key: ['id'], readRows }).read(rows, [2], never);
    expect(read.map((cells) => cells[2])).toEqual(rows.map((_row, index) => `[${index}]`));
    expect(sizes).toEqual([100, 50, 25, 25, 50, 25, 25, 20]);
  });

  it('fail for a single row that is too large, and for one that is gone, instead of giving a placeholder', async () => {
    const tooLarge = new WholeRows({
      columns,
      key: ['id'],
      readRows: () => Promise.reject(windowProblem('TOO_LARGE', 'The answer is too large.', '')),
    });
    await expect(tooLarge.read([row('a')], [2], never)).rejects.toThrow('too large');
    const gone = new WholeRows({ columns, key: ['id'], readRows: async (_keys, names) => stored([], names) });
    await expect(gone.read([row('a')], [2], never)).rejects.toMatchObject({ report: { code: 'NOT_FOUND' } });
    const keyless = new WholeRows({ columns, key: [], readRows: stored });
    await expect(keyless.read([row('a')], [2], never)).rejects.toMatchObject({ report: { code: 'NOT_FOUND' } });
  });

  it('are not asked for once the command was stopped', async () => {
    const readRows = vi.fn(stored);
    const whole = new WholeRows({ columns, key: ['id'], readRows });
    await expect(whole.read([row('a')], [2], AbortSignal.abort())).rejects.toThrow();
    expect(readRows).not.toHaveBeenCalled();
  });
});

it('a placeholder never passes for a value or a key', () => {
  expect(() => wholeCell(UNREAD)).toThrow();
  expect(wholeCell('text')).toBe('text');
  expect(keyOfRow([UNREAD, 'a'], [0])).toBeUndefined();
  expect(keyOfRow(['id', UNREAD], [0])).toEqual(['id']);
  expect(keyOfRow(['id'], [])).toBeUndefined();
  expect(isWhole([UNREAD, 'a'], [1])).toBe(true);
  expect(isWhole([UNREAD, 'a'], [0, 1])).toBe(false);
});
