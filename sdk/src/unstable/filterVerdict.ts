import type { Cell } from '../model/cell.ts';
import type { ColumnKind } from '../model/column.ts';
import type { Filter, FilterCondition } from '../model/filter.ts';
import { compareNumerals } from './numerals.ts';

/**
 * Whether a filter lets a row pass: that it must, that it must not, or that databases differ and both are right.
 *
 * @alpha
 */
export type FilterVerdict = 'passes' | 'fails' | 'either';

/**
 * How a database compares text: character by character, without regard to letter case, or in a way of its own, so that only what differs in
 * letters and digits is certain to differ.
 *
 * @alpha
 */
export type TextRule = 'exact' | 'ignoresCase' | 'loose';

/**
 * The facts about a column that the verdict needs.
 *
 * @alpha
 */
export interface VerdictColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

const opposite = { passes: 'fails', fails: 'passes', either: 'either' } as const;

function certain(passes: boolean): FilterVerdict {
  return passes ? 'passes' : 'fails';
}

function isNothing(cell: Cell): boolean {
  return cell === null || (Array.isArray(cell) && cell[0] === 'absent');
}

/** The value without its tag. */
function textOf(cell: Cell): string {
  return Array.isArray(cell) ? String((cell as readonly string[])[1] ?? '') : String(cell);
}

/** A text without letter case and punctuation. */
function loose(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Whether a text holds another between blanks: what every way to find words agrees on. */
function holdsWords(text: string, words: string): boolean {
  const isBlank = (character: string | undefined): boolean => character === undefined || /\s/u.test(character);
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (isBlank(text[at - 1]) && isBlank(text[at + words.length])) return true;
  }
  return false;
}

const textOrders: readonly ((a: string, b: string) => number)[] = [
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0),
  (a, b) => a.localeCompare(b, 'en'),
];

const ORDERED = {
  equals: (order: number) => order === 0,
  greaterThan: (order: number) => order > 0,
  greaterOrEqual: (order: number) => order >= 0,
  lessThan: (order: number) => order < 0,
  lessOrEqual: (order: number) => order <= 0,
} as const;

function isOrdered(operator: string): operator is keyof typeof ORDERED {
  return Object.hasOwn(ORDERED, operator);
}

type Compare = (value: string) => number | undefined;

/** A comparison whose order is known, or not (undefined). */
function ordered(operator: FilterCondition['operator'], values: readonly string[], compare: Compare): FilterVerdict {
  const judge = (name: keyof typeof ORDERED, value = ''): FilterVerdict => {
    const order = compare(value);
    return order === undefined || Number.isNaN(order) ? 'either' : certain(ORDERED[name](order));
  };
  if (isOrdered(operator)) return judge(operator, values[0]);
  if (operator === 'between') return both([judge('greaterOrEqual', values[0]), judge('lessOrEqual', values[1])]);
  if (operator === 'in') return oneOf(values.map((value) => judge('equals', value)));
  return 'either';
}

function both(verdicts: readonly FilterVerdict[]): FilterVerdict {
  if (verdicts.includes('fails')) return 'fails';
  return verdicts.includes('either') ? 'either' : 'passes';
}

function oneOf(verdicts: readonly FilterVerdict[]): FilterVerdict {
  if (verdicts.includes('passes')) return 'passes';
  return verdicts.includes('either') ? 'either' : 'fails';
}

function ofText(cell: string, { operator, values }: FilterCondition, rule: TextRule, matchCase: boolean): FilterVerdict {
  const fold = (text: string): string => (rule === 'ignoresCase' && !matchCase ? text.toLowerCase() : text);
  const [text, [first = '', ...others]] = [fold(cell), values.map(fold)];
  const strict = rule !== 'loose';
  /** Certain where the rule is known; else certain only where any rule would say the same. */
  const when = (holds: boolean, couldHold: boolean): FilterVerdict =>
    strict ? certain(holds) : holds ? 'passes' : couldHold ? 'either' : 'fails';
  const bare = (value: string): string => (matchCase ? value.replace(/[^\p{L}\p{N}]+/gu, '') : loose(value));
  switch (operator) {
    case 'equals':
      return when(text === first, bare(text) === bare(first));
    case 'in':
      return oneOf([first, ...others].map((value) => when(text === value, bare(text) === bare(value))));
    case 'contains':
      return when(strict ? text.includes(first) : holdsWords(text, first), bare(text).includes(bare(first)));
    case 'startsWith':
      return when(text.startsWith(first) && (strict || holdsWords(text, first)), bare(text).includes(bare(first)));
    case 'endsWith':
      return when(text.endsWith(first) && (strict || holdsWords(text, first)), bare(text).includes(bare(first)));
    case 'matchesRegex':
      // Dialects agree on a plain word.
      return /^[A-Za-z0-9]+$/.test(first)
        ? when(strict ? text.includes(first) : holdsWords(text, first), bare(text).includes(bare(first)))
        : 'either';
    default: {
      const verdicts = new Set(textOrders.map((compare) => ordered(operator, values, (value) => compare(cell, value))));
      const [verdict = 'either'] = verdicts;
      return verdicts.size === 1 ? verdict : 'either';
    }
  }
}

