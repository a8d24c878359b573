import { SEEN_PATH } from '../catalogue/seenPath.ts';
import { isOfServer } from '../catalogue/systemSchema.ts';
import { qualified } from '../names.ts';
import { MOST_STORED } from '../sql/definitionBounds.ts';
import { eachOf } from '../sql/eachOf.ts';
import type { PgStep, TextRow } from '../wire/batch.ts';

/** Tables that one statement is locked for. */
export const MOST_LOCKED = 2_000;
/** In place of what a statement calls that reaches more. */
export const TOO_MANY_TABLES = 'more tables than can be locked';

const TABLE_IN_TREE = "':relid ([0-9]+)', 'g'";

/**
 * The tables, views and foreign tables that names may mean, and those that these reach: by views, policies, rules, partitions, and of the targets of a change by foreign keys. Those of the server itself need no lock,
 * temporary ones belong to one session, and what is in a schema that the role may not use has no name for it. A view with a query that is longer than one question reads isn't followed, and makes the statement uncertain. $1: a list of arrays of names, as JSON; $2: the names of targets; $3: whether rows that are there may change; $4: whether materialized views are computed.
 */
const REACHED = `
WITH RECURSIVE names (name) AS MATERIALIZED (
  SELECT DISTINCT n::pg_catalog.name FROM pg_catalog.json_array_elements_text($1::pg_catalog.json) AS l (list), pg_catalog.unnest(l.list::pg_catalog.text[]) AS n
), reached (oid, is_target) AS (
  SELECT c.oid, c.relname = ANY ($2::pg_catalog.name[]) FROM names t ${eachOf('pg_class', 'c', 'c.relname = t.name')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND (n.nspname = ANY (${SEEN_PATH}) OR n.nspname IN (SELECT s.name FROM names s)) AND NOT ${isOfServer('n.nspname')}
  UNION
  SELECT m.oid, m.is_target FROM reached r CROSS JOIN LATERAL (
    SELECT h.inhrelid, r.is_target FROM (SELECT h.inhrelid FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.oid OFFSET 0) h
    UNION ALL
    SELECT k.found[1]::pg_catalog.oid, false FROM (SELECT pg_catalog.concat(w.ev_action::pg_catalog.text, w.ev_qual::pg_catalog.text) AS tree FROM pg_catalog.pg_rewrite w
      WHERE w.ev_class = r.oid AND pg_catalog.octet_length(w.ev_action::pg_catalog.text) <= ${MOST_STORED} AND ($4::pg_catalog.bool OR NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = w.ev_class AND c.relkind = 'm')) OFFSET 0) w,
      pg_catalog.regexp_matches(w.tree, ${TABLE_IN_TREE}) AS k (found)
    UNION ALL
    SELECT k.found[1]::pg_catalog.oid, false FROM (SELECT pg_catalog.concat(p.polqual::pg_catalog.text, p.polwithcheck::pg_catalog.text) AS tree FROM pg_catalog.pg_policy p WHERE p.polrelid = r.oid OFFSET 0) p,
      pg_catalog.regexp_matches(p.tree, ${TABLE_IN_TREE}) AS k (found)
    UNION ALL
    SELECT q.confrelid, false FROM (SELECT q.confrelid FROM pg_catalog.pg_constraint q WHERE q.conrelid = r.oid AND q.contype = 'f' OFFSET 0) q WHERE r.is_target
    UNION ALL
    SELECT q.conrelid, q.confdeltype IN ('c', 'n', 'd') OR q.confupdtype IN ('c', 'n', 'd')
    FROM (SELECT g.tgconstraint FROM pg_catalog.pg_trigger g WHERE g.tgrelid = r.oid AND g.tgconstraint <> 0::pg_catalog.oid OFFSET 0) g
    ${eachOf('pg_constraint', 'q', "q.oid = g.tgconstraint AND q.contype = 'f' AND q.confrelid = r.oid")} WHERE r.is_target AND $3::pg_catalog.bool
  ) m (oid, is_target) WHERE m.oid >= 16384::pg_catalog.oid
)
SELECT c.oid, n.nspname, c.relname, r.is_target AND c.relkind IN ('r', 'p', 'f') AND NOT c.relhasrules
FROM (SELECT r.oid, pg_catalog.bool_or(r.is_target) AS is_target FROM reached r GROUP BY r.oid) r ${eachOf('pg_class', 'c', 'c.oid = r.oid')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE (c.relkind IN ('r', 'p', 'v', 'f', 'S') OR (c.relkind = 'm' AND NOT $4::pg_catalog.bool)) AND c.relpersistence <> 't' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
ORDER BY 1 LIMIT ${MOST_LOCKED + 1}`;

/** The ways in which a statement gets at the tables that it names. */
export interface Reach {
  /** The names of the tables whose rows it changes, as an array of the server's. */
  readonly targets: string;
  /** Whether it may change or delete rows that are there. */
  readonly changesRows: boolean;
  /** Whether it computes materialized views. */
  readonly refreshes: boolean;
  /** Whether its transaction has done nothing before it. */
  readonly hasNoChanges?: boolean;
}

/** The reach of a read. */
export const READS: Reach = { targets: '{}', changesRows: false, refreshes: false };

/** @param names - arrays of the server's with the names in a statement and in the functions that it calls */
export function reachedBy(names: Iterable<string>, { targets, changesRows, refreshes }: Reach): PgStep {
  const is = (fact: boolean): string => (fact ? 't' : 'f');
  // Half of a character has no form in JSON, and is another character in what is sent.
  return {
    name: 'reached',
    text: REACHED,
    values: [JSON.stringify([...names].map((list) => list.toWellFormed())), targets, is(changesRows), is(refreshes)],
  };
}

/**
 * Locks tables until the end of the transaction, as the statement that is judged will: those that it changes against new triggers, the others against anything that changes what they are.
 * The server only parses these texts. That locks what they name without a right to lock tables, also of foreign tables and materialized views, which LOCK TABLE refuses; and it runs nothing, because there is neither a
 * value nor a plan in them. Behind EXPLAIN it doesn't put views in either, of which one may be endless.
 *
 * @param rows - of the answer to {@link reachedBy}
 */
export function locksOf(rows: readonly TextRow[]): readonly PgStep[] {
  const nameOf = ([, schema, name]: TextRow): string => qualified(schema ?? '', name ?? '');
  const isTarget = ([, , , target]: TextRow): boolean => target === 't';
  const read = rows.filter((row) => !isTarget(row)).map((row, index) => `ONLY ${nameOf(row)} AS t${index}`);
  return [
    ...rows.filter(isTarget).map((row): PgStep => ({ text: `EXPLAIN DELETE FROM ONLY ${nameOf(row)}`, isOnlyParsed: true })),
    ...(read.length === 0 ? [] : [{ text: `EXPLAIN SELECT FROM ${read.join(', ')}`, isOnlyParsed: true } as const]),
  ];
}
