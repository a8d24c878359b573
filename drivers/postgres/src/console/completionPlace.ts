import { isSymbol, isWord } from '../sql/isWord.ts';
import { tokens } from '../sql/tokens.ts';
import type { SqlToken } from '../sql/tokens.ts';
import { identifierOf } from '../sql/verdict.ts';

/** A table as a statement names it. */
export interface NamedTable {
  /** Empty where the statement leaves it out. */
  readonly schema: string;
  readonly name: string;
  /** How the rest of the statement calls it. */
  readonly alias: string;
}

/**
 * Where a cursor is in a statement. `start`: nothing is before it; `table`: the name of a table comes next; `operand`: a column, a function or a value;
 * `after`: a keyword, since a name or a value has just ended; `member`: behind a point.
 */
export interface CompletionPlace {
  readonly sort: 'start' | 'table' | 'operand' | 'after' | 'member' | 'none';
  /** Where the text begins that a choice replaces. */
  readonly from: number;
  /** The name so far, without quotes. */
  readonly typed: string;
  /** Whether the name has begun with a quote. */
  readonly isQuoted: boolean;
  /** Whether the name's closing quote is there already. */
  readonly isClosed: boolean;
  /** The names before a point, outermost first. */
  readonly path: readonly string[];
  /** The tables that the statement names, wherever the cursor is. */
  readonly tables: readonly NamedTable[];
  /** The names of its WITH queries. */
  readonly withQueries: readonly string[];
}

const WORD_BEFORE = /(?<![A-Za-z0-9_$\u0080-\u{10ffff}])[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_$\u0080-\u{10ffff}]*$/u;
/** Behind these is a table. */
const BEFORE_TABLE = new Set(
  'FROM JOIN INTO UPDATE TABLE ONLY USING TRUNCATE REFERENCES COPY ANALYZE ANALYSE VACUUM VIEW CONCURRENTLY'.split(' '),
);
/** A list of names behind these is one of tables. */
const LISTS_TABLES = new Set(['FROM', 'JOIN', 'USING', 'TRUNCATE', 'TABLE', 'VACUUM', 'ANALYZE']);
/** These end a list of tables. */
const ENDS_LIST = new Set('SELECT WHERE SET GROUP ORDER HAVING ON VALUES RETURNING LIMIT OFFSET WINDOW WHEN FETCH'.split(' '));
/** Words that no table and no column is called without quotes, as far as a cursor's place depends on it. */
const RESERVED = new Set(
  `ALL ANALYSE ANALYZE AND ANY AS ASC BETWEEN BY CASE CONCURRENTLY CONFLICT CROSS DELETE DESC DISTINCT DO ELSE EXCEPT EXISTS EXPLAIN FETCH FOR FROM FULL GROUP HAVING IF ILIKE IN INNER
  INSERT INTERSECT INTO IS ISNULL JOIN LATERAL LEFT LIKE LIMIT MATERIALIZED MERGE NATURAL NOT NOTNULL OFFSET ON ONLY OR ORDER OUTER OVER PARTITION RETURNING RIGHT SELECT SET SIMILAR
  TABLE THEN TO UNION UPDATE USING VALUES VERBOSE WHEN WHERE WINDOW WITH WITHIN TABLESAMPLE DEFAULT`.split(/\s+/),
);
/** A value may come to its end with these. */
const ENDS_VALUE = new Set(['NULL', 'TRUE', 'FALSE', 'END', 'DEFAULT']);

/** The name that a token is; undefined for a keyword. */
function nameOf(token: SqlToken | undefined, text: string): string | undefined {
  if (token === undefined || (token.kind === 'word' && RESERVED.has(token.text))) return undefined;
  return identifierOf(token, text);
}

/** Whether these tokens come before the name of a table. */
function beginsTable(own: readonly SqlToken[], at: number): boolean {
  const token = own[at];
  if (token?.kind !== 'word' || !BEFORE_TABLE.has(token.text)) return isWord(token, 'EXISTS') && isWord(own[at - 1], 'IF');
  const before = own[at - 1];
  if (token.text === 'FROM') return !isWord(before, 'DISTINCT');
  if (token.text === 'UPDATE') return !isWord(before, 'FOR', 'DO', 'KEY', 'ON', 'THEN', 'AFTER', 'BEFORE', 'OR');
  if (token.text === 'CONCURRENTLY') return isWord(before, 'VIEW');
  if (token.text === 'VIEW' || token.text === 'TABLE')
    return !own.slice(Math.max(0, at - 4), at).some((word) => isWord(word, 'CREATE'));
  return true;
}

/** For each token whether it comes before the name of a table, also as the comma of a list. */
function tablePlaces(own: readonly SqlToken[]): boolean[] {
  const lists: boolean[] = [false];
  return own.map((token, at) => {
    const begins = beginsTable(own, at);
    if (isSymbol(token, '(')) lists.push(false);
    else if (isSymbol(token, ')') && lists.length > 1) lists.pop();
    else if (token.kind === 'word' && begins && LISTS_TABLES.has(token.text)) lists.splice(-1, 1, true);
    else if (token.kind === 'word' && ENDS_LIST.has(token.text)) lists.splice(-1, 1, false);
    return begins || (isSymbol(token, ',') && lists.at(-1) === true);
  });
}

