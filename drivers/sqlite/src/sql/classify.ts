import { DriverError } from '@tabularium/sdk';
import type { StatementClassification, StatementEffect, TableRef } from '@tabularium/sdk';
import { faultTexts, invalid } from '../fault.ts';
import { pragmaEffect } from './pragmas.ts';
import { splitSql } from './split.ts';
import type { SqlToken } from './tokens.ts';

/** A statement that may run, and what it does. */
export interface Judged extends StatementClassification {
  /** The statement alone, without the semicolon. */
  readonly text: string;
  /** Whether it inserts, updates or deletes rows: then SQLite's program for it says more than its words. */
  readonly changesRows: boolean;
  /** An EXPLAIN: the statement behind it is prepared with the rights that it names, and never runs. */
  readonly explains: boolean;
}

interface Verdict extends Pick<StatementClassification, 'effect' | 'unknown'> {
  readonly summary: string;
  readonly changesRows?: true;
  readonly explains?: true;
  /** The statement behind its WITH has no WHERE and changes or deletes rows. */
  readonly everyRow?: true;
}

const VERBS: Readonly<Record<string, StatementEffect>> = {
  SELECT: 'read',
  VALUES: 'read',
  INSERT: 'write',
  // It deletes the rows that are in its way.
  REPLACE: 'destructive',
  UPDATE: 'write',
  DELETE: 'destructive',
  CREATE: 'write',
  ALTER: 'write',
  DROP: 'destructive',
  REINDEX: 'write',
  ANALYZE: 'write',
};

const ROW_VERBS: ReadonlySet<string> = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);
/**
 * Objects that may be created and whose effect shows in the statement. Only its module defines the effect of a virtual table. A trigger acts later, in the changes
 * of everybody: it can drop what they insert (`RAISE(IGNORE)`), or write a table whose conflict clauses and triggers lose rows.
 */
const CREATED: readonly string[] = ['TABLE', 'INDEX', 'UNIQUE', 'VIEW'];

/** Why a statement is never run, and the id of the whole sentence's translation. */
interface Refusal {
  readonly why: string;
  readonly id: string;
}

const OPEN_TRANSACTION: Refusal = {
  id: 'sql.transaction',
  why: 'Each statement is a transaction of its own here, so that none stays open and keeps the file locked. Put what belongs together into one statement.',
};
const OTHER_FILE: Refusal = {
  id: 'sql.otherFile',
  why: 'This connection is one database file: no other one is opened or written.',
};
const NATIVE_CODE: Refusal = { id: 'sql.native', why: "Extensions are native code, which Tabularium doesn't load." };
const TEMPORARY: Refusal = { id: 'sql.temporary', why: 'A temporary table would be gone with the next statement.' };
const PRAGMAS: Refusal = {
  id: 'sql.pragmas',
  why: 'Only pragmas that read, and a few that change the file safely, are allowed.',
};

/** Keywords that begin statements which are never run, and why. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  ATTACH: OTHER_FILE,
  DETACH: OTHER_FILE,
  BEGIN: OPEN_TRANSACTION,
  COMMIT: OPEN_TRANSACTION,
  END: OPEN_TRANSACTION,
  ROLLBACK: OPEN_TRANSACTION,
  SAVEPOINT: OPEN_TRANSACTION,
  RELEASE: OPEN_TRANSACTION,
};

const REFUSED_FUNCTIONS: Readonly<Record<string, Refusal>> = {
  LOAD_EXTENSION: NATIVE_CODE,
  READFILE: OTHER_FILE,
  WRITEFILE: OTHER_FILE,
  EDIT: OTHER_FILE,
};

/** The refused part: a statement by its first words, a function, or a pragma with a value. */
type RefusedPart = 'statement' | 'function' | 'value';

const PARTS: Readonly<Record<RefusedPart, (name: string) => string>> = {
  statement: (name) => name,
  function: (name) => `The function ${name}`,
  value: (name) => `${name} with a value`,
};

