import { DriverError, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterCondition, FilterOperator } from '@tabularium/sdk';
import { toValue } from '../cells.ts';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { OID, rangeOf } from '../catalogue/types.ts';
import { faultTexts, invalid, noColumn } from '../fault.ts';
import { isInterval } from '../stored/keepsInterval.ts';
import { keepsNumber } from '../stored/keepsNumber.ts';
import { losesZone } from '../stored/losesZone.ts';
import type { Values } from './values.ts';

const LONGEST_TEXT = 20_000;
/** The server takes 65,535 in one statement. */
const MOST_VALUES = 1_000;
const TIME =
  /^(?:[+-]?\d{1,7}-\d{1,2}-\d{1,2})?(?:(?:^|[ T])\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?: ?(?:Z|[+-]\d{1,2}(?::?\d{2}){0,2}))?(?: BC)?$|^(?:-?infinity|today|yesterday|tomorrow|now)$/i;

const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d{1,2}(?::?\d{2}){0,2}))?$|^(?:now|allballs)$/i;
const NUMERAL = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,3})?$/;

const COMPARISONS: Partial<Record<FilterOperator, string>> = {
  greaterThan: '>',
  greaterOrEqual: '>=',
  lessThan: '<',
  lessOrEqual: '<=',
};

/**
 * The condition that a filter is; undefined when it lets every row pass. Values never become SQL.
 *
 * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED`, `STRUCTURE_CHANGED`, before anything is sent
 */
export function filterCondition(filter: Filter, table: PgTable, values: Values): string | undefined {
  const conditions = filter.conditions.map((condition) =>
    new Condition(condition, table, values, filter.matchCase !== false).sql(),
  );
  const raw = (filter.raw ?? '').trim();
  // A line end ends a comment at its end.
  if (raw !== '') conditions.push(`(${raw}\n)`);
  if (conditions.length === 0) return undefined;
  return conditions.join(filter.match === 'all' ? ' AND ' : ' OR ');
}

class Condition {
  readonly #column: PgColumn;
  readonly #operator: FilterOperator;
  readonly #wanted: readonly string[];
  readonly #values: Values;
  readonly #matchCase: boolean;

  constructor(
    { column: name, operator, values: wanted }: FilterCondition,
    { byName, description }: PgTable,
    values: Values,
    matchCase: boolean,
  ) {
    const column = byName.get(name);
    if (column === undefined) throw noColumn(name, description.ref);
    const least = { none: 0, one: 1, two: 2, many: 1 }[FILTER_VALUES[operator]];
    if (wanted.length < least) throw invalid(`The filter on “${name}” lacks a value.`, name, { id: 'filter.noValue' });
    if (wanted.length > MOST_VALUES)
      throw invalid(`The filter on “${name}” has more than ${MOST_VALUES.toLocaleString('en')} values.`, name, {
        id: 'filter.values',
        values: { most: MOST_VALUES },
      });
    for (const value of wanted) {
      if (value.includes('\0'))
        throw invalid("A string with a zero character can't be searched for.", name, { id: 'filter.nul' });
      if (value.length > LONGEST_TEXT)
        throw invalid(`The text is longer than ${LONGEST_TEXT.toLocaleString('en')} characters.`, name, {
          id: 'filter.long',
          values: { most: LONGEST_TEXT },
        });
    }
    this.#column = column;
    this.#operator = operator;
    this.#wanted = wanted;
    this.#values = values;
    this.#matchCase = matchCase;
  }

