/** Fields between commas (CSV) or tabs (TSV), quoted as RFC 4180 has it. What {@link writeField} writes, {@link readDelimited} reads back. */
export type Separator = ',' | '\t';
/** Separators of other programs, too; only read. */
export type ReadSeparator = Separator | ';' | '|';

/** One field. A text that was not quoted and is empty says nothing: null, or left out. */
export interface DelimitedField {
  readonly form: 'text';
  readonly text: string;
  readonly quoted: boolean;
  /** Its quotation marks don't pair: nothing closes it, or text follows the closing one. The field may have swallowed fields and lines of others. */
  readonly broken?: 'unclosed' | 'followed';
}

/** Takes the fields of a row, in their order. */
export interface FieldTarget {
  add(text: string, quoted: boolean, broken: DelimitedField['broken']): void;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\uFEFF';

/** One object for all of them: a text of 20 million separators would else need 1.5 GB. */
const NOTHING: DelimitedField = { form: 'text', text: '', quoted: false };

const NEEDS_QUOTES = { ',': /[",\r\n]/, '\t': /["\t\r\n]/ } as const;
/** Characters that a spreadsheet takes for the beginning of a formula; some take the wide forms for it too. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text as a field. The empty text is `""`, which distinguishes it from null, and one empty field from an empty line. */
export function writeField(text: string, separator: Separator): string {
  return text === '' || NEEDS_QUOTES[separator].test(text) || /^[ \uFEFF]| $/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** The text behind an apostrophe where a spreadsheet would run it. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * The rows of a text, in time and memory that grow with its length. Lines end with CRLF, LF or CR, also mixed. A quote within an unquoted field is a
 * quote; a quote that nothing closes ends with the text, and text behind a closing one belongs to its field: both are `broken`. Rows may differ in length. A byte order mark at the start is left out.
 */
export function readDelimited(text: string, separator: ReadSeparator): DelimitedField[][] {
  const rows: DelimitedField[][] = [];
  let row: DelimitedField[] = [];
  const target: FieldTarget = {
    add: (field, quoted, broken) => {
      const isNothing = field === '' && !quoted;
      row.push(isNothing ? NOTHING : { form: 'text', text: field, quoted, ...(broken === undefined ? {} : { broken }) });
    },
  };
  let place: number | undefined = 0;
  while (place !== undefined) {
    place = readDelimitedRow(text, separator, place, target);
    rows.push(row);
    row = [];
  }
  return rows;
}

/**
 * Reads one row of a text as {@link readDelimited} does, into what is there already: an object for each field of a million rows is garbage that V8 may take
 * for long-lived.
 *
 * @param start - where it begins
 * @returns where the next row begins; undefined where there is none
 */
export function readDelimitedRow(text: string, separator: ReadSeparator, start: number, target: FieldTarget): number | undefined {
  const separatorCode = separator.charCodeAt(0);
  let place = start === 0 && text.startsWith(BYTE_ORDER_MARK) ? 1 : start;
  for (;;) {
    let field = '';
    let isClosed = false;
    const quoted = text.charCodeAt(place) === QUOTE;
    if (quoted) {
      place += 1;
      for (;;) {
        const end = text.indexOf('"', place);
        if (end === -1) {
          field += text.slice(place);
          place = text.length;
          break;
        }
        field += text.slice(place, end);
        place = end + 1;
        isClosed = text.charCodeAt(place) !== QUOTE;
        if (isClosed) break;
        field += '"';
        place += 1;
      }
    }
    let end = place;
    // Behind the end, the code is NaN.
    let code = text.charCodeAt(end);
    while (end < text.length && code !== separatorCode && code !== LINE_FEED && code !== CARRIAGE_RETURN) {
      end += 1;
      code = text.charCodeAt(end);
    }
    const rest = text.slice(place, end);
    // Some programs write blanks there; behind a field of several lines, it rather was the opening one of another field.
    const isFollowed = quoted && rest !== '' && (/\S/.test(rest) || /[\r\n]/.test(field));
    target.add(field + rest, quoted, !quoted ? undefined : !isClosed ? 'unclosed' : isFollowed ? 'followed' : undefined);
    place = end + 1;
    if (code === separatorCode) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(place) === LINE_FEED) place += 1;
    // The break after the last line begins no line.
    return place >= text.length ? undefined : place;
  }
}
