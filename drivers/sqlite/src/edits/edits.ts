import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ChangeOutcome, EditsFacet, PreparedChange, RowChange, RowKey, TableRef } from '@tabularium/sdk';
import { toCell } from '../cells.ts';
import type { SqliteDatabase } from '../database.ts';
import { faultTexts, messageTexts, stopIfCancelled, turn } from '../fault.ts';
import { readable } from '../filters.ts';
import { sqlCellText, literal } from '../names.ts';
import type { SqlTable } from '../schema.ts';
import { mayLose } from '../sql/mayLose.ts';
import { statementOf, whereKey } from './statements.ts';

/** A change that failed, and which. */
class FailedChange extends Error {
  readonly index: number;
  readonly reason: DriverError;

  constructor(index: number, reason: DriverError) {
    super(reason.message);
    this.index = index;
    this.reason = reason;
  }
}

/** Changes by the rows' keys, all of a call in one transaction. */
export function createEdits(database: SqliteDatabase, tableOf: (ref: TableRef) => SqlTable): EditsFacet {
  return {
    atomicity: 'all',
    async prepare(ref, changes, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      const known = new Map<string, boolean>();
      const losesOthers = (sql: string): boolean => {
        const found = known.get(sql) ?? mayLose(database, sql);
        known.set(sql, found);
        return found;
      };
      return changes.map((change) => prepared(change, table, losesOthers));
    },
    async *apply(ref, changes, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      // The answer has begun before a lock is waited for.
      await turn();
      stopIfCancelled(signal);
      const outcomes: ChangeOutcome[] = [];
      try {
        database.transaction(() => {
          for (const [index, change] of changes.entries()) outcomes.push(made(database, table, change, index));
        });
      } catch (error) {
        if (!(error instanceof FailedChange)) throw error;
        yield failure(error);
        return;
      }
      yield* outcomes;
    },
  };
}

function prepared(change: RowChange, table: SqlTable, losesOthers: (sql: string) => boolean): PreparedChange {
  try {
    const statement = statementOf(change, table);
    return {
      ready: true,
      text: readable(statement),
      language: 'sql',
      ...(change.kind !== 'delete' && losesOthers(statement.sql) ? { effect: 'destructive' } : {}),
    };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const { field } = error.details;
    return {
      ready: false,
      message: error.message,
      ...messageTexts(error),
      ...(field === undefined ? {} : { column: field }),
    };
  }
}

function made(database: SqliteDatabase, table: SqlTable, change: RowChange, index: number): ChangeOutcome {
  try {
    const { sql, parameters } = statementOf(change, table);
    const { changes, rows } = database.write(sql, parameters);
    if (change.kind === 'insert') {
      const key = table.key.map(({ kind }, place) => toCell(rows[0]?.[place] ?? null, kind));
      return { index, outcome: 'saved', key };
    }
    if (changes === 0) throw gone(database, table, change.key, change);
    return { index, outcome: 'saved', ...(change.kind === 'delete' ? {} : { key: change.key }) };
  } catch (error) {
    if (isDriverError(error) && error.code !== 'DRIVER_FAULT') throw new FailedChange(index, error);
    throw error;
  }
}

/** Why a change found no row: it is not there, or it is not as the person saw it. */
function gone(database: SqliteDatabase, table: SqlTable, key: RowKey, change: RowChange): DriverError {
  const where = whereKey(key, table);
  const seen = change.kind === 'insert' ? [] : (change.expected ?? []);
  const names = seen.map(({ column }) => column);
  const columns = names.flatMap((name) => table.byName.get(name) ?? []);
  const row = database.first(
    `SELECT ${['1', ...columns.map(({ sql }) => sql)].join(', ')} FROM ${table.sql} WHERE ${where.sql}`,
    where.parameters,
  );
  const shown = key.map(sqlCellText).join(', ');
  if (row === undefined) {
    return new DriverError('NOT_FOUND', `There is no row with the key ${shown} any more.`, {
      details: {
        advice: 'Reload the table.',
        texts: faultTexts('edit.gone', { key: shown }, 'edit.gone.advice'),
      },
    });
  }
  const changed = columns.findIndex((column, index) => {
    const expected = seen.find((one) => one.column === column.name)?.value;
    return JSON.stringify(toCell(row[index + 1] ?? null, column.kind)) !== JSON.stringify(expected ?? null);
  });
  const column = columns[changed];
  const value = column === undefined ? '' : literal(row[changed + 1] ?? null).slice(0, 200);
  const now = column === undefined ? '' : ` “${column.name}” is ${value} now.`;
  return new DriverError('CONFLICT', `The row with the key ${shown} was changed since you read it.${now}`, {
    details: {
      advice: 'To overwrite the current value, discard this change, reload the table and make it again.',
      ...(column === undefined ? {} : { field: column.name }),
      texts: faultTexts(
        'edit.changed',
        { key: shown, known: column === undefined ? 'no' : 'yes', column: column?.name ?? '', value },
        'edit.changed.advice',
      ),
    },
  });
}

function failure({ index, reason }: FailedChange): ChangeOutcome {
  const { field } = reason.details;
  return {
    index,
    outcome: 'failed',
    code: reason.code,
    message: reason.message,
    details: reason.details,
    ...(field === undefined ? {} : { column: field }),
  };
}
