import { DriverError, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterCondition, FilterOperator } from '@tabularium/sdk';
import { integerOf, numberOf } from './cells.ts';
import { faultTexts, invalid, noColumn } from './fault.ts';
import { literal } from './names.ts';
import type { SqlValue } from './names.ts';
import type { SqlColumn, SqlTable } from './schema.ts';
import { tokens } from './sql/tokens.ts';

/** A condition in SQL, with a `?` for each value. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The largest pattern of LIKE. */
const LONGEST_TEXT = 20_000;
/** SQLite takes 32,766 values in one statement. */
const MOST_VALUES = 1_000;

const EQUALITY: ReadonlySet<FilterOperator> = new Set(['equals', 'notEquals', 'in', 'notIn']);
const COMPARISONS: Partial<Record<FilterOperator, string>> = {
  greaterThan: '>',
  greaterOrEqual: '>=',
  lessThan: '<',
  lessOrEqual: '<=',
};

/**
 * The condition that a filter is; undefined when it lets every row pass. Values never become SQL.
 *
 * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED`, `STRUCTURE_CHANGED`, before anything is asked
 */
export function filterCondition(filter: Filter, table: SqlTable): Condition | undefined {
  const conditions = filter.conditions.map((condition) => one(condition, table, filter.matchCase === true));
  const raw = (filter.raw ?? '').trim();
  if (raw !== '') conditions.push({ sql: `(${checkedRaw(raw)}\n)`, parameters: [] });
  if (conditions.length === 0) return undefined;
  const joined = conditions.map(({ sql }) => sql).join(filter.match === 'all' ? ' AND ' : ' OR ');
  return { sql: joined, parameters: conditions.flatMap(({ parameters }) => parameters) };
}

/** The condition with its values written into it, for people. */
export function readable({ sql, parameters }: Condition): string {
  let at = 0;
  // A `?` in a name or a string is none of ours: only tokens count.
  const places = tokens(sql).filter(({ kind, text }) => kind === 'parameter' && text === '?');
  let text = '';
  for (const [index, { start, end }] of places.entries()) {
    text += `${sql.slice(at, start)}${literal(parameters[index] ?? null)}`;
    at = end;
  }
  return text + sql.slice(at);
}

/**
 * A raw condition is in parentheses, and must not leave them. That it only reads is seen to by SQLite itself, which asks before it
 * prepares a statement.
 */
export function checkedRaw(raw: string): string {
  let depth = 0;
  for (const token of tokens(raw)) {
    if (token.kind === 'bad')
      throw invalid(`“${token.text.slice(0, 40)}” in the WHERE row isn't valid SQL.`, undefined, {
        id: 'where.notSql',
        values: { text: token.text.slice(0, 40) },
      });
    if (token.kind === 'parameter')
      throw invalid(`The parameter “${token.text}” in the WHERE row has no value.`, undefined, {
        id: 'where.parameter',
        values: { name: token.text },
      });
    if (token.kind !== 'symbol') continue;
    if (token.text === ';')
      throw invalid('The WHERE row is one condition, without a semicolon.', undefined, { id: 'where.semicolon' });
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth < 0) throw invalid('The WHERE row closes a parenthesis that it did not open.', undefined, { id: 'where.closes' });
  }
  if (depth > 0) throw invalid('The WHERE row opens a parenthesis and does not close it.', undefined, { id: 'where.opens' });
  const bare = raw.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '');
  const comment = bare.lastIndexOf('/*');
  if (comment >= 0 && !bare.includes('*/', comment + 2))
    throw invalid('A comment in the WHERE row has no end.', undefined, { id: 'where.comment' });
  return raw;
}

function one({ column: name, operator, values }: FilterCondition, { byName }: SqlTable, matchCase: boolean): Condition {
  const column = byName.get(name);
  if (column === undefined) throw noColumn(name);
  const wanted = { none: 0, one: 1, two: 2, many: 1 }[FILTER_VALUES[operator]];
  if (values.length < wanted) throw invalid(`The filter on “${name}” lacks a value.`, name, { id: 'filter.noValue' });
  if (values.length > MOST_VALUES)
    throw invalid(`The filter on “${name}” has more than ${MOST_VALUES.toLocaleString('en')} values.`, name, {
      id: 'filter.values',
      values: { most: MOST_VALUES },
    });
  if (operator === 'isNull') return { sql: `${column.sql} IS NULL`, parameters: [] };
  if (operator === 'isNotNull') return { sql: `${column.sql} IS NOT NULL`, parameters: [] };
  if (operator === 'contains' && column.filterClass !== 'text') return containsOther(column, textOf(values, name), matchCase);
  switch (column.filterClass) {
    case 'integer':
      return compared(
        column,
        operator,
        values.map((value) => wholeOf(value, operator, name)),
        '',
      );
    case 'number':
      return EQUALITY.has(operator)
        ? equalToAny(
            column,
            operator,
            values.flatMap((value) => withDouble(comparable(value, name))),
          )
        : compared(
            column,
            operator,
            values.map((value) => comparable(value, name)),
            '',
          );
    case 'boolean':
      if (operator !== 'equals' && operator !== 'notEquals') throw cannot(column, operator);
      return compared(
        column,
        operator,
        values.map((value) => truth(value, name)),
        '',
      );
    case 'blob':
      return emptiness(column, operator) ?? fail(column, operator);
    default:
      return ofText(column, operator, values, matchCase);
  }
}

