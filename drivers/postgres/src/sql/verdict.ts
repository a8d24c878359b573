import { DriverError } from '@tabularium/sdk';
import type { StatementEffect, TableRef } from '@tabularium/sdk';
import { faultTexts, invalid, severalStatements } from '../fault.ts';
import { alterationEffect } from './alterationEffect.ts';
import { behindWith } from './behindWith.ts';
import { changesRows } from './changesRows.ts';
import { creationEffect } from './creationEffect.ts';
import { lowerAscii } from './foldAscii.ts';
import { psqlCommand } from './psqlCommand.ts';
import { statementSummary } from './statementSummary.ts';
import { isOfEachRole } from './isOfEachRole.ts';
import { isSymbol, isWord } from './isWord.ts';
import { splitSql } from './split.ts';
import type { SqlToken } from './tokens.ts';

/** The effect of a statement by its words. The server is asked about the rest. */
export interface Verdict {
  /** The statement alone, without the semicolon. */
  readonly text: string;
  /** Where it begins in the text that was judged. */
  readonly start: number;
  readonly tokens: readonly SqlToken[];
  readonly effect: StatementEffect;
  readonly unknown?: true;
  readonly summary: string;
  /** It only reads if the functions that it calls only read. */
  readonly isQuery: boolean;
  /** It plans a change, and doesn't run it. */
  readonly plansChange?: true;
  /** It calls functions, and what those do comes to its own effect: `change` with all that acts when rows of the named tables change, `upkeep` with what is computed of their rows as they are, `refresh` with that and the queries of materialized views. */
  readonly acts?: 'calls' | 'change' | 'upkeep' | 'refresh';
  /** Its upkeep is of more tables than it names. */
  readonly everyTable?: true;
  /** It can't run inside a transaction. */
  readonly alone: boolean;
  readonly holdsSecret?: true;
  /** The table whose rows it changes, where its place in the statement is certain. */
  readonly target?: TableRef;
  /** All tables whose rows it changes, also in a WITH; undefined in the place of one whose name can't be seen. */
  readonly targets?: readonly (TableRef | undefined)[];
  /** The columns that it gives values to, where that is certain and rows are there already. */
  readonly assigned?: readonly string[];
  /** A statement of the driver's own, which names the type of each of its parameters. */
  readonly hasTypedValues?: boolean;
  /** It changes or deletes rows and has no condition. */
  readonly everyRow?: true;
  /** It is about the session or its transaction, and runs as it is. Only in a session. */
  readonly control?: true;
  /** It changes a setting that has no part in the role or in where names are looked up. */
  readonly keepsPlace?: true;
}

/** Where a statement is to run: in a session of its own tab, or on a connection that is shared. */
export type StatementPlace = 'session' | 'shared';

type Known = Pick<Verdict, 'effect'> & Partial<Verdict>;

/** Why a statement is never run, and the id of the whole sentence's translation. */
interface Refusal {
  readonly why: string;
  readonly id: string;
}

const OPEN_TRANSACTION: Refusal = {
  id: 'sql.transaction',
  why: 'Each statement is a transaction of its own here, so that none stays open and holds locks. Put what belongs together into one statement, such as a WITH or a DO block.',
};
const OF_SESSION: Refusal = {
  id: 'sql.session',
  why: 'Statements run on connections that are shared, so nothing of a session lasts.',
};
const COPY_CLIENT: Refusal = { id: 'sql.copy', why: 'Rows go in by Import and out by Export, from the menu of the table.' };
const TEMPORARY: Refusal = { id: 'sql.temporary', why: 'A temporary table would be gone with the next statement.' };

const NOT_IN_SESSION: Refusal = {
  id: 'sql.notInSession',
  why: 'What it runs later, or when, can’t be seen when it is confirmed.',
};
const TWO_PHASES: Refusal = {
  id: 'sql.prepared',
  why: 'A prepared transaction outlives every session and holds its locks.',
};
/** Settings that decide in which form values come. */
const FORMS: ReadonlySet<string> = new Set([
  'datestyle',
  'intervalstyle',
  'bytea_output',
  'extra_float_digits',
  'client_encoding',
  'names',
  'standard_conforming_strings',
]);
/** Settings by which a session is another role, or finds other tables under a name. `SET SESSION AUTHORIZATION` has `session` in the place of a name. */
const OF_PLACE: ReadonlySet<string> = new Set(['search_path', 'schema', 'role', 'session', 'session_authorization']);
const FORM: Refusal = { id: 'sql.form', why: 'Values come in a form in which they stay exact, so this setting is fixed.' };

