/**
 * The questions to the catalogue. Every function, table and type is named with its schema, and they run with a search path of `pg_catalog` alone: no object
 * of a user's is ever taken for one of the server's.
 */

const SUMMARY = `
SELECT n.nspname, c.relname, c.relkind, c.reltuples, whole.nspname, whole.relname
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN LATERAL (
  SELECT s.nspname, w.relname FROM pg_catalog.pg_class w JOIN pg_catalog.pg_namespace s ON s.oid = w.relnamespace
  WHERE c.relispartition AND w.oid = pg_catalog.pg_partition_root(c.oid) AND NOT w.relrowsecurity
    AND pg_catalog.has_schema_privilege(s.oid, 'USAGE') AND pg_catalog.has_table_privilege(w.oid, 'SELECT')
) whole ON true
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND (pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))`;

/** $1: whether schemas of the server itself are listed too. */
const IS_LISTED_SCHEMA = `
  ($1::pg_catalog.bool OR NOT (n.nspname = 'information_schema' OR pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_')))
  AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_toast')
  AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_temp')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')`;

/** $1: whether schemas of the server itself are listed too. */
export const LIST = `${SUMMARY} AND ${IS_LISTED_SCHEMA}
ORDER BY n.nspname <> 'public', n.nspname, c.relname
LIMIT 100000`;

/** $1: as of {@link LIST}; $2: the last schema of the page before, null for the first one; $3: how many. */
export const SCHEMAS = `
SELECT n.nspname FROM pg_catalog.pg_namespace n
WHERE ${IS_LISTED_SCHEMA}
  AND ($2::pg_catalog.text IS NULL OR ROW(n.nspname <> 'public', n.nspname) > ROW($2::pg_catalog.text <> 'public', $2::pg_catalog.name))
ORDER BY n.nspname <> 'public', n.nspname
LIMIT $3::pg_catalog.int8`;

/** $1: as of {@link LIST}; $2: a name, which the server would cut where it were compared as one. */
export const SCHEMA = `
SELECT FROM pg_catalog.pg_namespace n WHERE ${IS_LISTED_SCHEMA} AND n.nspname::pg_catalog.text = $2::pg_catalog.text`;

/** $1: as of {@link LIST}; $2: the schema; $3: the last table of the page before, null for the first one; $4: how many. */
export const SCHEMA_TABLES = `${SUMMARY} AND ${IS_LISTED_SCHEMA}
  AND n.nspname::pg_catalog.text = $2::pg_catalog.text
  AND ($3::pg_catalog.text IS NULL OR c.relname > $3::pg_catalog.name)
ORDER BY c.relname
LIMIT $4::pg_catalog.int8`;

/** Whether no stored row is without a value in the column `a` of a table: PostgreSQL 18 has constraints that hold for new rows alone. */
const IS_FILLED = `a.attnotnull AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint q
    WHERE q.conrelid = a.attrelid AND q.contype = 'n' AND q.conkey[1] = a.attnum AND NOT q.convalidated)`;

/** $1: schema, $2: name. Compressed chunks of TimescaleDB hold many rows in one that is stored: asked for the place of a row, they refuse the whole read. */
export const TABLE = `
WITH RECURSIVE tab AS (
  SELECT c.* FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
), family (oid) AS (
  SELECT oid FROM tab UNION SELECT i.inhrelid FROM family f JOIN pg_catalog.pg_inherits i ON i.inhparent = f.oid
)
SELECT c.oid, c.relkind, c.reltuples, c.relispartition, c.relrowsecurity,
  pg_catalog.obj_description(c.oid, 'pg_class'),
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END,
  pg_catalog.pg_get_partkeydef(c.oid),
  pg_catalog.pg_get_expr(c.relpartbound, c.oid),
  (SELECT pg_catalog.min(i.inhparent::pg_catalog.regclass::pg_catalog.text) FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid),
  pg_catalog.has_table_privilege(c.oid, 'INSERT'),
  pg_catalog.has_table_privilege(c.oid, 'DELETE'),
  pg_catalog.pg_is_in_recovery(),
  c.relpersistence,
  c.relkind <> 'p' AND EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid),
  EXISTS (
    SELECT FROM family JOIN pg_catalog.pg_class f ON f.oid = family.oid JOIN pg_catalog.pg_namespace h ON h.oid = f.relnamespace
    WHERE f.relkind = 'f' OR h.nspname = '_timescaledb_internal'
  ),
  pg_catalog.has_table_privilege(c.oid, 'SELECT'),
  (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()),
  (SELECT pg_catalog.json_agg(i.inhparent::pg_catalog.regclass::pg_catalog.text ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits i
    WHERE i.inhrelid = c.oid AND NOT c.relispartition),
  (SELECT pg_catalog.json_agg(i.inhrelid::pg_catalog.regclass::pg_catalog.text ORDER BY i.inhrelid::pg_catalog.regclass::pg_catalog.text)
    FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid AND c.relkind <> 'p')
FROM tab c`;

