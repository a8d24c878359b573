import type { NamespacePage, NamespaceSummary, TablePage, TableSummary } from '@tabularium/sdk';
import { createStore, useStore } from 'zustand';
import { MOST_TABLES_READ, anyNamespace, isInitial, isWithin, namespaceKey } from '../../common/namespaces.ts';
import { foldGroup, isGroupFolded } from './foldedGroups.ts';
import { api } from './client.ts';
import { problemOf, wasAborted } from './problem.ts';
import type { Problem } from './problem.ts';

type Path = readonly string[];

/** One namespace of a connection, as far as it is read. */
export interface NamespaceNode {
  readonly isReading: boolean;
  readonly namespaces: readonly NamespaceSummary[];
  readonly tables: readonly TableSummary[];
  /** Where the next pages begin; absent at the end. */
  readonly nextNamespaces?: string | undefined;
  readonly nextTables?: string | undefined;
  /** Why the last reading failed. */
  readonly problem?: Problem | undefined;
}

/** The namespaces of a connection that lists them when they are asked for. */
export interface NamespaceTree {
  /** The namespaces whose tables are in the list of the connection. */
  readonly initial: readonly Path[];
  /** By their keys; the top has that of an empty path. */
  readonly nodes: ReadonlyMap<string, NamespaceNode>;
  /** How many namespaces were read of how many, while the rest is read. */
  readonly readingRest?: { readonly done: number; readonly all: number } | undefined;
}

const EMPTY: NamespaceNode = { isReading: false, namespaces: [], tables: [] };
const TOP = anyNamespace([]);
const NO_TABLES: readonly TableSummary[] = [];

const store = createStore<ReadonlyMap<string, NamespaceTree>>(() => new Map());
/** Calls that run, by connection and namespace. */
const running = new Map<string, AbortController>();
/** Readings of the rest, by connection. */
const restRunning = new Map<string, AbortController>();

const callKey = (connectionId: string, key: string): string => `${connectionId} ${key}`;

function change(connectionId: string, next: (tree: NamespaceTree) => NamespaceTree): void {
  const trees = store.getState();
  const tree = trees.get(connectionId);
  if (tree !== undefined) store.setState(new Map(trees).set(connectionId, next(tree)), true);
}

function changeNode(connectionId: string, key: string, next: (node: NamespaceNode) => NamespaceNode): void {
  change(connectionId, (tree) => ({ ...tree, nodes: new Map(tree.nodes).set(key, next(tree.nodes.get(key) ?? EMPTY)) }));
}

/** The tree of a connection; undefined where its list has every table. */
export function useNamespaceTree(connectionId: string | undefined): NamespaceTree | undefined {
  return useStore(store, (trees) => (connectionId === undefined ? undefined : trees.get(connectionId)));
}

function namespaceTree(connectionId: string): NamespaceTree | undefined {
  return store.getState().get(connectionId);
}

/** The tables of one tree, computed once for each state of it. */
const tablesByTree = new WeakMap<ReadonlyMap<string, NamespaceNode>, readonly TableSummary[]>();

/** Tables that were read beside those of the connection's list. */
export function readTablesOf(connectionId: string | undefined): readonly TableSummary[] {
  const tree = connectionId === undefined ? undefined : store.getState().get(connectionId);
  if (tree === undefined) return NO_TABLES;
  let found = tablesByTree.get(tree.nodes);
  if (found === undefined) {
    const all: TableSummary[] = [];
    const add = ({ path }: NamespaceSummary): void => {
      const node = isInitial(tree, path) ? undefined : tree.nodes.get(namespaceKey(path));
      if (node === undefined) return;
      all.push(...node.tables);
      node.namespaces.forEach(add);
    };
    add(TOP);
    found = all.length === 0 ? NO_TABLES : all;
    tablesByTree.set(tree.nodes, found);
  }
  return found;
}

export function useReadTables(connectionId: string | undefined): readonly TableSummary[] {
  return useStore(store, () => readTablesOf(connectionId));
}

/** Begins the tree of a connection that was opened, unless it is there. */
export function beginTree(connectionId: string, initial: readonly Path[] | undefined): void {
  // Where a person begins at the top, the list has every table.
  if (initial === undefined || isInitial({ initial }, [])) return;
  const trees = store.getState();
  if (trees.has(connectionId)) return;
  store.setState(new Map(trees).set(connectionId, { initial, nodes: new Map() }), true);
  void readNamespace(connectionId, TOP);
}

/** Forgets what was read of a connection that was closed or is opened again. */
export function forgetTree(connectionId: string): void {
  for (const [key, controller] of running) if (key.startsWith(`${connectionId} `)) controller.abort();
  restRunning.get(connectionId)?.abort();
  const left = new Map(store.getState());
  if (left.delete(connectionId)) store.setState(left, true);
}

