import type { Column, FilterCondition, FilterOperator } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { FindMatch } from '../../common/findingRows.ts';
import { momentConditions } from './momentConditions.ts';
import { numberKey, numeralOf, writtenNumeral } from './numeral.ts';

type Filtering = NonNullable<Manifest['filtering']>;

/** A column that the text is compared with, and how. */
export interface ComparedColumn {
  readonly condition: FilterCondition;
  /** `text`: as text; `number`, `moment`: the value that the text writes. */
  readonly as: 'text' | 'number' | 'moment';
}

export interface ComparableColumns {
  readonly compared: readonly ComparedColumn[];
  /** Columns that could hold the text, and that the database can't compare with it. */
  readonly uncompared: readonly string[];
}

/** Conditions of one filter, as many as a filter bar holds. */
export const MOST_COMPARED = 200;

const WHOLE_NUMBER = /^-?\d{1,60}$/;
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const PART_OF_UUID = /^[0-9a-f-]+$/i;
/** A text would be looked for in what no person reads as text, unless the database finds text in such a column, too. */
const SELDOM_TEXT: ReadonlySet<string> = new Set(['boolean', 'bytes']);

/**
 * The columns of a table that can hold a text, each with the operator by which the database finds it there. Numbers, dates and UUIDs are compared as
 * values, because a cast to text would neither use an index nor be exact: a text that doesn't write such a value leaves them out.
 */
export function comparableColumns(
  columns: readonly Column[],
  filtering: Pick<Filtering, 'classes'>,
  { text, match }: { readonly text: string; readonly match: FindMatch },
): ComparableColumns {
  const compared: ComparedColumn[] = [];
  const uncompared: string[] = [];
  for (const column of columns) {
    if (column.kind === 'geo') continue;
    const found = conditionsOf(column, filtering, { text, match });
    if (found === undefined || compared.length + found.length > MOST_COMPARED) uncompared.push(column.name);
    else compared.push(...found);
  }
  return { compared, uncompared };
}

/** None where the column can't hold the text; undefined where it can't be compared with it. */
function conditionsOf(
  column: Column,
  { classes }: Pick<Filtering, 'classes'>,
  { text, match }: { readonly text: string; readonly match: FindMatch },
): readonly ComparedColumn[] | undefined {
  const { name, kind, filterClass } = column;
  // A driver may name a class that its manifest lacks, such as "constructor".
  const found = filterClass !== undefined && Object.hasOwn(classes, filterClass) ? classes[filterClass] : undefined;
  const isNumber = kind === 'integer' || kind === 'decimal' || found?.value === 'integer' || found?.value === 'number';
  const trimmed = text.trim();
  const number = isNumber ? numberFor(column, trimmed, found?.value === 'integer' || kind === 'integer') : undefined;
  if (found === undefined) return SELDOM_TEXT.has(kind) || (isNumber && number === undefined) ? [] : undefined;
  const has = (operator: FilterOperator): boolean =>
    found.operators.some((one) =>
      typeof one === 'string' ? one === operator : one.operator === operator && one.refused === undefined,
    );
  const by = (operator: FilterOperator, as: ComparedColumn['as'], values: readonly string[]): readonly ComparedColumn[] => [
    { condition: { column: name, operator, values }, as },
  ];
  if (isNumber || SELDOM_TEXT.has(kind) || found.value === 'boolean') {
    if (number !== undefined && !has('equals')) return undefined;
    const asNumber = number === undefined ? [] : by('equals', 'number', [number]);
    // A database that finds text in a column of numbers stores text there, too.
    if (!has('contains')) return asNumber;
    if (match === 'contains') return [...asNumber, ...by('contains', 'text', [text])];
    return number === undefined ? undefined : asNumber;
  }
  const isContained = match === 'contains' && has('contains');
  if (column.values !== undefined && !isContained && has('in')) {
    // Where the database compares labels as a whole, those that hold the text are asked for by name, and others it would refuse.
    const labels = column.values.filter((label) => isLabel(label, { text, match })).slice(0, MOST_LABELS);
    return labels.length === 0 ? [] : by('in', 'text', labels);
  }
  if (kind === 'date' || kind === 'time' || kind === 'timestamp') {
    if (isContained) return by('contains', 'text', [text]);
    const moment = momentConditions(kind, trimmed, { match, hasBetween: has('between') });
    if (moment === undefined) return [];
    return has(moment.operator) ? by(moment.operator, 'moment', moment.values) : undefined;
  }
  if (kind === 'uuid') {
    // Whole, it may be written without its hyphens, which is how no database stores it.
    if (UUID.test(trimmed) && has('equals')) return by('equals', 'text', [trimmed]);
    // Of a part, spaces count as in every text.
    if (isContained) return PART_OF_UUID.test(text) ? by('contains', 'text', [text]) : [];
    return UUID.test(trimmed) ? undefined : [];
  }
  if (isContained) return by('contains', 'text', [text]);
  return has('equals') ? by('equals', 'text', [text]) : undefined;
}

/** Values of one condition. */
const MOST_LABELS = 200;

/** In letters of either case for a part, exactly for the whole: as a database finds a text. */
function isLabel(label: string, { text, match }: { readonly text: string; readonly match: FindMatch }): boolean {
  return match === 'contains' ? label.toLowerCase().includes(text.toLowerCase()) : label === text;
}

/** The value that a text writes for a column of numbers; undefined where the column can't hold it. */
function numberFor({ range, kind, specialValues = [] }: Column, text: string, isWholeOnly: boolean): string | undefined {
  const special = specialValues.find((value) => numberKey(value) === numberKey(text));
  if (special !== undefined) return special;
  const numeral = numeralOf(text);
  if (numeral === undefined || (isWholeOnly && numeral.exponent < 0)) return undefined;
  const written = writtenNumeral(numeral);
  if (!isWholeOnly) return written;
  // No database has longer whole numbers in a column of them.
  if (!WHOLE_NUMBER.test(written)) return undefined;
  if (range === undefined || kind !== 'integer' || !WHOLE_NUMBER.test(range.least) || !WHOLE_NUMBER.test(range.greatest))
    return written;
  const value = BigInt(written);
  return value >= BigInt(range.least) && value <= BigInt(range.greatest) ? written : undefined;
}
