import type { Cell, ColumnKind } from '@tabularium/sdk';
import { toValue } from '../cells.ts';
import { invalid } from '../fault.ts';
import type { SqlValue } from '../names.ts';

/** A number by its digits; `JSON.stringify` writes it as it is. */
interface RawNumber {
  readonly rawJSON: string;
}

/** Functions of the language that its type library doesn't list yet. */
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
}
const rawJson = JSON as unknown as RawJson;

/** The members of a row, each number by its digits. @throws DriverError `INVALID_INPUT` for a text that isn't a JSON object */
export function readRow(text: string): ReadonlyMap<string, unknown> {
  let value: unknown;
  try {
    value = rawJson.parse(text, (_key, one, { source }) =>
      typeof one === 'number' && source !== undefined ? rawJson.rawJSON(source) : one,
    );
  } catch {
    throw invalid("The row isn't valid JSON.", undefined, { id: 'import.noJson' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || rawJson.isRawJSON(value))
    throw invalid("The row isn't a JSON object.", undefined, { id: 'import.noObject' });
  return new Map(Object.entries(value));
}

/** The digits of a number; undefined for every other value. */
export function digitsOf(value: unknown): string | undefined {
  return rawJson.isRawJSON(value) ? value.rawJSON : undefined;
}

/** A member of a row as SQLite keeps it in a column. @throws DriverError `INVALID_INPUT` for a value that would not be kept exactly */
export function memberValue(value: unknown, kind: ColumnKind, column: string): SqlValue {
  return toValue(cellOf(value, kind), kind, column);
}

function cellOf(value: unknown, kind: ColumnKind): Cell {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  const digits = digitsOf(value);
  // SQLite keeps a number in a column of any type, and makes text of it in a column of texts.
  if (digits !== undefined) return kind === 'text' ? digits : ['number', digits];
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return kind === 'text' ? String(value) : value;
  return JSON.stringify(value);
}
