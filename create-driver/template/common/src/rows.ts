import { ABSENT, DriverError, encodeBatch } from '@tabularium/sdk';
import type { Cell, Column, Filter, FilterCondition, Page, PageRequest } from '@tabularium/sdk';

// Filters, sorts and pages over rows in memory. A real database does these itself: replace this file by what builds its queries.

/** One row: `id` is a number that no other row of the table has; a field may be missing or null. */
export type Row = Readonly<Record<string, string | number | null>>;

const YES = { allowed: true } as const;

/** The columns of a table: everything that any of its rows has, `id` first. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const names = new Set(['id', ...rows.flatMap((row) => Object.keys(row))]);
  return [...names].map((name) => {
    const isNumber = rows.every((row) => typeof row[name] !== 'string');
    return {
      name,
      kind: isNumber ? 'decimal' : 'text',
      type: isNumber ? 'number' : 'string',
      nullable: name !== 'id',
      editable: { allowed: false, reason: 'This driver only reads.' },
      sortable: isNumber ? YES : { allowed: false, reason: 'Only numbers have an order here.' },
      filterClass: isNumber ? 'number' : 'text',
    };
  });
}

/** A filter is honoured whole or refused: what is not understood must never let every row pass. */
function testOf({ column, operator, values }: FilterCondition, columns: readonly Column[]): (row: Row) => boolean {
  const filterClass = columns.find(({ name }) => name === column)?.filterClass;
  if (filterClass === undefined) throw new DriverError('STRUCTURE_CHANGED', `There is no column “${column}”.`);
  const [wanted = ''] = values;
  if (filterClass === 'number' && !/^-?\d+(?:\.\d+)?$/.test(wanted)) {
    throw new DriverError('INVALID_INPUT', `“${wanted}” isn't a number.`, { details: { field: column } });
  }
  switch (`${filterClass} ${operator}`) {
    case 'number equals':
      return (row) => typeof row[column] === 'number' && row[column] === Number(wanted);
    case 'number greaterThan':
      return (row) => typeof row[column] === 'number' && row[column] > Number(wanted);
    case 'number lessThan':
      return (row) => typeof row[column] === 'number' && row[column] < Number(wanted);
    case 'text equals':
      return (row) => row[column] === wanted;
    case 'text contains':
      return (row) => typeof row[column] === 'string' && row[column].includes(wanted);
    default:
      throw new DriverError('UNSUPPORTED', `Rows cannot be filtered with “${operator}”.`, { details: { field: column } });
  }
}

/** The rows that a filter lets pass. */
export function passing(rows: readonly Row[], filter: Filter): readonly Row[] {
  if (filter.raw !== undefined) throw new DriverError('UNSUPPORTED', 'There is no language to write filters in.');
  const columns = columnsOf(rows);
  const tests = filter.conditions.map((condition) => testOf(condition, columns));
  if (tests.length === 0) return rows;
  return rows.filter((row) => (filter.match === 'all' ? tests.every((test) => test(row)) : tests.some((test) => test(row))));
}

/** One page, as it was asked for. */
export function pageOf(rows: readonly Row[], { filter, sorts, position, limit }: PageRequest): Page {
  if (position.from === 'cursor' || position.from === 'end') throw new DriverError('UNSUPPORTED', 'Rows are read by offset.');
  const columns = columnsOf(rows);
  const [sort] = sorts;
  const sortable = columns.some(({ name, sortable: ability }) => name === sort?.column && ability.allowed);
  const found = passing(rows, filter).toSorted((a, b) => {
    if (sort === undefined || !sortable) return 0;
    const [x, y] = [a[sort.column], b[sort.column]].map((value) => (typeof value === 'number' ? value : Infinity));
    if (x === y) return 0;
    return sort.direction === 'ascending' ? (x ?? 0) - (y ?? 0) : (y ?? 0) - (x ?? 0);
  });
  const start = position.from === 'offset' ? position.offset : 0;
  const page = found.slice(start, start + limit);
  return {
    rowCount: page.length,
    atEnd: start + page.length >= found.length,
    total: { rows: found.length, exact: true },
    // A sort is never dropped in silence.
    droppedSorts: sorts
      .filter((one) => one !== sort || !sortable)
      .map(({ column }) => ({ column, reason: 'Rows are sorted by one column of numbers.' })),
    batch: encodeBatch({
      columns: columns.map(({ name, kind }) => ({ name, kind })),
      rows: page.map((row) => columns.map(({ name }): Cell => (Object.hasOwn(row, name) ? (row[name] ?? null) : ABSENT))),
    }),
  };
}