/** The tables that come behind these places. */
function tablesOf(own: readonly SqlToken[], places: readonly boolean[], text: string): NamedTable[] {
  const found: NamedTable[] = [];
  for (const [index, isPlace] of places.entries()) {
    if (!isPlace) continue;
    let at = index + 1;
    if (isSymbol(own[at], '(')) at += 1;
    const first = nameOf(own[at], text);
    if (first === undefined || isSymbol(own[at + 1], '(')) continue;
    let schema = '';
    let name = first;
    if (isSymbol(own[at + 1], '.')) {
      const second = nameOf(own[at + 2], text);
      // Only the schema is there yet.
      if (second === undefined) continue;
      schema = first;
      name = second;
      at += 2;
    }
    at += own[at + 1]?.text === '*' ? 2 : 1;
    if (isWord(own[at], 'AS')) at += 1;
    const alias = isSymbol(own[at + 1], '.') ? undefined : nameOf(own[at], text);
    found.push({ schema, name, alias: alias ?? name });
  }
  return found;
}

function withQueriesOf(own: readonly SqlToken[], text: string): string[] {
  if (!own.some((token) => isWord(token, 'WITH'))) return [];
  return own.flatMap((token, at) => {
    const before = own[at - 1];
    if (!isWord(before, 'WITH', 'RECURSIVE') && !isSymbol(before, ',')) return [];
    const isQuery = isWord(own[at + 1], 'AS') && (isSymbol(own[at + 2], '(') || isWord(own[at + 2], 'NOT', 'MATERIALIZED'));
    return isQuery || (isSymbol(own[at + 1], '(') && isWord(before, 'WITH', 'RECURSIVE')) ? (nameOf(token, text) ?? []) : [];
  });
}

/** Whether a name or a value ends with the last of these tokens. */
function endsOperand(own: readonly SqlToken[], text: string): boolean {
  const last = own.at(-1);
  if (last === undefined) return false;
  if (last.kind === 'string' || last.kind === 'number' || last.kind === 'parameter' || isSymbol(last, ')')) return true;
  if (last.kind === 'word' && ENDS_VALUE.has(last.text)) return true;
  // All columns, unless it multiplies.
  if (last.kind === 'operator' && last.text === '*') {
    const before = own.at(-2);
    return isWord(before, 'SELECT', 'DISTINCT', 'RETURNING') || [',', '.', '('].some((sign) => isSymbol(before, sign));
  }
  return nameOf(last, text) !== undefined;
}

/** The names before a point that ends these tokens, outermost first. */
function pathOf(own: readonly SqlToken[], text: string): string[] {
  const path: string[] = [];
  for (let at = own.length - 1; isSymbol(own[at], '.'); at -= 2) {
    const name = identifierOf(own[at - 1] ?? own[at]!, text);
    if (name === undefined) return [];
    path.unshift(name);
  }
  return path;
}

/** Where the cursor is in the statement around it. */
export function completionPlace(text: string, offset: number): CompletionPlace {
  const all = tokens(text);
  const inside = all.find(
    ({ kind, start, end }) =>
      (kind === 'string' || kind === 'name' || kind === 'bad') && start < offset && (offset < end || kind === 'bad'),
  );
  const isQuoted = inside !== undefined && text[inside.start] === '"' && (inside.kind === 'bad' || offset === inside.end - 1);
  const word = WORD_BEFORE.exec(text.slice(0, offset))?.[0] ?? '';
  const from = isQuoted ? inside.start : offset - word.length;
  const typed = isQuoted ? text.slice(from + 1, offset).replaceAll('""', '"') : word;
  const begin = all.findLastIndex((token) => isSymbol(token, ';') && token.end <= from) + 1;
  const end = all.findIndex((token) => isSymbol(token, ';') && token.start >= offset);
  const own = all.slice(begin, end < 0 ? all.length : end);
  const before = own.filter((token) => token.end <= from);
  // The name that is being written names nothing yet, but what it is part of may be written already.
  const places = tablePlaces(own);
  const fixed = { from, typed, isQuoted, isClosed: isQuoted && inside.kind === 'name' };
  const known = {
    tables: tablesOf(own, places, text),
    withQueries: withQueriesOf(own, text),
  };
  const path = pathOf(before, text);
  const sort = ((): CompletionPlace['sort'] => {
    if (inside !== undefined && !isQuoted) return 'none';
    // A number is being written.
    if (!isQuoted && word === '' && /[0-9$]$/.test(text.slice(0, offset))) return 'none';
    if (isSymbol(before.at(-1), '.')) return path.length === 0 ? 'none' : 'member';
    if (before.length === 0) return 'start';
    if (places[before.length - 1] === true) return 'table';
    return endsOperand(before, text) ? 'after' : 'operand';
  })();
  return { ...fixed, ...known, path, sort };
}
