import { wholeStart } from '@tabularium/sdk';
import type { ColumnGeneration, IndexColumn, TableIndex, TableTrigger, TriggerEvent } from '@tabularium/sdk';
import type { SqliteDatabase, SqlRow } from './database.ts';
import { quoted } from './names.ts';
import type { SqlValue } from './names.ts';
import { tokens } from './sql/tokens.ts';
import type { SqlToken } from './sql/tokens.ts';

// Indexes, triggers and computed columns. SQLite answers with their names alone: expressions and conditions are in the statements that made them.

/** As many indexes or triggers as a description may have. */
export const MOST_PARTS = 1_000;
const MOST_COLUMNS = 64;
const LONGEST_EXPRESSION = 4_000;
const LONGEST_DETAIL = 300;
/** Of a statement that is cut into tokens: a table of 2,000 columns has about 60,000 characters. */
const LONGEST_STATEMENT = 200_000;
/** In the place of an expression that can't be found in its statement. */
const UNREAD = '…';

const text = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');
const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A text within the bounds of a description. */
export function cut(long: string): string {
  return long.length <= LONGEST_EXPRESSION ? long : `${wholeStart(long, LONGEST_EXPRESSION - 1)}…`;
}

/** A statement of the schema with its tokens; none of one that is too long to be cut. */
interface Statement {
  readonly sql: string;
  readonly parts: readonly SqlToken[];
}

/** @param made - rows of `sqlite_schema`: type, name, statement */
function statementOf(made: readonly SqlRow[], type: string, name: string): Statement {
  const sql = text(made.find(([of, one]) => of === type && text(one) === name)?.[2]);
  return { sql, parts: sql.length > LONGEST_STATEMENT ? [] : tokens(sql) };
}

function between({ sql }: Statement, parts: readonly SqlToken[]): string {
  return sql.slice(parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0);
}

/** The tokens within the first brackets from a place on, divided at commas, and the place after them. */
function listFrom(
  { parts }: Statement,
  from: number,
): { readonly items: readonly (readonly SqlToken[])[]; readonly after: number } {
  let at = parts.findIndex((part, place) => place >= from && isSymbol(part, '('));
  if (at === -1) return { items: [], after: parts.length };
  const items: SqlToken[][] = [[]];
  let depth = 1;
  for (at += 1; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    if (isSymbol(part, '(')) depth += 1;
    if (isSymbol(part, ')')) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && isSymbol(part, ',')) items.push([]);
    else items.at(-1)?.push(part);
  }
  return { items, after: at + 1 };
}

function isSymbol(part: SqlToken | undefined, symbol: string): boolean {
  return part?.kind === 'symbol' && part.text === symbol;
}

function isWord(part: SqlToken | undefined, ...words: readonly string[]): boolean {
  return part?.kind === 'word' && words.includes(part.text);
}

/** The indexes of a table, that of the primary key first, then in the order in which they were made. */
export function readIndexes(database: SqliteDatabase, table: string, made: readonly SqlRow[]): readonly TableIndex[] {
  const listed = database.all(
    `SELECT name, "unique", partial, origin FROM pragma_index_list(?, 'main') ORDER BY origin <> 'pk', seq DESC LIMIT ${MOST_PARTS}`,
    [table],
  );
  return listed.map(([name, unique, partial, origin]): TableIndex => {
    const statement = statementOf(made, 'index', text(name));
    const { items, after } = listFrom(statement, 0);
    const columns = database
      .all(
        `SELECT cid, name, "desc", coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno LIMIT ${MOST_COLUMNS}`,
        [text(name)],
      )
      .map(([place, column, isDescending, collation], at): IndexColumn => {
        const order = isDescending === 1n ? { descending: true } : {};
        if (column !== null && place !== -1n) return { name: text(column), ...order, ...comparedBy(text(collation)) };
        return { expression: place === -1n ? 'rowid' : expressionOf(statement, items[at] ?? []), ...order };
      });
    const where = isWord(statement.parts[after], 'WHERE') ? between(statement, statement.parts.slice(after + 1)) : '';
    return {
      name: text(name),
      columns,
      unique: unique === 1n,
      ...(origin === 'pk' ? { primary: true } : {}),
      ...(partial === 1n ? { where: where === '' ? UNREAD : cut(where) } : {}),
    };
  });
}

/** SQLite compares byte by byte where nothing else is said. An expression has its collation in its own text. */
function comparedBy(collation: string): Pick<IndexColumn, 'detail'> {
  const name = /^\w+$/.test(collation) ? collation : quoted(collation);
  return collation === '' || collation.toUpperCase() === 'BINARY' ? {} : { detail: `COLLATE ${name}`.slice(0, LONGEST_DETAIL) };
}

