import type { NamespaceSummary } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { namespaceKey } from '../../common/namespaces.ts';
import type { NamespaceNode, NamespaceTree } from '../api/namespaceTree.ts';
import { filteredLines, namespaceLines } from './namespaceLines.ts';
import type { NamespaceLine } from './namespaceLines.ts';

const table = (name: string, ...namespace: string[]) => ({ ref: { namespace, name }, kind: 'table' as const });
const database = (name: string): NamespaceSummary => ({ path: [name], hasNamespaces: true, hasTables: false });
const schema = (...path: string[]): NamespaceSummary => ({ path, hasNamespaces: false, hasTables: true });
const node = (more: Partial<NamespaceNode>): NamespaceNode => ({ isReading: false, namespaces: [], tables: [], ...more });
const treeOf = (...nodes: (readonly [readonly string[], NamespaceNode])[]): NamespaceTree => ({
  initial: [['shop']],
  nodes: new Map(nodes.map(([path, one]) => [namespaceKey(path), one])),
});
const open = (...paths: (readonly string[])[]): ReadonlyMap<string, boolean> =>
  new Map(paths.map((path) => [namespaceKey(path), false]));
const shown = (lines: readonly NamespaceLine[]): readonly string[] =>
  lines.map((line) => {
    const text =
      line.is === 'state' ? `(${line.state})` : line.is === 'table' ? line.label : `${line.isFolded ? '>' : 'v'} ${line.label}`;
    return `${' '.repeat(line.indent)}${text}`;
  });

const LISTED = [table('a', 'shop', 'public'), table('b', 'shop', 'stock')];
const TOP = [[], node({ namespaces: [database('shop'), database('sales'), database('stock')] })] as const;

it('has the list of the connection until its namespaces are there, and all of them folded then', () => {
  expect(shown(namespaceLines(LISTED, treeOf(), new Map()))).toEqual(['v shop', ' v public', ' a', ' v stock', ' b']);
  expect(shown(namespaceLines(LISTED, treeOf(TOP), new Map()))).toEqual([
    ...['v shop', ' v public', ' a', ' v stock', ' b'],
    ...['> sales', '> stock'],
  ]);
});

it('has a database that is unfolded with its schemas, and what is read of them', () => {
  const sales = [['sales'], node({ namespaces: [schema('sales', 'x'), schema('sales', 'y')] })] as const;
  const x = [['sales', 'x'], node({ tables: [table('t', 'sales', 'x')], nextTables: 't' })] as const;
  const lines = namespaceLines(
    [...LISTED, table('t', 'sales', 'x')],
    treeOf(TOP, sales, x),
    open(['sales'], ['sales', 'x'], ['sales', 'y']),
  );
  expect(shown(lines).slice(5)).toEqual(['v sales', ' v x', ' t', ' (more)', ' v y', ' (reading)', '> stock']);
  expect(lines.flatMap((line) => (line.is === 'table' ? [line.place] : []))).toEqual([0, 1, 2]);
});

it('says that a namespace is read, is empty, or why it is not read', () => {
  const problem = { code: 'ACCESS_REFUSED', message: 'No.', advice: '', retryable: false, details: {} } as const;
  const lines = (one: Partial<NamespaceNode>): readonly string[] =>
    shown(namespaceLines(LISTED, treeOf(TOP, [['sales'], node(one)]), open(['sales']))).slice(5, -1);
  expect(lines({ isReading: true })).toEqual(['v sales', '(reading)']);
  expect(lines({})).toEqual(['v sales', '(empty)']);
  expect(lines({ problem })).toEqual(['v sales', '(failed)']);
  expect(lines({ isReading: true, namespaces: [schema('sales', 'x')] })).toEqual(['v sales', ' > x']);
  expect(lines({ namespaces: [schema('sales', 'x')], nextNamespaces: 'x' })).toEqual(['v sales', ' > x', '(more)']);
});

it('says that the database where a person begins has no tables, and that there are more databases', () => {
  const more = [[], node({ namespaces: [database('shop')], nextNamespaces: 'shop' })] as const;
  expect(shown(namespaceLines([], treeOf(more), new Map()))).toEqual(['v shop', '(empty)', '(more)']);
});

it('shows what a filter found below its namespace, and the namespaces of that name that are not read', () => {
  const sales = [['sales'], node({ namespaces: [schema('sales', 'x')] })] as const;
  expect(shown(filteredLines([], treeOf(TOP, sales), 'sales'))).toEqual(['> sales']);
  const unfolded = { folded: open(['sales']), whileFiltered: new Map() };
  expect(shown(filteredLines([], treeOf(TOP, sales), 's', unfolded))).toEqual([
    'v shop',
    '(empty)',
    'v sales',
    ' > x',
    '> stock',
  ]);
  expect(shown(filteredLines([], treeOf(TOP, sales), 'sto'))).toEqual(['> stock']);
  expect(shown(filteredLines(LISTED.slice(0, 1), treeOf(TOP, sales), 'a'))).toEqual(['v shop.public', 'a', '> sales']);
  expect(filteredLines([], treeOf(TOP, sales), 'nothing')).toEqual([]);
});

it('keeps a namespace without tables while a filter finds its name, once it is unfolded', () => {
  const sales = [['sales'], node({ namespaces: [schema('sales', 'x')] })] as const;
  const empty = [['sales', 'x'], node({})] as const;
  const unfolded = { folded: open(['sales'], ['sales', 'x']), whileFiltered: new Map() };
  const lines = ['v sales', ' v x', ' (empty)'];
  expect(shown(filteredLines([], treeOf(TOP, sales, empty), 'sale', unfolded))).toEqual(lines);
  expect(shown(namespaceLines([], treeOf(TOP, sales, empty), unfolded.folded)).slice(2, -1)).toEqual(lines);
  expect(shown(filteredLines([], treeOf(TOP, [['sales'], node({})]), 'sale', unfolded))).toEqual(['v sales', '(empty)']);
});

it('has a heading for all that a filter finds in one namespace, which folds', () => {
  const tables = [table('t', 'sales', 'x')];
  const sales = [['sales'], node({ namespaces: [schema('sales', 'x')] })] as const;
  const tree = treeOf(TOP, sales, [['sales', 'x'], node({ tables })]);
  expect(shown(filteredLines(tables, tree, 't'))).toEqual(['v sales', ' v x', ' t', '> stock']);
  const whileFiltered = new Map([[namespaceKey(['sales']), true]]);
  expect(shown(filteredLines(tables, tree, 't', { folded: new Map(), whileFiltered }))).toEqual(['> sales', '> stock']);
  expect(shown(filteredLines(LISTED.slice(0, 1), treeOf(), 'a'))).toEqual(['v shop.public', 'a']);
  expect(shown(namespaceLines(LISTED.slice(0, 1), treeOf(), new Map()))).toEqual(['v shop.public', 'a']);
});

it('says below a heading that a filter shows that it has more', () => {
  const tables = [table('t', 'sales', 'x')];
  const sales = [['sales'], node({ namespaces: [schema('sales', 'x')] })] as const;
  const tree = treeOf(TOP, sales, [['sales', 'x'], node({ tables, nextTables: 't' })]);
  expect(shown(filteredLines(tables, tree, 'sales'))).toEqual(['v sales', ' v x', ' t', ' (more)']);
});
