import { DriverError, driverText, isDriverError } from '@tabularium/sdk';
import { invalid, severalStatements } from '../fault.ts';
import { quoted } from '../names.ts';
import { splitSql } from './split.ts';
import type { SplitStatement } from './split.ts';
import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/**
 * Statements that say in which database they run, by a line of psql's before them: `\connect name`. It holds for all statements after it in a text, and
 * each of them has it in its own text, so that one that runs alone runs there too.
 */

const COMMAND = /^\\c(?:onnect)?/;

/** A statement, and the database that it names. */
export interface PlacedStatement {
  /** Undefined where it names none. */
  readonly database: string | undefined;
  /** Without the line; empty where there is nothing but the line. */
  readonly sql: string;
  /** Where that begins in the text. */
  readonly start: number;
}

/** The statements of a text, each with the line that it is behind. A line that nothing follows is a statement. */
export function splitPlaced(text: string): SplitStatement[] {
  const found: SplitStatement[] = [];
  let line: SqlToken | undefined;
  let isUsed = true;
  const emitLine = (): void => {
    if (line !== undefined && !isUsed)
      found.push({ text: line.text.trim(), start: line.start, end: line.start + line.text.trimEnd().length, tokens: [line] });
  };
  for (const statement of splitSql(text, true)) {
    const [first] = statement.tokens;
    if (first?.kind === 'connect') {
      emitLine();
      line = first;
      isUsed = false;
    } else if (line === undefined) found.push(statement);
    else {
      const start = isUsed ? statement.start : line.start;
      found.push({ ...statement, text: `${line.text.trim()}\n${statement.text}`, start });
      isUsed = true;
    }
  }
  emitLine();
  return found;
}

/** @throws DriverError `INVALID_INPUT` for a line that doesn't name one database, and for several lines */
export function placedStatement(text: string): PlacedStatement {
  const [line, statement, ...more] = splitSql(text, true);
  const [first] = line?.tokens ?? [];
  if (first?.kind === 'connect' && statement?.tokens[0]?.kind === 'connect') throw severalStatements(statement.start);
  // Several are rejected for that, and a line within a statement as text that isn't SQL.
  if (first?.kind !== 'connect' || more.length > 0) return { database: undefined, sql: text, start: 0 };
  return { database: databaseOf(first), sql: statement?.text ?? '', start: statement?.start ?? text.length };
}

/** The database that the line before a place in a text names, or the name that is being written there; undefined where there is none. */
export function placeAt(
  text: string,
  offset: number,
): { readonly database: string } | { readonly typed: string; readonly from: number } | undefined {
  const lines = tokens(text, true).filter(({ kind, start }) => kind === 'connect' && start < offset);
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  if (offset > last.end) {
    try {
      return { database: databaseOf(last) };
    } catch {
      return undefined;
    }
  }
  const behind = text.slice(last.start, offset).replace(COMMAND, '');
  const typed = behind.trimStart();
  return typed === behind ? undefined : { typed: typed.replace(/^"/, ''), from: offset - typed.length };
}

/** A text of the same length with nothing in the place of such lines. */
export function withoutLines(text: string): string {
  let rest = text;
  for (const { kind, start, end } of tokens(text, true))
    if (kind === 'connect') rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

/** A line that changes the database. No line says a name for which {@link fitsLine} is false. */
export function connectLine(database: string): string {
  return `\\connect ${isBare(database) ? database : quoted(database)}`;
}

/** Whether a line can say a name. */
export function fitsLine(database: string): boolean {
  return !/[\n\r]/.test(database);
}

/** Whether a name needs no quotes; a dash alone would stand for the database that psql is in. */
function isBare(name: string): boolean {
  return /^[^\s";\\']+$/.test(name) && name !== '-';
}

/** As psql reads it: letters of a name without quotes stay as they are. */
function databaseOf({ text, start }: SqlToken): string {
  const argument = text.replace(COMMAND, '').trim().replace(/;$/, '').trimEnd();
  const inQuotes = /^"((?:[^"]|"")+)"$/.exec(argument)?.[1];
  if (inQuotes !== undefined) return inQuotes.replaceAll('""', '"');
  if (isBare(argument)) return argument;
  const sentence = 'After \\connect there is the name of one database, in double quotes where it has spaces.';
  throw invalid(sentence, undefined, { id: 'sql.connectName' }, start);
}

/** An error of a statement that names a table with its database, which no database of PostgreSQL reaches from another one. */
export function withConnectAdvice(error: unknown): unknown {
  if (!isDriverError(error) || error.details.status !== '0A000') return error;
  const name = /cross-database.*?: "?([^".]+)\./.exec(error.details.serverMessage ?? '')?.[1];
  if (name === undefined) return error;
  const line = connectLine(name);
  return new DriverError(error.code, error.message, {
    cause: error,
    details: {
      ...error.details,
      advice: `Write ${line} in a line before the statement, and the table without its database.`,
      texts: { ...error.details.texts, advice: driverText('sql.connectAdvice', { line }) },
    },
  });
}