function cannot({ name }: SqlColumn, operator: FilterOperator): DriverError {
  return new DriverError('UNSUPPORTED', `“${name}” cannot be filtered with “${operator}”.`, {
    details: { field: name, texts: faultTexts('filter.operator', { field: name, operator }) },
  });
}

function fail(column: SqlColumn, operator: FilterOperator): never {
  throw cannot(column, operator);
}

/** Beyond 64 bits nothing is equal; but what is larger than everything can be compared with. */
function wholeOf(value: string, operator: FilterOperator, name: string): bigint | number {
  if (operator in COMPARISONS || operator === 'between') return comparable(value, name);
  return integerOf(value, name);
}

/** A number to compare with: of more digits than a double has, the nearest. */
function comparable(value: string, name: string): bigint | number {
  try {
    return numberOf(value, name);
  } catch (error) {
    const number = Number(value.trim());
    if (value.trim() === '' || !/^[+-]?[\d.]/.test(value.trim()) || !Number.isFinite(number)) throw error;
    throw invalid(`${value.slice(0, 60)} has more digits than SQLite can compare with.`, name, {
      id: 'filter.digits',
      values: { value: value.slice(0, 60) },
    });
  }
}

/** A large whole number also as the double that is shown with its digits: SQLite compares the two by all of their digits. */
function withDouble(value: bigint | number): readonly (bigint | number)[] {
  const isShown = typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) && String(Number(value)) === String(value);
  return isShown ? [value, Number(value)] : [value];
}

function equalToAny(column: SqlColumn, operator: FilterOperator, values: readonly SqlValue[]): Condition {
  const isOne = values.length === 1 || operator === 'in' || operator === 'notIn';
  return compared(column, isOne ? operator : operator === 'equals' ? 'in' : 'notIn', values, '');
}

function truth(value: string, name: string): bigint {
  const text = value.trim().toLowerCase();
  if (text === 'true' || text === '1') return 1n;
  if (text === 'false' || text === '0') return 0n;
  throw invalid(`“${value.slice(0, 60)}” isn't true or false.`, name, {
    id: 'value.boolean',
    values: { value: value.slice(0, 60) },
  });
}

/** Comparisons that text and numbers share. */
function compared(column: SqlColumn, operator: FilterOperator, values: readonly SqlValue[], collate: string): Condition {
  const sql = `${column.sql}${collate}`;
  const [first = null, second = null] = values;
  switch (operator) {
    case 'equals':
      return { sql: `${sql} = ?`, parameters: [first] };
    case 'notEquals':
      return { sql: `${sql} IS NOT ?`, parameters: [first] };
    case 'in':
      return { sql: `${sql} IN (${values.map(() => '?').join(', ')})`, parameters: values };
    case 'notIn':
      return { sql: `(${sql} NOT IN (${values.map(() => '?').join(', ')}) OR ${column.sql} IS NULL)`, parameters: values };
    case 'between':
      return { sql: `(${sql} >= ? AND ${sql} <= ?)`, parameters: [first, second] };
    default: {
      const comparison = COMPARISONS[operator];
      if (comparison === undefined) throw cannot(column, operator);
      return { sql: `${sql} ${comparison} ?`, parameters: [first] };
    }
  }
}

function emptiness({ sql }: SqlColumn, operator: FilterOperator): Condition | undefined {
  // The length of a text ends at a zero character; its bytes never do.
  if (operator === 'isEmpty') return { sql: `octet_length(${sql}) = 0`, parameters: [] };
  return operator === 'isNotEmpty' ? { sql: `octet_length(${sql}) > 0`, parameters: [] } : undefined;
}

/** The first of some texts to compare with. @throws DriverError `INVALID_INPUT` for one that can't be compared with */
function textOf(values: readonly string[], name: string): string {
  for (const value of values) {
    if (value.includes('\0')) throw invalid("A string with a zero character can't be searched for.", name, { id: 'filter.nul' });
    if (value.length > LONGEST_TEXT)
      throw invalid(`The text is longer than ${LONGEST_TEXT.toLocaleString('en')} characters.`, name, {
        id: 'filter.long',
        values: { most: LONGEST_TEXT },
      });
  }
  return values[0] ?? '';
}

