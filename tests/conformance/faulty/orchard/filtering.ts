import { DriverError, isAbsent } from '@tabularium/sdk';
import type { Cell, Column, Filter, FilterCondition, FilterOperator } from '@tabularium/sdk';
import type { Row, Table } from './world.ts';

export type Test = (row: Row) => boolean;

/** Decisions of the driver that a fault may take otherwise. */
export interface FilterParts {
  readonly equalText: (a: string, b: string) => boolean;
  readonly order: (a: Cell, b: Cell, column: Column) => number;
  readonly condition: (condition: FilterCondition, table: Table, parts: FilterParts) => Test;
  readonly together: (filter: Filter, tests: readonly Test[]) => Test;
  readonly raw: (raw: string) => void;
}

function isMissing(cell: Cell): boolean {
  return cell === null || isAbsent(cell);
}

const NUMERAL = /^-?\d+(?:\.\d+)?$/;
/** All decimals of this database have two digits. */
function scaled(numeral: string): bigint {
  const [whole = '0', fraction = ''] = numeral.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(2, '0').slice(0, 2));
  return numeral.startsWith('-') ? -digits : digits;
}

/** Missing values come first. */
export function compareCells(a: Cell, b: Cell, { kind, values }: Column): number {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(b)) - Number(isMissing(a));
  if (kind === 'integer' || kind === 'decimal') {
    const [x, y] = [scaled(String(a)), scaled(String(b))];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (values !== undefined) return values.indexOf(String(a)) - values.indexOf(String(b));
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function refused(column: string, operator: FilterOperator): DriverError {
  return new DriverError('UNSUPPORTED', `“${column}” cannot be filtered with “${operator}”.`, { details: { field: column } });
}

function checked(values: readonly string[], { name, kind, values: labels }: Column): void {
  for (const value of values) {
    const wrong =
      labels?.includes(value) === false ||
      ((kind === 'integer' || kind === 'decimal') && !NUMERAL.test(value)) ||
      (kind === 'boolean' && value !== 'true' && value !== 'false') ||
      (kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value));
    if (wrong) throw new DriverError('INVALID_INPUT', `“${value}” is no value of “${name}”.`, { details: { field: name } });
  }
}

const TEXT: ReadonlySet<FilterOperator> = new Set(['contains', 'notContains', 'startsWith', 'endsWith', 'isEmpty', 'isNotEmpty']);
const ORDER: ReadonlySet<FilterOperator> = new Set(['greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual', 'between']);

export function conditionTest({ column: name, operator, values }: FilterCondition, { columns }: Table, parts: FilterParts): Test {
  const index = columns.findIndex((column) => column.name === name);
  const column = columns[index];
  if (column === undefined)
    throw new DriverError('STRUCTURE_CHANGED', `There is no column “${name}”.`, { details: { field: name } });
  const { kind } = column;
  if (
    kind === 'json' ||
    kind === 'array' ||
    (TEXT.has(operator) && kind !== 'text') ||
    (ORDER.has(operator) && (kind === 'text' || kind === 'boolean' || kind === 'enum'))
  ) {
    throw refused(name, operator);
  }
  checked(values, column);
  const [first = '', second = ''] = values;
  const cell = (row: Row): Cell => row[index] ?? null;
  const present =
    (test: (text: string) => boolean): Test =>
    (row) =>
      !isMissing(cell(row)) && test(String(cell(row)));
  const equal = (text: string, value: string): boolean =>
    kind === 'text' ? parts.equalText(text, value) : parts.order(text, value, column) === 0;
  const order = (row: Row, value: string): number => parts.order(cell(row), value, column);
  const ordered =
    (holds: (row: Row) => boolean): Test =>
    (row) =>
      !isMissing(cell(row)) && holds(row);
  switch (operator) {
    case 'equals':
      return present((text) => equal(text, first));
    case 'notEquals':
      return (row) => isMissing(cell(row)) || !equal(String(cell(row)), first);
    case 'in':
      return present((text) => values.some((value) => equal(text, value)));
    case 'notIn':
      return (row) => isMissing(cell(row)) || !values.some((value) => equal(String(cell(row)), value));
    case 'greaterThan':
      return ordered((row) => order(row, first) > 0);
    case 'greaterOrEqual':
      return ordered((row) => order(row, first) >= 0);
    case 'lessThan':
      return ordered((row) => order(row, first) < 0);
    case 'lessOrEqual':
      return ordered((row) => order(row, first) <= 0);
    case 'between':
      return ordered((row) => order(row, first) >= 0 && order(row, second) <= 0);
    case 'contains':
      return present((text) => text.includes(first));
    case 'notContains':
      return (row) => isMissing(cell(row)) || !String(cell(row)).includes(first);
    case 'startsWith':
      return present((text) => text.startsWith(first));
    case 'endsWith':
      return present((text) => text.endsWith(first));
    case 'isNull':
      return (row) => isMissing(cell(row));
    case 'isNotNull':
      return (row) => !isMissing(cell(row));
    case 'isEmpty':
      return present((text) => text === '');
    case 'isNotEmpty':
      return present((text) => text !== '');
    case 'matchesRegex':
    case 'withinRadius':
    case 'withinPolygon':
      throw refused(name, operator);
  }
}

export const correctFilters: FilterParts = {
  equalText: (a, b) => a === b,
  order: compareCells,
  condition: conditionTest,
  together: ({ match }, tests) =>
    match === 'all' ? (row) => tests.every((test) => test(row)) : (row) => tests.some((test) => test(row)),
  raw: (raw) => {
    if (raw.trim() !== '') throw new DriverError('UNSUPPORTED', 'An orchard has no filter language.');
  },
};

/** The rows that a filter lets pass. */
export function passing(table: Table, filter: Filter, parts: FilterParts): readonly Row[] {
  parts.raw(filter.raw ?? '');
  const tests = filter.conditions.map((condition) => parts.condition(condition, table, parts));
  return tests.length === 0 ? table.rows : table.rows.filter(parts.together(filter, tests));
}
