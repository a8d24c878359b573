import { DriverError, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterCondition, FilterOperator } from '@tabularium/sdk';
import { compareNumerals } from '@tabularium/sdk/unstable';
import { floatLiteral, isQuotable, patternOf, regexLiteral, stringLiteral } from './influxql.ts';
import type { ColumnClass, Measurement, MeasurementColumn } from './measurement.ts';
import { nanosecondsOf } from './nanoseconds.ts';

// A filter becomes the WHERE of a statement, whole, or is refused before anything is sent.

const LEAST_INTEGER = -(2n ** 63n);
const GREATEST_INTEGER = 2n ** 63n - 1n;

const COMPARISONS: Partial<Record<FilterOperator, string>> = {
  equals: '=',
  notEquals: '!=',
  greaterThan: '>',
  greaterOrEqual: '>=',
  lessThan: '<',
  lessOrEqual: '<=',
};

type Invalid = (what: string) => DriverError;

/** The literal of a value that is compared; null: no text of InfluxQL holds it, so that a pattern must. */
const literals: Readonly<Record<Exclude<ColumnClass, 'tag' | 'string'>, (value: string, invalid: Invalid) => string>> = {
  time(value, invalid) {
    const nanoseconds = nanosecondsOf(value.trim());
    if (nanoseconds === undefined)
      throw invalid('isn’t a time in UTC between 1677 and 2262, such as 2026-11-22T10:30:00.000000001Z');
    return String(nanoseconds);
  },
  integer(value, invalid) {
    if (!/^\s*[+-]?\d{1,40}\s*$/.test(value)) throw invalid('isn’t a whole number');
    const number = BigInt(value.trim().replace(/^\+/, ''));
    if (number < LEAST_INTEGER || number > GREATEST_INTEGER)
      throw invalid('is beyond the integers of 64 bits that InfluxDB stores');
    return String(number);
  },
  float(value, invalid) {
    const text = value.trim();
    const literal = floatLiteral(text);
    if (literal === undefined || !Number.isFinite(Number(text))) throw invalid('isn’t a number that a float can hold');
    // The server would compare with the nearest float instead.
    if (compareNumerals(text.replace(/^\+/, ''), String(Number(text))) !== 0)
      throw invalid(`has more digits than a float can hold: the nearest one is ${Number(text)}`);
    return literal;
  },
  boolean(value, invalid) {
    const text = value.trim().toLowerCase();
    if (text !== 'true' && text !== 'false') throw invalid('is neither true nor false');
    return text;
  },
};

function textCondition(
  reference: string,
  operator: FilterOperator,
  value: string,
  isTag: boolean,
  invalid: Invalid,
): string | undefined {
  if (!value.isWellFormed()) throw invalid('holds half of a surrogate pair');
  const isPattern = operator !== 'equals' && operator !== 'notEquals';
  if (value === '' && (isTag || isPattern)) {
    throw invalid(
      isTag ? 'is empty, which no tag is: ask with “is null” for points that lack it' : 'is empty, and every text would match',
    );
  }
  // To a pattern, a missing tag is an empty text.
  const matches = (pattern: string): string => `${isTag ? `${reference} != '' AND ` : ''}${reference} =~ ${pattern}`;
  switch (operator) {
    case 'equals':
      return isQuotable(value) ? `${reference} = ${stringLiteral(value)}` : matches(`/^${patternOf(value)}$/`);
    case 'notEquals':
      return isQuotable(value) ? `${reference} != ${stringLiteral(value)}` : `${reference} !~ /^${patternOf(value)}$/`;
    case 'contains':
      return matches(`/${patternOf(value)}/`);
    case 'startsWith':
      return matches(`/^${patternOf(value)}/`);
    case 'endsWith':
      return matches(`/${patternOf(value)}$/`);
    case 'matchesRegex':
      return matches(regexLiteral(value));
    default:
      return undefined;
  }
}

