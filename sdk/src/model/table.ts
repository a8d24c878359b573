import type { DriverTextList } from './driverText.ts';
import type { Column } from './column.ts';
import type { Sort } from './sort.ts';
import type { TableIndex, TableTrigger } from './structure.ts';

/**
 * The identity of a table or view within one session: the names of what contains it, outermost first (a catalogue, a schema; often
 * none), and its own name. Two references are the same table when all names are equal, character by character.
 */
export interface TableRef {
  /** At most 8 names. */
  readonly namespace: readonly string[];
  /** Not empty; any characters. Never paste it into a statement or a path: quote or encode it. */
  readonly name: string;
}

/** The kind of a table. A view's rows may lack a key and cannot be edited. A host shows a kind it does not know as `table`. */
export type TableKind = 'table' | 'view' | 'materializedView';

/** How many rows there are. An inexact count is an estimate and is shown as one. */
export interface RowCount {
  /** 0 to 2^53 − 1. */
  readonly rows: number;
  /** True only when exactly so many rows were there when it was counted. */
  readonly exact: boolean;
}

/** One entry of the list of tables. */
export interface TableSummary {
  readonly ref: TableRef;
  readonly kind: TableKind;
  /** Absent when counting would cost more than listing does. */
  readonly count?: RowCount;
  /** For an alias: the table that it leads to. */
  readonly aliasOf?: TableRef;
  /** For a part of a table, such as a partition: the whole table, of which the session can read all rows of the part. */
  readonly partOf?: TableRef;
}

/**
 * How a table's pages are read.
 *
 * - `offset`: each row can be asked for by its number; the last row is reached by `offset = rows − limit`.
 * - `cursor`: each page hands out the cursor of the next one; the last page is reached by `end` where {@link TableDescription.readsFromEnd}
 *   is true, else only by reading on.
 */
export type PagingMode = 'offset' | 'cursor';

/**
 * Columns of one table whose values name a row of another, or of the same one. A host offers to open that row: it reads `references` with a filter that
 * compares each of `referencedColumns` with the row's own value. A row in which one of `columns` is null refers to none.
 */
export interface ForeignKey {
  /** As the database calls the constraint; absent where it has no name. */
  readonly name?: string;
  /** Of the described table, in the order of the key: 1 to 64, each once. */
  readonly columns: readonly string[];
  /** A table that the same session can describe. */
  readonly references: TableRef;
  /** Of `references`: as many as `columns`, each beside the one that has its value. */
  readonly referencedColumns: readonly string[];
}

/**
 * A {@link ForeignKey} seen from the table that it refers to: columns of another table, or of the same one, whose values name a row of the described table. A
 * host offers to open the rows that refer to a row: it reads `table` with a filter that compares each of `columns` with the row's own value.
 */
export interface ReferringKey {
  /** As the database calls the constraint; absent where it has no name. */
  readonly name?: string;
  /** The table that has the key, and that the same session can describe. */
  readonly table: TableRef;
  /** Of `table`, in the order of the key: 1 to 64, each once. */
  readonly columns: readonly string[];
  /** Of the described table: as many as `columns`, each beside the one that has its value. */
  readonly referencedColumns: readonly string[];
}

/** All that is known of one table's shape. Not live: read it again to see a change. */
export interface TableDescription {
  readonly ref: TableRef;
  readonly kind: TableKind;
  /**
   * The table behind the reference, for as long as it is there: another text where an alias leads to another table by now, or where a table was deleted and
   * made again under the same name. Short and for people, such as `products_2, created 2026-11-23 07:05:12 UTC`; at most 1,000 characters. Changes that were staged
   * under another identity are not sent before a person has decided. Absent where the database doesn't say.
   */
  readonly identity?: string;
  /** In the order in which a grid shows them. */
  readonly columns: readonly Column[];
  /** The columns whose values together name one row, in order; empty when rows have no identity (they can be read, not edited). */
  readonly key: readonly string[];
  /**
   * The foreign keys that can be followed, at most 1,000. Leave out one whose columns or table the session may not read or that aren't there. Absent where
   * the database has none.
   */
  readonly foreignKeys?: readonly ForeignKey[];
  /**
   * The foreign keys that refer to this table, at most 1,000. Leave out one whose columns or table the session may not read; of a table in parts, such as
   * partitions, name the whole. Absent where the database has none, or where finding them would cost more than describing the table does.
   */
  readonly referredBy?: readonly ReferringKey[];
  /**
   * The indexes, at most 1,000, each name once: the primary key first, then in the order in which the database lists them. An index that a constraint made is one of them. Absent where the
   * database has none, or doesn't say.
   */
  readonly indexes?: readonly TableIndex[];
  /** The triggers, at most 1,000, each name once, in the order in which they fire where the database has one. Absent where the database has none, or doesn't say. */
  readonly triggers?: readonly TableTrigger[];
  /**
   * The order of the rows where no sort is asked for: at most 100 columns of the table, each once. Rows that are equal in all of them come in any order, which a note can name. Absent
   * where the rows come in no order that a column has.
   */
  readonly defaultSort?: readonly Sort[];
  /** The comment that the database stores with the table: text of people, never translated, 1 to 10,000 characters. Cut a longer one. Absent where there is none. */
  readonly comment?: string;
  /**
   * Set where the driver isn't certain that reading the table only reads, such as a view that calls a function which may write files: what it may call, in a few words, at most 1,000
   * characters. A host says so to a person, and refuses an external client as it refuses a statement that is a `write` with `unknown`. Absent where reading only reads, and where the
   * database can't do anything else.
   */
  readonly uncertainRead?: string;
  readonly paging: PagingMode;
  /** Whether a page can be asked for counted from the end. */
  readonly readsFromEnd: boolean;
  /** Notes for people: an engine, a constraint, what was left out. Nothing that another member says: a host shows both. */
  readonly notes: readonly string[];
  /** Translations of the notes. */
  readonly noteTexts?: DriverTextList;
  /** The definition in the database's own language (JSON, DDL), if there is one. */
  readonly definition?: { readonly language: string; readonly text: string };
}