/** Keywords that begin statements which are never run, and why. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  BEGIN: OPEN_TRANSACTION,
  START: OPEN_TRANSACTION,
  COMMIT: OPEN_TRANSACTION,
  END: OPEN_TRANSACTION,
  ROLLBACK: OPEN_TRANSACTION,
  ABORT: OPEN_TRANSACTION,
  SAVEPOINT: OPEN_TRANSACTION,
  RELEASE: OPEN_TRANSACTION,
  LOCK: OPEN_TRANSACTION,
  SET: OF_SESSION,
  RESET: OF_SESSION,
  DISCARD: OF_SESSION,
  PREPARE: OF_SESSION,
  EXECUTE: OF_SESSION,
  DEALLOCATE: OF_SESSION,
  DECLARE: OF_SESSION,
  FETCH: OF_SESSION,
  MOVE: OF_SESSION,
  CLOSE: OF_SESSION,
  LISTEN: OF_SESSION,
  UNLISTEN: OF_SESSION,
  LOAD: OF_SESSION,
};

/**
 * The effect of one statement by its words.
 *
 * @param place - in a session transactions, settings, temporary tables and parameters are allowed
 * @throws DriverError `INVALID_INPUT` for text that isn't a single statement, `UNSUPPORTED` for statements that are never run
 */
export function verdictOf(text: string, place: StatementPlace = 'shared'): Verdict {
  const [statement, second] = splitSql(text);
  if (statement === undefined) throw invalid('There is no statement.', undefined, { id: 'sql.none' });
  if (second !== undefined) throw severalStatements(second.start);
  if (text.includes('\0'))
    throw invalid('PostgreSQL takes no text with a zero character.', undefined, { id: 'sql.nul' }, text.indexOf('\0'));
  const own = statement.tokens;
  const bad = own.find(({ kind }) => kind === 'bad');
  if (bad?.text.startsWith('\\') === true && bad === own[0]) throw psqlCommand(text, bad.start);
  if (bad !== undefined)
    throw invalid(
      `“${bad.text.slice(0, 40)}” at character ${bad.start + 1} isn't valid SQL.`,
      undefined,
      { id: 'sql.notSql', values: { text: bad.text.slice(0, 40), place: bad.start + 1 } },
      bad.start,
    );
  const parameter = own.find(({ kind }) => kind === 'parameter');
  if (parameter !== undefined && place === 'shared')
    throw invalid(
      `The parameter “${parameter.text}” has no value. Write the value itself.`,
      undefined,
      { id: 'sql.parameter', values: { name: parameter.text } },
      parameter.start,
    );
  const found = (place === 'session' ? controlOf(own, text) : undefined) ?? effectOf(own, text, place);
  return {
    text: statement.text,
    start: statement.start,
    tokens: own,
    isQuery: false,
    alone: false,
    ...found,
    summary: found.summary ?? statementSummary(own, text),
  };
}

function notSql(token: SqlToken | undefined): DriverError {
  if (token === undefined) return invalid('There is no statement.', undefined, { id: 'sql.none' });
  const word = token.text.slice(0, 40);
  const translation = { id: 'sql.noVerb', values: { word } };
  return invalid(`A statement of PostgreSQL doesn't begin with “${word}”.`, undefined, translation, token.start);
}

function refused(name: string, { why, id }: Refusal): DriverError {
  return new DriverError('UNSUPPORTED', `${name} is not run here. ${why}`, {
    details: { advice: 'Use psql for it.', texts: faultTexts(id, { name }, 'sql.usePsql') },
  });
}