/** Whether the tables of a namespace are known: they are in the list, or were read to their end. */
export function isNamespaceRead(tree: NamespaceTree, path: Path): boolean {
  if (isInitial(tree, path)) return true;
  const node = tree.nodes.get(namespaceKey(path));
  return node !== undefined && !node.isReading && node.problem === undefined && node.nextTables === undefined;
}

/** Reads a namespace from its beginning. What was read of it stays until the answer is there. */
export async function readNamespace(connectionId: string, namespace: NamespaceSummary): Promise<void> {
  await read(connectionId, namespace, 'again');
}

/** Reads the next pages of a namespace. */
export async function readMore(connectionId: string, namespace: NamespaceSummary): Promise<void> {
  await read(connectionId, namespace, 'more');
}

/** Stops the reading of a namespace. */
export function stopReading(connectionId: string, path: Path): void {
  running.get(callKey(connectionId, namespaceKey(path)))?.abort();
}

async function read(connectionId: string, namespace: NamespaceSummary, which: 'again' | 'more'): Promise<void> {
  const { path, hasNamespaces, hasTables } = namespace;
  const key = namespaceKey(path);
  const call = callKey(connectionId, key);
  running.get(call)?.abort();
  const controller = new AbortController();
  running.set(call, controller);
  const { signal } = controller;
  const before = namespaceTree(connectionId)?.nodes.get(key) ?? EMPTY;
  const isMore = which === 'more';
  // A second page that was open stays open.
  const least = (entries: readonly unknown[]): number => (isMore ? 1 : Math.max(1, entries.length));
  changeNode(connectionId, key, (node) => ({ ...node, isReading: true, problem: undefined }));
  const request = (after: string | undefined) => ({
    connectionId,
    namespace: [...path],
    ...(after === undefined ? {} : { after }),
  });
  try {
    const spaces = await readPages<NamespaceSummary>(
      hasNamespaces && !(isMore && before.nextNamespaces === undefined),
      isMore ? before.nextNamespaces : undefined,
      least(before.namespaces),
      async (after) => {
        const { namespaces, next }: NamespacePage = await api.tables.namespaces.query(request(after), { signal });
        return { entries: namespaces, next };
      },
    );
    const tables = await readPages<TableSummary>(
      hasTables && !(isMore && before.nextTables === undefined),
      isMore ? before.nextTables : undefined,
      least(before.tables),
      async (after) => {
        const { tables: entries, next }: TablePage = await api.tables.inNamespace.query(request(after), { signal });
        return { entries, next };
      },
    );
    if (running.get(call) !== controller) return;
    changeNode(connectionId, key, (node) => ({
      isReading: false,
      namespaces: joined(isMore ? node.namespaces : [], spaces.entries, (one) => namespaceKey(one.path)),
      tables: joined(isMore ? node.tables : [], tables.entries, ({ ref }) => ref.name),
      nextNamespaces: spaces.next,
      nextTables: tables.next,
    }));
    unfoldOnly(connectionId, path);
  } catch (error) {
    if (running.get(call) !== controller) return;
    const problem = wasAborted(error, signal) ? undefined : problemOf(error);
    changeNode(connectionId, key, (node) => ({ ...node, isReading: false, problem }));
    // A reading that was stopped leaves the namespace as one that isn't read.
    if (
      problem === undefined &&
      node(connectionId, key)?.namespaces.length === 0 &&
      node(connectionId, key)?.tables.length === 0
    ) {
      change(connectionId, (tree) => ({ ...tree, nodes: new Map([...tree.nodes].filter(([one]) => one !== key)) }));
      if (path.length > 0) foldGroup(connectionId, key, true);
    }
  } finally {
    if (running.get(call) === controller) running.delete(call);
  }
}

const node = (connectionId: string, key: string): NamespaceNode | undefined => namespaceTree(connectionId)?.nodes.get(key);

/** A namespace that has a single one in it, and no table: a person who unfolds the outer one looks for what is in it. */
function unfoldOnly(connectionId: string, path: Path): void {
  const tree = namespaceTree(connectionId);
  const read = tree?.nodes.get(namespaceKey(path));
  const [only, ...more] = read?.namespaces ?? [];
  if (tree === undefined || read === undefined || path.length === 0 || only === undefined) return;
  const key = namespaceKey(only.path);
  if (more.length > 0 || read.tables.length > 0 || read.nextNamespaces !== undefined || tree.nodes.has(key)) return;
  foldGroup(connectionId, key, false);
  void readNamespace(connectionId, only);
}

interface ReadPages<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
}

async function readPages<Entry>(
  isWanted: boolean,
  after: string | undefined,
  least: number,
  page: (after: string | undefined) => Promise<ReadPages<Entry>>,
): Promise<ReadPages<Entry>> {
  if (!isWanted) return { entries: [], next: after };
  const entries: Entry[] = [];
  let next = after;
  do {
    const found = await page(next);
    entries.push(...found.entries);
    next = found.next;
  } while (next !== undefined && entries.length < least);
  return { entries, next };
}