function conditionText({ columnClass, reference, column }: MeasurementColumn, { operator, values }: FilterCondition): string {
  const invalid = (value: string, what: string): DriverError =>
    new DriverError('INVALID_INPUT', `“${value}” ${what}.`, { details: { field: column.name } });
  const unsupported = new DriverError('UNSUPPORTED', `“${column.name}” can’t be filtered with “${operator}”.`, {
    details: { field: column.name },
  });
  const wanted = FILTER_VALUES[operator];
  const isRightCount = wanted === 'many' ? values.length > 0 : values.length === { none: 0, one: 1, two: 2 }[wanted];
  if (!isRightCount) {
    throw new DriverError('INVALID_INPUT', `“${operator}” takes another number of values than ${values.length}.`, {
      details: { field: column.name },
    });
  }
  const isTime = columnClass === 'time';
  const compared = (comparison: FilterOperator, value: string): string => {
    const text =
      columnClass === 'tag' || columnClass === 'string'
        ? textCondition(reference, comparison, value, columnClass === 'tag', (what) => invalid(value, what))
        : comparedText(
            reference,
            COMPARISONS[comparison],
            literals[columnClass](value, (what) => invalid(value, what)),
          );
    if (text === undefined) throw unsupported;
    return text;
  };
  const [first = '', second = ''] = values;
  const isNumber = isTime || columnClass === 'integer' || columnClass === 'float';
  switch (operator) {
    case 'isNull':
    case 'isNotNull':
      if (columnClass !== 'tag') throw unsupported;
      return `${reference} ${operator === 'isNull' ? '=' : '!='} ''`;
    case 'between':
      if (!isNumber) throw unsupported;
      return `${compared('greaterOrEqual', first)} AND ${compared('lessOrEqual', second)}`;
    case 'in':
      if (isTime || columnClass === 'boolean') throw unsupported;
      return values.map((value) => `(${compared('equals', value)})`).join(' OR ');
    case 'notEquals':
      if (isTime) throw unsupported;
      return compared(operator, first);
    case 'greaterThan':
    case 'greaterOrEqual':
    case 'lessThan':
    case 'lessOrEqual':
      if (!isNumber) throw unsupported;
      return compared(operator, first);
    default:
      return compared(operator, first);
  }
}

function comparedText(reference: string, comparison: string | undefined, literal: string): string | undefined {
  return comparison === undefined ? undefined : `${reference} ${comparison} ${literal}`;
}

/**
 * The WHERE of a filter, with a space before it; empty for the filter that lets every point pass.
 *
 * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED`, `STRUCTURE_CHANGED`
 */
export function whereOf(filter: Filter, measurement: Measurement): string {
  if ((filter.raw ?? '').trim() !== '')
    throw new DriverError('UNSUPPORTED', 'This driver takes no filters in InfluxQL. Use the console.');
  const conditions = filter.conditions.map((condition) => {
    const found = measurement.columns.find(({ column }) => column.name === condition.column);
    if (found === undefined) throw new DriverError('STRUCTURE_CHANGED', `There is no field or tag “${condition.column}”.`);
    if (found.column.filterClass === undefined) {
      throw new DriverError('UNSUPPORTED', `“${condition.column}” can’t be filtered.`, { details: { field: condition.column } });
    }
    return { isTime: found.columnClass === 'time', text: conditionText(found, condition) };
  });
  // InfluxDB takes all times of a statement for one range, whatever joins them: the answer would be wrong, without an error.
  if (filter.match === 'any' && conditions.length > 1 && conditions.some(({ isTime }) => isTime)) {
    throw new DriverError(
      'UNSUPPORTED',
      'InfluxDB can’t join a condition on the time with OR. Match all conditions, or leave out the time.',
      {
        details: { field: 'time' },
      },
    );
  }
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map(({ text }) => `(${text})`).join(filter.match === 'all' ? ' AND ' : ' OR ')}`;
}