/** The values of a number that a text writes, if SQLite can store it digit for digit. */
function writtenNumbers(text: string): readonly (bigint | number)[] {
  const trimmed = text.trim();
  if (/^[+-]?inf(?:inity)?$/i.test(trimmed)) return [trimmed.startsWith('-') ? -Infinity : Infinity];
  try {
    return withDouble(numberOf(trimmed, ''));
  } catch {
    return [];
  }
}

/** Letters differ in case as far as ASCII goes, as in LIKE, which ends at a zero character. */
function holds(sql: string, text: string, matchCase: boolean): Condition {
  return matchCase
    ? { sql: `instr(${sql}, ?) > 0`, parameters: [text] }
    : { sql: `instr(lower(${sql}), lower(?)) > 0`, parameters: [text] };
}

/**
 * A text in a column of numbers, truth values or blobs: SQLite stores any value in any column, unless the table is strict. Numbers that are shown in such a column
 * are compared as a whole, because a part of a number means nothing.
 */
function containsOther({ sql, filterClass }: SqlColumn, text: string, matchCase: boolean): Condition {
  const found = holds(sql, text, matchCase);
  // 0 and 1 are shown as truth values.
  const numbers = writtenNumbers(text).filter(
    (number) => filterClass !== 'boolean' || (Number(number) !== 0 && Number(number) !== 1),
  );
  const asText = {
    sql: `(typeof(${sql}) ${filterClass === 'blob' ? "= 'text'" : "IN ('text', 'blob')"} AND ${found.sql})`,
    parameters: found.parameters,
  };
  return numbers.length === 0 ? asText : alsoNumbers(asText, sql, 'contains', numbers);
}

function ofText(column: SqlColumn, operator: FilterOperator, values: readonly string[], matchCase: boolean): Condition {
  const first = textOf(values, column.name);
  const empty = emptiness(column, operator);
  if (empty !== undefined) return empty;
  // Without a declared type a number is kept as a number, and what a person types is text.
  const sql = column.affinity === 'text' ? column.sql : `CAST(${column.sql} AS TEXT)`;
  const like = (pattern: string): Condition => ({ sql: `${sql} LIKE ? ESCAPE '\\'`, parameters: [pattern] });
  switch (operator) {
    case 'contains': {
      const asText = holds(sql, first, matchCase);
      // SQLite writes such a number otherwise than it is shown: with fewer digits, and a point in 5.0.
      const found =
        column.affinity === 'text' ? asText : { ...asText, sql: `(typeof(${column.sql}) <> 'real' AND ${asText.sql})` };
      const numbers = column.affinity === 'text' ? [] : writtenNumbers(first);
      return numbers.length === 0 ? found : alsoNumbers(found, column.sql, operator, numbers);
    }
    case 'notContains': {
      const contains = ofText(column, 'contains', values, matchCase);
      return { sql: `(${contains.sql}) IS NOT TRUE`, parameters: contains.parameters };
    }
    case 'startsWith':
      return matchCase ? { sql: `substr(${sql}, 1, length(?)) = ?`, parameters: [first, first] } : like(`${escaped(first)}%`);
    case 'endsWith':
      return endsWith(matchCase ? sql : `lower(${sql})`, matchCase ? '?' : 'lower(?)', first);
    default: {
      const collate = matchCase ? ' COLLATE BINARY' : ' COLLATE NOCASE';
      const plain = compared({ ...column, sql }, operator, values, collate);
      const numbers = column.affinity === 'text' ? [] : values.flatMap((value) => writtenNumbers(value));
      return numbers.length === 0 ? plain : alsoNumbers(plain, column.sql, operator, numbers);
    }
  }
}

/** A condition for a column that also holds numbers, which are equal by value: 1e20 is written otherwise by SQLite. */
function alsoNumbers(plain: Condition, sql: string, operator: FilterOperator, numbers: readonly SqlValue[]): Condition {
  const isAny = numbers.length === 1 ? `${sql} = ?` : `${sql} IN (${numbers.map(() => '?').join(', ')})`;
  const parameters = [...plain.parameters, ...numbers];
  if (operator === 'equals' || operator === 'in' || operator === 'contains')
    return { sql: `(${plain.sql} OR ${isAny})`, parameters };
  if (operator === 'notEquals' || operator === 'notIn') return { sql: `(${plain.sql} AND (${isAny}) IS NOT TRUE)`, parameters };
  return plain;
}

/** As bytes: SQLite counts the characters of a text up to a zero character. */
function endsWith(sql: string, value: string, text: string): Condition {
  if (text === '') return { sql: `${sql} IS NOT NULL`, parameters: [] };
  const [whole, end] = [`CAST(${sql} AS BLOB)`, `CAST(${value} AS BLOB)`];
  return { sql: `substr(${whole}, -length(${end})) = ${end}`, parameters: [text, text] };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
