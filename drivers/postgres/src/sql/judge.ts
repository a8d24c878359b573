import type { StatementClassification, TableRef } from '@tabularium/sdk';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import {
  CALLS,
  CALLS_OF_CHANGE,
  CALLS_OF_READING,
  CALLS_OF_REFRESH,
  EVENT_TRIGGERS,
  following,
  hasHarmlessSettings,
  MOST_CALLS,
} from './harmless.ts';
import { HARMLESS_IN_CHANGE, HARMLESS_VOLATILE, MORE_THAN_READS, RUNS_QUERIES } from './harmlessFunctions.ts';
import { arrayOf } from './arrayOf.ts';
import { catalogueTargets, foundCatalogue, locks } from './catalogueTargets.ts';
import { SEEN_PATH } from '../catalogue/seenPath.ts';
import { eachOf } from './eachOf.ts';
import { cutIdentifiers } from './cutIdentifiers.ts';
import { foundText } from './foundText.ts';
import { bodiesIn, onlyReads } from './functionBody.ts';
import type { FunctionBody } from './functionBody.ts';
import { impliedFunctions, impliedOperators, impliedTypes } from './impliedNames.ts';
import { quoted } from '../names.ts';
import { isCalledWithoutColumn } from './isCalledWithoutColumn.ts';
import { isOwnTrigger } from './isOwnTrigger.ts';
import { makesValues } from './makesValues.ts';
import { MOST_NAMES, foundNamed, namedTables, questionOfNamed } from './namedTables.ts';
import { isSymbol, isWord } from './isWord.ts';
import { reachesBeyond } from './reachesBeyond.ts';
import { isSealed } from './sealed.ts';
import { tokens } from './tokens.ts';
import { usedAsTypes } from './usedAsTypes.ts';
import type { SqlToken } from './tokens.ts';
import { identifierOf, verdictOf } from './verdict.ts';
import type { StatementPlace, Verdict } from './verdict.ts';

/** A statement that may run, and what it does. */
export interface Judged extends StatementClassification, Pick<Verdict, 'text' | 'alone' | 'isQuery'> {}

/** The connection that is asked about a statement. */
export interface CatalogueReader {
  /** Answers of statements that only read, with the schemas noted in which the statement would look for a name now. */
  read(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]>;
  /** The names before the schema in the path of a table. */
  readonly prefix: readonly string[];
  /** Schemas in which statements of the driver's own look for a name, beside those of the session. */
  readonly path: readonly string[];
}

/** The question what a text calls in which values are assigned to variables. {@link foundIn} reads the answer. @param isOfChange - whether it belongs to a change */
function callsInText(text: string, isOfChange: boolean): readonly PgStep[] {
  // A function may look for names in other schemas than what calls it.
  return callsOf({ tokens: tokens(text), isBody: true, ...(isOfChange ? { acts: 'calls' } : {}) }, text, undefined);
}

/** Operators by which a read of a table filters and sorts its rows. */
const FILTER_OPERATORS = ['=', '<>', '<', '<=', '>', '>=', '~~', '!~~', '~~*', '!~~*', '~', '!~', '~*', '!~*'];

/**
 * The question what reading a table calls: its view, its policies and all else that belongs to it. Values of it are also written as text. {@link foundIn} reads the answer.
 *
 * @param path - the schemas in which the read looks for its operators, beside those of the session
 */
export function callsOfReading(schema: string, name: string, path: readonly string[]): PgStep {
  const lists = [[], ['text'], FILTER_OPERATORS, HARMLESS_VOLATILE, MORE_THAN_READS, []].map(arrayOf);
  return { name: 'callsOfReading', text: CALLS_OF_READING, values: [...lists, 'f', schema, name, arrayOf([...path])] };
}

/** Where the functions are called that are followed. */
interface Following {
  /** Whether it is a change, which may call more. */
  readonly isOfChange?: boolean;
  /** A text whose variables may have values that the functions make. */
  readonly text?: string;
  /** The functions that are followed already. */
  readonly bodies?: ReadonlyMap<string, FunctionBody>;
}

/**
 * The things of which it isn't certain that they change nothing, by the answers to the questions what is called. Functions in SQL and PL/pgSQL are followed into their bodies. All bodies are
 * one question, since a variable may have a value of a type that only another body names.
 */