/** The effect of a statement about the session itself; undefined for every other one. */
function controlOf(own: readonly SqlToken[], text: string): Known | undefined {
  const [first, second] = own;
  if (first?.kind !== 'word') return undefined;
  const isOfPrepared = isWord(second, 'PREPARED');
  switch (first.text) {
    case 'BEGIN':
    case 'START':
      return { effect: 'read', control: true, summary: 'BEGIN a transaction' };
    case 'COMMIT':
    case 'END':
      // The changes of the transaction stay, and its deferred triggers run.
      return isOfPrepared ? { effect: 'write', unknown: true, alone: true } : { effect: 'write', control: true };
    case 'ROLLBACK':
    case 'ABORT':
      return isOfPrepared ? { effect: 'destructive', alone: true } : { effect: 'read', control: true };
    case 'SAVEPOINT':
    case 'RELEASE':
      return { effect: 'read', control: true };
    case 'LOCK':
      return { effect: 'write' };
    case 'SET':
      return setEffect(own, text);
    case 'RESET':
      if (FORMS.has(settingOf(second, text))) throw refused('RESET', FORM);
      return { effect: 'read', control: true };
    case 'DISCARD':
      return { effect: 'write', alone: true };
    case 'PREPARE':
      throw refused(first.text, isWord(second, 'TRANSACTION') ? TWO_PHASES : NOT_IN_SESSION);
    case 'EXECUTE':
    case 'DEALLOCATE':
    case 'DECLARE':
    case 'FETCH':
    case 'MOVE':
    case 'CLOSE':
    case 'LISTEN':
    case 'UNLISTEN':
    case 'LOAD':
      throw refused(first.text, NOT_IN_SESSION);
    default:
      return undefined;
  }
}

/** The server compares names of settings without letter case, also quoted ones. */
function settingOf(token: SqlToken | undefined, text: string): string {
  return lowerAscii(identifierOf(token, text) ?? '');
}

function setEffect(own: readonly SqlToken[], text: string): Known {
  const at = isWord(own[1], 'SESSION', 'LOCAL') && !isWord(own[2], 'AUTHORIZATION', 'CHARACTERISTICS') ? 2 : 1;
  const name = settingOf(own[at], text);
  if (FORMS.has(name)) throw refused('SET', FORM);
  // Checks that were put off are made now, and their triggers run.
  if (name === 'constraints') return { effect: 'write', unknown: true };
  // Without triggers, and so without foreign keys, what comes next is another thing than it seems. One with a point belongs to an application.
  const isOwn = isSymbol(own[at + 1], '.') || isOfEachRole(name);
  const known: Known = { effect: isOwn ? 'read' : 'write', control: true };
  return OF_PLACE.has(name) ? known : { ...known, keepsPlace: true };
}

function effectOf(own: readonly SqlToken[], text: string, place: StatementPlace = 'shared'): Known {
  const first = own.find((token) => !isSymbol(token, '('));
  if (first?.kind !== 'word') throw notSql(own[0]);
  const verb = first.text;
  const why = Object.hasOwn(REFUSED, verb) ? REFUSED[verb] : undefined;
  if (why !== undefined) throw refused(verb, why);
  const inBrackets = first !== own[0];
  if (inBrackets && !['SELECT', 'VALUES', 'TABLE', 'WITH'].includes(verb)) throw notSql(own[0]);
  const [, second] = own;
  switch (verb) {
    case 'SELECT':
    case 'VALUES':
    case 'TABLE':
    case 'WITH':
      return queryEffect(own, text);
    case 'SHOW':
      return { effect: 'read', summary: 'SHOW a setting' };
    case 'EXPLAIN':
      return explainEffect(own, text);
    case 'INSERT':
      return insertEffect(own, text);
    case 'UPDATE':
      return changed('write', own, 0, text);
    case 'DELETE':
      return changed('destructive', own, 0, text);
    case 'MERGE':
      return mergeEffect(own, text);
    case 'TRUNCATE':
      return truncateEffect(own, text);
    case 'DROP':
    case 'REASSIGN':
    case 'SECURITY':
      return { effect: 'destructive', alone: isWord(second, 'DATABASE', 'TABLESPACE', 'SUBSCRIPTION', 'INDEX') };
    case 'GRANT':
    case 'REVOKE':
      return { effect: 'destructive' };
    case 'CREATE':
      return createEffect(own, place);
    case 'ALTER':
      return alterationEffect(own);
    case 'COMMENT':
      return { effect: 'write' };
    case 'VACUUM':
    case 'CLUSTER':
    case 'REINDEX':
      return { effect: 'write', alone: true, ...upkeepOf(own) };
    case 'CHECKPOINT':
      // It slows the whole server down, for an unknown time.
      return { effect: 'write', unknown: true, alone: true };
    case 'ANALYZE':
    case 'ANALYSE':
      return { effect: 'write', ...upkeepOf(own) };
    case 'REFRESH':
      // Without data it loses its rows.
      return { effect: own.some((token) => isWord(token, 'NO')) ? 'destructive' : 'write', acts: 'refresh' };
    case 'COPY':
      return copyEffect(own, text);
    case 'DO':
    case 'CALL':
      // A procedure may end transactions itself, which it can't inside of one.
      return { effect: 'write', unknown: true, alone: true };
    case 'NOTIFY':
    case 'IMPORT':
      return { effect: 'write', unknown: true };
    default:
      throw notSql(first);
  }
}