/** $1: schema, $2: name. A domain is followed to the type below it. */
export const COLUMNS = `
WITH RECURSIVE tab AS (
  SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
), below AS (
  SELECT a.attnum, t.oid, t.typtype, t.typbasetype, t.typnotnull, CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END AS typmod
  FROM tab JOIN pg_catalog.pg_attribute a ON a.attrelid = tab.oid JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT b.attnum, t.oid, t.typtype, t.typbasetype, b.typnotnull OR t.typnotnull, CASE b.typmod WHEN -1 THEN t.typtypmod ELSE b.typmod END
  FROM below b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd'
)
SELECT a.attname, b.oid, b.typtype,
  pg_catalog.format_type(a.atttypid, a.atttypmod),
  pg_catalog.format_type(b.oid, -1),
  a.attnotnull OR b.typnotnull,
  pg_catalog.pg_get_expr(d.adbin, d.adrelid),
  a.attgenerated, a.attidentity,
  pg_catalog.col_description(a.attrelid, a.attnum),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'UPDATE'),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT'),
  (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = b.oid),
  CASE b.typtype WHEN 'e' THEN true WHEN 'r' THEN true WHEN 'm' THEN true WHEN 'c' THEN false WHEN 'p' THEN false ELSE EXISTS (
    SELECT FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod JOIN pg_catalog.pg_type t ON t.oid = b.oid
    LEFT JOIN pg_catalog.pg_type el ON el.oid = t.typelem AND t.typcategory = 'A'
    WHERE m.amname = 'btree' AND o.opcdefault AND (
      o.opcintype = COALESCE(el.oid, t.oid)
      OR EXISTS (SELECT FROM pg_catalog.pg_cast k WHERE k.castsource = COALESCE(el.oid, t.oid) AND k.casttarget = o.opcintype AND k.castmethod = 'b' AND k.castcontext = 'i')
      OR el.typtype IN ('e', 'r', 'm')
    )
  ) END,
  a.attcollation <> 0 AND NOT COALESCE((SELECT l.collisdeterministic FROM pg_catalog.pg_collation l WHERE l.oid = a.attcollation), true),
  a.atthasdef,
  ${IS_FILLED},
  b.typmod
FROM tab
JOIN pg_catalog.pg_attribute a ON a.attrelid = tab.oid
JOIN below b ON b.attnum = a.attnum AND b.typtype <> 'd'
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum`;

/**
 * $1: schema, $2: name. The types of the columns and those that they are made of: below domains, of elements, bounds and attributes. Servers
 * before 14 have no multiranges, and no column for them.
 */
