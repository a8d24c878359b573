import { DriverError, isDriverError } from '@tabularium/sdk';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { faultTexts } from '../fault.ts';
import { shown } from '../names.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { PgAnswer } from '../wire/batch.ts';

/** SQLSTATEs of a statement that was made for another table than the one that is there: no such table, column or operator, another type, another kind of thing, an old plan. A right that was lost says so itself. */
const MAY_COME_OF_CHANGE = /^(?:22|42(?!501)|0A|3F|XX)/;

/**
 * An error of a statement that was made for a table as it was known: where the table is another one by now, the error says that.
 *
 * @returns what is to be thrown in its place
 */
export async function asTheTableIs(database: PgDatabase, table: PgTable, error: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isDriverError(error) || !MAY_COME_OF_CHANGE.test(error.details.status ?? '')) return error;
  return (await changeOf(database, table, signal, error)) ?? error;
}

/**
 * Whether an answer has its columns in the types for which its statement was made.
 *
 * @param columns - of the answer; undefined for one that is computed
 * @throws DriverError `STRUCTURE_CHANGED`, `NOT_FOUND`
 */
export async function requireSameTypes(
  database: PgDatabase,
  table: PgTable,
  { fields }: Pick<PgAnswer, 'fields'>,
  columns: readonly (PgColumn | undefined)[],
  signal: AbortSignal,
): Promise<void> {
  if (columns.every((column, index) => column === undefined || column.type.oid === fields[index]?.dataTypeID)) return;
  const change = await changeOf(database, table, signal);
  if (change !== undefined) throw change;
}

async function changeOf(
  database: PgDatabase,
  table: PgTable,
  signal: AbortSignal,
  cause?: DriverError,
): Promise<DriverError | undefined> {
  const { ref } = table.description;
  try {
    if (shapeOf(await database.freshTable(ref, signal)) === shapeOf(table)) return undefined;
  } catch (error) {
    return isDriverError(error) ? error : undefined;
  }
  const name = shown(ref);
  const { status, serverMessage } = cause?.details ?? {};
  return new DriverError('STRUCTURE_CHANGED', `“${name}” has other columns or another kind than when it was described.`, {
    cause,
    details: {
      ...(status === undefined ? {} : { status }),
      ...(serverMessage === undefined ? {} : { serverMessage }),
      advice: 'Reload the table.',
      texts: faultTexts('table.changed', { name }, 'read.doesMore.advice'),
    },
  });
}

/** The part of a table on which statements depend that read and change its rows. */
function shapeOf({ relkind, columns, key }: PgTable): string {
  return JSON.stringify([
    relkind,
    columns.map(({ name, type, kind, fixed }) => [name, type.oid, type.cast, kind, fixed]),
    key.map(({ name }) => name),
  ]);
}
