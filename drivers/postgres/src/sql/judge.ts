import type { StatementClassification, TableRef } from '@tabularium/sdk';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { CALLS, HARMLESS_VOLATILE, PLANNED_CALLS, RUNS_QUERIES } from './harmless.ts';
import { cutIdentifier } from './cutIdentifier.ts';
import { identifierOf, verdictOf } from './verdict.ts';
import type { StatementPlace, Verdict } from './verdict.ts';

/** A statement that may run, and what it does. */
export interface Judged extends StatementClassification, Pick<Verdict, 'text' | 'alone' | 'isQuery'> {}

/** The connection that is asked about a statement. */
export interface CatalogueReader {
  /** Answers of statements that only read. */
  read(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]>;
  /** `path`: the schemas in which a name without one is looked for. */
  readonly facts: { readonly path: readonly string[] };
}

/** An array as the server reads it. */
export function arrayOf(list: readonly string[]): string {
  return `{${list.map((one) => `"${one.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`).join(',')}}`;
}

/** The questions what a statement calls. */
function callsOf({ tokens, plansChange }: Verdict, text: string): readonly PgStep[] {
  const called = new Set<string>();
  const all = new Set<string>();
  const operators = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'operator') operators.add(token.text);
    const name = identifierOf(token, text);
    if (name === undefined) continue;
    // Also as the server cuts it, to the name of another thing.
    const cut = cutIdentifier(name);
    all.add(name).add(cut);
    const next = tokens[index + 1];
    if (next?.kind === 'symbol' && next.text === '(') called.add(name).add(cut);
  }
  const arrays = (...lists: readonly Iterable<string>[]): string[] => lists.map((list) => arrayOf([...list]));
  return [
    { text: CALLS, values: arrays(called, all, operators, HARMLESS_VOLATILE, RUNS_QUERIES) },
    ...(plansChange === undefined ? [] : [{ text: PLANNED_CALLS, values: arrays(all, HARMLESS_VOLATILE, RUNS_QUERIES) }]),
  ];
}

/** Triggers and rules of the target of a change, which may change other rows. $1: schema or null, $2: name. */
const SIDE_EFFECTS = `
SELECT n.nspname, c.relname, c.relkind,
  EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D'),
  EXISTS (SELECT FROM pg_catalog.pg_rewrite w WHERE w.ev_class = c.oid AND w.ev_type <> '1')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'f') AND (n.nspname = $1 OR ($1 IS NULL AND n.nspname = ANY ($3::pg_catalog.name[])))
ORDER BY pg_catalog.array_position($3::pg_catalog.name[], n.nspname) LIMIT 1`;

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
  const tables = target === undefined ? [] : [target];
  const own: Judged = {
    text: verdict.text,
    alone: verdict.alone,
    isQuery: verdict.isQuery,
    effect: verdict.effect,
    summary: verdict.summary,
    tables,
    ...(verdict.unknown === undefined ? {} : { unknown: true }),
    ...(verdict.holdsSecret === undefined ? {} : { holdsSecret: true }),
  };
  if (verdict.isQuery) {
    const answers = await database.read(callsOf(verdict, text), signal);
    const found = answers.flatMap(({ rows }) => rows.map(([what]) => what ?? ''));
    if (found.length > 0)
      return {
        ...own,
        effect: 'write',
        unknown: true,
        isQuery: false,
        summary: `${own.summary} (${found.slice(0, 3).join('; ')})`.slice(0, 400),
      };
    return own;
  }
  if (target === undefined || own.effect === 'read') return own;
  return await withSideEffects(database, own, target, verdict.everyRow === true, signal);
}

async function withSideEffects(
  database: CatalogueReader,
  own: Judged,
  target: TableRef,
  everyRow: boolean,
  signal: AbortSignal,
): Promise<Judged> {
  const values = [target.namespace[0] ?? null, target.name, arrayOf(database.facts.path)];
  const [answer] = await database.read([{ text: SIDE_EFFECTS, values }], signal);
  const [row] = answer?.rows ?? [];
  // It can't run now. It may later: a statement before it in the same text may create its table.
  if (row === undefined) return { ...own, unknown: true };
  const [schema, name, relkind, triggers, rules] = row;
  const ref = { namespace: [schema ?? ''], name: name ?? '' };
  const isPlain = triggers !== 't' && rules !== 't' && relkind !== 'v';
  return {
    ...own,
    tables: [ref],
    ...(isPlain
      ? {}
      : {
          unknown: true,
          summary: `${own.summary} (${relkind === 'v' ? 'a view' : triggers === 't' ? 'triggers act on it' : 'rules act on it'})`,
        }),
    ...(everyRow ? { everyRowOf: ref } : {}),
  };
}