export const TYPES = `
WITH RECURSIVE tab AS (
  SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
), reached (oid) AS (
  SELECT a.atttypid FROM tab JOIN pg_catalog.pg_attribute a ON a.attrelid = tab.oid WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION
  SELECT p.oid FROM reached r JOIN pg_catalog.pg_type t ON t.oid = r.oid CROSS JOIN LATERAL (
    SELECT t.typbasetype WHERE t.typtype = 'd'
    UNION ALL SELECT t.typelem WHERE t.typcategory = 'A'
    UNION ALL SELECT g.rngsubtype FROM pg_catalog.pg_range g WHERE t.typtype IN ('r', 'm') AND ${isRangeOf('g', 't')}
    UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
  ) p (oid) WHERE p.oid <> 0
)
SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod,
  CASE WHEN t.typtype <> 'd' AND t.typcategory = 'A' THEN t.typelem END,
  (SELECT el.typdelim FROM pg_catalog.pg_type el WHERE el.oid = t.typelem),
  (SELECT g.rngsubtype FROM pg_catalog.pg_range g WHERE t.typtype IN ('r', 'm') AND ${isRangeOf('g', 't')}),
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, a.atttypid::pg_catalog.text, a.atttypmod) ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped),
  (SELECT p.proname FROM pg_catalog.pg_proc p WHERE p.oid = t.typinput)
FROM reached r JOIN pg_catalog.pg_type t ON t.oid = r.oid`;

/** One unit of money, by which its decimals are known. Asked where a table has such a column alone: not each server that speaks the protocol has the type. */
export const MONEY_SAMPLE = 'SELECT 1::pg_catalog.int4::pg_catalog.money::pg_catalog.text';

/** Whether a range belongs to a type, or the multirange of it does. */
function isRangeOf(range: string, type: string): string {
  return `(${range}.rngtypid = ${type}.oid OR pg_catalog.to_jsonb(${range})->>'rngmultitypid' = ${type}.oid::pg_catalog.text)`;
}

/** Whether an index `i` lets no two rows have the same values, of columns that are looked at with it. */
function isUnique(index: string): string {
  return `${index}.indisunique AND ${index}.indimmediate AND ${index}.indisvalid AND ${index}.indpred IS NULL AND ${index}.indexprs IS NULL`;
}

/** The names of the columns of an index, each once. */
function columnsOf(index: string): string {
  return `ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.unnest(${index}.indkey::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = ${index}.indrelid AND a.attnum = k.num WHERE k.place <= ${index}.indnkeyatts ORDER BY 1)`;
}

/** Of `pg_index.indoption`: the column is ordered from the greatest to the least. */
const DESCENDING = 1;
/** Its number in each server. */
const DEFAULT_COLLATION = 100;
/** Of `pg_index.indoption`: rows without a value come first. */
const NULLS_FIRST = 2;

/** A name with its schema, where that isn't the server's own. */
function named(schema: string, name: string): string {
  return `CASE ${schema} WHEN 'pg_catalog' THEN '' ELSE pg_catalog.quote_ident(${schema}) || '.' END || pg_catalog.quote_ident(${name})`;
}

/**
 * $1: schema, $2: name. The ninth column: whether each table that inherits from it has such an index too, and no row without a value in it. The columns after it are for people. Servers
 * before 15 have no column for indexes in which NULL is equal to NULL.
 */
