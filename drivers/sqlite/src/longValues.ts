import type { Cell, ColumnKind, PageCell, UnreadValue } from '@tabularium/sdk';
import { toCell } from './cells.ts';
import type { SqlValue } from './names.ts';
import type { SqlColumn } from './schema.ts';

/** Characters of a long value that a page shows. */
const START = 200;
/** Above this not even the beginning of a text is read: SQLite would load all of it for that. */
const LARGEST_STARTED = 64 * 1024 * 1024;
/** Arguments of one call: SQLite takes 1,000, and older versions 100. */
const MOST_ARGUMENTS = 100;

/** A column of a query, and the bytes above which its values are cut. */
export interface LimitedColumn {
  readonly column: Pick<SqlColumn, 'sql' | 'kind'>;
  readonly most: number;
}

/** A value that was cut: the bytes of the whole one, and whether it is a blob. */
export interface CutValue {
  readonly bytes: number;
  readonly isBlob: boolean;
  /** Empty where it was not read. */
  readonly start: string;
}

/**
 * The expressions that read columns with long values cut inside SQLite, and behind them one that says which were cut: a value reaches the memory of this process
 * only where it is short. `octet_length` and `typeof` of a column don't read its content.
 */
export function limitedSelect(columns: readonly LimitedColumn[]): readonly string[] {
  const values = columns.map(
    ({ column: { sql }, most }) =>
      `CASE WHEN octet_length(${sql}) > ${most} THEN iif(typeof(${sql}) = 'text' AND octet_length(${sql}) <= ${LARGEST_STARTED}, substr(${sql}, 1, ${START}), '') ELSE ${sql} END`,
  );
  const marks = columns.map(
    ({ column: { sql }, most }, index) =>
      `iif(octet_length(${sql}) > ${most}, '${index}:' || octet_length(${sql}) || ':' || typeof(${sql}) || ',', '')`,
  );
  return [...values, joined(marks)];
}

function joined(texts: readonly string[]): string {
  if (texts.length === 0) return "''";
  if (texts.length <= MOST_ARGUMENTS) return `concat(${texts.join(', ')})`;
  const groups = Array.from({ length: Math.ceil(texts.length / MOST_ARGUMENTS) }, (_, group) =>
    joined(texts.slice(group * MOST_ARGUMENTS, (group + 1) * MOST_ARGUMENTS)),
  );
  return joined(groups);
}

/** The values that a row of {@link limitedSelect} has cut, by the places of their columns. */
export function cutValues(row: readonly SqlValue[], columns: number): ReadonlyMap<number, CutValue> {
  const marks = row[columns];
  if (typeof marks !== 'string' || marks === '') return NONE;
  return new Map(
    marks
      .split(',')
      .filter((mark) => mark !== '')
      .map((mark) => {
        const [place = '', bytes = '', type] = mark.split(':');
        const start = row[Number(place)];
        return [
          Number(place),
          { bytes: Number(bytes), isBlob: type === 'blob', start: typeof start === 'string' ? start : '' },
        ] as const;
      }),
  );
}

const NONE: ReadonlyMap<number, CutValue> = new Map();

/** The placeholder of a value that can be read by the key of its row. */
export function unreadCell({ bytes, isBlob, start }: CutValue, isUtf8: boolean): PageCell {
  const value: UnreadValue = {
    // Blobs travel in base64. Of a text in UTF-16 the bytes in UTF-8 aren't known.
    ...(isBlob ? { bytes: Math.ceil(bytes / 3) * 4 } : isUtf8 ? { bytes } : {}),
    ...(start === '' ? {} : { start }),
  };
  return ['unread', value];
}

/** The note in place of a value of a row without a key, which can't be read alone. */
export function longNote({ bytes, isBlob }: CutValue): Cell {
  const what = isBlob ? 'BLOB' : 'Text';
  return ['text', `${what} of ${bytes.toLocaleString('en')} bytes, too large for a page; export the table to have it`];
}

/** The cells of a row of {@link limitedSelect}. */
export function limitedCells(
  row: readonly SqlValue[],
  kinds: readonly ColumnKind[],
  instead: (cut: CutValue) => PageCell,
): PageCell[] {
  const cut = cutValues(row, kinds.length);
  return kinds.map((kind, index): PageCell => {
    const found = cut.get(index);
    return found === undefined ? toCell(row[index] ?? null, kind) : instead(found);
  });
}