const OF_UPKEEP = ['FULL', 'FREEZE', 'VERBOSE', 'ANALYZE', 'ANALYSE', 'CONCURRENTLY', 'TABLE', 'INDEX'];

/** The upkeep of tables: of those that are named, or of all. */
function upkeepOf(own: readonly SqlToken[]): Pick<Verdict, 'acts' | 'everyTable'> {
  let at = 1;
  if (isSymbol(own[at], '(')) while (at < own.length && !isSymbol(own[at - 1], ')')) at += 1;
  while (isWord(own[at], ...OF_UPKEEP)) at += 1;
  const isOfAll = own[at] === undefined || isWord(own[at], 'SCHEMA', 'DATABASE', 'SYSTEM');
  return { acts: 'upkeep', ...(isOfAll ? { everyTable: true } : {}) };
}

/** A query that writes nothing by its words. What it calls is still to be seen. */
function queryEffect(own: readonly SqlToken[], text: string): Known {
  const main = isWord(own[0], 'WITH') ? behindWith(own) : 0;
  if (main === undefined) return { effect: 'destructive', unknown: true, targets: acting(own, text).targets };
  if (main > 0 && isWord(own[main], 'INSERT', 'UPDATE', 'DELETE', 'MERGE')) {
    // A WITH before it may change other columns.
    const { assigned: _assigned, ...inner } = effectOf(own.slice(main), text);
    // And it may delete as well.
    const destroys =
      own.slice(0, main).some((token) => isWord(token, 'DELETE', 'MERGE', 'UPDATE')) ||
      own.slice(main + 1).some((token, index, rest) => isWord(token, 'DELETE', 'MERGE') && changesRows(rest, index));
    const targets = [...(inner.targets ?? []), ...acting(own, text).targets];
    return { ...inner, acts: 'change', targets, ...(destroys ? { effect: 'destructive' } : {}), isQuery: false };
  }
  if (own.some((token, index) => isWord(token, 'DELETE', 'MERGE') && changesRows(own, index)))
    return { effect: 'destructive', summary: statementSummary(own, text), ...acting(own, text) };
  const locks = own.some((token, index) => isWord(token, 'FOR') && isWord(own[index + 1], 'UPDATE', 'SHARE', 'NO', 'KEY'));
  const writes = own.some((token, index) => isWord(token, 'INTO') || (changesRows(own, index) && !isLock(own, index)));
  if (writes) return { effect: 'write', unknown: true, targets: acting(own, text).targets };
  if (locks) return { effect: 'write', summary: 'SELECT rows and lock them', acts: 'calls' };
  return { effect: 'read', isQuery: true };
}

/** An EXPLAIN plans the statement behind it; with ANALYZE it runs it. */
function explainEffect(own: readonly SqlToken[], text: string): Known {
  let at = 1;
  let runs = false;
  if (isSymbol(own[1], '(')) {
    const close = own.findIndex((token) => isSymbol(token, ')'));
    if (close < 0) throw invalid('A parenthesis of EXPLAIN is not closed.', undefined, { id: 'sql.explainOpen' });
    const options = own.slice(2, close);
    runs = options.some(
      (token, index) =>
        (isWord(token, 'ANALYZE', 'ANALYSE') && !isOff(options, index + 1)) ||
        (token.kind !== 'word' && token.kind !== 'symbol' && token.kind !== 'number' && token.kind !== 'string'),
    );
    at = close + 1;
  } else {
    while (isWord(own[at], 'ANALYZE', 'ANALYSE', 'VERBOSE')) {
      runs ||= !isWord(own[at], 'VERBOSE');
      at += 1;
    }
  }
  const rest = own.slice(at);
  if (isWord(rest[0], 'EXPLAIN'))
    throw invalid('An EXPLAIN is of one statement, and not of another EXPLAIN.', undefined, { id: 'sql.explainTwice' });
  const inner = effectOf(rest, text);
  if (runs) return { ...inner, summary: `EXPLAIN ANALYZE, which runs it: ${statementSummary(rest, text)}` };
  // Planning computes what doesn't change, by calling it.
  const plansChange = inner.isQuery === true ? {} : ({ plansChange: true } as const);
  return { effect: 'read', isQuery: true, summary: `EXPLAIN ${statementSummary(rest, text)}`, ...plansChange };
}

