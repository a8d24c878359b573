import type { CallOptions } from '../callOptions.ts';
import type { TableRef, TableSummary } from '../model/table.ts';

/** One namespace of a list. */
export interface NamespaceSummary {
  /** The names of its parent, and its own one: 1 to 8. */
  readonly path: TableRef['namespace'];
  /** Whether namespaces can be in it: a host offers to list them. */
  readonly hasNamespaces: boolean;
  /** Whether tables can be directly in it. */
  readonly hasTables: boolean;
}

/** Which part of a list is asked for. */
export interface ListPageOptions extends CallOptions {
  /** The `next` of the page before. Absent: the list begins. */
  readonly after?: string;
  /** Entries at most: 1 to 1,000. */
  readonly limit: number;
}

/** A part of a list of namespaces. */
export interface NamespacePage {
  readonly namespaces: readonly NamespaceSummary[];
  /** For the next page, 1 to 4,000 characters; absent at the end. A page without an entry is the last one. */
  readonly next?: string;
}

/** A part of a list of tables. */
export interface TablePage {
  readonly tables: readonly TableSummary[];
  /** As of {@link NamespacePage}. */
  readonly next?: string;
}

/**
 * The facet of a session whose tables are in so many namespaces, or in namespaces that cost so much to reach, that a person is to choose which are read: the
 * databases of a server, of which each needs a connection. With it {@link Session.listTables} lists only the tables of the namespaces where a person
 * begins, and a host reads the others when they are asked for.
 *
 * Lists are in the order in which they are shown, the same in each call while nothing changes, so that pages join without gaps and doubles. A cursor is
 * used again after the list has changed: the next page begins behind the entry where the page before ended, or where it was.
 */
export interface NamespacesFacet {
  /**
   * The namespaces whose tables {@link Session.listTables} lists, with those of all namespaces within them. At most 100, none within another; they need not
   * be first in a list. None: that list is empty.
   */
  readonly initial: readonly TableRef['namespace'][];

  /**
   * The namespaces directly in another one, each once. Only the namespace that is asked for is reached: one that can't be must not keep the others
   * from being listed, and has its reason when it is asked for itself.
   *
   * @param parent - the path of a namespace; empty: the outermost ones
   * @throws DriverError `NOT_FOUND` where the namespace doesn't exist, `ACCESS_REFUSED` and other errors of the server with its reason,
   *   `INVALID_INPUT` for a cursor that isn't one of this list
   */
  list(parent: TableRef['namespace'], options: ListPageOptions): Promise<NamespacePage>;

  /**
   * The tables and views directly in a namespace that the credentials may see, each once.
   *
   * @param namespace - its path; empty: the tables that are in none
   * @throws DriverError as {@link NamespacesFacet.list}
   */
  listTables(namespace: TableRef['namespace'], options: ListPageOptions): Promise<TablePage>;
}
