import { DriverError } from '@tabularium/sdk';
import type { DatabaseParts } from '../databaseParts.ts';
import { faultTexts } from '../fault.ts';
import { connectLine, placedStatement } from '../sql/connectLine.ts';
import type { ServerDatabases } from './serverDatabases.ts';

/** The parts of the database that a statement names, else of the one that the connection names; and the statement without that line, with its place. */
export async function placed(
  databases: ServerDatabases,
  statement: string,
  signal: AbortSignal,
): Promise<{ readonly parts: DatabaseParts; readonly sql: string; readonly start: number }> {
  const { database, sql, start } = placedStatement(statement);
  if (database !== undefined && sql === '') throw noStatement(database);
  return { parts: database === undefined ? databases.primary : await databases.get(database, signal), sql, start };
}

/** A line alone changes nothing for the statements after it, as each runs for itself. */
function noStatement(database: string): DriverError {
  return new DriverError('INVALID_INPUT', `There is no statement behind ${connectLine(database)}.`, {
    details: {
      advice: 'Write the statement below it, in the same text.',
      texts: faultTexts('sql.connectAlone', { database }, 'sql.connectAlone.advice'),
    },
  });
}