/** Whether an option is switched off by what is behind its name, and nothing else is there. */
function isOff(options: readonly SqlToken[], at: number): boolean {
  const value = options[at];
  const isNo = isWord(value, 'OFF', 'FALSE') || (value?.kind === 'number' && value.text === '0');
  return isNo && (options[at + 1] === undefined || isSymbol(options[at + 1], ','));
}

function insertEffect(own: readonly SqlToken[], text: string): Known {
  const conflict = own.findIndex((token, index) => isWord(token, 'ON') && isWord(own[index + 1], 'CONFLICT'));
  const replaces =
    conflict >= 0 && own.slice(conflict).some((token, index, rest) => isWord(token, 'DO') && isWord(rest[index + 1], 'UPDATE'));
  const target = nameAt(own, 2, text);
  const deletes = own.some((token) => isWord(token, 'DELETE', 'MERGE'));
  return {
    effect: replaces || deletes ? 'destructive' : 'write',
    ...acting(own, text),
    ...(target === undefined ? {} : { target: target.ref }),
  };
}

function changed(effect: StatementEffect, own: readonly SqlToken[], verb: number, text: string): Known {
  let at = verb + 1;
  if (isWord(own[at], 'FROM')) at += 1;
  if (isWord(own[at], 'ONLY')) at += 1;
  const target = nameAt(own, at, text);
  const assigned = verb === 0 && isWord(own[0], 'UPDATE') ? assignedIn(own, text) : undefined;
  return {
    effect,
    ...acting(own, text),
    ...(target === undefined ? {} : { target: target.ref }),
    ...(assigned === undefined ? {} : { assigned }),
    ...(hasWhere(own) ? {} : { everyRow: true }),
  };
}

/** The columns before the equals signs behind SET; undefined where something else is there. */
function assignedIn(own: readonly SqlToken[], text: string): readonly string[] | undefined {
  const names: string[] = [];
  let at = own.findIndex((token) => isWord(token, 'SET')) + 1;
  if (at === 0) return undefined;
  for (;;) {
    const isList = isSymbol(own[at], '(');
    if (isList) at += 1;
    for (;;) {
      const name = identifierOf(own[at], text);
      if (name === undefined) return undefined;
      names.push(name);
      at += 1;
      if (!isList || !isSymbol(own[at], ',')) break;
      at += 1;
    }
    if (isList) {
      if (!isSymbol(own[at], ')')) return undefined;
      at += 1;
    }
    // A part of a column, such as an element of an array or a field, changes the column.
    const isAssigned = own[at]?.text === '=' || (!isList && (isSymbol(own[at], '.') || isSymbol(own[at], '[')));
    if (!isAssigned) return undefined;
    let depth = 0;
    while (at < own.length && !(depth === 0 && isSymbol(own[at], ','))) {
      if (isSymbol(own[at], '(') || isSymbol(own[at], '[')) depth += 1;
      if (isSymbol(own[at], ')') || isSymbol(own[at], ']')) depth -= 1;
      // Behind a point each word is a name.
      const isEnd =
        isWord(own[at], 'FROM', 'WHERE', 'RETURNING') && !isWord(own[at - 1], 'DISTINCT') && !isSymbol(own[at - 1], '.');
      if (depth === 0 && isEnd) return names;
      at += 1;
    }
    if (at >= own.length) return names;
    at += 1;
  }
}

function mergeEffect(own: readonly SqlToken[], text: string): Known {
  const target = nameAt(own, isWord(own[2], 'ONLY') ? 3 : 2, text);
  return {
    effect: own.some((token) => isWord(token, 'DELETE')) ? 'destructive' : 'write',
    ...acting(own, text),
    ...(target === undefined ? {} : { target: target.ref }),
  };
}

/** Whether an UPDATE is the strength of a lock: FOR UPDATE, FOR NO KEY UPDATE. Of these words only FOR can't be the name of a column. */
function isLock(own: readonly SqlToken[], index: number): boolean {
  const isOfKeys = isWord(own[index - 1], 'KEY') && isWord(own[index - 2], 'NO');
  return isWord(own[index - (isOfKeys ? 3 : 1)], 'FOR');
}

