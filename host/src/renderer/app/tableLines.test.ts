import { expect, it } from 'vitest';
import { tableLines } from './tableLines.ts';
import type { TableLine } from './tableLines.ts';

const table = (name: string, ...namespace: string[]) => ({ ref: { namespace, name }, kind: 'table' as const });
const shown = (lines: readonly TableLine[]): readonly string[] =>
  lines.map((line) => `${' '.repeat(line.indent)}${line.is === 'table' ? '' : line.isFolded ? '> ' : 'v '}${line.label}`);

const SERVER = [
  table('a', 'shop', 'public'),
  table('b', 'shop', 'stock'),
  table('a', 'sales', 'public'),
  table('a', 'x.y', 'z'),
  table('a', 'x', 'y.z'),
];

it('has no headings where all tables are in one namespace, or in none', () => {
  expect(shown(tableLines([table('a'), table('b')]))).toEqual(['a', 'b']);
  expect(shown(tableLines([table('a', 'public'), table('b', 'public')]))).toEqual(['a', 'b']);
  expect(shown(tableLines([table('a', 'shop', 'public')]))).toEqual(['a']);
});

it('has a heading before the tables of each namespace, and keeps the places of the tables', () => {
  const lines = tableLines([table('loose'), table('a', 'public'), table('b', 'public'), table('a', 'shop')]);
  expect(shown(lines)).toEqual(['loose', 'v public', 'a', 'b', 'v shop', 'a']);
  expect(lines.flatMap((line) => (line.is === 'table' ? [line.place] : []))).toEqual([0, 1, 2, 3]);
});

it('puts schemas below the heading of their database, and folds the databases after the first', () => {
  expect(shown(tableLines(SERVER))).toEqual([
    'v shop',
    ' v public',
    ' a',
    ' v stock',
    ' b',
    '> sales.public',
    '> x.y.z',
    '> x.y.z',
  ]);
});

it('folds and unfolds groups by their keys, which are different for different paths', () => {
  const keys = tableLines(SERVER).flatMap((line) => (line.is === 'heading' ? [line.key] : []));
  expect(new Set(keys).size).toBe(keys.length);
  const folded = new Map([
    [JSON.stringify(['shop', 'public']), true],
    [JSON.stringify(['sales']), false],
  ]);
  expect(shown(tableLines(SERVER, folded)).slice(0, 6)).toEqual(['v shop', ' > public', ' v stock', ' b', 'v sales.public', 'a']);
});

it('folds nothing while a filter shows what it found', () => {
  expect(shown(tableLines(SERVER, 'none')).filter((line) => line.includes('>'))).toEqual([]);
});