export async function foundIn(
  database: Pick<CatalogueReader, 'read'>,
  answers: readonly PgAnswer[],
  signal: AbortSignal,
  { isOfChange = false, text = '', bodies = new Map() }: Following = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  const followed: string[] = [];
  const all = new Map(bodies);
  for (const { rows } of answers) {
    const counting = rows.filter(([, tree, oid]) => typeof tree !== 'string' || isCalledWithoutColumn(tree, oid ?? ''));
    // There may be more than the answer has.
    if (rows.length >= MOST_CALLS) found.push('more functions than can be looked at');
    for (const [what, , , sources] of counting) {
      const more = bodiesIn(sources).filter(({ key }) => !all.has(key));
      if (typeof sources !== 'string' || !more.every(onlyReads)) found.push(what ?? '');
      else if (bodiesIn(sources).some(({ key }) => !bodies.has(key))) {
        followed.push(what ?? '');
        for (const body of more) all.set(body.key, body);
      }
    }
  }
  if (found.length > 0 || all.size === bodies.size) return found;
  const inside = [text, ...[...all.values()].flatMap(({ source, types }) => [source, types])].join('\n;\n');
  if (all.size > MOST_BODIES || inside.length > MOST_CHARACTERS) return followed;
  const more = await database.read(callsInText(inside, isOfChange), signal);
  const deeper = await foundIn(database, more, signal, { isOfChange, text, bodies: all });
  return deeper.length === 0 ? [] : followed;
}

/** Functions that are followed for one statement, and the characters of their bodies. */
const MOST_BODIES = 100;
const MOST_CHARACTERS = 400_000;

/** Verbs of commands on which event triggers may act. */
const DEFINES: ReadonlySet<string> = new Set([
  'ALTER',
  'COMMENT',
  'CREATE',
  'DROP',
  'GRANT',
  'IMPORT',
  'REFRESH',
  'REINDEX',
  'REVOKE',
  'SECURITY',
]);

/** The question which event triggers act on a statement. The verb comes behind an EXPLAIN. */
function eventTriggersOf({ tokens: own }: Verdict): readonly PgStep[] {
  const words = own.flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));
  const isExplained = words[0] === 'EXPLAIN';
  if (!words.some((word, index) => DEFINES.has(word) && (isExplained || index === 0))) return [];
  return [{ name: 'eventTriggers', text: EVENT_TRIGGERS, values: [arrayOf([...new Set(words)])] }];
}

/**
 * The questions what a statement calls.
 *
 * @param path - the schemas in which it looks for names, beside those of the session and those that it names; undefined where these may be any
 */
function callsOf(
  {
    tokens: own,
    plansChange,
    acts,
    everyTable,
    assigned,
    hasTypedValues = false,
    isBody = false,
  }: Pick<Verdict, 'tokens' | 'plansChange' | 'acts' | 'everyTable' | 'assigned' | 'hasTypedValues'> & {
    readonly isBody?: boolean;
  },
  text: string,
  path: readonly string[] | undefined,
): readonly PgStep[] {
  const schemas = new Set(path);
  const called = new Set<string>();
  const all = new Set<string>();
  const operators = new Set<string>();
  const behindPoint = new Set<string>();
  for (const [index, token] of own.entries()) {
    if (token.kind === 'operator') operators.add(token.text);
    if (token.kind === 'word') {
      for (const operator of impliedOperators(token.text)) operators.add(operator);
      for (const type of impliedTypes(token.text)) all.add(type);
      for (const name of impliedFunctions(token.text)) called.add(name);
    }
    const next = own[index + 1];
    const before = own[index - 1];
    for (const name of spellingsOf(token, text)) {
      all.add(name);
      if (isSymbol(next, '(')) called.add(name);
      // A query has the name of a schema nowhere else.
      if (isSymbol(next, '.')) schemas.add(name);
      if (isSymbol(before, '.')) behindPoint.add(name);
    }
  }
  // It calls a function that has the name of its type.
  if (own.some((token) => isWord(token, 'TREAT'))) for (const name of all) called.add(name);
  const arrays = (...lists: readonly Iterable<string>[]): string[] => lists.map((list) => arrayOf([...list]));
  const looksIn = path === undefined ? null : arrayOf([...schemas]);
  const harmless = acts === undefined ? HARMLESS_VOLATILE : HARMLESS_IN_CHANGE;
  const doesMore = acts === undefined ? MORE_THAN_READS : RUNS_QUERIES;
  const calls = {
    name: acts === 'refresh' ? 'callsOfRefresh' : 'calls',
    text: acts === 'refresh' ? CALLS_OF_REFRESH : CALLS,
    values: [
      ...arrays(called, all, operators, harmless, doesMore, behindPoint),
      isBody || acts === 'change' ? 't' : 'f',
      acts === undefined ? 'f' : 't',
      looksIn,
      // The names of a body are taken for types wherever they are: a variable may be a row of a table.
      arrayOf([...(isBody ? all : new Set(usedAsTypes(own).flatMap((token) => [...spellingsOf(token, text)])))]),
      isBody || (!hasTypedValues && makesValues(own)) ? 't' : 'f',
    ],
  };
  const isUpkeep = acts === 'upkeep' || acts === 'refresh';
  if (acts !== 'change' && !isUpkeep && plansChange === undefined) return [calls];
  const is = (...facts: readonly boolean[]): string[] => facts.map((fact) => (fact ? 't' : 'f'));
  const facts = is(acts === 'change' || isUpkeep, everyTable === true, acts === 'change' && changesKeys(own), isUpkeep);
  return [
    calls,
    {
      name: 'callsOfChange',
      text: CALLS_OF_CHANGE,
      values: [
        ...arrays(all, harmless, doesMore),
        ...facts,
        namesOrNull(assigned),
        ...is(acts === 'change' && deletesRows(own)),
        looksIn,
      ],
    },
  ];
}

