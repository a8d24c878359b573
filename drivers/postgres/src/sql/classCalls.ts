import { eachOf } from './eachOf.ts';

const USERS = '16384::pg_catalog.oid';

/** Whether a type is the server's own, or one that there are values of. */
const mayHaveValues = (type: string): string => `(${type} < ${USERS} OR ${type} IN (SELECT w.oid FROM types_within w))`;

/**
 * The functions that compare values without being named: those of operator classes and families that aren't the server's own, those that somebody added to its own, and those of ranges. A class counts that is the default of a type that there are
 * values of, and one of a range, an index or a partition that is reached, or that is named. A default class of a type of the server's own counts always, since a value of that type may be anywhere.
 *
 * A family counts that has an operator which is used, since sorting, hashing and comparing of rows look the family up by it. An operator of the server's own leads to the server's own family
 * first, so that another family counts only where there is none.
 *
 * @param names - a parameter with identifiers
 * @param relations - the tables whose indexes, partition keys and foreign keys count
 */
export const classCalls = (names: string, relations = 'relations'): string => `classes (oid) AS (
  SELECT r.rngsubopc FROM types_within w JOIN pg_catalog.pg_range r ON r.rngtypid = w.oid
  UNION
  SELECT k.oid FROM ${relations} c ${eachOf('pg_index', 'x', 'x.indrelid = c.oid')}, pg_catalog.unnest(x.indclass::pg_catalog.oid[]) AS k (oid)
  UNION
  SELECT k.oid FROM ${relations} c ${eachOf('pg_partitioned_table', 'b', 'b.partrelid = c.oid')}, pg_catalog.unnest(b.partclass::pg_catalog.oid[]) AS k (oid)
  UNION
  SELECT k.oid FROM ${relations} c ${eachOf('pg_constraint', 'q', "q.conrelid = c.oid AND q.contype = 'f'")}
  ${eachOf('pg_index', 'x', 'x.indexrelid = q.conindid')}, pg_catalog.unnest(x.indclass::pg_catalog.oid[]) AS k (oid)
  UNION
  SELECT o.oid FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_type t ON t.oid = o.opcintype JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod
  WHERE o.oid >= ${USERS} AND (o.opcname = ANY (${names}::pg_catalog.name[]) OR o.opcdefault AND m.amname IN ('btree', 'hash') AND (
    o.opcintype < ${USERS} OR o.opcintype IN (SELECT w.oid FROM types_within w) OR t.typelem IN (SELECT w.oid FROM types_within w)
    OR t.typtype IN ('r', 'm')
  ))
), families (what, oid, tree, place) AS (
  SELECT 'the operator class ' || o.opcname, o.opcfamily, NULL::pg_catalog.text, NULL::pg_catalog.oid
  FROM classes k ${eachOf('pg_opclass', 'o', `o.oid = k.oid AND k.oid >= ${USERS}`)}
  UNION
  SELECT n.what, o.opcfamily, n.tree, n.oid FROM named_in_trees n ${eachOf('pg_opclass', 'o', `o.oid = n.oid AND o.oid >= ${USERS}`)}
  UNION
  SELECT n.what, f.oid, n.tree, n.oid FROM named_in_trees n ${eachOf('pg_opfamily', 'f', `f.oid = n.oid AND f.oid >= ${USERS}`)}
  UNION
  SELECT 'the operator family ' || f.opfname, f.oid, u.tree, u.place FROM operators u ${eachOf('pg_amop', 'a', 'a.amopopr = u.oid')}
  ${eachOf('pg_opfamily', 'f', `f.oid = a.amopfamily AND f.oid >= ${USERS}`)}
  UNION
  SELECT 'the operator family ' || f.opfname, f.oid, NULL, NULL
  FROM pg_catalog.pg_amop a JOIN pg_catalog.pg_opfamily f ON f.oid = a.amopfamily JOIN pg_catalog.pg_am m ON m.oid = a.amopmethod
  WHERE f.oid >= ${USERS} AND a.amopopr < ${USERS} AND m.amname IN ('btree', 'hash') AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_amop b WHERE b.amopopr = a.amopopr AND b.amopmethod = a.amopmethod AND b.amopfamily < ${USERS}
  )
), class_calls (what, oid, tree, place) AS (
  SELECT k.what, f.oid, k.tree, k.place FROM families k CROSS JOIN LATERAL (
    SELECT a.amproc::pg_catalog.oid FROM pg_catalog.pg_amproc a WHERE a.amprocfamily = k.oid
    UNION ALL
    SELECT p.oprcode::pg_catalog.oid FROM pg_catalog.pg_amop a JOIN pg_catalog.pg_operator p ON p.oid = a.amopopr WHERE a.amopfamily = k.oid
  ) f (oid)
  UNION ALL
  SELECT 'the operator family ' || f.opfname, a.oid, NULL, NULL FROM (
    SELECT a.amprocfamily, a.amproc::pg_catalog.oid, a.amproclefttype, a.amprocrighttype FROM pg_catalog.pg_amproc a
    WHERE a.amprocfamily < ${USERS} AND a.amproc >= ${USERS}
    UNION ALL
    SELECT a.amopfamily, p.oprcode::pg_catalog.oid, a.amoplefttype, a.amoprighttype FROM pg_catalog.pg_amop a JOIN pg_catalog.pg_operator p ON p.oid = a.amopopr
    WHERE a.amopfamily < ${USERS} AND a.amopopr >= ${USERS}
  ) a (family, oid, lefttype, righttype) JOIN pg_catalog.pg_opfamily f ON f.oid = a.family
  WHERE ${mayHaveValues('a.lefttype')} AND ${mayHaveValues('a.righttype')}
  UNION ALL
  SELECT 'the range ' || t.typname, f.oid, NULL, NULL FROM types_within w JOIN pg_catalog.pg_range r ON r.rngtypid = w.oid
  ${eachOf('pg_type', 't', 't.oid = w.oid')} CROSS JOIN LATERAL (VALUES (r.rngcanonical::pg_catalog.oid), (r.rngsubdiff::pg_catalog.oid)) AS f (oid)
)`;
