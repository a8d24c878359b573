import type { NamespaceSummary, TableSummary } from '@tabularium/sdk';
import { anyNamespace, isInitial, isWithin, namespaceKey } from '../../common/namespaces.ts';
import type { NamespaceNode, NamespaceTree } from '../api/namespaceTree.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { groupLines } from './tableLines.ts';
import type { Placed, TableLine } from './tableLines.ts';

/** How far a namespace is read: it is read, reading it failed, it has further pages, or nothing is in it. */
export type NamespaceState = 'reading' | 'failed' | 'more' | 'empty';

/** A line of the tree: one of the list of tables, or the state of the namespace that it is in. */
export type NamespaceLine =
  | TableLine
  | {
      readonly is: 'state';
      readonly state: NamespaceState;
      readonly namespace: NamespaceSummary;
      readonly indent: number;
    };

type Folded = ReadonlyMap<string, boolean>;

const TOP = anyNamespace([]);

/**
 * The namespaces of a connection that lists them when they are asked for, with the tables of those that are read and unfolded.
 *
 * @param tables - those of the connection's list, and those that were read
 */
export function namespaceLines(tables: readonly TableSummary[], tree: NamespaceTree, folded: Folded): readonly NamespaceLine[] {
  const top = tree.nodes.get(namespaceKey([]));
  const placed = tables.map(({ ref }, place): Placed => ({ place, path: ref.namespace, name: ref.name }));
  if (top === undefined || top.namespaces.length === 0) {
    const list = groupLines(placed, 0, 0, folded);
    return top?.problem === undefined ? list : [...list, { is: 'state', state: 'failed', namespace: TOP, indent: 0 }];
  }
  const places = new Map(tables.map(({ ref }, place) => [workspaceTableKey(ref), place]));
  return inNamespace(TOP, top, 0, { tree, folded, placed, places });
}

/**
 * While a filter shows what it found: its tables, each below the namespace that it is in, and the namespaces with a matching name. A heading with a match in it
 * is unfolded.
 *
 * @param tables - those that match
 * @param folds - the namespaces that were folded and unfolded, with `whileFiltered` those of them since the filter has its text
 */
export function filteredLines(
  tables: readonly TableSummary[],
  tree: NamespaceTree,
  wanted: string,
  folds: { readonly folded: Folded; readonly whileFiltered: Folded } = { folded: new Map(), whileFiltered: new Map() },
): readonly NamespaceLine[] {
  const placed = tables.map(({ ref }, place): Placed => ({ place, path: ref.namespace, name: ref.name }));
  const top = tree.nodes.get(namespaceKey([]));
  const { folded, whileFiltered } = folds;
  if (top === undefined || top.namespaces.length === 0) return groupLines(placed, 0, 0, whileFiltered);
  const places = new Map(tables.map(({ ref }, place) => [workspaceTableKey(ref), place]));
  return foundInside(TOP, top, 0, { tree, folded, placed, places, wanted, whileFiltered });
}

interface Found extends Shown {
  readonly wanted: string;
  readonly whileFiltered: Folded;
}

function foundInside(namespace: NamespaceSummary, node: NamespaceNode, indent: number, found: Found): readonly NamespaceLine[] {
  const lines = [...tablesOf(node, indent, found), ...node.namespaces.flatMap((one) => foundNamespace(one, indent, found))];
  // How far it is read matters for one that is shown.
  return lines.length > 0 || isNamed(namespace, found) ? [...lines, ...stateOf(namespace, node, indent)] : [];
}