const SHORT_ASCII = /^[\0-\x7F]{1,63}$/;

/** The names that an identifier may be, by the encoding of the database: also as the server cuts it, to the name of another thing, and as it folds letters of one byte. */
function spellingsOf(token: SqlToken, text: string): ReadonlySet<string> {
  const name = identifierOf(token, text);
  if (name === undefined) return new Set();
  // Whatever the encoding is, such a name is neither cut nor folded.
  if (SHORT_ASCII.test(name)) return new Set([name]);
  // İ becomes one letter, as it does in the one encoding of a byte that has it.
  const folded = token.kind === 'name' ? [] : [name.replaceAll(/[^\0-\x7F]/gu, (letter) => letter.toLocaleLowerCase('tr'))];
  return new Set([name, ...folded].flatMap((each) => [each, ...cutIdentifiers(each)]));
}

function namesOrNull(names: readonly string[] | undefined): string | null {
  return names === undefined ? null : arrayOf(names);
}

/** Whether a change may reach tables whose foreign keys follow the keys of its own. */
function changesKeys(own: readonly SqlToken[]): boolean {
  return own.some(({ kind, text }) => kind === 'word' && ['UPDATE', 'MERGE'].includes(text));
}

/** Whether a change may delete rows, which others may follow. */
function deletesRows(own: readonly SqlToken[]): boolean {
  return own.some(({ kind, text }) => kind === 'word' && ['DELETE', 'MERGE'].includes(text));
}

/** Functions of the server's own that look at the row of a trigger and change that. */
const HARMLESS_TRIGGERS = [
  'tsvector_update_trigger_byid',
  'tsvector_update_trigger_bycolumn',
  'suppress_redundant_updates_trigger',
];

/**
 * Triggers and rules of a table that is changed, which may change other rows: of its partitions and children too, and where keys change ($3) or rows are deleted ($5), of the tables that these changes reach by
 * foreign keys. $1: schema or null, $2: name; $4: see {@link following}. The last column: language, source and table of each trigger's function, without its language where its
 * settings may change how its body is cut.
 */
const SIDE_EFFECTS = `
WITH RECURSIVE target AS (
  SELECT n.nspname, c.relname, c.relkind, c.oid
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'f') AND (n.nspname = $1 OR ($1 IS NULL AND n.nspname = ANY (${SEEN_PATH})))
  ORDER BY pg_catalog.array_position(${SEEN_PATH}, n.nspname) LIMIT 1
), reached (oid, is_named) AS (
  SELECT t.oid, true FROM target t
  UNION
  SELECT i.oid, i.is_named FROM reached r CROSS JOIN LATERAL (
    SELECT h.inhrelid, r.is_named FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.oid
    UNION ALL SELECT k.child, false FROM (SELECT r.oid, r.is_named WHERE $3::pg_catalog.bool OR $5::pg_catalog.bool) AS p
      ${following({ assigned: '$4', updates: '$3', deletes: '$5' })}
  ) i (oid, is_named)
)
SELECT t.nspname, t.relname, t.relkind,
  EXISTS (SELECT FROM reached r ${eachOf('pg_rewrite', 'w', "w.ev_class = r.oid AND w.ev_type <> '1'")}),
  (SELECT pg_catalog.json_agg(DISTINCT ARRAY[CASE WHEN ${hasHarmlessSettings('f')} AND ${isSealed('f')} THEN l.lanname::pg_catalog.text ELSE '' END, f.prosrc, c.relname::pg_catalog.text]) FROM reached r
    ${eachOf('pg_trigger', 'g', `g.tgrelid = r.oid AND ${isOwnTrigger('g')}`)}
    ${eachOf('pg_class', 'c', 'c.oid = r.oid')} ${eachOf('pg_proc', 'f', 'f.oid = g.tgfoid')}
    JOIN pg_catalog.pg_language l ON l.oid = f.prolang
    WHERE NOT (f.oid < 16384::pg_catalog.oid AND f.prolang = 12::pg_catalog.oid AND f.prosrc = ANY ('{${HARMLESS_TRIGGERS.join(',')}}'::pg_catalog.text[])))
FROM target t`;