  sql(): string {
    const { sql, filterClass } = this.#column;
    if (this.#operator === 'isNull') return `${sql} IS NULL`;
    if (this.#operator === 'isNotNull') return `${sql} IS NOT NULL`;
    switch (filterClass) {
      case 'integer':
        return this.#compared(sql, (value) => this.#whole(value));
      case 'number':
        return this.#ofNumber();
      case 'time':
        return this.#compared(sql, (value) => this.#moment(value));
      case 'interval':
        return this.#ofInterval();
      case 'boolean':
        return this.#onlyEquality((value) => this.#values.add(toValue(value.trim(), this.#column), 'pg_catalog.bool'));
      case 'choice':
        return this.#ofChoice();
      case 'uuid':
        return this.#ofUuid();
      case 'bytes':
        return this.#emptiness(`pg_catalog.octet_length(${sql})`) ?? this.#fail();
      case 'text':
        // As its own type the wanted value would be cut to its first byte, and be equal to more than it is.
        return this.#ofText(this.#column.type.oid === OID.char ? `${sql}::pg_catalog.text` : sql);
      case 'other':
        // The order of its text isn't the order of the value.
        if (Object.hasOwn(COMPARISONS, this.#operator) || ['between', 'isEmpty', 'isNotEmpty'].includes(this.#operator))
          return this.#fail();
        if (this.#column.type.oid === OID.money) return this.#ofMoney();
        return this.#ofText(
          this.#column.type.oid === OID.inet
            ? // A cast to text has the mask of a single address, too, which no cell shows.
              `CASE WHEN ${sql} IS NOT NULL THEN pg_catalog.concat(${sql}) END`
            : `${sql}::pg_catalog.text`,
        );
    }
  }

  #fail(): never {
    const { name } = this.#column;
    throw new DriverError('UNSUPPORTED', `“${name}” cannot be filtered with “${this.#operator}”.`, {
      details: { field: name, texts: faultTexts('filter.operator', { field: name, operator: this.#operator }) },
    });
  }

  /** Beyond its type a number is compared as `numeric`: it is equal to nothing, and still larger or smaller than everything. */
  #whole(value: string): string {
    const digits = value.trim();
    const { name, type } = this.#column;
    if (!/^[+-]?\d{1,40}$/.test(digits))
      throw invalid(`“${value.slice(0, 60)}” isn't a whole number.`, name, {
        id: 'value.whole',
        values: { value: value.slice(0, 60) },
      });
    const range = rangeOf(type.oid);
    const number = BigInt(digits.replace(/^\+/, ''));
    const fits = range !== undefined && number >= BigInt(range.least) && number <= BigInt(range.greatest);
    return this.#values.add(digits, fits ? type.cast : 'pg_catalog.numeric');
  }

  #refuseNoNumber(value: string): void {
    const digits = value.trim();
    if (!NUMERAL.test(digits) && !/^(?:nan|[+-]?infinity)$/i.test(digits))
      throw invalid(`“${value.slice(0, 60)}” isn't a number.`, this.#column.name, {
        id: 'value.number',
        values: { value: value.slice(0, 60) },
      });
  }

  #number(value: string): string {
    this.#refuseNoNumber(value);
    const { type } = this.#column;
    const digits = value.trim();
    // Rounded to what the column stores, a bound could let another value pass.
    const isRounded = type.oid === OID.float4 && !keepsNumber(digits, type.stored);
    return this.#values.add(digits, isRounded ? 'pg_catalog.float8' : type.cast);
  }

  /** A number that the column can't store digit for digit is equal to none of its values: the server would round it, and find another one. */
  #ofNumber(): string {
    const { sql, type } = this.#column;
    const isEquality = this.#operator === 'equals' || this.#operator === 'notEquals';
    if (!isEquality && this.#operator !== 'in' && this.#operator !== 'notIn')
      return this.#compared(sql, (value) => this.#number(value));
    const all = isEquality ? this.#wanted.slice(0, 1) : this.#wanted;
    for (const value of all) this.#refuseNoNumber(value);
    const stored = all.filter((value) => keepsNumber(value.trim(), type.stored));
    if (stored.length > 0) return this.#compared(sql, (value) => this.#number(value), stored);
    return this.#operator === 'equals' || this.#operator === 'in' ? 'false' : 'true';
  }

  /** Its text has a sign of a currency and separators: a number is looked for in the digits as well, or compared with the value. */
  #ofMoney(): string {
    const { sql } = this.#column;
    const text = `${sql}::pg_catalog.text`;
    const number = `${sql}::pg_catalog.numeric`;
    if (this.#operator === 'contains' || this.#operator === 'notContains')
      return this.#ofText(`(${text} OPERATOR(pg_catalog.||) E'\\n' OPERATOR(pg_catalog.||) ${number}::pg_catalog.text)`);
    if (!['equals', 'notEquals', 'in', 'notIn'].includes(this.#operator)) return this.#ofText(text);
    const isNumber = this.#wanted.every((value) => NUMERAL.test(value.trim()));
    return isNumber
      ? this.#compared(number, (value) => this.#values.add(value.trim(), 'pg_catalog.numeric'))
      : this.#ofText(text);
  }

  /** Labels as the type orders and compares them; what is none of them as text, which it can be a part of. */
  #ofChoice(): string {
    const { sql, type } = this.#column;
    if (this.#operator === 'between' || this.#operator === 'matchesRegex') return this.#fail();
    const isOrder = Object.hasOwn(COMPARISONS, this.#operator);
    const isEquality = ['equals', 'notEquals', 'in', 'notIn'].includes(this.#operator);
    if (isOrder || (isEquality && this.#matchCase && this.#wanted.every((value) => type.labels.includes(value))))
      return this.#compared(sql, (value) => this.#values.add(toValue(value, this.#column), type.cast));
    if (!isEquality && this.#operator !== 'contains' && this.#operator !== 'notContains') return this.#fail();
    return this.#ofText(`${sql}::pg_catalog.text`);
  }

  #moment(value: string): string {
    const { name, type } = this.#column;
    const text = value.trim();
    if ((type.oid === OID.time || type.oid === OID.timetz) && !CLOCK.test(text))
      throw invalid(`“${value.slice(0, 60)}” isn't a time of day. Write it as 12:30 or 12:30:00.`, name, {
        id: 'filter.clock',
        values: { value: value.slice(0, 60) },
      });
    if (text === '' || !TIME.test(text))
      throw invalid(`“${value.slice(0, 60)}” isn't a date or time. Write it as 2026-01-31 or 2026-01-31 12:30:00.`, name, {
        id: 'filter.moment',
        values: { value: value.slice(0, 60) },
      });
    // Without its zone it would be another moment.
    if (losesZone(text, type.oid))
      throw invalid(`“${value.slice(0, 60)}” would lose its zone: the column stores none.`, name, {
        id: 'value.zone',
        values: { value: value.slice(0, 60) },
      });
    return this.#values.add(text, type.cast);
  }

  /** Which is longer is as the server compares them, however they are written. Equal are those that are shown alike: to the server a month has 30 days. */
  #ofInterval(): string {
    const { sql, name, type } = this.#column;
    if (this.#operator === 'isEmpty' || this.#operator === 'isNotEmpty') return this.#fail();
    const isOfLength = Object.hasOwn(COMPARISONS, this.#operator) || this.#operator === 'between';
    if (!isOfLength) return this.#ofText(`${sql}::pg_catalog.text`);
    return this.#compared(sql, (value) => {
      if (!isInterval(value))
        throw invalid(`“${value.slice(0, 60)}” isn't an interval. Write it as 1 day 02:30:00 or 90 minutes.`, name, {
          id: 'filter.interval',
          values: { value: value.slice(0, 60) },
        });
      return this.#values.add(value.trim(), type.cast);
    });
  }

  #onlyEquality(one: (value: string) => string): string {
    if (this.#operator !== 'equals' && this.#operator !== 'notEquals') return this.#fail();
    return this.#compared(this.#column.sql, one);
  }

  #ofUuid(): string {
    if (['equals', 'notEquals', 'in', 'notIn'].includes(this.#operator))
      return this.#compared(this.#column.sql, (value) => this.#values.add(toValue(value, this.#column), 'pg_catalog.uuid'));
    if (this.#operator === 'contains' || this.#operator === 'startsWith') {
      const wanted = (this.#wanted[0] ?? '').toLowerCase();
      const pattern = `${this.#operator === 'contains' ? '%' : ''}${escaped(wanted)}%`;
      return `${this.#column.sql}::pg_catalog.text LIKE ${this.#values.add(pattern, 'pg_catalog.text')}`;
    }
    return this.#fail();
  }

  /** Comparisons that all types share. */
  #compared(sql: string, one: (value: string) => string, wanted: readonly string[] = this.#wanted): string {
    const [first = '', second = ''] = wanted;
    switch (this.#operator) {
      case 'equals':
        return `${sql} = ${one(first)}`;
      case 'notEquals':
        return `(${sql} <> ${one(first)} OR ${this.#column.sql} IS NULL)`;
      case 'in':
        return `${sql} IN (${wanted.map(one).join(', ')})`;
      case 'notIn':
        return `(${sql} NOT IN (${wanted.map(one).join(', ')}) OR ${this.#column.sql} IS NULL)`;
      case 'between':
        return `(${sql} >= ${one(first)} AND ${sql} <= ${one(second)})`;
      default: {
        const comparison = COMPARISONS[this.#operator];
        return comparison === undefined ? this.#fail() : `${sql} ${comparison} ${one(first)}`;
      }
    }
  }

  #emptiness(length: string): string | undefined {
    if (this.#operator === 'isEmpty') return `${length} = 0`;
    return this.#operator === 'isNotEmpty' ? `${length} > 0` : undefined;
  }

  #ofText(text: string): string {
    const empty = this.#emptiness(`pg_catalog.octet_length(${text})`);
    if (empty !== undefined) return empty;
    const [first = ''] = this.#wanted;
    const { oid, cast } = this.#column.type;
    // A name would be cut to what a name has room for.
    const isOwn = text === this.#column.sql && oid !== OID.name;
    const like = (pattern: string): string =>
      `${text} ${this.#matchCase ? 'LIKE' : 'ILIKE'} ${this.#values.add(pattern, 'pg_catalog.text')}`;
    switch (this.#operator) {
      case 'contains':
        return like(`%${escaped(first)}%`);
      case 'notContains':
        return `(${like(`%${escaped(first)}%`)}) IS NOT TRUE`;
      case 'startsWith':
        return like(`${escaped(first)}%`);
      case 'endsWith':
        return like(`%${escaped(first)}`);
      case 'matchesRegex':
        return `${text} ${this.#matchCase ? '~' : '~*'} ${this.#values.add(first, 'pg_catalog.text')}`;
      default:
        return this.#matchCase
          ? this.#compared(text, (value) => this.#values.add(value, isOwn ? cast : 'pg_catalog.text'))
          : this.#compared(
              `pg_catalog.lower(${text})`,
              // Blanks at the end of a "char(5)" count neither in the column nor in the value.
              (value) => `pg_catalog.lower(${this.#values.add(value, oid === OID.bpchar ? cast : 'pg_catalog.text')})`,
            );
    }
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
