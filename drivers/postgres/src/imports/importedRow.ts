import { isDriverError } from '@tabularium/sdk';
import type { Cell, DriverTexts } from '@tabularium/sdk';
import { newValue } from '../cells.ts';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { faultTexts, invalid, messageTexts } from '../fault.ts';
import { OID } from '../catalogue/types.ts';
import { literal } from '../names.ts';
import { hasFields } from '../stored/keepsInterval.ts';
import { exactJson } from '../stored/exactJson.ts';
import { refuseChanged, refuseChangedJson } from '../stored/refuseChanged.ts';

const LONGEST_SHOWN = 60;
/** `HEXADECIMAL` for the server. */
const HEXADECIMAL_PATTERN = String.raw`^(\\x|0x(?=.))([0-9a-f]{2})*$`;
/** Digits behind zeros or a plus sign, such as those of a code: the number wouldn't give them back. */
const NO_DIGITS: ReadonlyMap<string, string> = new Map();
const PADDED = /^\s*(?:\+\d|-?0\d)/;

/** A row of an import that can be sent, or why it can't. */
export type ImportedRow =
  | {
      readonly ready: true;
      readonly text: string;
      readonly columns: readonly PgColumn[];
      /** The row as the text format of COPY has it, its values in the order of the columns; undefined where one of them needs SQL to become a value. */
      readonly line: string | undefined;
    }
  | { readonly ready: false; readonly message: string; readonly texts?: DriverTexts; readonly column?: string };

/**
 * Looks at one row: its members must be columns, and values that the table would refuse or round are refused here.
 *
 * @param before - the columns of the row before: a row with the same ones has the same list, so that thousands need one
 */
export function importedRow(text: string, table: PgTable, before: readonly PgColumn[] = []): ImportedRow {
  let row: unknown;
  let digits = NO_DIGITS;
  try {
    if (hasInexactNumber(text)) {
      const found = new Map<string, string>();
      digits = found;
      row = JSON.parse(text, function (this: unknown, key, value: unknown, context?: { readonly source?: string }) {
        // Inner members come first, and those of the row itself last.
        if (typeof value === 'number' && context?.source !== undefined) found.set(key, context.source);
        return value;
      });
    } else row = JSON.parse(text);
  } catch {
    return { ready: false, message: "The row isn't valid JSON.", texts: faultTexts('import.noJson') };
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return { ready: false, message: "The row isn't a JSON object.", texts: faultTexts('import.noObject') };
  let exact: Readonly<Record<string, unknown>> | undefined;
  /** A list or an object with the digits of its numbers. */
  const exactMember = (name: string): unknown => (exact ??= exactJson(text) as Readonly<Record<string, unknown>>)[name];
  // A list of its own from the first column on that differs.
  let columns: PgColumn[] | undefined;
  let count = 0;
  let values: string[] | undefined = [];
  const members = row as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    const column = table.byName.get(name);
    if (column === undefined)
      return {
        ready: false,
        message: `The table has no column “${name.slice(0, 100)}”.`,
        texts: faultTexts('edit.noColumn', { field: name }),
        column: name,
      };
    if (column.fixed !== undefined && !column.isNumbered)
      return { ready: false, message: column.fixed, texts: faultTexts('edit.computed', { field: name }), column: name };
    const problem = problemOf(value, digits.get(name), column, exactMember);
    if (problem !== undefined) return { ready: false, ...problem, column: name };
    if (columns === undefined && before[count] !== column) columns = before.slice(0, count);
    columns?.push(column);
    const copied = copiedText(value, digits.get(name), column);
    if (copied === undefined) values = undefined;
    else values?.push(copied);
    count += 1;
  }
  // The six characters of the escape are a text as any other where a backslash is before them.
  if (text.includes(String.raw`\u0000`) && hasNul(row))
    return { ready: false, message: 'PostgreSQL stores no text with a zero character.', texts: faultTexts('sql.nul') };
  const shared = before.length === count ? before : before.slice(0, count);
  return { ready: true, text, columns: columns ?? shared, line: values?.join('\t') };
}

/** Whether a number in the text may be written otherwise than JavaScript writes it. Such digits in a text count too, which only takes longer. */
function hasInexactNumber(text: string): boolean {
  return /\d{16}|\d[.eE]|-0/u.test(text);
}

