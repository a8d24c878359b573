import { readDelimited } from '../../common/delimitedText.ts';
import type { DelimitedField } from '../../common/delimitedText.ts';
import { parseTree } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';
import { DEEPEST_DOCUMENT, memberOf } from '../grid/model/rowDocument.ts';
import type { DocumentNode } from '../grid/model/rowDocument.ts';

/** How a text from the clipboard is divided. */
export const PASTE_FORMATS = ['tsv', 'csv', 'json', 'lines'] as const;
export type PasteFormat = (typeof PASTE_FORMATS)[number];

/** One field. `json` is a value as the JSON had it, with the order of its members and every digit; undefined where an object lacks the member. */
export type PastedField = DelimitedField | { readonly form: 'json'; readonly value: JsonNode | undefined };

export interface PastedTable {
  readonly format: PasteFormat;
  /** Names of columns, where the text has them: the members of objects, or a first line that a person or {@link looksLikeHeader} takes for that. */
  readonly names?: readonly string[];
  readonly rows: readonly (readonly PastedField[])[];
}

/** A text of this length takes about half a second of processor time; a person can't review more before it is staged. */
export const MOST_PASTED_CHARACTERS = 20_000_000;

const isObject = (node: JsonNode | undefined): node is DocumentNode => node?.is === 'object';

function ofObjects(objects: readonly DocumentNode[]): PastedTable {
  const names = [...new Set(objects.flatMap(({ members }) => members.map(([name]) => name)))];
  return {
    format: 'json',
    names,
    rows: objects.map((object) => names.map((name) => ({ form: 'json', value: memberOf(object, name) }))),
  };
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

const widthOf = (rows: readonly (readonly PastedField[])[]): number => Math.max(0, ...rows.map((row) => row.length));

/** Divides a text in a given way; undefined when it is not of that format. */
export function readAs(text: string, format: PasteFormat): PastedTable | undefined {
  switch (format) {
    case 'json':
      return ofJson(text);
    case 'tsv':
      return { format, rows: readDelimited(text, '\t') };
    case 'csv':
      return { format, rows: readDelimited(text, ',') };
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

/** Divides a text as it seems to be meant: JSON, between tabs, or between commas where every line has as many. */
export function readClipboard(text: string): PastedTable {
  const json = ofJson(text);
  if (json !== undefined) return json;
  if (text.includes('\t')) return { format: 'tsv', rows: readDelimited(text, '\t') };
  // A quoted field of several lines, copied alone.
  if (/^"(?:[^"]|"")*"\r?\n?$/.test(text)) return { format: 'tsv', rows: readDelimited(text, '\t') };
  const rows = readDelimited(text, ',');
  const width = widthOf(rows);
  if (rows.length > 1 && width > 1 && rows.every((row) => row.length === width)) return { format: 'csv', rows };
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
