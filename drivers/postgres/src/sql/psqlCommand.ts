import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';

/** The command by which psql changes the database. */
const CONNECT = /^\\c(?:onnect)?$/;

/**
 * The terminal program that ships with the server has commands of its own, and people type them from habit.
 *
 * @param start - where the command begins in the text
 */
export function psqlCommand(text: string, start: number): DriverError {
  const command = (text.slice(start).split(/[\s;]/, 1)[0] ?? '').slice(0, 40);
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  // Where a connection reaches all databases, a line that begins with it is not in the statement.
  if (line.trim() === '' && CONNECT.test(command))
    return new DriverError('INVALID_INPUT', `“${command}” changes the database, and this connection has only one.`, {
      details: {
        offset: start,
        advice: 'For several databases choose “All of the server” under “Databases” in the form of the connection.',
        texts: faultTexts('sql.oneDatabase', { command }, 'sql.oneDatabase.advice'),
      },
    });
  return new DriverError('INVALID_INPUT', `“${command}” is a command of psql, not SQL.`, {
    details: {
      offset: start,
      advice:
        'The sidebar lists tables, and their Structure view describes them. For the rest, query information_schema or pg_catalog.',
      texts: faultTexts('sql.psql', { command }, 'sql.psql.advice'),
    },
  });
}