/** The text of a value as COPY has it: for the reader of the column's type the same that {@link valueExpression} gives to that reader. */
function copiedText(value: unknown, digits: string | undefined, column: PgColumn): string | undefined {
  if (value === null) return String.raw`\N`;
  if (column.kind === 'bytes' || column.kind === 'json' || isBuilt(column)) return undefined;
  // Copied, the number 5 is 5 days in a column of days, and elsewhere 5 seconds.
  if (column.type.oid === OID.interval && hasFields(column.type.stored.modifier)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = typeof value === 'string' ? value : (digits ?? String(value));
  // Half of a pair of surrogates becomes another character in UTF-8. As JSON, the server refuses it.
  if (!text.isWellFormed()) return undefined;
  return ESCAPED.test(text) ? text.replaceAll(ALL_ESCAPED, escaped) : text;
}

const ESCAPED = /[\\\n\r\t]/u;
const ALL_ESCAPED = /[\\\n\r\t]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };

function escaped(character: string): string {
  return `\\${ESCAPES[character] ?? character}`;
}

/** Whether values of a column are made of others. */
function isBuilt({ type }: PgColumn): boolean {
  return type.sort === 'c' || type.cast.endsWith('[]');
}

/** Whether a value, or a name or a value within it, has a zero character. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes('\0') || hasNul(member));
}

function cellOf(value: unknown, digits: string | undefined): Cell {
  return typeof value === 'boolean' ? value : (digits ?? String(value));
}

function problemOf(
  value: unknown,
  digits: string | undefined,
  column: PgColumn,
  exactMember: (name: string) => unknown,
): { readonly message: string; readonly texts?: DriverTexts } | undefined {
  if (column.kind === 'json') return undefined;
  const { name, kind } = column;
  if (value === null)
    return column.nullable
      ? undefined
      : { message: `“${name}” must have a value.`, texts: faultTexts('edit.required', { field: name }) };
  try {
    // Databases without a type of their own for them store truth values so. Of other numbers nothing says which they are.
    if (kind === 'boolean' && typeof value === 'number' && !['0', '1'].includes(digits ?? String(value)))
      throw invalid(`${digits ?? value} is a number. The column takes true, false, 1 or 0.`, name, {
        id: 'import.numberForBoolean',
        values: { value: digits ?? value },
      });
    if (kind === 'integer' && typeof value === 'string' && PADDED.test(value))
      throw invalid(`“${value.slice(0, LONGEST_SHOWN)}” would lose what is in front of the number.`, name, {
        id: 'import.padded',
        values: { value: value.slice(0, LONGEST_SHOWN) },
      });
    // The server reads lists and objects itself, for a column of another type by their text.
    if (typeof value !== 'object') newValue(cellOf(value, digits), column);
    else if (isBuilt(column)) refuseChangedJson(exactMember(name), column.type.stored, name);
    else refuseChanged(JSON.stringify(value), column.type.stored, name);
    return undefined;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return { message: error.message, ...messageTexts(error) };
  }
}

/** The value of a column out of a row `r` of the type json, every digit as it is written. */
export function valueExpression(column: PgColumn, table: PgTable): string {
  const { name, kind, type, sql } = column;
  const member = literal(name);
  const text = `(r.v->>${member})`;
  const value = `(r.v->${member})`;
  if (kind === 'bytes') {
    // A text that may be base64 as well was refused before.
    const isHexadecimal = `${text} OPERATOR(pg_catalog.~*) ${literal(HEXADECIMAL_PATTERN)}`;
    return `CASE WHEN ${isHexadecimal} THEN pg_catalog.decode(pg_catalog.substr(${text}, 3), 'hex') ELSE pg_catalog.decode(${text}, 'base64') END`;
  }
  if (kind === 'json') {
    // A text stays one, also where it looks like a list: of a CSV file the host has made JSON.
    return `CASE WHEN pg_catalog.json_typeof(${value}) = 'null' THEN NULL ELSE ${value}::${type.cast} END`;
  }
  if (isBuilt(column)) {
    return `CASE WHEN pg_catalog.json_typeof(${value}) IN ('array', 'object') THEN (pg_catalog.json_populate_record(NULL::${table.sql}, r.v)).${sql} ELSE ${text}::${type.cast} END`;
  }
  return `${text}::${type.cast}`;
}
