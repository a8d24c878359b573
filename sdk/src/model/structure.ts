import type { DriverTexts } from './driverText.ts';

/** One value that an index orders or looks up by: a column's, or one that an expression computes. */
export type IndexColumn = IndexedColumn | IndexedExpression;

/** How an index orders and compares the values of one of its columns. */
export interface IndexedOrder {
  /** True where the index has the greatest value first. */
  readonly descending?: boolean;
  /** Where rows without a value are. Absent where they are where the database usually has them, or where the index has no order. */
  readonly nulls?: 'first' | 'last';
  /** The rest that two entries may differ by, in the database's own language, such as `COLLATE "C"` or an operator class; 1 to 300 characters. Absent where it is as usual. */
  readonly detail?: string;
}

/** A column of the described table, by its name. */
export interface IndexedColumn extends IndexedOrder {
  readonly name: string;
}

/** An expression in the database's own language, 1 to 4,000 characters. Cut a longer one. A column that the session may not read is given as one: its bare name. */
export interface IndexedExpression extends IndexedOrder {
  readonly expression: string;
}

/** One index of a table, for people and external clients that want to see by which columns rows are found fast. */
export interface TableIndex {
  /** Unique within its table. */
  readonly name: string;
  /** In the order of the index: 1 to 64. */
  readonly columns: readonly IndexColumn[];
  /** Whether no two rows may have the same values, among those that {@link TableIndex.where} takes. */
  readonly unique: boolean;
  /** True of the index of the primary key, of which a table has one at most; it is `unique`. */
  readonly primary?: boolean;
  /** Further columns whose values the index stores and doesn't order by, at most 64. A column that the session may not read is left out. */
  readonly includes?: readonly string[];
  /** The kind of index in the database's own word, such as `btree` or `gin`; at most 100 characters. Absent where there is one kind only. */
  readonly method?: string;
  /** The condition of the rows that are in the index, in the database's own language, 1 to 4,000 characters. Cut a longer one. Absent: all rows are. */
  readonly where?: string;
  /** A note for people, such as that the index can't be used yet. */
  readonly note?: string;
  /** Translations of the note. */
  readonly texts?: DriverTexts;
}

/** When a trigger fires, seen from the change of the rows. */
export type TriggerTiming = 'before' | 'after' | 'insteadOf';

/** The change that a trigger fires on. */
export type TriggerEvent = 'insert' | 'update' | 'delete' | 'truncate';

/** One trigger of a table or view: what else happens when rows change. */
export interface TableTrigger {
  /** Unique within its table. */
  readonly name: string;
  readonly timing: TriggerTiming;
  /** Each once, at least one. */
  readonly events: readonly TriggerEvent[];
  /** The columns whose update fires it, at most 64; the session may not read all of them. Absent: an update of any column does. */
  readonly columns?: readonly string[];
  /** Whether it fires for each row or once for each statement. Absent: not known. */
  readonly level?: 'row' | 'statement';
  /** False where it is switched off and doesn't fire. Absent: it fires. */
  readonly enabled?: boolean;
  /** The condition under which it does something, in the database's own language, 1 to 4,000 characters. Cut a longer one. Absent: there is none. */
  readonly when?: string;
  /** The function or statements that it runs, in the database's own language, 1 to 4,000 characters. Cut a longer one. Absent where the database doesn't say. */
  readonly calls?: string;
  /** A note for people, such as that another table has given it. */
  readonly note?: string;
  /** Translations of the note. */
  readonly texts?: DriverTexts;
}
