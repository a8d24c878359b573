import type { ForeignKey, ReferringKey, TableIndex, TableRef, TableTrigger } from '@tabularium/sdk';
import type { TextRow } from '../wire/batch.ts';
import type { PgType } from './types.ts';

/** A row of the catalogue about one column, by the names of its fields. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: PgType;
  readonly declared: string;
  readonly notNull: boolean;
  /** Whether no stored row is without a value here. */
  readonly isFilled: boolean;
  readonly preset: string | undefined;
  readonly generated: string;
  readonly identity: string;
  readonly comment: string | undefined;
  readonly mayRead: boolean;
  readonly mayUpdate: boolean;
  readonly mayInsert: boolean;
}

/** One index, as far as it is shown. */
export interface IndexFacts {
  readonly isPrimary: boolean;
  /** Whether its columns name one row, whatever the values: unique at once, on columns alone, all of them filled. */
  readonly names: boolean;
  readonly name: string;
  readonly definition: string;
  readonly columns: readonly string[];
  /** Whether an index of each table that inherits from this one does the same, so that its columns and the storing table name one row. */
  readonly namesInHeirs: boolean;
  /** Made by a constraint, which is shown itself. */
  readonly ofConstraint: boolean;
  /** As a description has it. */
  readonly described: TableIndex;
}

/** One trigger of a user's. */
export interface TriggerFacts {
  readonly definition: string;
  /** As a description has it. */
  readonly described: TableTrigger;
}

/** Everything that the catalogue has of one table. */
export interface TableFacts {
  readonly ref: TableRef;
  readonly row: TextRow;
  readonly relkind: string;
  readonly columns: readonly ColumnFacts[];
  readonly indexes: readonly IndexFacts[];
  readonly constraints: readonly { readonly name: string; readonly type: string; readonly definition: string }[];
  readonly triggers: readonly TriggerFacts[];
  /** Those that can be followed. */
  readonly foreignKeys: readonly ForeignKey[];
  readonly referredBy: readonly ReferringKey[];
  /** The calls of reading it of which it isn't certain that they only read. */
  readonly readingCalls: readonly string[];
}