/** That a statement changes rows, and of which tables: a change may be in a WITH at any depth. */
function acting(own: readonly SqlToken[], text: string): Required<Pick<Verdict, 'acts' | 'targets'>> {
  const targets: (TableRef | undefined)[] = [];
  for (const [index, token] of own.entries()) {
    const before = own[index - 1];
    // SEARCH and CYCLE of a WITH end with the name of a column.
    const endsWith = isWord(own[index - 2], 'SET', 'USING') && identifierOf(before, text) !== undefined;
    const begins =
      before === undefined ||
      ['(', ')'].some((sign) => isSymbol(before, sign)) ||
      isWord(before, 'ANALYZE', 'ANALYSE', 'VERBOSE') ||
      endsWith;
    const next = own[index + 1];
    const isChange =
      (isWord(token, 'INSERT', 'MERGE') && isWord(next, 'INTO')) ||
      (isWord(token, 'DELETE') && isWord(next, 'FROM')) ||
      (isWord(token, 'UPDATE') && begins);
    if (!isChange) continue;
    let at = isWord(token, 'UPDATE') ? index + 1 : index + 2;
    if (isWord(own[at], 'ONLY')) at += 1;
    // The name may be in parentheses behind ONLY.
    if (isSymbol(own[at], '(')) at += 1;
    targets.push(nameAt(own, at, text)?.ref);
  }
  return { acts: 'change', targets };
}

/** The triggers of each table act on it. */
function truncateEffect(own: readonly SqlToken[], text: string): Known {
  const targets: (TableRef | undefined)[] = [];
  let begins = true;
  for (let at = isWord(own[1], 'TABLE') ? 2 : 1; at < own.length; at += 1) {
    if (begins && isWord(own[at], 'ONLY')) continue;
    if (begins) targets.push(nameAt(own, at, text)?.ref);
    begins = isSymbol(own[at], ',');
  }
  if (!isWord(own.at(-1), 'CASCADE')) return { effect: 'destructive', targets };
  const summary = `${statementSummary(own, text)} (and all tables that refer to it)`;
  return { effect: 'destructive', targets, unknown: true, summary };
}

/** Whether a statement has a condition of its own; one in parentheses belongs to a query in it. */
function hasWhere(own: readonly SqlToken[]): boolean {
  let depth = 0;
  for (const [index, token] of own.entries()) {
    const isLabel = isSymbol(own[index - 1], '.') || isWord(own[index - 1], 'AS');
    if (isSymbol(token, '(')) depth += 1;
    else if (isSymbol(token, ')')) depth -= 1;
    else if (depth === 0 && isWord(token, 'WHERE') && !isLabel) return true;
  }
  return false;
}

function createEffect(own: readonly SqlToken[], place: StatementPlace): Known {
  if (place === 'shared' && own.slice(1, 4).some((token) => isWord(token, 'TEMP', 'TEMPORARY')))
    throw refused('CREATE TEMPORARY', TEMPORARY);
  return creationEffect(own);
}

/** COPY with a file or a program is the server's, which reads and writes there whatever it may. */
function copyEffect(own: readonly SqlToken[], text: string): Known {
  if (own.some((token) => isWord(token, 'STDIN', 'STDOUT'))) throw refused('COPY to or from the client', COPY_CLIENT);
  const filled = own.some((token) => isWord(token, 'FROM')) ? nameAt(own, 1, text) : undefined;
  return { effect: 'destructive', unknown: true, ...(filled === undefined ? {} : { targets: [filled.ref] }) };
}

/** The identifier that a token is, as the server folds it. */
export function identifierOf(token: SqlToken | undefined, text: string): string | undefined {
  if (token?.kind === 'name') return token.text;
  if (token?.kind !== 'word') return undefined;
  return lowerAscii(text.slice(token.start, token.end));
}

function nameAt(own: readonly SqlToken[], at: number, text: string): { readonly ref: TableRef } | undefined {
  const parts: string[] = [];
  for (let place = at; ; place += 2) {
    const part = identifierOf(own[place], text);
    if (part === undefined) return undefined;
    parts.push(part);
    if (!isSymbol(own[place + 1], '.')) break;
  }
  const name = parts.at(-1) ?? '';
  return { ref: { namespace: parts.slice(0, -1).slice(-1), name } };
}
