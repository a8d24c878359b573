import { readDelimited } from '../../common/delimitedText.ts';
import type { DelimitedField } from '../../common/delimitedText.ts';
import { parseTree } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';
import { DEEPEST_DOCUMENT, memberOf } from '../grid/model/rowDocument.ts';
import type { DocumentNode } from '../grid/model/rowDocument.ts';

/** How a text from the clipboard is divided. */
export const PASTE_FORMATS = ['tsv', 'csv', 'semicolons', 'json', 'lines'] as const;
export type PasteFormat = (typeof PASTE_FORMATS)[number];

/** One field. `json` is a value as the JSON had it, with the order of its members and every digit; undefined where an object lacks the member. */
export type PastedField =
  | DelimitedField
  | {
      readonly form: 'json';
      readonly value: JsonNode | undefined;
      /** The object has another member of the same name before this one. */
      readonly isRepeated?: true;
    };

export interface PastedTable {
  readonly format: PasteFormat;
  /** Names of columns, where the text has them: the members of objects, or a first line that a person or {@link looksLikeHeader} takes for that. */
  readonly names?: readonly string[];
  readonly rows: readonly (readonly PastedField[])[];
}

/** A text of this length takes about half a second of processor time; a person can't review more before it is staged. */
export const MOST_PASTED_CHARACTERS = 20_000_000;

/** Fields of the rows of one paste, each of which a person sees in the preview. Objects with names of their own make rows × names of them. */
export const MOST_PASTED_FIELDS = 2_000_000;

/** A text of more than {@link MOST_PASTED_FIELDS}. */
export class TooManyFields extends Error {
  override readonly name = 'TooManyFields';
}

const isObject = (node: JsonNode | undefined): node is DocumentNode => node?.is === 'object';

/** @throws TooManyFields */
function ofObjects(objects: readonly DocumentNode[]): PastedTable {
  const names = [...new Set(objects.flatMap(({ members }) => members.map(([name]) => name)))];
  if (objects.length * names.length > MOST_PASTED_FIELDS) throw new TooManyFields();
  return {
    format: 'json',
    names,
    rows: objects.map((object) => {
      const repeated = repeatedNames(object);
      return names.map((name): PastedField => {
        const value = memberOf(object, name);
        return repeated.has(name) ? { form: 'json', value, isRepeated: true } : { form: 'json', value };
      });
    }),
  };
}

function repeatedNames({ members }: DocumentNode): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of members) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function ofJson(text: string): PastedTable | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const tryRead = (part: string): JsonNode | undefined => {
    try {
      return parseTree(part, DEEPEST_DOCUMENT);
    } catch {
      return undefined;
    }
  };
  const whole = tryRead(trimmed);
  if (isObject(whole)) return ofObjects([whole]);
  if (whole?.is === 'array') {
    const { items } = whole;
    if (items.length > 0 && items.every(isObject)) return ofObjects(items);
    if (items.length > 0 && items.every((row) => row.is === 'array'))
      return { format: 'json', rows: items.map((row) => row.items.map((value) => ({ form: 'json', value }))) };
    return undefined;
  }
  const lines = trimmed.split(/\r?\n/).filter((line) => line.trim() !== '');
  const objects = lines.map(tryRead);
  return objects.length > 1 && objects.every(isObject) ? ofObjects(objects) : undefined;
}

/** Fields of the longest line. A call with one argument for each line would fail from about 100,000 lines on. */
export const widthOf = (rows: readonly { readonly length: number }[]): number =>
  rows.reduce((most, { length }) => Math.max(most, length), 0);

/** Divides a text in a given way; undefined when it is not of that format. @throws TooManyFields */
export function readAs(text: string, format: PasteFormat): PastedTable | undefined {
  switch (format) {
    case 'json':
      return ofJson(text);
    case 'tsv':
      return { format, rows: readDelimited(text, '\t') };
    case 'csv':
      return { format, rows: readDelimited(text, ',') };
    case 'semicolons':
      return { format, rows: readDelimited(text, ';') };
    case 'lines':
      return {
        format,
        rows: text
          .replace(/\r?\n$/, '')
          .split(/\r?\n/)
          .map((line) => [{ form: 'text', text: line, quoted: false }]),
      };
  }
}

const isEven = (rows: PastedTable['rows']): boolean => {
  const width = widthOf(rows);
  return rows.length > 1 && width > 1 && rows.every((row) => row.length === width);
};

const hasDecimalComma = (rows: PastedTable['rows']): boolean =>
  rows.some((row) => row.some((field) => field.form === 'text' && /^[+-]?\d+,\d+$/.test(field.text.trim())));

/**
 * Divides a text as it seems to be meant: JSON, between tabs, or between commas or semicolons where every line has as many. Spreadsheets write
 * semicolons where numbers have decimal commas. @throws TooManyFields
 */
export function readClipboard(text: string): PastedTable {
  const json = ofJson(text);
  if (json !== undefined) return json;
  if (text.includes('\t')) return { format: 'tsv', rows: readDelimited(text, '\t') };
  // A quoted field of several lines, copied alone.
  if (/^"(?:[^"]|"")*"\r?\n?$/.test(text)) return { format: 'tsv', rows: readDelimited(text, '\t') };
  const rows = readDelimited(text, ',');
  const semicolons = text.includes(';') ? readDelimited(text, ';') : [];
  if (isEven(semicolons) && (!isEven(rows) || hasDecimalComma(semicolons))) return { format: 'semicolons', rows: semicolons };
  if (isEven(rows)) return { format: 'csv', rows };
  return readAs(text, 'lines') ?? { format: 'lines', rows };
}

/** Whether the first line names columns: all of its fields are names that the table has. */
export function looksLikeHeader({ format, rows }: PastedTable, columns: readonly string[]): boolean {
  const [first, ...rest] = rows;
  if (format === 'json' || first === undefined || rest.length === 0) return false;
  return first.every((field) => field.form === 'text' && columns.includes(field.text));
}

/** The first line taken for the names of the columns. */
export function withHeader(table: PastedTable): PastedTable {
  const [first, ...rows] = table.rows;
  if (first === undefined) return table;
  return { format: table.format, names: first.map((field) => (field.form === 'text' ? field.text : '')), rows };
}
