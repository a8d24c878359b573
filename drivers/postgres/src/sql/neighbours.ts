import { eachOf } from './eachOf.ts';
import { keyMayChange } from './keyMayChange.ts';
import { tableTrees } from './tableTrees.ts';
import { CALLED, oidsIn } from './treeOids.ts';

const OF_KEY = 'q.conname, q.conrelid, q.confrelid, q.conkey, q.confkey, q.conpfeqop, q.conppeqop, q.conffeqop';

/**
 * The foreign keys that a change checks, and the tables at their other ends, which it queries with the permissions of their owners: those that the keys of a changed table lead to, and where keys change ($6, $8) or rows
 * are deleted ($9), those that they come from. Then the expressions of tables, and the functions in those of the neighbours, which are called where they have no column.
 */
export const NEIGHBOURS = `foreign_keys AS MATERIALIZED (
  SELECT k.* FROM relations c CROSS JOIN LATERAL (
    SELECT ${OF_KEY}, q.confrelid AS near FROM pg_catalog.pg_constraint q WHERE q.conrelid = c.oid AND q.contype = 'f'
    UNION ALL
    SELECT ${OF_KEY}, q.conrelid FROM (SELECT DISTINCT g.tgconstraint FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND g.tgconstraint <> 0::pg_catalog.oid OFFSET 0) g
    ${eachOf('pg_constraint', 'q', "q.oid = g.tgconstraint AND q.contype = 'f'")} WHERE q.confrelid = c.oid AND ($9::pg_catalog.bool OR $6::pg_catalog.bool AND (
      EXISTS (SELECT FROM reached r WHERE r.oid = c.oid AND NOT r.is_named) OR ${keyMayChange('$8', 'c')}))
    OFFSET 0) k WHERE $4::pg_catalog.bool AND NOT $7::pg_catalog.bool
), neighbours (oid) AS (
  SELECT k.near FROM foreign_keys k
  UNION
  SELECT h.inhrelid FROM neighbours n JOIN pg_catalog.pg_inherits h ON h.inhparent = n.oid
), tables AS MATERIALIZED (
  SELECT r.oid, r.relname, false AS is_near FROM relations r
  UNION ALL
  SELECT c.oid, c.relname, true FROM (SELECT n.oid FROM neighbours n EXCEPT SELECT r.oid FROM relations r) n ${eachOf('pg_class', 'c', 'c.oid = n.oid')}
), trees_of_tables (what, tree, is_planned, is_near) AS MATERIALIZED (${tableTrees('tables', ', c.is_near')}
), table_trees (what, tree, is_planned) AS (
  SELECT t.what, t.tree, t.is_planned FROM trees_of_tables t WHERE NOT t.is_near
), near_trees (what, tree, planned) AS (
  SELECT t.what, t.tree, CASE WHEN t.is_planned THEN t.tree END FROM trees_of_tables t WHERE t.is_near
), near_calls (what, oid, tree, place) AS (
  SELECT t.what, m.found[1]::pg_catalog.oid, t.planned, m.found[1]::pg_catalog.oid FROM near_trees t, pg_catalog.regexp_matches(t.tree, '${CALLED}', 'g') AS m (found)
  UNION ALL
  SELECT t.what, b.oprcode::pg_catalog.oid, t.planned, o.oid FROM near_trees t CROSS JOIN LATERAL (${oidsIn('t.tree')}) n (oid)
  ${eachOf('pg_operator', 'o', 'o.oid = n.oid')} ${eachOf('pg_operator', 'b', 'b.oid IN (o.oid, o.oprnegate, o.oprcom)')}
)`;

/**
 * The operators by which the foreign keys compare, the key with what refers to it and each of the two with itself; the types of the columns at both ends, and those that these operators take. Hundreds of tables may
 * refer to one by the same operators.
 */
export const KEY_TYPES = `key_operators (name, oid) AS MATERIALIZED (
  SELECT pg_catalog.min(k.conname::pg_catalog.text), p.oid FROM foreign_keys k CROSS JOIN LATERAL pg_catalog.unnest(k.conpfeqop || k.conppeqop || k.conffeqop) AS p (oid) GROUP BY p.oid
), key_types (oid) AS MATERIALIZED (
  SELECT a.atttypid FROM foreign_keys k ${eachOf('pg_attribute', 'a', 'a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)')}
  UNION
  SELECT a.atttypid FROM (SELECT DISTINCT q.confrelid, q.confkey FROM foreign_keys q) k ${eachOf('pg_attribute', 'a', 'a.attrelid = k.confrelid AND a.attnum = ANY (k.confkey)')}
  UNION
  SELECT s.oid FROM key_operators k ${eachOf('pg_operator', 'o', 'o.oid = k.oid')} CROSS JOIN LATERAL (VALUES (o.oprleft), (o.oprright)) s (oid)
)`;

/** Operators that somebody made, of foreign keys and of constraints that compare the rows of a table with each other. */
export const OPERATORS_OF_KEYS = `
  SELECT 'the key ' || k.name, k.oid, NULL, NULL FROM key_operators k WHERE k.oid >= 16384::pg_catalog.oid
  UNION ALL
  SELECT 'the constraint ' || q.conname, p.oid, NULL, NULL FROM relations c ${eachOf('pg_constraint', 'q', 'q.conrelid = c.oid AND q.conexclop IS NOT NULL')}
  CROSS JOIN LATERAL pg_catalog.unnest(q.conexclop) AS p (oid) WHERE p.oid >= 16384::pg_catalog.oid AND $4::pg_catalog.bool`;

/**
 * The casts that somebody made by which the values of a key are compared. The server writes them as explicit ones into its queries, so one counts also where it has become that since the key was made; and
 * it looks others up as it compares rows of its own accord.
 */
export const CALLS_OF_KEYS = `
  SELECT 'a cast for a foreign key', x.castfunc, false FROM pg_catalog.pg_cast x
  WHERE x.oid >= 16384::pg_catalog.oid AND EXISTS (SELECT FROM foreign_keys) AND (x.castsource < 16384::pg_catalog.oid OR x.castsource IN (SELECT w.oid FROM types_within w))
    AND (x.casttarget IN (SELECT k.oid FROM key_types k) OR x.casttarget IN (SELECT w.oid FROM types_within w))`;
