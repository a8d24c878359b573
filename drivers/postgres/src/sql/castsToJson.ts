import { eachOf } from './eachOf.ts';

/**
 * The tables and views of the server's own with values of the type `anyarray`: samples of columns, of whatever type these are. Neither a table nor a view that somebody makes can have such a column.
 */
export const ANY_ARRAYS: readonly string[] = [
  'pg_attribute',
  'pg_statistic',
  'pg_statistic_ext_data',
  'pg_stats',
  'pg_stats_ext_exprs',
];

const ANY_ARRAY_NAMES = `'{${ANY_ARRAYS.join(',')}}'::pg_catalog.name[]`;

/** Words of SQL that make JSON of values, or take a value for one. */
const JSON_WORDS = [
  '',
  '_array',
  '_arrayagg',
  '_exists',
  '_object',
  '_objectagg',
  '_query',
  '_scalar',
  '_serialize',
  '_table',
  '_value',
];

/** The cast `k` is one that functions look up which make JSON. */
export const IS_CAST_TO_JSON = `k.oid >= 16384::pg_catalog.oid AND k.casttarget IN ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype)`;

/** Whether a tree reads the tables among {@link ANY_ARRAYS}, which have the same numbers in each release. */
const READS_ANY_ARRAY = "t.tree ~ ':relid (?:1249|2619|3429) '";

/**
 * Whether values of any type are reached: by a name, by a tree, or by a body, which is another question. The functions of casts are part of every question, and don't count.
 *
 * @param names - a parameter with identifiers
 */
const hasAnyArray = (names: string): string => `(${names}::pg_catalog.name[] && ${ANY_ARRAY_NAMES}
    OR EXISTS (SELECT FROM relations c WHERE c.relname = ANY (${ANY_ARRAY_NAMES}))
    OR EXISTS (SELECT FROM trees t WHERE ${READS_ANY_ARRAY}) OR EXISTS (SELECT FROM table_trees t WHERE ${READS_ANY_ARRAY})
    OR EXISTS (SELECT FROM single s WHERE s.oid >= 16384::pg_catalog.oid AND NOT s.ok AND s.oid NOT IN (SELECT x.castfunc FROM pg_catalog.pg_cast x WHERE x.oid >= 16384::pg_catalog.oid)))`;

/** Whether a function of the server's own is called that makes JSON of values of any type, or a tree has a node for a word of SQL that does. Those that return a value of any type read JSON. */
export const MAKES_JSON = `EXISTS (
    SELECT FROM single s ${eachOf('pg_proc', 'p', 'p.oid = s.oid')} JOIN pg_catalog.pg_type t ON t.oid = ANY (p.proargtypes::pg_catalog.oid[])
    WHERE s.oid < 16384::pg_catalog.oid AND s.proname LIKE '%json%' AND t.typtype = 'p' AND p.prorettype <> 'pg_catalog.anyelement'::pg_catalog.regtype)
    OR EXISTS (SELECT FROM trees t WHERE t.tree LIKE '%{JSON%') OR EXISTS (SELECT FROM table_trees t WHERE t.tree LIKE '%{JSON%')`;

/**
 * Whether JSON is made of values: as {@link MAKES_JSON}, or by a word.
 *
 * @param called - a parameter with identifiers that a parenthesis follows
 */
export const makesJson = (called?: string): string => {
  if (called === undefined) return `(${MAKES_JSON})`;
  return `(${MAKES_JSON} OR ${called}::pg_catalog.name[] && '{${JSON_WORDS.map((word) => `json${word}`).join(',')}}'::pg_catalog.name[])`;
};

/**
 * A query of the casts to JSON that count though no name says that there are values of their source: functions that make JSON look a cast up by the type of each value, and that of an element of `anyarray` shows only when
 * they run.
 *
 * @param names - a parameter with identifiers
 * @param called - one with those that a parenthesis follows
 */
export const castsToJson = (names: string, called?: string): string => `
  SELECT 'a cast by ' || h.proname, NULL, NULL, h.sources FROM pg_catalog.pg_cast k JOIN harmless h ON h.oid = k.castfunc
  WHERE ${IS_CAST_TO_JSON} AND NOT h.ok AND ${hasAnyArray(names)} AND ${makesJson(called)}`;
