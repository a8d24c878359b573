import { expect, it } from 'vitest';
import { tableLines } from './tableLines.ts';

const table = (name: string, ...namespace: string[]) => ({ ref: { namespace, name }, kind: 'table' as const });

it('has no headings where all tables are in one namespace, or in none', () => {
  expect(tableLines([table('a'), table('b')])).toEqual([
    { is: 'table', place: 0, label: 'a' },
    { is: 'table', place: 1, label: 'b' },
  ]);
  expect(tableLines([table('a', 'public'), table('b', 'public')]).map(({ label }) => label)).toEqual(['a', 'b']);
});

it('has a heading before the tables of each namespace, and keeps the places of the tables', () => {
  const lines = tableLines([table('loose'), table('a', 'public'), table('b', 'public'), table('a', 'shop', 'x')]);
  expect(lines.map(({ is, label }) => `${is} ${label}`)).toEqual([
    'table loose',
    'heading public',
    'table a',
    'table b',
    'heading shop.x',
    'table a',
  ]);
  expect(lines.flatMap((line) => (line.is === 'table' ? [line.place] : []))).toEqual([0, 1, 2, 3]);
});
