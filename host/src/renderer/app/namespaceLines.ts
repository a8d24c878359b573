import type { NamespaceSummary, TableSummary } from '@tabularium/sdk';
import { anyNamespace, isInitial, isWithin, namespaceKey } from '../../common/namespaces.ts';
import type { NamespaceNode, NamespaceTree } from '../api/namespaceTree.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { groupLines, tableLines } from './tableLines.ts';
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
    const list = tableLines(tables, folded);
    return top?.problem === undefined ? list : [...list, { is: 'state', state: 'failed', namespace: TOP, indent: 0 }];
  }
  const places = new Map(tables.map(({ ref }, place) => [workspaceTableKey(ref), place]));
  return inNamespace(TOP, top, 0, { tree, folded, placed, places });
}

/** While a filter shows what it found: its tables, and the namespaces with a matching name that aren't read, folded. */
export function filteredLines(tables: readonly TableSummary[], tree: NamespaceTree, wanted: string): readonly NamespaceLine[] {
  const unread: NamespaceLine[] = [];
  const look = ({ namespaces }: NamespaceNode): void => {
    for (const namespace of namespaces) {
      const { path } = namespace;
      if (isInitial(tree, path)) continue;
      const key = namespaceKey(path);
      const node = tree.nodes.get(key);
      const label = path.join('.');
      if (node !== undefined && node.problem === undefined && !node.isReading) look(node);
      else if (label.toLocaleLowerCase().includes(wanted)) {
        const isFolded = node === undefined;
        unread.push({ is: 'heading', key, label, indent: 0, isFolded, namespace });
        if (node !== undefined) unread.push(...stateOf(namespace, node, 1));
      }
    }
  };
  const top = tree.nodes.get(namespaceKey([]));
  if (top !== undefined) look(top);
  return [...tableLines(tables, 'none'), ...unread];
}

interface Shown {
  readonly tree: NamespaceTree;
  readonly folded: Folded;
  readonly placed: readonly Placed[];
  /** Of the tables, by their keys. */
  readonly places: ReadonlyMap<string, number>;
}

function inNamespace(namespace: NamespaceSummary, node: NamespaceNode, indent: number, shown: Shown): readonly NamespaceLine[] {
  const tables = node.tables.flatMap(({ ref }): readonly NamespaceLine[] => {
    const place = shown.places.get(workspaceTableKey(ref));
    return place === undefined ? [] : [{ is: 'table', place, label: ref.name, indent: Math.max(0, indent - 1) }];
  });
  return [...tables, ...node.namespaces.flatMap((one) => ofNamespace(one, indent, shown)), ...stateOf(namespace, node, indent)];
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
