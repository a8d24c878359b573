/**
 * The objects of each kind, as {@link PgObjectKind.source} says. The catalogue is asked as in `catalogue/queries.ts`. A definition is a list of lines: a JSON text
 * with line ends in it could not be read.
 */

/** Lines of a definition. */
const lines = (text: string): string =>
  `pg_catalog.to_json(pg_catalog.string_to_array(pg_catalog.rtrim(${text}, E'\\n'), E'\\n'))`;

/** The extension that an object belongs to. */
const extensionOf = (
  catalogue: string,
  oid: string,
): string => `(SELECT e.extname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
    WHERE d.classid = 'pg_catalog.${catalogue}'::pg_catalog.regclass AND d.objid = ${oid} AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.deptype = 'e')`;

const roleOf = (oid: string): string => `pg_catalog.pg_get_userbyid(${oid})`;

/** $1 is `true` where those of the server itself count. */
export const SCHEMAS = `
SELECT n.nspname::pg_catalog.text, ${roleOf('n.nspowner')}::pg_catalog.text,
  pg_catalog.json_build_object('owner', ${roleOf('n.nspowner')}, 'comment', pg_catalog.obj_description(n.oid, 'pg_namespace'), 'privileges', pg_catalog.to_json(n.nspacl::pg_catalog.text[]),
    'definition', ${lines(`pg_catalog.format('CREATE SCHEMA %I AUTHORIZATION %I', n.nspname, ${roleOf('n.nspowner')})`)})
FROM pg_catalog.pg_namespace n
WHERE pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND NOT n.nspname ~ '^pg_(toast|temp)' AND $2::pg_catalog.text IS NULL
  AND ($1::pg_catalog.text = 'true' OR NOT (n.nspname = 'information_schema' OR pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_')))`;

export const EXTENSIONS = `
SELECT e.extname::pg_catalog.text, e.extversion, n.nspname::pg_catalog.text,
  pg_catalog.json_build_object('version', e.extversion, 'schema', n.nspname, 'owner', ${roleOf('e.extowner')}, 'comment', pg_catalog.obj_description(e.oid, 'pg_extension'),
    'relocatable', e.extrelocatable, 'definition', ${lines("pg_catalog.format('CREATE EXTENSION %I WITH SCHEMA %I VERSION %L', e.extname, n.nspname, e.extversion)")})
FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
WHERE $1::pg_catalog.text IS NOT NULL AND $2::pg_catalog.text IS NULL`;

const VOLATILITY = `CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END`;
const FUNCTION_KIND = `CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' WHEN 'w' THEN 'window function' ELSE 'function' END`;

/** Named with the types of the arguments, as several have one name. Those that came with a range are left out. */
export const FUNCTIONS = `
SELECT p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')', ${FUNCTION_KIND}, pg_catalog.pg_get_function_result(p.oid), l.lanname::pg_catalog.text, ${VOLATILITY},
  ${extensionOf('pg_proc', 'p.oid')}::pg_catalog.text,
  pg_catalog.json_build_object('kind', ${FUNCTION_KIND}, 'arguments', pg_catalog.pg_get_function_arguments(p.oid), 'returns', pg_catalog.pg_get_function_result(p.oid),
    'language', l.lanname, 'volatility', ${VOLATILITY}, 'parallel', CASE p.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END,
    'strict', p.proisstrict, 'securityDefiner', p.prosecdef, 'owner', ${roleOf('p.proowner')}, 'mayExecute', pg_catalog.has_function_privilege(p.oid, 'EXECUTE'),
    'comment', pg_catalog.obj_description(p.oid, 'pg_proc'), 'extension', ${extensionOf('pg_proc', 'p.oid')},
    'definition', CASE WHEN p.prokind <> 'a' THEN ${lines('pg_catalog.pg_get_functiondef(p.oid)')} END)
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE n.nspname = $1 AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND $2::pg_catalog.text IS NULL
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'i')`;

const LABELS = `(SELECT pg_catalog.string_agg(pg_catalog.quote_literal(v.enumlabel), ', ' ORDER BY v.enumsortorder) FROM pg_catalog.pg_enum v WHERE v.enumtypid = t.oid)`;
const ATTRIBUTES = `(SELECT pg_catalog.string_agg(pg_catalog.quote_ident(a.attname) || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)`;
const RANGED = `(SELECT pg_catalog.format_type(r.rngsubtype, NULL) FROM pg_catalog.pg_range r WHERE r.rngtypid = t.oid)`;
const CHECKS = `(SELECT pg_catalog.string_agg(' CONSTRAINT ' || pg_catalog.quote_ident(q.conname) || ' ' || pg_catalog.pg_get_constraintdef(q.oid), '' ORDER BY q.conname)
    FROM pg_catalog.pg_constraint q WHERE q.contypid = t.oid AND q.contype = 'c')`;
