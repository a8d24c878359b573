import { eachOf } from './eachOf.ts';

/**
 * The functions of operators. With each the server may call its negator, as which it computes NOT, and its commutator; estimates call both while it plans. Functions that estimate count as well, but for those of extensions.
 *
 * @param named - a query of the operators: what has each, its oid, and the tree and the place in it where it counts only without a column
 */
export const operatorsBy = (named: string): string => `operator_oids (what, oid, tree, place) AS (${named}
  UNION
  SELECT w.what, i.oid, w.tree, w.place FROM operator_oids w ${eachOf('pg_operator', 'o', 'o.oid = w.oid')}
  CROSS JOIN LATERAL (VALUES (o.oprnegate), (o.oprcom)) i (oid) WHERE i.oid >= 16384::pg_catalog.oid
), operators (what, oid, code, tree, place) AS MATERIALIZED (
  SELECT w.what, w.oid, f.code, w.tree, w.place FROM operator_oids w ${eachOf('pg_operator', 'o', 'o.oid = w.oid')} CROSS JOIN LATERAL (
    SELECT o.oprcode::pg_catalog.oid
    UNION ALL
    SELECT s.code FROM (VALUES (o.oprrest::pg_catalog.oid), (o.oprjoin::pg_catalog.oid)) s (code) WHERE s.code >= 16384::pg_catalog.oid AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_depend e WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = s.code AND e.deptype = 'e')
  ) f (code)
)`;

/** That the server has no operator of the name of the operator `o`. */
export const IS_ONLY =
  'NOT EXISTS (SELECT FROM pg_catalog.pg_operator b WHERE b.oprname = o.oprname AND b.oid < 16384::pg_catalog.oid)';

/**
 * Whether an operator takes values that a statement may have without naming their type. A text without a type becomes a domain over a text before it becomes a number. A record, and a row of a table that inherits,
 * becomes a row of any type, where the server has no operator of that name for records.
 *
 * @param type - of an argument of the operator `o`
 */
export const isTakenUnnamed = (type: string): string => `(${type} < 16384::pg_catalog.oid
        OR EXISTS (SELECT FROM pg_catalog.pg_cast k WHERE k.casttarget = ${type} AND k.castcontext = 'i')
        OR EXISTS (SELECT FROM pg_catalog.pg_type d WHERE d.oid = ${type} AND (d.typtype = 'd' AND d.typcategory = 'S' OR d.typcategory = 'C' AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_operator b WHERE b.oprname = o.oprname AND b.oid < 16384::pg_catalog.oid AND b.oprleft = 'pg_catalog.record'::pg_catalog.regtype))))`;
