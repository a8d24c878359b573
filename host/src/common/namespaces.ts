import { DriverError } from '@tabularium/sdk';
import type { NamespacePage, NamespaceSummary, TablePage, TableRef, TableSummary } from '@tabularium/sdk';
import { listCursorSchema, namespaceSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';

type Path = TableRef['namespace'];

/** Entries of a page that the host asks a driver for. */
export const NAMESPACE_PAGE = 500;
/** Tables of a connection that are read at most, and namespaces of one list: as many as a driver lists at once. */
export const MOST_TABLES_READ = 100_000;

/** Which page of a list of namespaces or tables is asked for. */
export const namespacePageRequestSchema = z.object({
  connectionId: z.uuid(),
  /** Empty: the top. */
  namespace: namespaceSchema,
  /** The `next` of the page before. */
  after: listCursorSchema.optional(),
});

/** Lists what is in a namespace, a page at a time. */
export interface NamespaceLister {
  /** The namespaces whose tables the list of the connection has. */
  readonly initial: readonly Path[];
  namespaces(parent: Path, after: string | undefined): Promise<NamespacePage>;
  tables(namespace: Path, after: string | undefined): Promise<TablePage>;
}

/** Whether a path begins with another one, or is it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.every((name, depth) => path[depth] === name);
}

/** Whether the list of the connection has the tables of a namespace, with all that are in it. */
export function isInitial({ initial }: Pick<NamespaceLister, 'initial'>, path: Path): boolean {
  return initial.some((one) => isWithin(path, one));
}

export const namespaceKey = (path: Path): string => JSON.stringify(path);

/** A list that is longer than what is read of it. */
export interface CutList {
  readonly namespace: Path;
  readonly list: 'namespaces' | 'tables';
  /** Entries that were read. */
  readonly read: number;
}

/** How far lists are read. */
export interface ListBounds {
  /** Entries of one list. */
  readonly most?: number;
  /** Called with each list that has more. */
  readonly onCut?: (list: CutList) => void;
}

/** The namespaces directly in one. @throws DriverError `DRIVER_FAULT` for a list that repeats itself */
export async function* namespacesIn(
  lister: NamespaceLister,
  parent: Path,
  { most = MOST_TABLES_READ, onCut }: ListBounds = {},
): AsyncGenerator<NamespaceSummary> {
  yield* entriesOf(
    async (after) => {
      const { namespaces, next } = await lister.namespaces(parent, after);
      return { entries: namespaces, next };
    },
    ({ path }) => path.at(-1) ?? '',
    most,
    () => onCut?.({ namespace: parent, list: 'namespaces', read: most }),
  );
}

/** The tables directly in a namespace. @throws DriverError `DRIVER_FAULT` for a list that repeats itself */
async function* tablesIn(lister: NamespaceLister, namespace: Path, onCut: ListBounds['onCut']): AsyncGenerator<TableSummary> {
  yield* entriesOf(
    async (after) => {
      const { tables, next } = await lister.tables(namespace, after);
      return { entries: tables, next };
    },
    ({ ref }) => ref.name,
    MOST_TABLES_READ,
    () => onCut?.({ namespace, list: 'tables', read: MOST_TABLES_READ }),
  );
}

interface ReadPage<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
}

async function* entriesOf<Entry>(
  read: (after: string | undefined) => Promise<ReadPage<Entry>>,
  nameOf: (entry: Entry) => string,
  most: number,
  onCut: () => void,
): AsyncGenerator<Entry> {
  const names = new Set<string>();
  let after: string | undefined;
  do {
    const { entries, next } = await read(after);
    for (const entry of entries) {
      const name = nameOf(entry);
      if (names.has(name)) throw new DriverError('DRIVER_FAULT', `The driver listed “${name.slice(0, 200)}” twice.`);
      if (names.size >= most) {
        onCut();
        return;
      }
      names.add(name);
      yield entry;
    }
    after = next;
  } while (after !== undefined);
}

/**
 * The tables in a namespace, and in all within it.
 *
 * @param refused - called with a namespace within it that can't be listed; throws where the whole walk is to end
 * @param skip - namespaces that are left out with all that is in them
 * @param bounds - how many namespaces of one list are read, and what is called with a list that has more
 */
export async function* tablesWithin(
  lister: NamespaceLister,
  top: Pick<NamespaceSummary, 'path' | 'hasNamespaces' | 'hasTables'>,
  refused: (namespace: Path, error: unknown) => void,
  skip: (namespace: Path) => boolean = () => false,
  bounds: ListBounds = {},
): AsyncGenerator<TableSummary> {
  if (skip(top.path)) return;
  const inside: NamespaceSummary[] = [];
  try {
    if (top.hasTables) yield* tablesIn(lister, top.path, bounds.onCut);
    if (top.hasNamespaces) for await (const one of namespacesIn(lister, top.path, bounds)) inside.push(one);
  } catch (error) {
    refused(top.path, error);
  }
  for (const one of inside) yield* tablesWithin(lister, one, refused, skip, bounds);
}

/** A namespace of which it isn't known what is in it. */
export const anyNamespace = (path: Path): NamespaceSummary => ({ path, hasNamespaces: true, hasTables: true });

/**
 * The namespaces with whose names, joined by dots, a written name begins; the longest first. Only those on the way are reached.
 *
 * @param written - the name of a table with what contains it, or of a namespace
 */
export async function namespacesBefore(lister: NamespaceLister, written: string): Promise<readonly NamespaceSummary[]> {
  const found: NamespaceSummary[] = [];
  let level: readonly NamespaceSummary[] = [anyNamespace([])];
  while (level.length > 0) {
    const next: NamespaceSummary[] = [];
    for (const { path } of level)
      for await (const one of namespacesIn(lister, path)) {
        const text = one.path.join('.');
        if (written === text || written.startsWith(`${text}.`)) next.push(one);
      }
    found.unshift(...next);
    level = next.filter(({ path, hasNamespaces }) => hasNamespaces && written !== path.join('.'));
  }
  return found;
}