/** The shape of a date or time: comparable as text with what has the same. */
function shapeOf(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

function ofCondition(
  condition: FilterCondition,
  cell: Cell,
  kind: ColumnKind,
  rule: TextRule,
  matchCase: boolean,
): FilterVerdict {
  const { operator, values } = condition;
  switch (operator) {
    case 'isNull':
      return cell === null ? 'passes' : isNothing(cell) ? 'either' : 'fails';
    case 'isNotNull':
      return opposite[ofCondition({ ...condition, operator: 'isNull' }, cell, kind, rule, matchCase)];
    case 'isEmpty':
      if (isNothing(cell)) return 'either';
      return textOf(cell) === ''
        ? 'passes'
        : kind === 'json' || (rule === 'loose' && loose(textOf(cell)) === '')
          ? 'either'
          : 'fails';
    case 'isNotEmpty':
      return opposite[ofCondition({ ...condition, operator: 'isEmpty' }, cell, kind, rule, matchCase)];
    case 'notEquals':
    case 'notIn':
    case 'notContains': {
      if (isNothing(cell)) return 'either';
      const positive = { notEquals: 'equals', notIn: 'in', notContains: 'contains' } as const;
      return opposite[ofCondition({ ...condition, operator: positive[operator] }, cell, kind, rule, matchCase)];
    }
    default:
  }
  if (isNothing(cell)) return 'fails';
  const text = textOf(cell);
  switch (kind) {
    case 'integer':
    case 'decimal':
      return ordered(operator, values, (value) => compareNumerals(text, value));
    case 'boolean':
      return ordered(operator, values, (value) =>
        /^(?:true|false)$/.test(value) && (operator === 'equals' || operator === 'in') ? Number(text !== value) : undefined,
      );
    case 'date':
    case 'time':
    case 'timestamp':
      return ordered(operator, values, (value) =>
        shapeOf(text) === shapeOf(value) ? (text < value ? -1 : text > value ? 1 : 0) : undefined,
      );
    case 'uuid':
      return ordered(operator, values, (value) =>
        operator === 'equals' || operator === 'in' ? Number(text.toLowerCase() !== value.toLowerCase()) : undefined,
      );
    case 'enum':
      return ordered(operator, values, (value) =>
        operator === 'equals' || operator === 'in' ? Number(text !== value) : undefined,
      );
    case 'text':
      return ofText(text, condition, rule, matchCase);
    default:
      // Lists, documents, bytes and places: every database has a meaning of its own.
      return 'either';
  }
}

/**
 * Judges a filter over a row that is known, as strictly as the contract allows over all databases: what the values leave open (a null in
 * `notEquals`, letter case where it is not known to count, a raw expression) is `either`. The conformance kit holds drivers to it.
 *
 * @param row - a cell for each column; what is missing is absent
 * @param columns - all columns that conditions name; one that is not there is `either`
 * @alpha
 */
export function filterVerdict(
  filter: Filter,
  row: Readonly<Record<string, Cell>>,
  columns: readonly VerdictColumn[],
  text: TextRule = 'loose',
): FilterVerdict {
  const verdicts = filter.conditions.map((condition): FilterVerdict => {
    const column = columns.find(({ name }) => name === condition.column);
    if (column === undefined) return 'either';
    const cell: Cell = Object.hasOwn(row, column.name) ? (row[column.name] ?? null) : ['absent'];
    return ofCondition(condition, cell, column.kind, text, filter.matchCase === true);
  });
  if ((filter.raw ?? '').trim() !== '') verdicts.push('either');
  if (verdicts.length === 0) return 'passes';
  return filter.match === 'all' ? both(verdicts) : oneOf(verdicts);
}