export const INDEXES = `
WITH RECURSIVE heirs (oid) AS (
  SELECT h.inhrelid FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class c ON c.oid = h.inhparent JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind <> 'p'
  UNION SELECT h.inhrelid FROM heirs JOIN pg_catalog.pg_inherits h ON h.inhparent = heirs.oid
)
SELECT i.indisprimary, ${isUnique('i')},
  x.relname, pg_catalog.pg_get_indexdef(i.indexrelid),
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num WHERE k.place <= i.indnkeyatts),
  NOT EXISTS (SELECT FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num WHERE k.place <= i.indnkeyatts AND NOT (${IS_FILLED})),
  EXISTS (SELECT FROM pg_catalog.pg_constraint q WHERE q.conindid = i.indexrelid AND q.contype IN ('p', 'u', 'x')),
  i.indisprimary OR i.indimmediate,
  NOT EXISTS (
    SELECT FROM heirs WHERE NOT EXISTS (
      SELECT FROM pg_catalog.pg_index o
      WHERE o.indrelid = heirs.oid AND ${isUnique('o')} AND ${columnsOf('o')} = ${columnsOf('i')}
        AND NOT EXISTS (SELECT FROM pg_catalog.unnest(o.indkey::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = o.indrelid AND a.attnum = k.num WHERE k.place <= o.indnkeyatts AND NOT (${IS_FILLED}))
    )
  ),
  m.amname,
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
      k.place <= i.indnkeyatts, a.attname, CASE WHEN k.num = 0 THEN pg_catalog.pg_get_indexdef(i.indexrelid, k.place::pg_catalog.int4, true) END,
      CASE WHEN k.place <= i.indnkeyatts THEN i.indoption[(k.place - 1)::pg_catalog.int4] & ${DESCENDING} <> 0 END,
      CASE WHEN k.place <= i.indnkeyatts THEN i.indoption[(k.place - 1)::pg_catalog.int4] & ${NULLS_FIRST} <> 0 END,
      (SELECT ${named('s.nspname', 'l.collname')} FROM pg_catalog.pg_collation l JOIN pg_catalog.pg_namespace s ON s.oid = l.collnamespace
        WHERE k.place <= i.indnkeyatts AND l.oid = i.indcollation[(k.place - 1)::pg_catalog.int4] AND l.oid <> COALESCE(a.attcollation, ${DEFAULT_COLLATION})),
      (SELECT ${named('s.nspname', 'o.opcname')} FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_namespace s ON s.oid = o.opcnamespace
        WHERE k.place <= i.indnkeyatts AND o.oid = i.indclass[(k.place - 1)::pg_catalog.int4] AND NOT o.opcdefault)) ORDER BY k.place)
    FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num),
  pg_catalog.pg_get_expr(i.indpred, i.indrelid),
  i.indisunique,
  i.indisvalid,
  i.indisexclusion,
  i.indimmediate,
  pg_catalog.to_jsonb(i)->>'indnullsnotdistinct',
  pg_catalog.obj_description(i.indexrelid, 'pg_class')
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
LEFT JOIN pg_catalog.pg_am m ON m.oid = x.relam
JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2
ORDER BY i.indisprimary DESC, i.indnkeyatts, x.relname`;

/** $1: schema, $2: name. */
export const CONSTRAINTS = `
SELECT q.conname, q.contype, pg_catalog.pg_get_constraintdef(q.oid)
FROM pg_catalog.pg_constraint q
JOIN pg_catalog.pg_class c ON c.oid = q.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2 AND q.contype IN ('p', 'u', 'x', 'c', 'f') AND q.conparentid = 0
ORDER BY pg_catalog.strpos('pucxf', q.contype::pg_catalog.text), q.conname`;

/** The trigger of which `g` is the copy for a partition. Servers before 13 have no column for it. */
const PARENT = "(pg_catalog.to_jsonb(g)->>'tgparentid')::pg_catalog.oid";

/** $1: schema, $2: name. Of a partition also the triggers that it has of its table: servers before 15 call those internal. */
export const TRIGGERS = `
SELECT g.tgname, pg_catalog.pg_get_triggerdef(g.oid), g.tgtype, g.tgenabled,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(g.tgattr::pg_catalog.int2[]) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = g.tgrelid AND a.attnum = k.num),
  (SELECT up.oid::pg_catalog.regclass::pg_catalog.text FROM pg_catalog.pg_trigger u JOIN pg_catalog.pg_class up ON up.oid = u.tgrelid
    WHERE u.oid = ${PARENT}),
  g.tgfoid::pg_catalog.regproc,
  pg_catalog.obj_description(g.oid, 'pg_trigger')
FROM pg_catalog.pg_trigger g
JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2
  AND (NOT g.tgisinternal OR EXISTS (SELECT FROM pg_catalog.pg_trigger u WHERE u.oid = ${PARENT} AND NOT u.tgisinternal))
ORDER BY g.tgname`;

/** $1: schema, $2: name. Whether a change of its rows does something else too, by a rule; those by which views are read don't count. */
export const RULES = `
SELECT EXISTS (
  SELECT FROM pg_catalog.pg_rewrite w
  JOIN pg_catalog.pg_class c ON c.oid = w.ev_class
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND w.ev_type <> '1' AND w.ev_enabled <> 'D'
)`;