function refused(name: string, { why, id }: Refusal, part: RefusedPart = 'statement'): DriverError {
  return new DriverError('UNSUPPORTED', `${PARTS[part](name)} is not run here. ${why}`, {
    details: {
      advice: 'Use the shell of SQLite for it.',
      texts: faultTexts(id, { name, part }, 'sql.shell'),
    },
  });
}

function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}

/**
 * The effect of one statement, by its tokens.
 *
 * @throws DriverError `INVALID_INPUT` for text that isn't a single statement, `UNSUPPORTED` for statements that are never run
 */
export function judge(text: string): Judged {
  const [statement, ...others] = splitSql(text);
  if (statement === undefined) throw invalid('There is no statement.', undefined, { id: 'sql.none' });
  if (others.length > 0) throw invalid('These are several statements; run them one by one.', undefined, { id: 'sql.several' });
  const own = statement.tokens;
  const bad = own.find(({ kind }) => kind === 'bad');
  if (bad !== undefined)
    throw invalid(`“${bad.text.slice(0, 40)}” at character ${bad.start + 1} isn't valid SQL.`, undefined, {
      id: 'sql.notSql',
      values: { text: bad.text.slice(0, 40), place: bad.start + 1 },
    });
  refuseEverywhere(own);
  const { effect, unknown, summary, changesRows = false, explains = false, everyRow } = effectOf(own);
  const tables = tablesOf(own, text);
  const changed = everyRow === true ? changedTable(own, text) : undefined;
  return {
    text: statement.text,
    effect,
    tables,
    summary,
    changesRows,
    explains,
    ...(unknown === undefined ? {} : { unknown }),
    ...(changed === undefined ? {} : { everyRowOf: changed }),
  };
}

/** Functions that are rejected in any place. */
function refuseEverywhere(own: readonly SqlToken[]): void {
  for (const [index, token] of own.entries()) {
    if (token.kind === 'parameter') {
      throw invalid(`The parameter “${token.text}” has no value. Write the value itself.`, undefined, {
        id: 'sql.parameter',
        values: { name: token.text },
      });
    }
    const why = token.kind === 'word' || token.kind === 'name' ? REFUSED_FUNCTIONS[token.text.toUpperCase()] : undefined;
    if (why !== undefined && isSymbol(own[index + 1], '(')) throw refused(token.text.toLowerCase(), why, 'function');
  }
}

function effectOf(own: readonly SqlToken[]): Verdict {
  const [first, second] = own;
  if (first?.kind !== 'word') throw notSql(first);
  const verb = first.text;
  const why = REFUSED[verb];
  if (why !== undefined) throw refused(verb, why);
  switch (verb) {
    case 'EXPLAIN': {
      // The statement behind it doesn't run; it must still be one that could.
      const rest = isWord(second, 'QUERY') && isWord(own[2], 'PLAN') ? own.slice(3) : own.slice(1);
      if (isWord(rest[0], 'EXPLAIN')) throw nested('EXPLAIN', rest[0]);
      const { effect } = effectOf(rest);
      // A pragma takes effect while SQLite prepares it.
      if (isWord(rest[0], 'PRAGMA')) return { effect, summary: 'EXPLAIN a PRAGMA' };
      return { effect: 'read', summary: 'EXPLAIN a statement', explains: true };
    }
    case 'PRAGMA':
      return pragma(own);
    case 'WITH': {
      const main = mainVerb(own);
      if (main === undefined) throw notSql(first);
      if (isWord(own[main], 'WITH', 'EXPLAIN')) throw nested('WITH', own[main]);
      return effectOf(own.slice(main));
    }
    case 'VACUUM':
      if (own.some((token) => isWord(token, 'INTO'))) throw refused('VACUUM INTO', OTHER_FILE);
      // Rows of tables without an INTEGER PRIMARY KEY get new rowids, and what named them names others.
      return { effect: 'destructive', summary: 'VACUUM the database' };
    case 'CREATE':
      if (isWord(second, 'TEMP', 'TEMPORARY')) {
        throw refused('CREATE TEMP', TEMPORARY);
      }
      if (deletesLater(own)) return { effect: 'destructive', summary: summaryOf(own) };
      return { effect: 'write', summary: summaryOf(own), ...(isWord(second, ...CREATED) ? {} : { unknown: true }) };
    case 'ALTER': {
      if (own.some((token) => isWord(token, 'DROP'))) return { effect: 'destructive', summary: summaryOf(own) };
      const known = own.some((token) => isWord(token, 'RENAME', 'ADD'));
      return { effect: 'write', summary: summaryOf(own), ...(known ? {} : { unknown: true }) };
    }
    default: {
      const effect = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
      if (effect === undefined) throw notSql(first);
      const replaces = isWord(second, 'OR') && isWord(own[2], 'REPLACE');
      return {
        effect: replaces ? 'destructive' : effect,
        summary: summaryOf(own),
        ...(ROW_VERBS.has(verb) ? { changesRows: true } : {}),
        ...((verb === 'UPDATE' || verb === 'DELETE') && !hasWhere(own) ? { everyRow: true } : {}),
      };
    }
  }
}

