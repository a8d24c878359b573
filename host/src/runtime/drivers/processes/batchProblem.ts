import { isUtf8 } from 'node:buffer';

/** Columns of a batch, as many as a description may have. */
const MOST_COLUMNS = 10_000;
/** Elements of the description of one column. */
const PER_COLUMN = 100;
/** Elements of a batch whose columns come after its rows. */
const MOST_BEFORE_COLUMNS = 1_000_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the rows and the columns of `{"columns":[…],"rows":[[…]]}` are. */
const ENTRIES = 2;

export interface BatchBounds {
  /** Rows that the batch has by its head, at the most; undefined where that doesn't say so. */
  readonly rows: number | undefined;
  readonly mostRows: number;
  /** Bytes up to which a batch isn't counted; {@link SHORT} unless given. */
  readonly short?: number;
}

/** A batch of this size is parsed in a moment, whatever is in it; pages are mostly shorter, and counting takes as long as a tenth of their way. */
const SHORT = 1024 * 1024;

/**
 * Finds more in a batch than was asked for, before anyone parses it: a minute of empty rows fits into an answer. Reads no further than it must, and a batch
 * that is in order once, at about a millisecond for each megabyte.
 *
 * @returns what is wrong
 */
export function batchProblem(bytes: Uint8Array, { rows: expected, mostRows, short = SHORT }: BatchBounds): string | undefined {
  if (expected !== undefined && expected > mostRows) return `its head says ${expected} rows, and ${mostRows} were asked for`;
  if (!isUtf8(bytes)) return "the batch isn't valid UTF-8";
  if (bytes.length <= short) return undefined;
  const most = expected ?? mostRows;
  let depth = 0;
  let rows = 0;
  let columns = 0;
  let elements = 0;
  const mostElements = (): number =>
    columns === 0 ? MOST_BEFORE_COLUMNS : 4 * (most + 1) * (columns + 1) + (columns + 1) * PER_COLUMN;
  let bound = mostElements();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA) elements += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      elements += 1;
      if (depth === ENTRIES && byte === OPEN_LIST) rows += 1;
      else if (depth === ENTRIES) {
        columns += 1;
        bound = mostElements();
      }
      depth += 1;
      if (rows > most) return `the batch has more than ${most} rows`;
      if (columns > MOST_COLUMNS) return `the batch has more than ${MOST_COLUMNS} columns`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (elements > bound) return 'the batch has more values than its rows and columns have';
  }
  return depth === 0 ? undefined : "the batch isn't complete";
}
