import { DriverError, driverText } from '@tabularium/sdk';
import type { DriverTexts, ImportedTables, PlannedChange, TableRef } from '@tabularium/sdk';
import { LEAST_INTEGER, MOST_INTEGER } from '../cells.ts';
import type { SqliteDatabase } from '../database.ts';
import { faultTexts, invalid, stopIfCancelled } from '../fault.ts';
import { quoted } from '../names.ts';
import { splitSql } from '../sql/split.ts';
import type { SplitStatement } from '../sql/split.ts';
import { digitsOf, readRow } from './readRow.ts';

/** Columns that SQLite gives a table at most. */
const MOST_COLUMNS = 2_000;
/** Characters of a statement that fit the path of a described request. */
const LONGEST_PATH = 16_000;

/** Makes tables for the rows of an import. */
export function createTables(database: SqliteDatabase): ImportedTables {
  return {
    async propose(table, rows, { signal }) {
      stopIfCancelled(signal);
      return proposed(nameOf(table), rows);
    },
    async like(table, definition, { signal }) {
      stopIfCancelled(signal);
      return likened(nameOf(table), definition);
    },
    async plan(table, definition, { signal }) {
      stopIfCancelled(signal);
      return planned(database, nameOf(table), definition);
    },
    async create(table, definition, { signal }) {
      stopIfCancelled(signal);
      planned(database, nameOf(table), definition);
      database.transaction(() => database.write(definition));
    },
    async discard(table, { signal }) {
      stopIfCancelled(signal);
      const name = nameOf(table);
      database.transaction(() => {
        const found = database.first("SELECT 1 FROM main.sqlite_schema WHERE name = ? AND type = 'table'", [name]);
        if (found === undefined)
          throw new DriverError('NOT_FOUND', `There is no table “${name}”.`, {
            details: { texts: faultTexts('table.none', { name }) },
          });
        const row = database.first(`SELECT 1 FROM main.${quoted(name)} LIMIT 1`);
        if (row !== undefined)
          throw new DriverError('CONFLICT', `“${name}” has rows by now, so it was not removed.`, {
            details: { texts: faultTexts('newTable.hasRows', { name }) },
          });
        database.write(`DROP TABLE main.${quoted(name)}`);
      });
    },
  };
}

function nameOf({ namespace, name }: TableRef): string {
  if (namespace.length > 0) throw refused('A table of SQLite is in no namespace.', faultTexts('newTable.namespace'));
  if (name.toLowerCase().startsWith('sqlite_'))
    throw refused('Names that begin with sqlite_ are SQLite’s own.', faultTexts('newTable.reserved'));
  return name;
}

function refused(message: string, texts: DriverTexts | undefined): DriverError {
  return new DriverError('INVALID_INPUT', message, {
    details: { field: 'definition', ...(texts === undefined ? {} : { texts }) },
  });
}

function planned(database: SqliteDatabase, name: string, definition: string): PlannedChange {
  const statement = onlyStatement(definition);
  const { name: made, isMade } = madeTable(statement);
  if (!isMade) throw refused('The definition has to be a CREATE TABLE statement.', faultTexts('newTable.create'));
  if (made !== name) throw refused(`The definition has to make the table “${name}”.`, faultTexts('newTable.name', { name }));
  if (database.readOnly)
    throw new DriverError('ACCESS_REFUSED', 'The connection opens the file read-only.', {
      details: { texts: faultTexts('table.readOnly') },
    });
  const taken = database.first("SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')", [
    name,
  ]);
  if (taken !== undefined)
    throw new DriverError('CONFLICT', `There is a table or view “${name}” already.`, {
      details: { texts: faultTexts('newTable.taken', { name }) },
    });
  try {
    // Compiled and not run: SQLite itself finds what is wrong with it.
    database.prepare(`EXPLAIN ${statement.text}`, 'explain');
  } catch (error) {
    throw error instanceof DriverError ? refused(error.message, error.details.texts) : error;
  }
  const rest = definition.slice(statement.start + 'CREATE'.length).trim();
  const request =
    rest.length <= LONGEST_PATH
      ? { method: 'CREATE', path: rest }
      : { method: 'CREATE', path: `TABLE ${quoted(name).slice(0, LONGEST_PATH)}`, body: definition };
  return {
    effect: 'write',
    consequence: `The table “${name}” is created. It is empty until rows are imported.`,
    texts: { consequence: driverText('import.newTable', { name }) },
    requests: [request],
  };
}

function onlyStatement(text: string): SplitStatement {
  const [statement, ...others] = splitSql(text);
  if (statement === undefined || others.length > 0)
    throw refused('The definition has to be one CREATE TABLE statement.', faultTexts('newTable.one'));
  return statement;
}

interface MadeTable {
  /** Whether it makes an empty table of the file. */
  readonly isMade: boolean;
  readonly name: string;
  /** Of its name, with the schema before it, in the statement's own text. */
  readonly from: number;
  readonly to: number;
}