/** Whether a statement has a condition of its own; one in parentheses belongs to a query in it. */
function hasWhere(own: readonly SqlToken[]): boolean {
  let depth = 0;
  for (const token of own) {
    if (isSymbol(token, '(')) depth += 1;
    else if (isSymbol(token, ')')) depth -= 1;
    else if (depth === 0 && isWord(token, 'WHERE')) return true;
  }
  return false;
}

/**
 * The table that an UPDATE or a DELETE changes: the name behind the words of its verb. By place and not by word, because a table may be called
 * `replace`; and SQLite takes text in single quotes for a name there.
 */
function changedTable(own: readonly SqlToken[], text: string): TableRef | undefined {
  const verb = isWord(own[0], 'WITH') ? (mainVerb(own) ?? 0) : 0;
  let at = verb + 1;
  if (isWord(own[at], 'FROM')) at += 1;
  else if (isWord(own[at], 'OR')) at += 2;
  if (isSymbol(own[at + 1], '.')) at += 2;
  const token = own[at];
  if (token?.kind === 'name' || token?.kind === 'string') return { namespace: [], name: token.text };
  return token?.kind === 'word' ? { namespace: [], name: text.slice(token.start, token.end) } : undefined;
}

/**
 * Where the statement behind the table expressions of a WITH begins: behind the parenthesis that ends the last of them. By place and not by
 * word, because a table expression may be called `replace`.
 */
function mainVerb(own: readonly SqlToken[]): number | undefined {
  let depth = 0;
  for (const [index, token] of own.entries()) {
    if (isSymbol(token, '(')) depth += 1;
    else if (isSymbol(token, ')')) depth -= 1;
    else if (depth === 0 && isSymbol(own[index - 1], ')') && !isSymbol(token, ',') && !isWord(token, 'AS')) return index;
  }
  return undefined;
}

/** Whether a trigger deletes or replaces rows when it fires, which a change that is otherwise a write may cause. */
function deletesLater(own: readonly SqlToken[]): boolean {
  if (!own.slice(0, 3).some((token) => isWord(token, 'TRIGGER'))) return false;
  const body = own.findIndex((token) => isWord(token, 'BEGIN'));
  return own.some(
    (token, index) =>
      index > body &&
      // `replace(` is a function.
      (isWord(token, 'DELETE') || (isWord(token, 'REPLACE') && !isSymbol(own[index + 1], '('))),
  );
}

/** `PRAGMA [schema.]name`, `PRAGMA name = value`, `PRAGMA name(value)`. */
function pragma(own: readonly SqlToken[]): Verdict {
  const at = isSymbol(own[2], '.') ? 3 : 1;
  const name = own[at];
  if (name?.kind !== 'word' && name?.kind !== 'name') throw notSql(own[0]);
  const rest = own.slice(at + 1);
  const value = rest.filter((token) => token.kind !== 'symbol' || token.text === '-' || token.text === '+');
  const takes = isSymbol(rest[0], '=') || isSymbol(rest[0], '(');
  if (rest.length > 0 && !takes) throw notSql(rest[0]);
  const argument = takes ? value.map((token) => token.text).join('') : undefined;
  const effect = pragmaEffect(name.text, argument);
  if (effect === undefined) {
    throw refused(`PRAGMA ${name.text.toLowerCase()}`, PRAGMAS, takes ? 'value' : 'statement');
  }
  return { effect, summary: `PRAGMA ${name.text.toLowerCase()}` };
}

