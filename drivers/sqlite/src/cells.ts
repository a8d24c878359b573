import { isAbsent } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import { invalid } from './fault.ts';
import { sqlCellText } from './names.ts';
import type { SqlValue } from './names.ts';

/** Blobs above this are named and not shown where they can't be read alone: many of them would not fit any screen or limit. Exports have them whole. */
export const LARGEST_BLOB = 64 * 1024;

export const LEAST_INTEGER = -(2n ** 63n);
export const MOST_INTEGER = 2n ** 63n - 1n;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function digitsOf(value: bigint): number | string {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString();
}

/** A value as a cell of a column of this kind; what does not fit the kind says what it is. */
export function toCell(value: SqlValue, kind: ColumnKind): Cell {
  if (value === null) return null;
  if (typeof value === 'bigint') {
    if (kind === 'integer' || kind === 'decimal') return digitsOf(value);
    if (kind === 'boolean' && (value === 0n || value === 1n)) return value === 1n;
    return ['number', value.toString()];
  }
  if (typeof value === 'number') {
    // Infinity isn't a JSON number. (SQLite keeps NaN as NULL.)
    if (!Number.isFinite(value)) return ['text', value > 0 ? 'Infinity' : '-Infinity'];
    return kind === 'decimal' ? value : ['number', String(value)];
  }
  if (typeof value === 'string') {
    if (kind === 'json') return isJson(value) ? value : ['text', value];
    return kind === 'text' ? value : ['text', value];
  }
  const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return kind === 'bytes' ? base64 : ['bytes', base64];
}

/** The placeholder of a blob that is too large for the console. */
function blobNote(bytes: number): Cell {
  return ['text', `BLOB of ${bytes.toLocaleString('en')} bytes, too large for a page; export the table to have it`];
}

const BLOB_NOTE = /^BLOB of [\d,]+ bytes, too large for a page; export the table to have it$/;

/** As {@link toCell}, with large blobs named. */
export function toPageCell(value: SqlValue, kind: ColumnKind): Cell {
  return value instanceof Uint8Array && value.byteLength > LARGEST_BLOB ? blobNote(value.byteLength) : toCell(value, kind);
}

/**
 * A cell as SQLite keeps it.
 *
 * @throws DriverError `INVALID_INPUT` naming the column, for a value that would not be kept exactly
 */
export function toValue(cell: Cell, kind: ColumnKind, column: string): SqlValue {
  if (cell === null || isAbsent(cell)) return null;
  const text = sqlCellText(cell);
  const tag = Array.isArray(cell) ? String(cell[0]) : typeof cell === 'boolean' ? 'boolean' : undefined;
  switch (tag ?? kind) {
    case 'number':
    case 'decimal':
      return numberOf(text, column);
    case 'integer':
      return integerOf(text, column);
    case 'boolean':
      if (text === 'true' || text === '1') return 1n;
      if (text === 'false' || text === '0') return 0n;
      throw invalid(`“${text.slice(0, 60)}” isn't true or false.`, column, {
        id: 'value.boolean',
        values: { value: text.slice(0, 60) },
      });
    case 'bytes':
      if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
        throw invalid('Bytes are written in base64.', column, { id: 'value.bytes' });
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'text':
      // The note of a blob, sent back, would replace the blob.
      if (tag === 'text' && BLOB_NOTE.test(text)) throw invalid('Bytes are written in base64.', column, { id: 'value.bytes' });
      return text;
    case 'json':
      if (!isJson(text)) throw invalid("The value isn't valid JSON.", column, { id: 'value.json' });
      return text;
    default:
      return text;
  }
}

/** @throws DriverError `INVALID_INPUT` */
export function integerOf(text: string, column: string): bigint {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,30}$/.test(trimmed))
    throw invalid(`“${text.slice(0, 60)}” isn't a whole number.`, column, {
      id: 'value.whole',
      values: { value: text.slice(0, 60) },
    });
  const value = BigInt(trimmed.replace(/^\+/, ''));
  if (value < LEAST_INTEGER || value > MOST_INTEGER)
    throw invalid(`${trimmed} is beyond the whole numbers of SQLite (64 bits).`, column, {
      id: 'value.beyond',
      values: { value: trimmed },
    });
  return value;
}

/** A number as SQLite keeps it: whole where it is one, else a double that means the same. @throws DriverError `INVALID_INPUT` */
export function numberOf(text: string, column: string): bigint | number {
  const trimmed = text.trim().replace(/^\+/, '');
  if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed))
    throw invalid(`“${text.slice(0, 60)}” isn't a number.`, column, { id: 'value.number', values: { value: text.slice(0, 60) } });
  if (/^-?\d+$/.test(trimmed) && trimmed.length <= 20) {
    const whole = BigInt(trimmed);
    if (whole >= LEAST_INTEGER && whole <= MOST_INTEGER) return whole;
  }
  const value = Number(trimmed);
  if (!Number.isFinite(value) || significant(trimmed) !== significant(String(value))) {
    throw invalid(`SQLite can't store every digit of ${trimmed.slice(0, 60)}: it stores such numbers as doubles.`, column, {
      id: 'value.digits',
      values: { value: trimmed.slice(0, 60) },
    });
  }
  return value;
}

/** The digits that count, and the place of the point. */
function significant(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.replace(/(?<!0)0+$/, '');
  return digits === '' ? '0' : `${sign}${digits}e${Number(exponent) - fraction.length + (all.length - digits.length)}`;
}
