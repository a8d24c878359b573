import type { Column, FilterCondition, FilterOperator } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { FindMatch } from '../../common/findingRows.ts';
import { momentConditions } from './momentConditions.ts';

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

const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,39})$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/;
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const PART_OF_UUID = /^[0-9a-f-]+$/i;
/** A text in them would be looked for in what no person reads as text. */
const NEVER_TEXT: ReadonlySet<string> = new Set(['boolean', 'bytes', 'geo']);

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
    if (NEVER_TEXT.has(column.kind)) continue;
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
  if (isNumber && !isNumberFor(column, trimmed, found?.value === 'integer' || kind === 'integer')) return [];
  if (found === undefined) return undefined;
  if (found.value === 'boolean') return [];
  const has = (operator: FilterOperator): boolean =>
    found.operators.some((one) =>
      typeof one === 'string' ? one === operator : one.operator === operator && one.refused === undefined,
    );
  const by = (operator: FilterOperator, as: ComparedColumn['as'], values: readonly string[]): readonly ComparedColumn[] => [
    { condition: { column: name, operator, values }, as },
  ];
  if (isNumber) return has('equals') ? by('equals', 'number', [trimmed]) : undefined;
  const isContained = match === 'contains' && has('contains');
  if (kind === 'date' || kind === 'time' || kind === 'timestamp') {
    if (isContained) return by('contains', 'text', [text]);
    const moment = momentConditions(kind, trimmed, { match, hasBetween: has('between') });
    if (moment === undefined) return [];
    return has(moment.operator) ? by(moment.operator, 'moment', moment.values) : undefined;
  }
  if (kind === 'uuid') {
    // Whole, it may be written without its hyphens, which is how no database stores it.
    if (UUID.test(trimmed) && has('equals')) return by('equals', 'text', [trimmed]);
    if (isContained) return PART_OF_UUID.test(trimmed) ? by('contains', 'text', [trimmed]) : [];
    return UUID.test(trimmed) ? undefined : [];
  }
  if (isContained) return by('contains', 'text', [text]);
  return has('equals') ? by('equals', 'text', [text]) : undefined;
}

/** A text with zeros in front is a code of digits, such as a postcode: 0123 isn't 123. */
function isNumberFor({ range, kind }: Column, text: string, isWhole: boolean): boolean {
  if (!(isWhole ? WHOLE_NUMBER : NUMBER).test(text)) return false;
  if (range === undefined || kind !== 'integer' || !WHOLE_NUMBER.test(range.least) || !WHOLE_NUMBER.test(range.greatest))
    return true;
  const value = BigInt(text);
  return value >= BigInt(range.least) && value <= BigInt(range.greatest);
}
