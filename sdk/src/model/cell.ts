/**
 * One value of one row, as it travels from driver to screen.
 *
 * A plain JSON value is read as the column's {@link ColumnKind} says:
 *
 * | column kind            | plain values                                                                    |
 * | ---------------------- | ------------------------------------------------------------------------------- |
 * | `integer`, `decimal`   | a number, or a string of digits where a double cannot hold the value exactly      |
 * | `boolean`              | `true`, `false`                                                                 |
 * | `json`                 | a string that is a JSON text, exactly as the database gave it                   |
 * | `bytes`                | a string in base64                                                              |
 * | `date`                 | a string, year first: `2026-11-29`                                              |
 * | `time`                 | a string: `13:05:00.25`, with an offset where the database stores one           |
 * | `timestamp`            | a string, year first: `2026-11-29 13:05:00.25`, or with a `T`; with the offset that the database gives |
 * | `uuid`                 | a string, as the database writes it                                             |
 * | `enum`                 | a string: the label                                                             |
 * | `array`, `range`, `interval`, `vector` | a string in the database's own form, which the driver takes back |
 * | every other kind       | a string                                                                        |
 *
 * `null` is the database's null in every kind. Whatever does not fit its column's kind, and a value that the row does not
 * have at all, is a {@link TaggedCell}. Cells are immutable.
 */
export type Cell = null | boolean | number | string | TaggedCell;

/**
 * A value that says itself what it is:
 *
 * - `["absent"]`: the row has no such field (not the same as null);
 * - `["number", "9007199254740993"]`: a number by its exact digits;
 * - `["text", "…"]`, `["boolean", "true"]`, `["json", "…"]`, `["bytes", "base64…"]`: a value of another kind than its column's.
 */
export type TaggedCell =
  | readonly ['absent']
  | readonly ['number', string]
  | readonly ['text', string]
  | readonly ['boolean', 'true' | 'false']
  | readonly ['json', string]
  | readonly ['bytes', string];

/**
 * The placeholder in a page for a value that was not read: a long text, a vector, a column that was not asked for. The row may not have the field at
 * all. Never sent to a host whose request has no `placeholders`, and never a value to write: it isn't a {@link Cell}.
 */
export type UnreadCell = readonly ['unread', UnreadValue];

/** The facts about a value that a driver did not read; each part only where it cost nothing to know. */
export interface UnreadValue {
  /** Of the whole value, as UTF-8 text: a string's own, a list's or an object's JSON. */
  readonly bytes?: number;
  /** How many numbers a vector of this column has. */
  readonly dimensions?: number;
  /** The beginning of the value's text, at most 1,000 characters. */
  readonly start?: string;
}

/** A cell of a page whose request allows placeholders. */
export type PageCell = Cell | UnreadCell;

/** True for a placeholder, see {@link UnreadCell}. */
export function isUnread(cell: PageCell): cell is UnreadCell {
  return Array.isArray(cell) && cell[0] === 'unread';
}

/** The one value of a field that its row does not have. */
export const ABSENT: TaggedCell = ['absent'];

/** True for the {@link ABSENT} cell. */
export function isAbsent(cell: Cell): boolean {
  return Array.isArray(cell) && cell[0] === 'absent';
}

const NUMERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The cell for a number given by its digits: a plain number where a double holds exactly that value, else the digits themselves.
 *
 * @param digits - a JSON number, such as `12`, `-0.5` or `9007199254740993`
 * @throws RangeError when the text isn't a JSON number
 */
export function numeralCell(digits: string): number | string {
  if (!NUMERAL.test(digits)) throw new RangeError(`"${digits.slice(0, 40)}" is not a number.`);
  const value = Number(digits);
  return String(value) === digits ? value : digits;
}
