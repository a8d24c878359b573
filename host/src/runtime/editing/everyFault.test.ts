import type { EditsFacet, PreparedChange, RowChange } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { everyFault, withLacking } from './everyFault.ts';

const never = new AbortController().signal;
const table = { namespace: [], name: 'shelf' };

const update = (values: Readonly<Record<string, string>>): RowChange => ({
  kind: 'update',
  key: ['1'],
  assignments: Object.entries(values).map(([column, value]) => ({ column, value })),
});
const insert = (values: Readonly<Record<string, string>>): RowChange => ({
  kind: 'insert',
  values: Object.entries(values).map(([column, value]) => ({ column, value })),
});

/** A driver that names the first column whose value is `bad`, as drivers do, and refuses a change without a column. */
function driver(more: (change: RowChange) => PreparedChange | undefined = () => undefined): {
  readonly edits: Pick<EditsFacet, 'prepare'>;
  readonly asked: () => number;
} {
  let asked = 0;
  const prepared = (change: RowChange): PreparedChange => {
    const assigned = change.kind === 'insert' ? change.values : change.kind === 'update' ? change.assignments : [];
    const bad = assigned.find(({ value }) => value === 'bad');
    if (bad !== undefined) return { ready: false, message: `${bad.column} is bad.`, column: bad.column };
    if (change.kind === 'update' && assigned.length === 0) return { ready: false, message: 'Nothing is changed.' };
    return more(change) ?? { ready: true, text: 'x', language: 'sql' };
  };
  return {
    edits: {
      prepare: async (_table, changes) => {
        asked += 1;
        return changes.map(prepared);
      },
    },
    asked: () => asked,
  };
}

it('finds every column at fault of each row, in order, and asks once where there is none', async () => {
  const { edits, asked } = driver();
  const changes = [update({ a: 'bad', b: 'good', c: 'bad' }), insert({ a: 'good' }), insert({ x: 'bad', y: 'bad', z: 'bad' })];
  const found = await everyFault(edits, table, changes, never);
  expect(found.map(({ change }) => change)).toMatchObject([{ column: 'a' }, { ready: true }, { column: 'x' }]);
  expect(found.map(({ more }) => more.map(({ column, message }) => [column, message]))).toEqual([
    [['c', 'c is bad.']],
    [],
    [
      ['y', 'y is bad.'],
      ['z', 'z is bad.'],
    ],
  ]);
  const before = asked();
  await everyFault(edits, table, [update({ a: 'good' })], never);
  expect(asked()).toBe(before + 1);
});

it('takes a fault that comes from leaving a column out for none of the row', async () => {
  const { edits } = driver((change) =>
    change.kind === 'insert' && !change.values.some(({ column }) => column === 'a')
      ? { ready: false, message: 'a must have a value.', column: 'a' }
      : undefined,
  );
  expect(await everyFault(edits, table, [insert({ a: 'bad', b: 'good' }), update({ a: 'bad' })], never)).toMatchObject([
    { change: { column: 'a' }, more: [] },
    { change: { column: 'a' }, more: [] },
  ]);
});

it('ends with a driver that names the same column again and again, or none', async () => {
  for (const column of ['a', undefined]) {
    let asked = 0;
    const edits: Pick<EditsFacet, 'prepare'> = {
      prepare: async (_table, changes) => {
        asked += 1;
        return changes.map(() => ({ ready: false, message: 'No.', ...(column === undefined ? {} : { column }) }));
      },
    };
    expect(await everyFault(edits, table, [update({ a: '1', b: '2' })], never)).toMatchObject([{ more: [] }]);
    expect(asked).toBeLessThan(4);
  }
});

it('names at most 20 columns of a row', async () => {
  const { edits } = driver();
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`c${place}`, 'bad']));
  const [found] = await everyFault(edits, table, [update(wide)], never);
  expect(found?.more).toHaveLength(19);
});

it('says beside the values that a row lacks the faults of its other columns', async () => {
  const { edits } = driver();
  const [found] = await everyFault(edits, table, [insert({ a: 'bad', b: 'bad' })], never);
  expect(withLacking(found, ['a', 'n'])).toMatchObject({
    change: { ready: false, message: expect.stringContaining('“a”, “n”') as string },
    more: [{ column: 'b' }],
  });
  expect(withLacking(found, undefined)).toBe(found);
});