function notSql(token: SqlToken | undefined): DriverError {
  if (token === undefined) return invalid('There is no statement.', undefined, { id: 'sql.none' });
  const word = token.text.slice(0, 40);
  return invalid(`No statement of SQL begins with “${word}”.`, undefined, { id: 'sql.noVerb', values: { word } });
}

/** SQLite takes neither, and reading one within the other would go as deep as the text is long. */
function nested(verb: string, token: SqlToken | undefined): DriverError {
  const word = token?.text ?? '';
  return invalid(`A statement of SQLite has no ${word} behind its ${verb}.`, undefined, {
    id: 'sql.nested',
    values: { word, verb },
  });
}

const SUMMARY_WORDS = 8;

/** The first words, without values: enough to know it again. */
function summaryOf(own: readonly SqlToken[]): string {
  const words: string[] = [];
  for (const token of own) {
    if (words.length >= SUMMARY_WORDS || (token.kind !== 'word' && token.kind !== 'name' && !isSymbol(token, '.'))) break;
    words.push(token.text);
  }
  return words.join(' ').replaceAll(' . ', '.').slice(0, 200);
}

/** Words behind which a table is named, and whether what looks like a function there is a table with its columns. */
const BEFORE_TABLE: Readonly<Record<string, boolean>> = {
  FROM: false,
  JOIN: false,
  INTO: true,
  UPDATE: true,
  TABLE: true,
  VIEW: true,
  ON: true,
};
const SKIPPED = new Set(['IF', 'NOT', 'EXISTS', 'OR', 'ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE']);
/** Words in that place that aren't names. With FROM among them, no list is read twice. */
const NO_NAMES = new Set(['FROM', 'SELECT', 'VALUES', 'SET', 'WHERE', 'CONFLICT', 'WITH']);

/** The names of the tables that a statement names, as far as they are known without asking; those of its own WITH don't count. */
function tablesOf(own: readonly SqlToken[], text: string): TableRef[] {
  const expressions = new Set<string>();
  const names = new Set<string>();
  const nameAt = (at: number): string | undefined => {
    const token = own[at];
    if (token?.kind === 'name') return token.text;
    return token?.kind === 'word' && !NO_NAMES.has(token.text) ? text.slice(token.start, token.end) : undefined;
  };
  for (const [index, token] of own.entries()) {
    const defined = nameAt(index);
    if (defined !== undefined && isWord(own[index + 1], 'AS') && isSymbol(own[index + 2], '('))
      expressions.add(defined.toUpperCase());
    if (token.kind !== 'word' || !Object.hasOwn(BEFORE_TABLE, token.text)) continue;
    if (token.text === 'ON' && !isWord(own[0], 'CREATE')) continue;
    for (let at = index + 1; ; at += 1) {
      while (own[at]?.kind === 'word' && SKIPPED.has(own[at]?.text ?? '')) at += 1;
      if (isSymbol(own[at + 1], '.')) at += 2;
      const name = nameAt(at);
      if (name === undefined) break;
      if (!isSymbol(own[at + 1], '(') || BEFORE_TABLE[token.text] === true) names.add(name);
      if (isWord(own[at + 1], 'AS')) at += 1;
      if (nameAt(at + 1) !== undefined && isSymbol(own[at + 2], ',')) at += 1;
      if (token.text !== 'FROM' || !isSymbol(own[at + 1], ',')) break;
      at += 1;
    }
  }
  return [...names].filter((name) => !expressions.has(name.toUpperCase())).map((name) => ({ namespace: [], name }));
}