function foundNamespace(namespace: NamespaceSummary, indent: number, found: Found): readonly NamespaceLine[] {
  const { path } = namespace;
  const { tree, placed, folded, whileFiltered } = found;
  const key = namespaceKey(path);
  const label = path.at(-1) ?? '';
  if (isInitial(tree, path)) {
    const inside = placed.filter((one) => isWithin(one.path, path));
    if (inside.length > 0) return groupLines(inside, path.length - 1, indent, whileFiltered);
    if (!isNamed(namespace, found)) return [];
    const isFolded = whileFiltered.get(key) ?? false;
    const heading = { is: 'heading', key, label, indent, isFolded } as const;
    return isFolded ? [heading] : [heading, { is: 'state', state: 'empty', namespace, indent }];
  }
  const node = tree.nodes.get(key);
  const inside = node === undefined ? [] : foundInside(namespace, node, indent + 1, found);
  if (inside.length === 0 && !isNamed(namespace, found)) return [];
  const hasTable = inside.some(({ is }) => is === 'table');
  const isFolded = node === undefined || (whileFiltered.get(key) ?? (!hasTable && (folded.get(key) ?? true)));
  const heading = { is: 'heading', key, label, indent, isFolded, namespace } as const;
  return isFolded ? [heading] : [heading, ...inside];
}

function isNamed({ path }: NamespaceSummary, { wanted }: Found): boolean {
  return path.length > 0 && path.join('.').toLocaleLowerCase().includes(wanted);
}

interface Shown {
  readonly tree: NamespaceTree;
  readonly folded: Folded;
  readonly placed: readonly Placed[];
  /** Of the tables, by their keys. */
  readonly places: ReadonlyMap<string, number>;
}

function inNamespace(namespace: NamespaceSummary, node: NamespaceNode, indent: number, shown: Shown): readonly NamespaceLine[] {
  const tables = tablesOf(node, indent, shown);
  return [...tables, ...node.namespaces.flatMap((one) => ofNamespace(one, indent, shown)), ...stateOf(namespace, node, indent)];
}

function tablesOf(node: NamespaceNode, indent: number, shown: Shown): readonly NamespaceLine[] {
  return node.tables.flatMap(({ ref }): readonly NamespaceLine[] => {
    const place = shown.places.get(workspaceTableKey(ref));
    return place === undefined ? [] : [{ is: 'table', place, label: ref.name, indent: Math.max(0, indent - 1) }];
  });
}

function ofNamespace(namespace: NamespaceSummary, indent: number, shown: Shown): readonly NamespaceLine[] {
  const { path } = namespace;
  const key = namespaceKey(path);
  const label = path.at(-1) ?? '';
  if (isInitial(shown.tree, path)) {
    const inside = shown.placed.filter((one) => isWithin(one.path, path));
    if (inside.length > 0) return groupLines(inside, path.length - 1, indent, shown.folded);
    const isFolded = shown.folded.get(key) ?? false;
    const heading = { is: 'heading', key, label, indent, isFolded } as const;
    return isFolded ? [heading] : [heading, { is: 'state', state: 'empty', namespace, indent }];
  }
  // A namespace where a person begins may be within it.
  const isFolded = shown.folded.get(key) ?? !shown.tree.initial.some((one) => isWithin(one, path));
  const heading = { is: 'heading', key, label, indent, isFolded, namespace } as const;
  if (isFolded) return [heading];
  const node = shown.tree.nodes.get(key);
  if (node === undefined) return [heading, { is: 'state', state: 'reading', namespace, indent }];
  return [heading, ...inNamespace(namespace, node, indent + 1, shown)];
}

function stateOf(namespace: NamespaceSummary, node: NamespaceNode, indent: number): readonly NamespaceLine[] {
  const state = ((): NamespaceState | undefined => {
    const hasMore = node.nextNamespaces !== undefined || node.nextTables !== undefined;
    const isEmpty = node.namespaces.length === 0 && node.tables.length === 0;
    if (node.problem !== undefined) return 'failed';
    // Entries that are read again stay as they are until the answer is there.
    if (node.isReading) return isEmpty || hasMore ? 'reading' : undefined;
    if (hasMore) return 'more';
    return isEmpty ? 'empty' : undefined;
  })();
  return state === undefined ? [] : [{ is: 'state', state, namespace, indent: Math.max(0, indent - 1) }];
}
