import { FILTER_OPERATORS, FILTER_VALUES } from '@tabularium/sdk';
import type { Column, Filter, FilterOperator } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { plainNumber } from '../i18n/plainNumber.ts';
import { DATE_UNITS } from '../grid/model/dateView.ts';
import { dateFormOf, dateValue } from './dateValue.ts';

export type FilterSelection = NonNullable<Manifest['filtering']>;
export type FilterValueKind = FilterSelection['classes'][string]['value'];

/** One row of the bar as entered, also half filled in. */
const filterRowSchema = z.object({
  id: z.string().max(100),
  enabled: z.boolean(),
  column: z.string().max(1_000),
  operator: z.enum(FILTER_OPERATORS),
  /** The fields' texts: one, or two for a range. A list is one text. */
  texts: z.tuple([z.string(), z.string()]),
  /** The unit of a column whose integers are moments: dates are written instead of digits. */
  dateUnit: z.enum(DATE_UNITS).optional(),
});
export type FilterRow = z.output<typeof filterRowSchema>;

export const filterDraftSchema = z.object({
  match: z.enum(['all', 'any']),
  rows: z.array(filterRowSchema).max(200),
  /** Absent while the raw row is not shown. */
  raw: z.object({ enabled: z.boolean(), text: z.string().max(100_000) }).optional(),
  matchCase: z.boolean().optional(),
});
/** The content of the filter bar of one table. */
export type FilterDraft = z.output<typeof filterDraftSchema>;

export const EMPTY_DRAFT: FilterDraft = { match: 'all', rows: [] };

/** An operator as the bar offers it to a column. */
export interface OfferedOperator {
  readonly operator: FilterOperator;
  /** The driver's own word for it. */
  readonly label?: string;
  readonly help?: string;
  /** Why it cannot be used. */
  readonly refused?: string;
}

/** The operators of a column, in the manifest's order; none where it cannot be filtered by. */
export function offeredOperators(filtering: FilterSelection, column: Column | undefined): readonly OfferedOperator[] {
  const filterClass = column?.filterClass === undefined ? undefined : filtering.classes[column.filterClass];
  return (filterClass?.operators ?? []).map((entry) => {
    if (typeof entry === 'string') return { operator: entry };
    const { operator, label, help, refused } = entry;
    return {
      operator,
      ...(label === undefined ? {} : { label }),
      ...(help === undefined ? {} : { help }),
      ...(refused === undefined ? {} : { refused }),
    };
  });
}

/** The columns with operators that are not refused. */
export function canFilterBy(filtering: FilterSelection, column: Column): boolean {
  return offeredOperators(filtering, column).some(({ refused }) => refused === undefined);
}

export function valueKindOf(filtering: FilterSelection, column: Column | undefined): FilterValueKind {
  return column?.filterClass === undefined ? 'text' : (filtering.classes[column.filterClass]?.value ?? 'text');
}

/** A row for a column: with the operator that it had, where the column has that too. */
export function rowFor(filtering: FilterSelection, column: Column, before?: FilterRow): FilterRow {
  const usable = offeredOperators(filtering, column).filter(({ refused }) => refused === undefined);
  const same = usable.find(({ operator }) => operator === before?.operator);
  return {
    id: before?.id ?? crypto.randomUUID(),
    enabled: before?.enabled ?? true,
    column: column.name,
    operator: (same ?? usable[0])?.operator ?? 'equals',
    // A moment means nothing in another column.
    texts: before?.dateUnit === undefined || before.column === column.name ? (before?.texts ?? ['', '']) : ['', ''],
  };
}

/** `new, "on sale, today"` is two values: a comma inside double quotes belongs to its value, and `""` there is one quote. */
export function splitList(text: string): readonly string[] {
  const values: string[] = [];
  const closing = closingQuotes(text);
  for (let at = 0; at < text.length; at += 1) {
    const start = skipSpaces(text, at);
    const close = text[start] === '"' ? (closing[start + 1] ?? text.length) : text.length;
    const behind = close < text.length ? skipSpaces(text, close + 1) : -1;
    if (behind === text.length || text[behind] === ',') {
      values.push(text.slice(start + 1, close).replaceAll('""', '"'));
      at = behind;
      continue;
    }
    const comma = text.indexOf(',', at);
    const end = comma === -1 ? text.length : comma;
    const value = text.slice(at, end).trim();
    if (value !== '') values.push(value);
    at = end;
  }
  return values;
}

/** For each position inside quotes, where these quotes end; the length of the text where they never do. One pass, from the right. */
function closingQuotes(text: string): Uint32Array {
  const closing = new Uint32Array(text.length + 2).fill(text.length);
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] !== '"') closing[at] = closing[at + 1] ?? text.length;
    else closing[at] = text[at + 1] === '"' ? (closing[at + 2] ?? text.length) : at;
  }
  return closing;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** The values of a row as they are sent: dates as what the column holds. */
function sentValues(row: FilterRow, kind: FilterValueKind, columns: readonly Column[], now: number): readonly string[] {
  const form = dateFormOf(
    columns.find(({ name }) => name === row.column),
    row.dateUnit,
  );
  const values = valuesOf(row);
  if (OF_TEXT.has(row.operator)) return values;
  const plain = form === undefined ? values : values.map((value) => dateValue(value, form, now));
  return plainValues(plain, kind);
}