const TYPE_KIND = `CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'c' THEN 'composite' ELSE 'range' END`;
const TYPE_OF = `CASE t.typtype WHEN 'e' THEN ${LABELS} WHEN 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) WHEN 'c' THEN ${ATTRIBUTES} ELSE ${RANGED} END`;

/** Those of tables and of arrays are left out. */
export const TYPES = `
SELECT t.typname::pg_catalog.text, ${TYPE_KIND}, ${TYPE_OF}, ${extensionOf('pg_type', 't.oid')}::pg_catalog.text,
  pg_catalog.json_build_object('kind', ${TYPE_KIND}, 'owner', ${roleOf('t.typowner')}, 'comment', pg_catalog.obj_description(t.oid, 'pg_type'), 'extension', ${extensionOf('pg_type', 't.oid')},
    'labels', CASE WHEN t.typtype = 'e' THEN (SELECT pg_catalog.json_agg(v.enumlabel ORDER BY v.enumsortorder) FROM pg_catalog.pg_enum v WHERE v.enumtypid = t.oid) END,
    'definition', ${lines(`CASE t.typtype
      WHEN 'e' THEN pg_catalog.format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname, ${LABELS})
      WHEN 'd' THEN pg_catalog.format('CREATE DOMAIN %I.%I AS %s', n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod))
        || COALESCE(' DEFAULT ' || t.typdefault, '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END || COALESCE(${CHECKS}, '')
      WHEN 'c' THEN pg_catalog.format('CREATE TYPE %I.%I AS (%s)', n.nspname, t.typname, ${ATTRIBUTES})
      ELSE pg_catalog.format('CREATE TYPE %I.%I AS RANGE (SUBTYPE = %s)', n.nspname, t.typname, ${RANGED}) END`)})
FROM pg_catalog.pg_type t
JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
WHERE n.nspname = $1 AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND $2::pg_catalog.text IS NULL
  AND (t.typtype IN ('e', 'd', 'r') OR (t.typtype = 'c' AND c.relkind = 'c'))`;

/** Sequences for which reading the last number would wait. */
const LOCKED_SEQUENCES = `SELECT l.relation FROM pg_catalog.pg_locks l
    WHERE l.locktype = 'relation' AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') AND l.pid <> pg_catalog.pg_backend_pid()
      AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())`;

/** A number that no call of nextval has given yet is none, and that of a sequence which somebody has locked isn't waited for. */
const LAST = `CASE WHEN c.relpersistence <> 'u' AND pg_catalog.has_sequence_privilege(c.oid, 'USAGE, SELECT') AND c.oid NOT IN (${LOCKED_SEQUENCES}) THEN pg_catalog.pg_sequence_last_value(c.oid) END`;
const COLUMN = `(SELECT o.relname || '.' || a.attname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class o ON o.oid = d.refobjid
    JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i') LIMIT 1)`;

export const SEQUENCES = `
SELECT c.relname::pg_catalog.text, pg_catalog.format_type(s.seqtypid, NULL), (${LAST})::pg_catalog.text, ${COLUMN},
  pg_catalog.json_build_object('type', pg_catalog.format_type(s.seqtypid, NULL), 'lastNumber', ${LAST}, 'start', s.seqstart, 'minimum', s.seqmin, 'maximum', s.seqmax,
    'increment', s.seqincrement, 'cycle', s.seqcycle, 'cache', s.seqcache, 'column', ${COLUMN}, 'owner', ${roleOf('c.relowner')}, 'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
    'definition', ${lines(`pg_catalog.format('CREATE SEQUENCE %I.%I AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s CACHE %s%s', n.nspname, c.relname,
      pg_catalog.format_type(s.seqtypid, NULL), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END)`)})
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
WHERE n.nspname = $1 AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND $2::pg_catalog.text IS NULL`;

export const TRIGGERS = `
SELECT g.tgname::pg_catalog.text, f.proname::pg_catalog.text, CASE g.tgenabled WHEN 'D' THEN 'never' WHEN 'R' THEN 'on replicas' WHEN 'A' THEN 'always' ELSE 'yes' END,
  pg_catalog.json_build_object('function', pg_catalog.format('%I.%I', fn.nspname, f.proname), 'enabled', g.tgenabled <> 'D', 'comment', pg_catalog.obj_description(g.oid, 'pg_trigger'),
    'definition', ${lines('pg_catalog.pg_get_triggerdef(g.oid)')}, 'body', ${lines('f.prosrc')})
FROM pg_catalog.pg_trigger g
JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_proc f ON f.oid = g.tgfoid
JOIN pg_catalog.pg_namespace fn ON fn.oid = f.pronamespace
WHERE n.nspname = $1 AND c.relname = $2 AND NOT g.tgisinternal`;
