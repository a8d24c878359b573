import { invalid } from '../fault.ts';
import { quoted } from '../names.ts';
import { SeenTypes, typeOfValue } from './importedType.ts';
import type { ImportedType } from './importedType.ts';
import { RawNumber, exactJson } from '../stored/exactJson.ts';
import { refuseName } from './refuseName.ts';

/** Columns that PostgreSQL gives a table at most. */
const MOST_COLUMNS = 1_600;
/** Bytes of a text that an index takes for certain. */
const MOST_BYTES_OF_KEY = 2_000;
/** Names that every table has already, of the server's own columns. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);
/** Types in which two spellings of one value are found to be one. */
const KEY_TYPES: ReadonlySet<ImportedType> = new Set<ImportedType>(['bigint', 'uuid', 'text']);

interface SeenColumn {
  readonly types: SeenTypes;
  /** Rows that have a value. */
  rows: number;
}

/**
 * The statement that makes a table for rows like these: each column of the narrowest type that keeps its values ({@link typeOfValue} says what it doesn't keep), NOT NULL where every row has one.
 * A column “id” with a value of its own in every row is the primary key.
 *
 * @param sql - the qualified name
 * @throws DriverError `INVALID_INPUT` for rows that no table can have
 */
export function proposedTable(sql: string, rows: readonly string[]): string {
  const seen = new Map<string, SeenColumn>();
  const ids = new Set<string>();
  for (const row of rows) {
    for (const [column, value] of membersOf(row)) {
      const found = seen.get(column) ?? newColumn(column);
      seen.set(column, found);
      if (!found.types.add(value)) continue;
      found.rows += 1;
      if (column === 'id') ids.add(idText(value));
    }
  }
  if (seen.size === 0) throw invalid('The rows have no columns.', undefined, { id: 'newTable.noColumns' });
  if (seen.size > MOST_COLUMNS)
    throw invalid(
      `PostgreSQL takes ${MOST_COLUMNS.toLocaleString('en')} columns, and these rows have ${seen.size.toLocaleString('en')}.`,
      undefined,
      { id: 'newTable.columns', values: { most: MOST_COLUMNS, count: seen.size } },
    );
  const columns = Array.from(seen, ([column, { types, rows: count }]) => {
    const type = types.joined();
    const isFilled = count === rows.length;
    const isKey = column === 'id' && isFilled && KEY_TYPES.has(type) && ids.size === count && [...ids].every(fitsIndex);
    return `  ${quoted(column)} ${type}${isKey ? ' PRIMARY KEY' : isFilled ? ' NOT NULL' : ''}`;
  });
  return `CREATE TABLE ${sql} (\n${columns.join(',\n')}\n)`;
}

function newColumn(column: string): SeenColumn {
  refuseName(column, column);
  if (SYSTEM_COLUMNS.has(column))
    throw invalid(`PostgreSQL has a column “${column}” of its own in every table. Give this one another name.`, column, {
      id: 'newTable.systemColumn',
    });
  return { types: new SeenTypes(), rows: 0 };
}

/** One text for one value: the server takes upper and lower case letters of a UUID for the same. */
function idText(value: unknown): string {
  if (value instanceof RawNumber) return /^-?\d+$/.test(value.digits) ? BigInt(value.digits).toString() : value.digits;
  if (typeof value !== 'string') return JSON.stringify(value);
  return typeOfValue(value) === 'uuid' ? value.toLowerCase() : value;
}

function fitsIndex(text: string): boolean {
  return Buffer.byteLength(text) <= MOST_BYTES_OF_KEY;
}

function membersOf(text: string): readonly (readonly [string, unknown])[] {
  let value: unknown;
  try {
    value = exactJson(text);
  } catch {
    throw invalid("The row isn't valid JSON.", undefined, { id: 'import.noJson' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber)
    throw invalid("The row isn't a JSON object.", undefined, { id: 'import.noObject' });
  return Object.entries(value);
}