/** Pages of a list that changes between them may have an entry twice. */
function joined<Entry>(before: readonly Entry[], more: readonly Entry[], keyOf: (entry: Entry) => string): readonly Entry[] {
  return [...new Map([...before, ...more].map((entry) => [keyOf(entry), entry])).values()];
}

/** Reads again what is unfolded; what is folded is read when it is unfolded. */
export async function rereadTree(connectionId: string): Promise<void> {
  const tree = namespaceTree(connectionId);
  if (tree === undefined) return;
  await readNamespace(connectionId, TOP);
  const again = async ({ namespaces }: NamespaceNode): Promise<void> => {
    for (const one of namespaces) {
      const key = namespaceKey(one.path);
      const known = namespaceTree(connectionId)?.nodes.get(key);
      if (known === undefined) continue;
      if (isGroupFolded(connectionId, key) !== false) dropWithin(connectionId, one.path);
      else {
        await readNamespace(connectionId, one);
        const read = namespaceTree(connectionId)?.nodes.get(key);
        if (read !== undefined) await again(read);
      }
    }
  };
  const top = namespaceTree(connectionId)?.nodes.get(namespaceKey([]));
  if (top === undefined || top.problem !== undefined) return;
  const there = (path: Path): boolean => path.length === 0 || top.namespaces.some((one) => isWithin(path, one.path));
  change(connectionId, (now) => ({ ...now, nodes: new Map([...now.nodes].filter(([key]) => there(namespaceOfKey(key)))) }));
  await again(top);
}

/** The names of a key. */
export function namespaceOfKey(key: string): Path {
  const names: unknown = JSON.parse(key);
  return Array.isArray(names) ? names.map(String) : [];
}

function dropWithin(connectionId: string, path: Path): void {
  change(connectionId, (tree) => ({
    ...tree,
    nodes: new Map([...tree.nodes].filter(([key]) => !isWithin(namespaceOfKey(key), path))),
  }));
}

/** Namespaces that are known and not read to their end, each with what is to be read of it. */
function unreadOf(tree: NamespaceTree): readonly (readonly [NamespaceSummary, 'again' | 'more'])[] {
  const found: (readonly [NamespaceSummary, 'again' | 'more'])[] = [];
  const look = (namespace: NamespaceSummary): void => {
    const { path } = namespace;
    if (isInitial(tree, path)) return;
    const read = tree.nodes.get(namespaceKey(path));
    if (read === undefined || (read.problem !== undefined && read.namespaces.length + read.tables.length === 0))
      found.push([namespace, 'again']);
    else {
      if (read.nextNamespaces !== undefined || read.nextTables !== undefined) found.push([namespace, 'more']);
      read.namespaces.forEach(look);
    }
  };
  look(TOP);
  return found;
}

/** Namespaces whose list of namespaces or tables has further pages. */
export function partlyRead(tree: NamespaceTree): readonly Path[] {
  return unreadOf(tree).flatMap(([{ path }, which]) => (which === 'more' ? [path] : []));
}

/** Whether a connection has tables that may be found and aren't read. */
export function hasUnread(tree: NamespaceTree): boolean {
  return unreadOf(tree).length > 0;
}

/** Reads every namespace that isn't read, until it is stopped. One that can't be read has its reason, and doesn't keep the others from it. */
export async function readRest(connectionId: string): Promise<void> {
  if (restRunning.has(connectionId)) return;
  const controller = new AbortController();
  restRunning.set(connectionId, controller);
  const tried = new Set<string>();
  let done = 0;
  const next = (): readonly [NamespaceSummary, 'again' | 'more'] | undefined => {
    const tree = namespaceTree(connectionId);
    if (tree === undefined || controller.signal.aborted || readTablesOf(connectionId).length >= MOST_TABLES_READ)
      return undefined;
    const left = unreadOf(tree).filter(([{ path }]) => !tried.has(namespaceKey(path)));
    change(connectionId, (now) => ({ ...now, readingRest: { done, all: done + left.length } }));
    return left[0];
  };
  try {
    for (let one = next(); one !== undefined; one = next()) {
      const [namespace, which] = one;
      const key = namespaceKey(namespace.path);
      const stop = (): void => stopReading(connectionId, namespace.path);
      controller.signal.addEventListener('abort', stop, { once: true });
      await read(connectionId, namespace, which);
      controller.signal.removeEventListener('abort', stop);
      const after = node(connectionId, key);
      // One with further pages is read on.
      if (after === undefined || after.problem !== undefined) tried.add(key);
      if (after?.nextNamespaces === undefined && after?.nextTables === undefined) done += 1;
    }
  } finally {
    restRunning.delete(connectionId);
    change(connectionId, (tree) => ({ ...tree, readingRest: undefined }));
  }
}

export function stopRest(connectionId: string): void {
  restRunning.get(connectionId)?.abort();
}
