import { eachOf } from './eachOf.ts';

/** Whether no column of the table `c` is a virtual generated one. */
const HAS_STORED_COLUMNS = `(SELECT pg_catalog.count(*) FROM pg_catalog.pg_attribute v WHERE v.attrelid = c.oid AND v.attgenerated = 'v') = 0`;

/**
 * The expressions that belong to tables and are part of the plan of each query of them. Planning calls a function in them whose arguments are constants, whatever it is declared to be; of a partial index the condition
 * may be checked again for each row, and a virtual generated column is computed for each. `is_planned`: called while the server plans, and only without columns. An expression takes the place of a virtual generated column, so
 * in a table that has one all calls count.
 */
export const tableTrees = (relations: string, more = ''): string => `
  SELECT 'an index of ' || c.relname, e.tree, e.is_planned AND ${HAS_STORED_COLUMNS}${more} FROM ${relations} c ${eachOf('pg_index', 'x', 'x.indrelid = c.oid')}
  CROSS JOIN LATERAL (VALUES (x.indexprs::pg_catalog.text, true), (x.indpred::pg_catalog.text, false)) AS e (tree, is_planned) WHERE e.tree IS NOT NULL
  UNION ALL
  -- Statistics of expressions came with version 14, and so did the column.
  SELECT 'the statistics ' || s.stxname, pg_catalog.to_jsonb(s) ->> 'stxexprs', ${HAS_STORED_COLUMNS}${more}
  FROM ${relations} c JOIN pg_catalog.pg_statistic_ext s ON s.stxrelid = c.oid
  UNION ALL
  SELECT 'a check of ' || c.relname, q.conbin::pg_catalog.text, ${HAS_STORED_COLUMNS}${more}
  FROM ${relations} c ${eachOf('pg_constraint', 'q', "q.conrelid = c.oid AND q.contype = 'c'")}
  UNION ALL
  SELECT 'the partitions of ' || c.relname, b.partexprs::pg_catalog.text, ${HAS_STORED_COLUMNS}${more}
  FROM ${relations} c ${eachOf('pg_partitioned_table', 'b', 'b.partrelid = c.oid')}
  UNION ALL
  SELECT 'a generated column of ' || c.relname, d.adbin::pg_catalog.text, false${more}
  FROM ${relations} c ${eachOf('pg_attrdef', 'd', 'd.adrelid = c.oid')}
  ${eachOf('pg_attribute', 'a', "a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attgenerated = 'v'")}`;
