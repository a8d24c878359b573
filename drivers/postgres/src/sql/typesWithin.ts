import { eachOf } from './eachOf.ts';
import { oidsIn } from './treeOids.ts';

/**
 * The types that there are values of, and all that they are made of, at every depth: a value of the outer one is checked and compared by the inner ones. `is_built`: the statement makes values of it, and so of those within.
 *
 * @param seeds - a query of oids
 * @param built - a query of the oids of types that it makes values of
 */
export const typesWithin = (seeds: string, built?: string, name = 'types_within'): string => `${name} (oid, is_built) AS (
  SELECT s.oid, false FROM (${seeds}) s (oid)${built === undefined ? '' : `\n  UNION SELECT b.oid, true FROM (${built}) b (oid)`}
  UNION
  SELECT i.oid, w.is_built FROM ${name} w ${eachOf('pg_type', 't', 't.oid = w.oid')}
  CROSS JOIN LATERAL (
    SELECT t.typbasetype WHERE t.typtype = 'd'
    UNION ALL SELECT t.typelem WHERE t.typelem <> 0::pg_catalog.oid
    -- Values may be put into an array without naming its type.
    UNION ALL SELECT t.typarray WHERE t.oid >= 16384::pg_catalog.oid
    UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a
      WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
    -- Multiranges came with version 14, and so did the column. Ranges become one without naming its type.
    UNION ALL SELECT s.oid FROM pg_catalog.pg_range r CROSS JOIN LATERAL (SELECT (pg_catalog.to_jsonb(r) ->> 'rngmultitypid')::pg_catalog.oid) AS m (multirange)
      CROSS JOIN LATERAL (VALUES (r.rngtypid), (r.rngsubtype), (m.multirange)) AS s (oid) WHERE t.oid IN (r.rngtypid, m.multirange)
    UNION ALL SELECT n.oid FROM pg_catalog.pg_constraint q CROSS JOIN LATERAL (${oidsIn('q.conbin::pg_catalog.text')}) n (oid) WHERE q.contypid = t.oid
  ) i (oid)
  -- A tree has 0 in the place of a type that isn't there, and as an element it would be every type that isn't an array.
  WHERE i.oid <> 0::pg_catalog.oid
)`;
