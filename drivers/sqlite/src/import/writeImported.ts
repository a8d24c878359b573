import { isDriverError } from '@tabularium/sdk';
import type { RowOutcome } from '@tabularium/sdk';
import type { Prepared, SqliteDatabase } from '../database.ts';
import { faultTexts, invalid, messageTexts } from '../fault.ts';
import type { SqlValue } from '../names.ts';
import { unchangeable } from '../schema.ts';
import type { SqlColumn, SqlTable } from '../schema.ts';
import { importStatement } from './modes.ts';
import type { ImportModeId } from './modes.ts';
import { memberValue, readRow } from './readRow.ts';

/** The columns and values of a row. */
export interface ReadValues {
  readonly columns: readonly SqlColumn[];
  readonly values: readonly SqlValue[];
}

/** @throws DriverError `INVALID_INPUT` for a row that the table can't take, with the column */
export function valuesOf(row: string, table: SqlTable): ReadValues {
  const columns: SqlColumn[] = [];
  const values: SqlValue[] = [];
  for (const [name, value] of readRow(row)) {
    const column = table.byName.get(name);
    if (column === undefined) throw invalid(`There is no column “${name}”.`, name, { id: 'edit.noColumn' });
    if (column.computed) throw invalid(`SQLite computes “${name}”.`, name, { id: 'edit.computed' });
    columns.push(column);
    values.push(memberValue(value, column.kind, name));
  }
  return { columns, values };
}

/** Codes of SQLite that say that the key of a row is there. */
const KEY_IS_THERE: ReadonlySet<string> = new Set(['1555', '2579']);
/** Errors of the row itself; any other ends the import. */
const OF_THE_ROW: ReadonlySet<string> = new Set(['CONFLICT', 'INVALID_INPUT', 'TOO_LARGE']);

/**
 * Writes rows, all of a call in one transaction: a rejected one leaves nothing and the others stay.
 *
 * @throws DriverError where nothing was written
 */
export function writeImported(
  database: SqliteDatabase,
  table: SqlTable,
  mode: ImportModeId,
  rows: readonly string[],
): RowOutcome[] {
  try {
    return database.transaction(() => {
      const outcomes = written(database, table, mode, rows);
      // A trigger may have ended the transaction, and with it the rows before.
      if (!database.isInTransaction) throw new EndedTransaction();
      return outcomes;
    });
  } catch (error) {
    // Foreign keys may be looked at in the end only: which row is at fault shows when each has a transaction of its own.
    const isOfOneRow = error instanceof EndedTransaction || (isDriverError(error) && OF_THE_ROW.has(error.code));
    if (!isOfOneRow) throw error;
  }
  return rows.map((row): RowOutcome => {
    try {
      return database.transaction(() => {
        const [outcome] = written(database, table, mode, [row]);
        if (outcome?.outcome === 'written' && !database.isInTransaction) throw new EndedTransaction();
        return outcome ?? { outcome: 'written' };
      });
    } catch (error) {
      if (error instanceof EndedTransaction)
        return {
          outcome: 'rejected',
          message: 'A trigger of the table took the row back.',
          texts: faultTexts('import.trigger'),
        };
      return rejectedBy(error);
    }
  });
}

class EndedTransaction extends Error {}

function written(database: SqliteDatabase, table: SqlTable, mode: ImportModeId, rows: readonly string[]): RowOutcome[] {
  const statements = new Map<string, Prepared>();
  return rows.map((row): RowOutcome => {
    try {
      const { columns, values } = valuesOf(row, table);
      const sql = importStatement(mode, columns, table);
      const statement = statements.get(sql) ?? database.prepare(sql, 'write');
      statements.set(sql, statement);
      statement.run(values);
      return { outcome: 'written' };
    } catch (error) {
      if (!database.isInTransaction) throw new EndedTransaction();
      return rejectedBy(error);
    }
  });
}

function rejectedBy(error: unknown): RowOutcome {
  if (!isDriverError(error) || !OF_THE_ROW.has(error.code)) throw error;
  const { field, status } = error.details;
  return {
    outcome: 'rejected',
    message: error.message,
    ...messageTexts(error),
    ...(field === undefined ? {} : { column: field.slice(0, 1_000) }),
    ...(KEY_IS_THERE.has(status ?? '') ? { present: true } : {}),
  };
}

/** @throws DriverError `UNSUPPORTED` for a table that takes no rows */
export function mustTakeRows(table: SqlTable): void {
  if (table.fixed !== undefined) throw unchangeable(table.fixed);
}
