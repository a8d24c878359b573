import { eachOf } from './eachOf.ts';
import { isInSight } from './inSight.ts';
import { CALLED, oidsIn } from './treeOids.ts';

/** The first oid of what somebody made. What the server has of its own is made of nothing that belongs to another role. */
const USERS = '16384::pg_catalog.oid';

const ANY_TYPES = `('pg_catalog.anyelement'::pg_catalog.regtype, 'pg_catalog.anycompatible'::pg_catalog.regtype)`;

/** Whether a function makes a value of the type of a value that it gets, out of JSON or the like. What it makes shows in no name. @param p - its row */
const populates = (p: string): string =>
  `(CASE WHEN ${p}.oid < ${USERS} THEN ${p}.proname LIKE 'json%populate%' ELSE ${p}.prorettype IN ${ANY_TYPES} END)`;

/**
 * Whether a statement calls such a function or operator by its name: then it may make a value of every type that there are values of.
 *
 * @param called - parameters with the names of functions
 * @param operators - a parameter with those of operators
 */
export const populatesAny = (called: readonly string[], operators: string): string => `(EXISTS (
      SELECT FROM pg_catalog.pg_proc p WHERE p.proname = ANY (${called.map((names) => `${names}::pg_catalog.name[]`).join(' || ')}) AND ${isInSight('p.pronamespace')} AND ${populates('p')})
    OR EXISTS (SELECT FROM pg_catalog.pg_operator o WHERE o.oprname = ANY (${operators}::pg_catalog.name[]) AND o.oid >= ${USERS} AND o.oprresult IN ${ANY_TYPES} AND ${isInSight('o.oprnamespace')}))`;

/**
 * The places of a stored tree in which a value is made of a text or of JSON: a cast by the text of a value, a word of SQL that reads JSON, the columns of a function that returns records, and the functions, of which some populate.
 * A row of values (`ROW (…)`) is none: the server checks that it has the attributes that it had when it was planned. Neither is a column, whose values are stored as they are.
 */
const PLACES = `:(?:resulttype ([0-9]{5,10}) :resultcollid|typid ([0-9]{5,10})|(?:func)?coltypes [(]o ([0-9 ]+)[)]|${CALLED.slice(1)})`;

/** The types that stored trees make values of. */
const IN_TREES = `
  SELECT k.number::pg_catalog.oid FROM (SELECT s.tree FROM stored s UNION ALL SELECT b.tree FROM table_trees b) t CROSS JOIN LATERAL pg_catalog.regexp_matches(t.tree, '${PLACES}', 'g') AS m (found)
  CROSS JOIN LATERAL (
    SELECT pg_catalog.unnest(pg_catalog.string_to_array(pg_catalog.concat_ws(' ', m.found[1], m.found[2], m.found[3]), ' ')::pg_catalog.int8[])
    UNION ALL
    SELECT n.oid::pg_catalog.int8 FROM (
      SELECT CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid = m.found[4]::pg_catalog.oid AND ${populates('p')}) THEN t.tree END OFFSET 0
    ) AS p (tree) CROSS JOIN LATERAL (${oidsIn('p.tree')}) n (oid) WHERE m.found[4] IS NOT NULL
  ) AS k (number) WHERE k.number BETWEEN 16384 AND 4294967295`;

/** The types that a statement names, without the rows of tables: these are types where it uses them as such. @param names - a parameter with identifiers. @param usedAsTypes - one with those that are in the place of a type */
const namedBy = (names: string, usedAsTypes: string): string => `
  UNION
  SELECT t.oid FROM pg_catalog.pg_type t WHERE t.typname = ANY (${names}::pg_catalog.name[]) AND t.oid >= ${USERS} AND ${isInSight('t.typnamespace')}
    AND (t.typname = ANY (${usedAsTypes}::pg_catalog.name[]) OR NOT EXISTS (SELECT FROM pg_catalog.pg_class k WHERE k.oid = t.typrelid AND k.relkind <> 'c'))`;

/** The columns of foreign tables, of which the values are made when they are read. */
const OF_FOREIGN_TABLES = `
  UNION
  SELECT a.atttypid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')}
  WHERE c.relkind = 'f' AND NOT a.attisdropped AND a.atttypid >= ${USERS}`;

/** The columns that a read of the driver's own compares with a value that it has read before: those of keys, and those that are ordered, which are ranges beside values that are made of no others. */
const OF_ORDER = `
  UNION
  SELECT a.atttypid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')}
  WHERE NOT a.attisdropped AND a.atttypid >= ${USERS} AND (
    EXISTS (SELECT FROM pg_catalog.pg_index x WHERE x.indrelid = c.oid AND a.attnum = ANY (x.indkey::pg_catalog.int2[]))
    OR EXISTS (
      WITH RECURSIVE below (oid) AS (
        SELECT a.atttypid
        UNION SELECT i.oid FROM below w JOIN pg_catalog.pg_type t ON t.oid = w.oid CROSS JOIN LATERAL (VALUES (t.typbasetype), (t.typelem)) i (oid) WHERE i.oid <> 0::pg_catalog.oid
      ) SELECT FROM below w JOIN pg_catalog.pg_type t ON t.oid = w.oid WHERE t.typtype IN ('r', 'm')))`;

/**
 * A query of the types that a statement may make values of, out of a text or of JSON. What these are made of, the server looks up with each value.
 *
 * @param names - a parameter with the identifiers of the statement
 * @param usedAsTypes - one with those that are in the place of a type
 */
export const builtTypes = (names: string, usedAsTypes: string): string =>
  `${IN_TREES}${namedBy(names, usedAsTypes)}${OF_FOREIGN_TABLES}`;

/** As {@link builtTypes}, by a read of the driver's own. */
export const BUILT_BY_READING = `${IN_TREES}${OF_ORDER}${OF_FOREIGN_TABLES}`;

/** As {@link builtTypes}, by what belongs to the tables of a change. */
export const BUILT_BY_CHANGE = IN_TREES;