/** How many indexes a table has. */
export function countIndexes(database: SqliteDatabase, table: string): number {
  return Number(database.all("SELECT count(*) FROM pragma_index_list(?, 'main')", [table])[0]?.[0] ?? 0);
}

/** Without the order that follows it. */
function expressionOf(statement: Statement, parts: readonly SqlToken[]): string {
  const own = isWord(parts.at(-1), 'ASC', 'DESC') ? parts.slice(0, -1) : parts;
  return own.length === 0 ? UNREAD : cut(between(statement, own));
}

const EVENTS: Readonly<Record<string, TriggerEvent>> = { INSERT: 'insert', UPDATE: 'update', DELETE: 'delete' };

/** The triggers of a table or view, by name: SQLite has no order in which they fire. */
export function readTriggers(made: readonly SqlRow[]): readonly TableTrigger[] {
  return made
    .filter(([type]) => type === 'trigger')
    .slice(0, MOST_PARTS)
    .flatMap(([, name]) => triggerOf(text(name), statementOf(made, 'trigger', text(name))) ?? []);
}

function triggerOf(name: string, statement: Statement): TableTrigger | undefined {
  const { parts } = statement;
  // The name may be a word of SQL. A timing or an event follows it.
  let at = parts.findIndex((part) => isWord(part, 'TRIGGER')) + 1;
  if (at === 0) return undefined;
  if (isWord(parts[at], 'IF') && isWord(parts[at + 1], 'NOT')) at += 3;
  at += isSymbol(parts[at + 1], '.') ? 3 : 1;
  const timing = isWord(parts[at], 'AFTER') ? 'after' : isWord(parts[at], 'INSTEAD') ? 'insteadOf' : 'before';
  if (isWord(parts[at], 'BEFORE', 'AFTER')) at += 1;
  if (isWord(parts[at], 'INSTEAD')) at += 2;
  const event = EVENTS[parts[at]?.text ?? ''];
  if (event === undefined) return undefined;
  at += 1;
  const columns: string[] = [];
  if (isWord(parts[at], 'OF'))
    for (at += 1; at < parts.length && !isWord(parts[at], 'ON'); at += 1) {
      const part = parts[at];
      if (part !== undefined && !isSymbol(part, ',')) columns.push(nameOf(statement, part));
    }
  // ON, the table, FOR EACH ROW.
  at += isSymbol(parts[at + 2], '.') ? 4 : 2;
  if (isWord(parts[at], 'FOR')) at += 3;
  const begins = parts.findIndex((part, place) => place >= at && isWord(part, 'BEGIN'));
  const when = isWord(parts[at], 'WHEN') ? between(statement, parts.slice(at + 1, begins)) : '';
  const calls = begins === -1 ? '' : between(statement, parts.slice(begins + 1, -1)).trim();
  return {
    name,
    timing,
    events: [event],
    ...(columns.length === 0 ? {} : { columns: columns.slice(0, MOST_COLUMNS) }),
    level: 'row',
    ...(when === '' ? {} : { when: cut(when) }),
    ...(calls === '' ? {} : { calls: cut(calls) }),
  };
}

/** A bare name as it is written, a quoted one without its quotes. */
function nameOf({ sql }: Statement, part: SqlToken): string {
  return part.kind === 'word' ? sql.slice(part.start, part.end) : part.text;
}

/** The columns that a table's statement computes, with their expressions, by their names in small letters. */
export function readComputed(table: string, made: readonly SqlRow[]): ReadonlyMap<string, string> {
  const statement = statementOf(made, 'table', table);
  const found = new Map<string, string>();
  for (const item of listFrom(statement, 0).items) {
    const [name] = item;
    const as = item.findIndex((part, place) => isWord(part, 'AS') && isSymbol(item[place + 1], '(') && isOutside(item, place));
    if (name === undefined || as === -1) continue;
    const from = as + 2;
    let depth = 1;
    let to = from;
    for (; to < item.length; to += 1) {
      if (isSymbol(item[to], '(')) depth += 1;
      if (isSymbol(item[to], ')')) depth -= 1;
      if (depth === 0) break;
    }
    if (to > from) found.set(folded(nameOf(statement, name)), cut(between(statement, item.slice(from, to))));
  }
  return found;
}

/** Whether a token is in no brackets of its column: CAST(a AS …) computes nothing. */
function isOutside(item: readonly SqlToken[], place: number): boolean {
  let depth = 0;
  for (const part of item.slice(0, place)) depth += isSymbol(part, '(') ? 1 : isSymbol(part, ')') ? -1 : 0;
  return depth === 0;
}

export function generationOf(
  column: string,
  kind: ColumnGeneration['kind'],
  computed: ReadonlyMap<string, string>,
): ColumnGeneration {
  const expression = computed.get(folded(column));
  return { kind, ...(expression === undefined ? {} : { expression }) };
}
