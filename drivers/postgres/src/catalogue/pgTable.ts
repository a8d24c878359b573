import type { Ability, ColumnKind, TableDescription } from '@tabularium/sdk';
import type { Fixed } from './reasons.ts';
import type { FilterClass, PgType } from './types.ts';

/** One column that can be read. */
export interface PgColumn {
  readonly name: string;
  /** Its name as SQL writes it. */
  readonly sql: string;
  readonly type: PgType;
  readonly kind: ColumnKind;
  readonly filterClass: FilterClass;
  /** Bytes that no value of its declared length exceeds; undefined where its type has no such length. */
  readonly mostBytes: number | undefined;
  /** Whether a row may be written without a value here. */
  readonly nullable: boolean;
  /** Whether no row that is read is without a value here: a domain in a view, a constraint that was never validated and a table that inherits don't see to that. */
  readonly isFilled: boolean;
  readonly sortable: Ability;
  readonly editable: Ability;
  /** Why a new row can't have a value of one's own here; undefined where it can. */
  readonly fixed: string | undefined;
  /** Whether an import may write its own numbers here all the same, with OVERRIDING SYSTEM VALUE: GENERATED ALWAYS AS IDENTITY. */
  readonly isNumbered: boolean;
  /** Whether the server fills it in where a new row says nothing. */
  readonly hasDefault: boolean;
}

/** One table with all that reading and changing it needs. */
export interface PgTable {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Its qualified name as SQL writes it. */
  readonly sql: string;
  /** `pg_class.relkind`. */
  readonly relkind: string;
  /** Whether COPY writes the same rows to it as INSERT does: it passes over rules, refuses tables with policies, and writes to nothing but tables. */
  readonly takesCopies: boolean;
  /** Whether other tables inherit from it: their rows are read with its own, and its keys and NOT NULL need not hold for them. */
  readonly hasHeirs: boolean;
  /** Whether the key names one row within each table that inherits from it, too. */
  readonly keyNamesInHeirs: boolean;
  /** Whether rows of it have no place that can be asked for: they are stored elsewhere, or many of them as one. */
  readonly lacksPlaces: boolean;
  /** Whether the place of a row can be read: a right to single columns doesn't reach it. */
  readonly mayReadPlaces: boolean;
  readonly columns: readonly PgColumn[];
  /** Whether it has columns, and the role may read none of them. */
  readonly hidesAll: boolean;
  readonly byName: ReadonlyMap<string, PgColumn>;
  /** The columns that name one row; empty where none do. */
  readonly key: readonly PgColumn[];
  /** Why its rows can't be changed at all; undefined where they can. */
  readonly fixed: Fixed | undefined;
  /** The server's estimate of its rows, from its last ANALYZE. */
  readonly estimate: number | undefined;
  readonly description: TableDescription;
  /** The calls of reading it of which it isn't certain that they only read. */
  readonly readingCalls: readonly string[];
}