/** The values of a row as written, as many as its operator takes; fewer where it is not filled in. */
function valuesOf(row: FilterRow): readonly string[] {
  const [first, second] = row.texts;
  switch (FILTER_VALUES[row.operator]) {
    case 'none':
      return [];
    case 'one':
      return first === '' ? [] : [first];
    case 'two':
      return [first, second].filter((text) => text.trim() !== '');
    case 'many':
      return splitList(first);
  }
}

/** Operators whose value is a text, whatever the column holds besides. */
const OF_TEXT: ReadonlySet<FilterOperator> = new Set(['contains', 'notContains', 'startsWith', 'endsWith', 'matchesRegex']);

const PATTERNS: Readonly<Record<FilterValueKind, RegExp>> = {
  text: /^/,
  integer: /^\s*[-+]?\d+\s*$/,
  number: /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/,
  boolean: /^\s*(?:true|false)\s*$/,
};

/** Numbers may be written as in the language of the window. In a list a comma separates values, unless they are in quotes. */
function plainValues(values: readonly string[], kind: FilterValueKind): readonly string[] {
  return kind === 'number' || kind === 'integer' ? values.map((value) => plainNumber(value)) : values;
}

const DISTANCE = /^\d+(?:\.\d+)?\s*(?:km|mi|m)$/i;
const DEGREES = /^[-+]?\d+(?:\.\d+)?$/;

/** Latitude and longitude, also in the brackets in which a cell shows them. */
function isPoint(text: string): boolean {
  const trimmed = text.trim();
  const isBracketed = /^[[(]/.test(trimmed) && /[\])]$/.test(trimmed);
  const parts = (isBracketed ? trimmed.slice(1, -1) : trimmed).split(',');
  return parts.length === 2 && parts.every((part) => DEGREES.test(part.trim()));
}

function placeFaultOf(
  operator: 'withinRadius' | 'withinPolygon',
  [first = '', second = '']: readonly string[],
): FilterFault | undefined {
  if (operator === 'withinPolygon') {
    const corners = first.split(';').filter((corner) => corner.trim() !== '');
    return corners.length >= 3 && corners.every(isPoint) ? undefined : 'area';
  }
  if (!isPoint(first)) return 'point';
  return DISTANCE.test(second.trim()) ? undefined : 'distance';
}

/** A missing value, or one of the wrong kind. */
export type FilterFault = 'missing' | 'date' | 'point' | 'distance' | 'area' | FilterValueKind;

/** The fault of a row before anything is sent: none, a missing value, or one of the wrong kind. */
export function faultOf(row: FilterRow, kind: FilterValueKind, columns: readonly Column[] = []): FilterFault | undefined {
  const values = sentValues(row, kind, columns, 0);
  const needed = { none: 0, one: 1, two: 2, many: 1 }[FILTER_VALUES[row.operator]];
  if (values.length < needed) return 'missing';
  if (row.operator === 'withinRadius' || row.operator === 'withinPolygon') return placeFaultOf(row.operator, values);
  const special = columns.find(({ name }) => name === row.column)?.specialValues ?? [];
  const isValue = (value: string): boolean =>
    PATTERNS[kind].test(value) || special.some((one) => one.toLowerCase() === value.trim().toLowerCase());
  if (OF_TEXT.has(row.operator) || values.every(isValue)) return undefined;
  return row.dateUnit === undefined ? kind : 'date';
}

/**
 * The filter that the bar stands for. Rows that are switched off are left out.
 *
 * @param kindOf - the kind of a column's values; without it they are taken as they were typed
 * @param columns - those of the table, by which dates are written as what the columns hold
 * @param now - the moment that `now` means, in milliseconds since 1970
 */
export function filterOf(
  draft: FilterDraft,
  kindOf: (column: string) => FilterValueKind = () => 'text',
  columns: readonly Column[] = [],
  now = Date.now(),
): Filter {
  const conditions = draft.rows
    .filter(({ enabled }) => enabled)
    .map((row) => ({ column: row.column, operator: row.operator, values: sentValues(row, kindOf(row.column), columns, now) }));
  const raw = draft.raw?.enabled === true && draft.raw.text.trim() !== '' ? { raw: draft.raw.text } : {};
  return { match: draft.match, conditions, ...raw, ...(draft.matchCase === undefined ? {} : { matchCase: draft.matchCase }) };
}

/** Whether a condition that is switched on lacks a value, or has one of the wrong kind. */
export function hasFaults(draft: FilterDraft, filtering: FilterSelection, columns: readonly Column[]): boolean {
  return draft.rows.some((row) => {
    const column = columns.find(({ name }) => name === row.column);
    return row.enabled && faultOf(row, valueKindOf(filtering, column), columns) !== undefined;
  });
}

/** A draft without the conditions that can't be applied: half filled in, of columns that are gone, with operators that aren't offered any more. */
export function restorable(draft: FilterDraft, filtering: FilterSelection, columns: readonly Column[]): FilterDraft {
  const rows = draft.rows.filter((row) => {
    const column = columns.find(({ name }) => name === row.column);
    const offered = offeredOperators(filtering, column).find(({ operator }) => operator === row.operator);
    return (
      offered !== undefined &&
      offered.refused === undefined &&
      faultOf(row, valueKindOf(filtering, column), columns) === undefined
    );
  });
  const { raw, ...withoutRaw } = draft;
  return raw === undefined || filtering.raw === undefined || raw.text.trim() === ''
    ? { ...withoutRaw, rows }
    : { ...withoutRaw, rows, raw };
}

export function isFiltering(filter: Filter): boolean {
  return filter.conditions.length > 0 || filter.raw !== undefined;
}

export function sameFilter(one: Filter, other: Filter): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