/** The table that a statement makes. */
function madeTable({ tokens, text, start }: SplitStatement): MadeTable {
  const none = { isMade: false, name: '', from: 0, to: 0 };
  const word = (at: number): string => (tokens[at]?.kind === 'word' ? tokens[at].text : '');
  if (word(0) !== 'CREATE' || word(1) !== 'TABLE') return none;
  let at = word(2) === 'IF' && word(3) === 'NOT' && word(4) === 'EXISTS' ? 5 : 2;
  const first = tokens[at];
  if (first === undefined) return none;
  const isQualified = tokens[at + 1]?.text === '.';
  const textOf = (token: typeof first): string =>
    token.kind === 'word' ? text.slice(token.start - start, token.end - start) : token.text;
  if (isQualified && textOf(first).toLowerCase() !== 'main') return none;
  if (isQualified) at += 2;
  const named = tokens[at];
  if (named === undefined || !['word', 'name', 'string'].includes(named.kind)) return none;
  // CREATE TABLE … AS SELECT would fill it.
  if (tokens[at + 1]?.text !== '(') return none;
  return { isMade: true, name: textOf(named), from: first.start - start, to: named.end - start };
}

/** The statement that made another table, with another name. Its indexes and triggers stay behind. */
function likened(name: string, definition: string): string {
  for (const statement of splitSql(definition)) {
    const made = madeTable(statement);
    if (made.isMade) return `${statement.text.slice(0, made.from)}${quoted(name)}${statement.text.slice(made.to)}`;
  }
  throw refused("This isn't the definition of a table.", faultTexts('newTable.notTable'));
}

type Shape = 'INTEGER' | 'REAL' | 'BOOLEAN' | 'TEXT' | 'JSON';

interface SeenColumn {
  readonly shapes: Set<Shape>;
  /** Rows that have a value. */
  rows: number;
  readonly values: Set<string>;
}

function proposed(name: string, rows: readonly string[]): string {
  const seen = new Map<string, SeenColumn>();
  const taken = new Map<string, string>();
  for (const row of rows) {
    for (const [column, value] of readRow(row)) {
      const other = taken.get(column.toLowerCase());
      if (column === '' || (other !== undefined && other !== column))
        throw invalid(
          column === ''
            ? 'A column needs a name.'
            : `For SQLite, “${column}” and “${other ?? ''}” are one name. Give one of them another name.`,
          column,
          column === '' ? { id: 'newTable.unnamed' } : { id: 'newTable.sameName', values: { other: other ?? '' } },
        );
      taken.set(column.toLowerCase(), column);
      const found = seen.get(column) ?? { shapes: new Set(), rows: 0, values: new Set() };
      if (!seen.has(column)) seen.set(column, found);
      const shape = shapeOf(value);
      if (shape === undefined) continue;
      found.shapes.add(shape);
      found.rows += 1;
      if (column === 'id') found.values.add(JSON.stringify(value));
    }
  }
  if (seen.size > MOST_COLUMNS)
    throw invalid(
      `SQLite takes ${MOST_COLUMNS.toLocaleString('en')} columns, and these rows have ${seen.size.toLocaleString('en')}.`,
      undefined,
      { id: 'newTable.columns', values: { most: MOST_COLUMNS, count: seen.size } },
    );
  const columns = Array.from(seen, ([column, { shapes, rows: count, values }]) => {
    const type = joined(shapes);
    const isKey = column === 'id' && count === rows.length && values.size === count && (type === 'INTEGER' || type === 'TEXT');
    return `  ${quoted(column)} ${type}${isKey ? `${type === 'TEXT' ? ' NOT NULL' : ''} PRIMARY KEY` : ''}`;
  });
  if (columns.length === 0) throw invalid('The rows have no columns.', undefined, { id: 'newTable.noColumns' });
  return `CREATE TABLE ${quoted(name)} (\n${columns.join(',\n')}\n)`;
}

/** undefined: the value says nothing. */
function shapeOf(value: unknown): Shape | undefined {
  if (value === null) return undefined;
  const digits = digitsOf(value);
  if (digits !== undefined) return numberShape(digits);
  if (typeof value === 'boolean') return 'BOOLEAN';
  return typeof value === 'string' ? 'TEXT' : 'JSON';
}

/** A number that neither a whole number of 64 bits nor a double holds digit for digit is kept as text. */
function numberShape(digits: string): Shape {
  if (/^-?\d+$/.test(digits)) {
    const whole = BigInt(digits);
    return whole >= LEAST_INTEGER && whole <= MOST_INTEGER ? 'INTEGER' : 'TEXT';
  }
  const [mantissa = ''] = digits.toLowerCase().split('e');
  return mantissa.replaceAll(/[-.]/g, '').length <= 15 ? 'REAL' : 'TEXT';
}

/** One type for values of several. */
function joined(shapes: ReadonlySet<Shape>): Shape {
  const [first, ...others] = shapes;
  if (first === undefined) return 'TEXT';
  if (others.length === 0) return first;
  return [...shapes].every((shape) => shape === 'INTEGER' || shape === 'REAL') ? 'REAL' : 'TEXT';
}