/**
 * The effect of one statement: by its words, and by the facts that the server has of the functions, views, triggers and rules that it names. The worse of the two counts.
 *
 * @throws DriverError as {@link verdictOf} does
 */
export async function judge(
  database: CatalogueReader,
  text: string,
  signal: AbortSignal,
  place: StatementPlace = 'shared',
): Promise<Judged> {
  return await judgeVerdict(database, verdictOf(text, place), text, signal);
}

/** As {@link judge}, where the words of the statement are judged already. */
export async function judgeVerdict(
  database: CatalogueReader,
  verdict: Verdict,
  text: string,
  signal: AbortSignal,
): Promise<Judged> {
  const { target } = verdict;
  const isQualified = target !== undefined && target.namespace.length > 0;
  const tables =
    target === undefined ? [] : [isQualified ? { ...target, namespace: [...database.prefix, ...target.namespace] } : target];
  const words: Judged = {
    text: verdict.text,
    alone: verdict.alone,
    isQuery: verdict.isQuery,
    effect: verdict.effect,
    summary: verdict.summary,
    tables,
    ...(verdict.unknown === undefined ? {} : { unknown: true }),
    ...(verdict.holdsSecret === undefined ? {} : { holdsSecret: true }),
  };
  // A definition may look for names elsewhere: by a setting of a function, or in a schema that it makes.
  const path = verdict.isQuery || verdict.acts === 'change' ? database.path : undefined;
  const calls = verdict.isQuery || verdict.acts !== undefined ? callsOf(verdict, text, path) : [];
  const questions = [...calls, ...eventTriggersOf(verdict)];
  const targets = verdict.isQuery ? [] : catalogueTargetsOf(verdict, text);
  const names = verdict.isQuery ? [] : namedTables(verdict.tokens, (token) => identifierOf(token, text));
  const named = questionOfNamed(names);
  if (questions.length + targets.length + named.length === 0) return words;
  const all = await database.read([...questions, ...targets, ...named], signal);
  const answers = all.slice(0, questions.length);
  const own = named.length === 0 ? words : withNamed(words, names, foundNamed(all.at(-1), database.prefix));
  const found = await foundIn(database, answers, signal, { isOfChange: verdict.acts !== undefined });
  const summary = `${own.summary} (${foundText(found)})`.slice(0, 400);
  if (verdict.isQuery) return found.length === 0 ? own : { ...own, effect: 'write', unknown: true, isQuery: false, summary };
  const certain: Judged = found.length === 0 ? own : { ...own, unknown: true, summary };
  const judged = await withSideEffects(database, certain, verdict, signal);
  const catalogue = targets.length === 0 ? undefined : foundCatalogue(all[questions.length]);
  if (catalogue === undefined) return judged;
  // Rows there are roles, rights and the structure of everything, and the server checks none of them.
  const said = `${judged.summary} (acts on the system catalogue ${catalogue})`;
  return { ...judged, effect: 'destructive', summary: said.slice(0, 400) };
}

/** With the tables that a statement names. Where it names more than the server was asked about, a later one may be another table by the time it runs. */
function withNamed(words: Judged, names: readonly TableRef[], tables: readonly TableRef[]): Judged {
  if (names.length <= MOST_NAMES) return { ...words, tables };
  return { ...words, tables, unknown: true, summary: `${words.summary} (more names than can be looked at)`.slice(0, 400) };
}

/** The question whether a change or a lock acts on tables of the server itself. */
function catalogueTargetsOf({ tokens: own, targets = [] }: Verdict, text: string): readonly PgStep[] {
  const locked = locks(own) ? own.flatMap((token) => identifierOf(token, text) ?? []) : [];
  return catalogueTargets(targets, [...new Set(locked)]);
}

/** Tables of one statement about which the server is asked. */
const MOST_TARGETS = 100;

async function withSideEffects(
  database: CatalogueReader,
  own: Judged,
  { target, targets: named = [], everyRow, assigned, tokens: words }: Verdict,
  signal: AbortSignal,
): Promise<Judged> {
  const targets = [...new Map(named.map((ref) => [ref === undefined ? '' : nameOf(ref), ref])).values()];
  if (targets.length === 0) return own;
  if (targets.length > MOST_TARGETS)
    return { ...own, unknown: true, summary: `${own.summary} (more tables than can be looked at)`.slice(0, 400) };
  const answers = await database.read(
    targets.map((ref) => ({
      name: 'sideEffects',
      text: SIDE_EFFECTS,
      values: [
        ref?.namespace[0] ?? null,
        ref?.name ?? '',
        changesKeys(words) ? 't' : 'f',
        namesOrNull(assigned),
        deletesRows(words) ? 't' : 'f',
      ],
    })),
    signal,
  );
  const names = new Map<string, TableRef>();
  const elsewhere: string[] = [];
  let judged = own;
  for (const [index, { rows }] of answers.entries()) {
    const [row] = rows;
    // It can't run now, or its name can't be seen. It may later: a statement before it in the same text may create its table.
    if (row === undefined) {
      judged = { ...judged, unknown: true };
      continue;
    }
    const [schema, name, relkind, rules, triggers] = row;
    const ref = targets[index];
    if (ref !== undefined) names.set(nameOf(ref), { namespace: [...database.prefix, schema ?? ''], name: name ?? '' });
    if (ref?.namespace.length === 0 && schema !== 'public') elsewhere.push(`${schema ?? ''}.${name ?? ''}`);
    const why =
      relkind === 'v'
        ? 'a view'
        : rules === 't'
          ? 'rules act on it'
          : (await triggersReachBeyond(database, triggers, signal))
            ? 'triggers act on it'
            : undefined;
    if (why !== undefined) judged = { ...judged, unknown: true, summary: `${judged.summary} (${why})`.slice(0, 400) };
  }
  // A person sees which of the tables with that name it is.
  if (elsewhere.length > 0) judged = { ...judged, summary: `${judged.summary} (${foundText(elsewhere)})`.slice(0, 400) };
  const ref = target === undefined ? undefined : names.get(nameOf(target));
  // The main one first.
  const tables = [...new Set([...(ref === undefined ? [] : [ref]), ...names.values()])];
  if (tables.length === 0) return judged;
  return { ...judged, tables, ...(everyRow === true && ref !== undefined ? { everyRowOf: ref } : {}) };
}

/** Whether triggers may do more than change the row that is written anyway. @param triggers - the last column of {@link SIDE_EFFECTS} */
async function triggersReachBeyond(
  database: CatalogueReader,
  triggers: string | null | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const acting = JSON.parse(triggers ?? 'null') as readonly (readonly [language: string, source: string, table: string])[] | null;
  if (acting === null) return false;
  if (acting.some(([language, source]) => reachesBeyond(language, source))) return true;
  const names = new Set(acting.map(([, , table]) => quoted(table)));
  const text = [...acting.map(([, source]) => source), ...names].join('\n;\n');
  const answers = await database.read(callsInText(text, true), signal);
  return (await foundIn(database, answers, signal, { isOfChange: true, text })).length > 0;
}

/**
 * Whether changes of rows do more than they name, and what: as {@link judge} judges the statements that make them.
 *
 * @param texts - statements of one kind, with parameters
 * @param assigned - the columns that get values where rows are there already; undefined where that may be any
 */
export async function judgeChanges(
  database: CatalogueReader,
  texts: readonly string[],
  assigned: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Judged | undefined> {
  const distinct = [...new Set(texts)];
  const [verdict] = distinct.map((text) => verdictOf(text, 'session'));
  if (verdict === undefined) return undefined;
  const text = distinct.join('\n;\n');
  const { assigned: _own, ...rest } = verdict;
  const all: Verdict = { ...rest, tokens: tokens(text), hasTypedValues: true, ...(assigned === undefined ? {} : { assigned }) };
  return await judgeVerdict(database, all, text, signal);
}

function nameOf({ namespace, name }: TableRef): string {
  return JSON.stringify([namespace[0] ?? null, name]);
}
