import { BUILT_BY_CHANGE, BUILT_BY_READING, builtTypes, populatesAny } from './builtTypes.ts';
import { castsToJson, IS_CAST_TO_JSON, makesJson, MAKES_JSON } from './castsToJson.ts';
import { classCalls } from './classCalls.ts';
import { answered, ARE_READ, isShort, NOT_READ, sizeOf } from './definitionBounds.ts';
import { eachOf } from './eachOf.ts';
import { FOREIGN_TABLES } from './foreignTables.ts';
import { HARMLESS_OF_EXTENSIONS } from './harmlessFunctions.ts';
import { inSight, isInSight } from './inSight.ts';
import { keyMayChange } from './keyMayChange.ts';
import { CALLS_OF_KEYS, KEY_TYPES, NEIGHBOURS, OPERATORS_OF_KEYS } from './neighbours.ts';
import { IS_ONLY, isTakenUnnamed, operatorsBy } from './operatorCalls.ts';
import { isSealed, countsOthers, isTrusted, openTypes } from './sealed.ts';
import { tableTrees } from './tableTrees.ts';
import { CALLED, MADE_BY_SQL, oidsIn } from './treeOids.ts';
import { typesWithin } from './typesWithin.ts';

/** Settings of a function that neither change what its body calls nor last. Names are looked up in all schemas, whatever the path is. */
const HARMLESS_SETTINGS = ['search_path', 'statement_timeout', 'lock_timeout', 'work_mem', 'row_security', 'timezone'];

/** Longer bodies aren't followed. */
const MOST_CHARACTERS = 100_000;

/** A language of the server's own: SQL by its number, PL/pgSQL by its name and its handler. @param p - a row of a function */
const isReadable = (p: string): string => `(${p}.prolang = 14::pg_catalog.oid OR EXISTS (
        SELECT FROM pg_catalog.pg_language l JOIN pg_catalog.pg_proc c ON c.oid = l.lanplcallfoid
        WHERE l.oid = ${p}.prolang AND l.lanname = 'plpgsql' AND c.prosrc = 'plpgsql_call_handler' AND c.probin = '$libdir/plpgsql'))`;

/** Whether the settings of a function are harmless. Others may change how its body is cut. @param p - its row */
export const hasHarmlessSettings = (p: string): string => `(${p}.proconfig IS NULL OR NOT EXISTS (
        SELECT FROM pg_catalog.unnest(${p}.proconfig) AS o (setting) WHERE pg_catalog.lower(pg_catalog.split_part(o.setting, '=', 1)) <> ALL ('{${HARMLESS_SETTINGS.join(',')}}'::pg_catalog.text[])))`;

/**
 * Whether a function is one that somebody wrote in a language that can be followed, and whose types are fixed: what a body does with a value of any type is seen only where it is called. A support function
 * would be called while the server plans.
 *
 * @param p - its row
 * @param strict - see {@link countsOthers}
 */
const isFollowed = (
  p: string,
  strict: string,
): string => `${p}.oid >= 16384::pg_catalog.oid AND ${p}.prokind = 'f' AND ${isReadable(p)}
      AND ${p}.prosupport = 0::pg_catalog.oid AND ${p}.protrftypes IS NULL AND pg_catalog.octet_length(${p}.prosrc) <= ${MOST_CHARACTERS}
      AND ${hasHarmlessSettings(p)} AND (NOT ${strict} OR ${isSealed(p)})
      AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_type t WHERE t.typtype = 'p' AND (t.oid = ANY (${p}.proargtypes::pg_catalog.oid[])
          OR t.oid = ${p}.prorettype AND t.oid <> ALL ('{pg_catalog.void,pg_catalog.record}'::pg_catalog.regtype[]::pg_catalog.oid[])))
      AND (${p}.proargdefaults IS NULL OR ${isPlain(`${p}.proargdefaults::pg_catalog.text`)})`;

/** The nodes of an expression that calls what the tree names as functions, and nothing else: no tables, no sorting, no domains. */
const PLAIN_NODES = [
  ...[
    'ARRAY',
    'ARRAYEXPR',
    'BOOLEXPR',
    'CASEEXPR',
    'CASETESTEXPR',
    'CASEWHEN',
    'CASE',
    'COALESCE',
    'COALESCEEXPR',
    'CONST',
    'FROMEXPR',
    'FUNCEXPR',
    'NULLTEST',
  ],
  ...[
    'OPEXPR',
    'PARAM',
    'QUERY',
    'RELABELTYPE',
    'SCALARARRAYOPEXPR',
    'SQLVALUEFUNCTION',
    'SUBSCRIPTINGREF',
    'TARGETENTRY',
    'WHEN',
  ],
];

/** Whether a stored tree is such an expression. An operator of a list leads to its family, which is looked up elsewhere. */
const isPlain = (
  tree: string,
): string => `(${tree} !~ ':commandType [^1]' AND ${tree} !~ '[{]SCALARARRAYOPEXPR :opno [0-9]{5}' AND NOT EXISTS (
        SELECT FROM pg_catalog.regexp_matches(${tree}, '[{]([A-Z]+)', 'g') AS n (found) WHERE n.found[1] <> ALL ('{${PLAIN_NODES.join(',')}}'::pg_catalog.text[])))`;

/** The stored tree of a function's body; functions have trees since version 14. */
const bodyOf = (p: string): string => `(pg_catalog.to_jsonb(${p}) ->> 'prosqlbody')`;

/** The functions that an aggregate is made of, and those that the stored tree of a function and its defaults call. */
const partsOf = (oid: string): string => `
    SELECT f.oid FROM pg_catalog.pg_aggregate g CROSS JOIN LATERAL (
      VALUES (g.aggtransfn), (g.aggfinalfn), (g.aggcombinefn), (g.aggserialfn), (g.aggdeserialfn), (g.aggmtransfn), (g.aggminvtransfn), (g.aggmfinalfn)
    ) AS f (oid) WHERE g.aggfnoid = ${oid} AND f.oid <> 0::pg_catalog.oid
    UNION ALL
    SELECT m.found[1]::pg_catalog.oid FROM pg_catalog.pg_proc q CROSS JOIN LATERAL (
      SELECT CASE WHEN q.prokind = 'f' AND (q.proargdefaults IS NOT NULL OR q.prolang = 14::pg_catalog.oid)
        THEN pg_catalog.concat(${bodyOf('q')}, q.proargdefaults::pg_catalog.text) END OFFSET 0) AS b (tree),
      pg_catalog.regexp_matches(b.tree, '${CALLED}', 'g') AS m (found) WHERE q.oid = ${oid}`;

/**
 * The types and operators of others that the tree of a function or its defaults names, or that an aggregate keeps its state in and sorts by: values are made of these types though no statement names them, and what belongs to them is
 * looked up by their names with the bodies.
 *
 * @param p - its row
 * @param tree - of its body
 */
const namesWithin = (p: string, tree: string): string => `
    WITH number (oid) AS (
      SELECT n.oid FROM (SELECT pg_catalog.concat(${tree}, ${p}.proargdefaults::pg_catalog.text) OFFSET 0) AS b (tree) CROSS JOIN LATERAL (${oidsIn('b.tree')}) n (oid)
      UNION
      SELECT n.oid FROM pg_catalog.pg_aggregate g CROSS JOIN LATERAL (VALUES (g.aggtranstype), (g.aggmtranstype), (g.aggsortop)) AS n (oid) WHERE g.aggfnoid = ${p}.oid
    )
    SELECT pg_catalog.string_agg(m.name, ' ') FROM (
      SELECT pg_catalog.quote_ident(t.typname) FROM number n ${eachOf('pg_type', 't', 't.oid = n.oid AND t.oid >= 16384::pg_catalog.oid')}
      UNION ALL
      SELECT o.oprname::pg_catalog.text FROM number n ${eachOf('pg_operator', 'o', 'o.oid = n.oid AND o.oid >= 16384::pg_catalog.oid')}
      UNION ALL
      SELECT pg_catalog.quote_ident(t.typname) FROM pg_catalog.pg_type t WHERE t.oid = ANY (${p}.proargtypes::pg_catalog.oid[] || ${p}.proallargtypes || ${p}.prorettype) AND t.oid >= 16384::pg_catalog.oid
    ) m (name)`;

/**
 * The functions that are needed, and whether each is harmless. An aggregate is what its functions are, and a function that somebody wrote what its body and its defaults call. Where the body is a text, it is
 * one of the `sources`, each with its language and the types of its arguments and its result: what these call is another question.
 *
 * @param needed - a query of oids
 * @param volatile - a parameter with the list of harmless ones that are volatile
 * @param queries - a parameter with the list of those that run queries
 * @param strict - see {@link countsOthers}
 */
const harmless = (needed: string, volatile: string, queries: string, strict: string): string => `
needed (oid) AS (${needed}
), parts (whole, oid) AS (
  SELECT w.oid, f.oid FROM needed w CROSS JOIN LATERAL (${partsOf('w.oid')}) f (oid) WHERE w.oid >= 16384::pg_catalog.oid
  UNION
  SELECT p.whole, f.oid FROM parts p CROSS JOIN LATERAL (${partsOf('p.oid')}) f (oid) WHERE p.oid >= 16384::pg_catalog.oid
), single AS MATERIALIZED (
  SELECT p.oid, p.proname, p.pronamespace, p.provolatile, p.pronargs - p.pronargdefaults AS least, p.pronargs AS most,
    l.lanname = 'sql' OR p.pronargdefaults > 0 OR p.prosupport >= 16384::pg_catalog.oid AS is_replaced,
    CASE
      WHEN n.nspname = 'pg_catalog' AND p.oid < 16384::pg_catalog.oid AND p.prokind IN ('a', 'w') THEN NOT p.proname = ANY (${queries}::pg_catalog.name[])
      WHEN n.nspname IN ('pg_catalog', 'information_schema') AND p.oid < 16384::pg_catalog.oid THEN l.lanname IN ('c', 'internal', 'sql') AND NOT p.proname = ANY (${queries}::pg_catalog.name[])
        -- A method of TABLESAMPLE is a function by its entry only.
        AND (p.provolatile IN ('i', 's') OR p.proname = ANY (${volatile}::pg_catalog.name[]) OR p.prorettype = 'pg_catalog.tsm_handler'::pg_catalog.regtype)
      ELSE p.prokind = 'f' AND (p.provolatile = 'i' OR p.proname = ANY ('{${HARMLESS_OF_EXTENSIONS.join(',')}}'::pg_catalog.name[])) AND EXISTS (
        SELECT FROM pg_catalog.pg_depend e WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid AND e.deptype = 'e')
        -- One in the server's program is another name of a function there, and is what that is.
        AND CASE l.lanname WHEN 'c' THEN true WHEN 'internal' THEN COALESCE((
          SELECT pg_catalog.bool_and(b.provolatile IN ('i', 's') AND b.proname <> ALL (${queries}::pg_catalog.name[])) FROM pg_catalog.pg_proc b
          WHERE b.prosrc = p.prosrc AND b.oid < 16384::pg_catalog.oid AND b.prolang = p.prolang), false) ELSE false END
    END AS ok,
    CASE
      WHEN b.is_followed AND b.tree IS NULL THEN pg_catalog.json_build_array(l.lanname, p.prosrc, pg_catalog.concat_ws(' ', m.names, (
        SELECT pg_catalog.string_agg(pg_catalog.quote_ident(t.typname), ' ') FROM pg_catalog.pg_type t
        WHERE t.oid = ANY (p.proargtypes::pg_catalog.oid[] || p.proallargtypes || p.prorettype))))::pg_catalog.text
      -- It has no text, and its names are looked up.
      WHEN m.names IS NOT NULL AND (p.prokind = 'a' AND (NOT ${strict} OR ${isTrusted('p.proowner')}) OR b.is_followed AND ${isPlain('b.tree')}) THEN pg_catalog.json_build_array('sql', '', m.names)::pg_catalog.text
    END AS source,
    m.names IS NULL AND p.oid >= 16384::pg_catalog.oid AND (p.prokind = 'a' AND (NOT ${strict} OR ${isTrusted('p.proowner')}) OR b.is_followed AND b.tree IS NOT NULL AND ${isPlain('b.tree')}) AS has_parts
  FROM (SELECT w.oid FROM needed w UNION SELECT s.oid FROM parts s) w ${eachOf('pg_proc', 'p', 'p.oid = w.oid')}
  CROSS JOIN LATERAL (SELECT f.is_followed, CASE WHEN f.is_followed THEN ${bodyOf('p')} END FROM (SELECT ${isFollowed('p', strict)} OFFSET 0) AS f (is_followed) OFFSET 0) AS b (is_followed, tree)
  CROSS JOIN LATERAL (SELECT CASE WHEN p.oid >= 16384::pg_catalog.oid AND (p.prokind = 'a' OR b.is_followed) THEN (${namesWithin('p', 'b.tree')}) END OFFSET 0) AS m (names)
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
), harmless AS MATERIALIZED (
  -- A function is what it is made of that isn't harmless in itself; each of that has to be a source for it to be followed.
  SELECT s.oid, s.proname, s.pronamespace, s.provolatile, s.least, s.most, s.is_replaced, s.ok OR b.parts = 0 AS ok,
    CASE WHEN b.known = b.parts AND ${isShort('b.sources')} THEN b.sources END AS sources
  FROM single s CROSS JOIN LATERAL (
    SELECT pg_catalog.count(*), pg_catalog.count(f.source), '[' || pg_catalog.string_agg(f.source, ',') || ']' FROM single f
    WHERE NOT s.ok AND NOT f.ok AND NOT f.has_parts AND (f.oid = s.oid OR EXISTS (SELECT FROM parts a WHERE a.whole = s.oid AND a.oid = f.oid))
  ) AS b (parts, known, sources)
)`;

/** The calls of the function `h`: few functions aren't harmless, and a hash of all calls is made for the billions that the server expects. */
const callersIn = (calls: string): string => `CROSS JOIN LATERAL (SELECT * FROM ${calls} c WHERE c.oid = h.oid OFFSET 0) c`;

/** A part of {@link reached}: what else is named, and what else is reached from each. */
interface More {
  readonly named: string;
  readonly from: string;
}

const NOTHING_MORE: More = { named: '', from: '' };

/** Relations by their names. @param names - a parameter with identifiers */
const namedInSight = (names: string): string =>
  `c.relname = ANY (${names}::pg_catalog.name[]) AND ${isInSight('c.relnamespace')}`;

/** The tables and views that are named, those that rules and policies of them read or change (a view is a rule), and the partitions and children of all these. Of a relation that is reached as the whole of its partition only (`is_named` is null), other partitions aren't. @param named - a condition for those that are named. @param kinds - relations whose rules are followed */
const reached = (named: string, kinds: string, more: More = NOTHING_MORE): string => `
named AS (
  SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE ${named} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    -- The owner of a server may put another view in the place of one of its own.
    AND (c.oid >= 16384::pg_catalog.oid OR c.relkind = 'v' OR n.nspname NOT IN ('pg_catalog', 'information_schema'))${more.named}
), reached (oid, is_named) AS (
  SELECT oid, true FROM named
  UNION
  SELECT i.oid, i.is_named FROM reached r
  CROSS JOIN LATERAL (
    SELECT d.refobjid, false FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_rewrite w ON w.ev_class = c.oid
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
      AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid >= ${MADE_BY_SQL}
    WHERE c.oid = r.oid AND c.relkind IN (${kinds})
    UNION ALL SELECT d.refobjid, false FROM (SELECT r.oid) AS s ${eachOf('pg_class', 'c', 'c.oid = s.oid AND c.relrowsecurity')}
    ${eachOf('pg_policy', 'y', 'y.polrelid = c.oid')}
    ${eachOf('pg_depend', 'd', "d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND d.objid = y.oid AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass")}
    UNION ALL SELECT h.inhrelid, r.is_named FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.oid AND r.is_named IS NOT NULL
    -- Rows of a partition are checked by the key of the whole.
    UNION ALL SELECT h.inhparent, NULL FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class c ON c.oid = h.inhrelid WHERE h.inhrelid = r.oid AND c.relispartition${more.from}
  ) i (oid, is_named)
), relations AS MATERIALIZED (
  SELECT c.oid, c.relname, c.relkind, c.relrowsecurity FROM (SELECT DISTINCT oid FROM reached) r ${eachOf('pg_class', 'c', 'c.oid = r.oid')}
)`;

/** The types of the columns of what is reached. Those of the server's program have nothing to follow. */
const COLUMN_TYPES = `
  SELECT a.atttypid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')}
  WHERE NOT a.attisdropped AND a.atttypid >= ${MADE_BY_SQL}`;

/** Types of the server's own that a query takes a value for by an assignment cast. */
const TAKEN_AS_ASSIGNED = [
  'bool',
  'bytea',
  'float4',
  'float8',
  'int2',
  'int4',
  'int8',
  'interval',
  'json',
  'jsonb',
  'jsonpath',
  'numeric',
  'text',
  'varchar',
  'xml',
].map((type) => `pg_catalog.${type}`);

/** All that the trees name. `tree`: the tree of what counts only where a call has no column. */
const namedInTrees = `named_in_trees (what, tree, oid) AS MATERIALIZED (
  SELECT t.what, NULL::pg_catalog.text, n.oid FROM trees t CROSS JOIN LATERAL (${oidsIn('t.tree')}) n (oid)
  UNION ALL
  SELECT t.what, CASE WHEN t.is_planned THEN t.tree END, n.oid FROM table_trees t CROSS JOIN LATERAL (${oidsIn('t.tree')}) n (oid)
)`;

/** The functions in the trees. Last, the number in the tree by which each is called. */
const CALLED_IN_TREES = `
  SELECT t.what, m.found[1]::pg_catalog.oid, NULL, m.found[1]::pg_catalog.oid FROM trees t, pg_catalog.regexp_matches(t.tree, '${CALLED}', 'g') AS m (found)
  UNION ALL
  SELECT t.what, m.found[1]::pg_catalog.oid, CASE WHEN t.is_planned THEN t.tree END, m.found[1]::pg_catalog.oid
  FROM table_trees t, pg_catalog.regexp_matches(t.tree, '${CALLED}', 'g') AS m (found)
  UNION ALL
  SELECT n.what, p.oid, n.tree, n.oid FROM named_in_trees n ${eachOf('pg_proc', 'p', 'p.oid = n.oid')}`;

const OPERATORS_IN_TREES = `
  SELECT n.what, o.oid, n.tree, n.oid FROM named_in_trees n ${eachOf('pg_operator', 'o', 'o.oid = n.oid')}`;

/** Functions of the server's own that run a query in which the search path decides about an operator. */
const COMPARES_BY_PATH = `EXISTS (
      SELECT FROM pg_catalog.pg_proc p WHERE p.proname IN ('pg_get_ruledef', 'pg_get_viewdef') AND p.oid < 16384::pg_catalog.oid
        AND (p.proname = ANY ($1::pg_catalog.name[] || $6::pg_catalog.name[]) OR p.oid IN (SELECT c.oid FROM called c)))`;

/** How many rows an answer about calls has at most. Where there are as many, not all of them were seen. */
export const MOST_CALLS = 200;

/** The casts that somebody made by which a query may take a value for another, with what it names. */
const CASTS = `casts (castfunc) AS (
  SELECT k.castfunc FROM pg_catalog.pg_cast k
  WHERE k.oid >= 16384::pg_catalog.oid AND (k.castsource < 16384::pg_catalog.oid OR k.castsource IN (SELECT w.oid FROM types_within w)) AND (
    k.casttarget IN (SELECT w.oid FROM types_within w)
    -- Functions that make JSON call the cast to it, also an explicit one.
    OR k.casttarget = 'pg_catalog.json'::pg_catalog.regtype
    -- A value of the server's own types becomes one of another's where a function or an operator takes that.
    -- Conditions, limits, subscripts and XML take a value as if it were assigned, and functions that quote a value cast it to text.
    OR k.castsource >= 16384::pg_catalog.oid AND k.castcontext IN ('a', 'i') AND k.casttarget = ANY ('{${TAKEN_AS_ASSIGNED.join(',')}}'::pg_catalog.regtype[]::pg_catalog.oid[])
    OR k.castsource >= 16384::pg_catalog.oid AND k.casttarget = 'pg_catalog.text'::pg_catalog.regtype
    -- A variable of a column's type may be of one of the server's own that no word names.
    OR k.castcontext = 'a' AND $7::pg_catalog.bool AND (k.castsource >= 16384::pg_catalog.oid OR k.casttarget < 16384::pg_catalog.oid)
    OR k.castcontext = 'i' AND (k.castsource >= 16384::pg_catalog.oid OR k.casttarget < 16384::pg_catalog.oid
      OR EXISTS (SELECT FROM pg_catalog.pg_proc f WHERE f.proname = ANY ($1::pg_catalog.name[] || $6::pg_catalog.name[]) AND k.casttarget = ANY (f.proargtypes) AND ${isInSight('f.pronamespace')})
      OR EXISTS (SELECT FROM pg_catalog.pg_operator o WHERE o.oprname = ANY ($3::pg_catalog.name[]) AND k.casttarget IN (o.oprleft, o.oprright) AND ${isInSight('o.oprnamespace')}))
  )
)`;

/** The functions that {@link callsBy} judges: those that are named, also behind a point, those of operators and casts, and those that stored trees call. The server's own operators and casts call nothing that has effects. */
const NEEDED_BY_QUERY = `
  SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($1::pg_catalog.name[]) AND ${isInSight('p.pronamespace')}
  UNION
  SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($6::pg_catalog.name[]) AND ${isInSight('p.pronamespace')}
  UNION
  SELECT u.code FROM operators u
  UNION
  SELECT k.castfunc FROM casts k
  UNION
  SELECT k.castfunc FROM pg_catalog.pg_cast k WHERE ${IS_CAST_TO_JSON}
  UNION
  SELECT c.oid FROM called c
  UNION
  SELECT c.oid FROM class_calls c`;

/** The types that views, policies and what else is computed for each row make values of. */
const STORED_TYPES = `
  SELECT n.oid FROM stored s CROSS JOIN LATERAL (${oidsIn('s.tree')}) n (oid)
  UNION
  SELECT n.oid FROM table_trees t CROSS JOIN LATERAL (${oidsIn('t.tree')}) n (oid) WHERE NOT t.is_planned`;

/** The types that planning makes values of, where an expression has no column. */
const PLANNED_TYPES = `
  SELECT n.oid FROM table_trees t CROSS JOIN LATERAL (${oidsIn('t.tree')}) n (oid) WHERE t.is_planned`;

/** The types that a query has values of: those that are named, row types of tables included, those of columns, of arguments and results of functions and operators, and those that views and policies make values of. */
const NAMED_TYPES = `
  SELECT t.oid FROM pg_catalog.pg_type t WHERE t.typname = ANY ($2::pg_catalog.name[]) AND ${isInSight('t.typnamespace')}
  UNION
  SELECT y.oid FROM pg_catalog.pg_proc p, pg_catalog.unnest(p.proargtypes::pg_catalog.oid[] || p.proallargtypes || p.prorettype) AS y (oid)
  WHERE p.proname = ANY ($1::pg_catalog.name[] || $6::pg_catalog.name[]) AND y.oid >= 16384::pg_catalog.oid AND ${isInSight('p.pronamespace')}
  UNION
  SELECT y.oid FROM pg_catalog.pg_operator o, pg_catalog.unnest(ARRAY[o.oprresult, o.oprleft, o.oprright]) AS y (oid)
  WHERE o.oprname = ANY ($3::pg_catalog.name[]) AND y.oid >= 16384::pg_catalog.oid AND ${isInSight('o.oprnamespace')} AND (
    y.oid = o.oprresult OR 'operator' = ANY ($1::pg_catalog.name[]) OR ${IS_ONLY}
    OR o.oprleft <> 0::pg_catalog.oid AND ${isTakenUnnamed('o.oprleft')} OR ${isTakenUnnamed('o.oprright')})
  UNION${STORED_TYPES}
  UNION${PLANNED_TYPES}
  UNION${COLUMN_TYPES}`;

/**
 * The types that reading a table makes values of: those of its query, and those below the domains of its columns. A stored value of a domain isn't checked again when it is read, and filters
 * compare with the type below; a composite or an array that one compares with is made as a whole.
 */
const TYPES_OF_READING = `${STORED_TYPES}
  UNION
  SELECT b.oid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')} CROSS JOIN LATERAL (
    WITH RECURSIVE below (oid, typtype, typbasetype) AS (
      SELECT t.oid, t.typtype, t.typbasetype FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid
      UNION ALL SELECT t.oid, t.typtype, t.typbasetype FROM below w JOIN pg_catalog.pg_type t ON t.oid = w.typbasetype WHERE w.typtype = 'd'
    ) SELECT w.oid FROM below w WHERE w.typtype <> 'd'
  ) b (oid) WHERE NOT a.attisdropped AND a.atttypid >= ${MADE_BY_SQL}
  UNION
  -- The values of a foreign table are made when they are read.
  SELECT a.atttypid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')}
  WHERE c.relkind = 'f' AND NOT a.attisdropped AND a.atttypid >= ${MADE_BY_SQL}`;

/**
 * Asks the server what a statement calls, itself and through what it names. $1: names that a parenthesis follows; $2: all identifiers, and the server's names of types that SQL calls otherwise; $3: operators; $4, $5: the lists above; $6: names behind a point; $7: whether values are assigned to columns or variables; $8: whether the statement may write; $9: see {@link inSight}; $10: the identifiers that may be in the place of a type; $11: whether it makes values that take their types from others ({@link makesValues}). A row for
 * each thing of which it isn't certain that it only reads. A second column: the stored tree, and a third, the function, where it is called only if the tree has it without a column among its arguments. A fourth: the sources that are to be followed, where nothing else is uncertain.
 *
 * A function counts as harmless where it is the server's own and not volatile, or on the list; and one of an extension where it is written in C and immutable, which leaves it
 * nothing to run. Views, row-level security, operators, casts and checks of domains, also deep in other types, are followed to the functions that they call, by the trees in which the server keeps them.
 *
 * @param kinds - relations whose stored queries are run
 * @param mayWrite - whether the statement may run in a transaction that writes
 * @param looksIn - see {@link inSight}
 * @param named - a condition for the relations `c` in the schema `n` that are named
 * @param made - a query of the types that values are made of, where they aren't all that there are values of
 */
const callsBy = (kinds: string, mayWrite: string, looksIn: string, named = namedInSight('$2'), made?: string): string => {
  const isStatement = made === undefined;
  const types = isStatement ? 'types_within' : 'types_made';
  const within = isStatement
    ? typesWithin(NAMED_TYPES, builtTypes('$2', '$10'))
    : `${typesWithin(NAMED_TYPES)}, ${typesWithin(made, BUILT_BY_READING, 'types_made')}`;
  const isMade = isStatement
    ? `(t.typtype = 'c' AND ($11::pg_catalog.bool OR ${populatesAny(['$1', '$6'], '$3')}) OR ${makesJson('$1')})`
    : makesJson('$1');
  return `
WITH RECURSIVE ${inSight(looksIn)}, ${reached(named, kinds)}, definition (what, tree) AS (
  SELECT 'the view ' || c.relname, w.ev_action::pg_catalog.text
  FROM relations c ${eachOf('pg_rewrite', 'w', "w.ev_class = c.oid AND w.ev_type = '1'")} WHERE c.relkind IN (${kinds})
  UNION ALL
  SELECT 'the policy ' || y.polname, y.polqual::pg_catalog.text
  FROM relations c JOIN pg_catalog.pg_policy y ON y.polrelid = c.oid WHERE c.relrowsecurity
), ${sizeOf('definition')}, stored (what, tree) AS (
  SELECT d.what, d.tree FROM definition d WHERE ${ARE_READ}
), table_trees (what, tree, is_planned) AS (${tableTrees('relations')}
), ${within}, trees (what, tree) AS (
  SELECT s.what, s.tree FROM stored s
  UNION ALL
  SELECT 'the domain ' || t.typname, q.conbin::pg_catalog.text
  FROM ${types} w ${eachOf('pg_type', 't', "t.oid = w.oid AND t.typtype = 'd'")}
  ${eachOf('pg_constraint', 'q', 'q.contypid = t.oid')}
), ${namedInTrees}, called (what, oid, tree, place) AS (${CALLED_IN_TREES}
), ${operatorsBy(`
  SELECT 'the operator ' || o.oprname, o.oid, NULL::pg_catalog.text, NULL::pg_catalog.oid FROM pg_catalog.pg_operator o
  WHERE o.oid >= 16384::pg_catalog.oid AND (o.oprname = ANY ($3::pg_catalog.name[]) AND ${isInSight('o.oprnamespace')} OR o.oprname = '=' AND (${COMPARES_BY_PATH})) AND (
    ${IS_ONLY}
    -- Of types that nothing here has values of. A text without a type becomes one of the server's own, where the server has such an operator.
    OR EXISTS (
      SELECT FROM pg_catalog.unnest(ARRAY[o.oprleft, o.oprright]) AS s (oid)
      WHERE s.oid <> 0::pg_catalog.oid AND (${isTakenUnnamed('s.oid')} OR s.oid IN (SELECT w.oid FROM types_within w))))
  UNION ALL${OPERATORS_IN_TREES}`)}, ${classCalls('$2')}, ${CASTS}, ${harmless(NEEDED_BY_QUERY, '$4', '$5', countsOthers(mayWrite))}
${answered(`SELECT DISTINCT * FROM (
  SELECT 'the function ' || h.proname, NULL::pg_catalog.text, NULL::pg_catalog.text, h.sources FROM harmless h
  WHERE h.proname = ANY ($1::pg_catalog.name[]) AND ${isInSight('h.pronamespace')} AND NOT h.ok
  UNION ALL
  -- A function that one value is enough for may be written as a column of that value, behind a point, and the value may be of any type: (1).pg_sleep. A table of FROM may be a value too: FROM lower('x') AS l.
  SELECT 'the function ' || h.proname, NULL, NULL, h.sources FROM harmless h
  WHERE h.least <= 1 AND h.most >= 1 AND h.proname = ANY ($6::pg_catalog.name[]) AND ${isInSight('h.pronamespace')} AND NOT h.ok
  UNION ALL
  -- The body of a function in SQL takes its place in a plan, and so do its defaults: what they call may have constants of their own.
  SELECT c.what || ', which calls ' || h.proname, t.tree, CASE WHEN t.tree IS NOT NULL THEN c.place::pg_catalog.text END, h.sources
  FROM harmless h ${callersIn('called')} CROSS JOIN LATERAL (SELECT CASE WHEN NOT h.is_replaced THEN c.tree END) AS t (tree) WHERE NOT h.ok
  UNION ALL
  SELECT c.what || ', which calls ' || h.proname, c.tree, c.place::pg_catalog.text, h.sources FROM harmless h ${callersIn('class_calls')} WHERE NOT h.ok
  UNION ALL
${FOREIGN_TABLES}
  UNION ALL
  SELECT CASE WHEN u.what = 'the operator ' || o.oprname THEN u.what ELSE u.what || ', which calls ' || h.proname END, u.tree, u.place::pg_catalog.text, h.sources
  FROM operators u JOIN pg_catalog.pg_operator o ON o.oid = u.oid JOIN harmless h ON h.oid = u.code WHERE NOT h.ok
  UNION ALL
${castsToJson('$2', '$1')}
  UNION ALL${openTypes(types, isMade, countsOthers(mayWrite))}
  UNION ALL
  SELECT 'a cast by ' || h.proname, NULL, NULL, h.sources FROM casts k JOIN harmless h ON h.oid = k.castfunc WHERE NOT h.ok
  UNION ALL${NOT_READ}
) found (what, tree, called, sources)
ORDER BY 2 NULLS FIRST, 1
LIMIT ${MOST_CALLS}`)}`;
};

/** Whether a statement may write, in the parameters of {@link CALLS}. */
const MAY_WRITE = '$8::pg_catalog.bool';

/** Whether a change is carried out, in those of {@link CALLS_OF_CHANGE}. */
const CARRIED_OUT = '$4::pg_catalog.bool';

/** The calls of a query. A materialized view was computed before. */
export const CALLS = callsBy("'v'", MAY_WRITE, '$9');

/** The calls of reading one table. $8: its schema, $9: its name, $10: see {@link inSight}; the others as in {@link CALLS}. */
export const CALLS_OF_READING = callsBy(
  "'v'",
  'false',
  '$10',
  'n.nspname = $8::pg_catalog.name AND c.relname = $9::pg_catalog.name',
  TYPES_OF_READING,
);

/** The calls where materialized views are computed too. */
export const CALLS_OF_REFRESH = callsBy("'v', 'm'", MAY_WRITE, '$9');

/** Parameters of {@link following}. */
interface Followed {
  /** The names of the columns that are assigned, null where they aren't known. */
  readonly assigned: string;
  /** Whether keys may change. */
  readonly updates: string;
  /** Whether rows are deleted. */
  readonly deletes: string;
}

/**
 * The tables whose rows change with the rows of the table `p` by foreign keys: by the triggers that do it, since constraints can't be looked up by the table that they refer to. Of a table that is named, those keys
 * change of which a column may.
 */
export const following = ({
  assigned,
  updates,
  deletes,
}: Followed): string => `${eachOf('pg_trigger', 'g', 'g.tgrelid = p.oid AND g.tgconstraint <> 0::pg_catalog.oid')}
    CROSS JOIN LATERAL (SELECT q.conrelid FROM pg_catalog.pg_constraint q WHERE q.oid = g.tgconstraint AND q.confrelid = p.oid
      AND q.contype = 'f' AND (${deletes}::pg_catalog.bool AND q.confdeltype IN ('c', 'n', 'd')
      OR (${updates}::pg_catalog.bool OR ${deletes}::pg_catalog.bool AND NOT p.is_named) AND q.confupdtype IN ('c', 'n', 'd') AND (
        NOT p.is_named OR ${keyMayChange(assigned, 'p')}
      )) OFFSET 0) k (child)`;

/** Where keys change ($6) or rows are deleted ($9), the tables whose rows follow them; for the upkeep of all tables ($5), all; and the table of an index that is named. */
const MORE_OF_CHANGE: More = {
  named: `
  UNION ALL
  SELECT c.oid FROM pg_catalog.pg_class c WHERE $5::pg_catalog.bool AND c.relkind IN ('r', 'p', 'm', 'f') AND c.oid >= 16384::pg_catalog.oid
  UNION ALL
  SELECT x.indrelid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index x ON x.indexrelid = c.oid WHERE c.relname = ANY ($1::pg_catalog.name[]) AND ${isInSight('c.relnamespace')}`,
  from: `
    UNION ALL SELECT k.child, false FROM (SELECT r.oid, r.is_named WHERE $6::pg_catalog.bool OR $9::pg_catalog.bool) AS p
    ${following({ assigned: '$8', updates: '$6', deletes: '$9' })}`,
};

/**
 * Asks the server what it would compute while it plans a change, or carries it out, beside what the statement itself names. $1: all identifiers; $2, $3: the lists above; $4: whether it is carried out; $5, $6: see {@link MORE_OF_CHANGE}; $7: whether it is the upkeep of
 * tables, for which no row is added; $8, $9: see {@link following}; $10: see {@link inSight}. Defaults, generated columns, checks, policies, rules and casts to the columns of the tables become parts of the plan, and planning calls each function in them that is declared not to be volatile.
 * Of the volatile ones it calls those of operators alone, for estimates; one in SQL may be replaced by its body. Carried out, it calls all of them, and those of the indexes, their operator classes, the statistics, the partitions and the domains.
 */
export const CALLS_OF_CHANGE = `
WITH RECURSIVE ${inSight('$10')}, ${reached(namedInSight('$1'), "'r', 'p', 'v', 'f'", MORE_OF_CHANGE)}, column_types (what, oid) AS (
  SELECT c.relname, a.atttypid FROM relations c ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum > 0')} WHERE NOT a.attisdropped
), definition (what, tree) AS (
  SELECT 'a default of ' || c.relname, d.adbin::pg_catalog.text
  FROM relations c ${eachOf('pg_attrdef', 'd', 'd.adrelid = c.oid')}
  ${eachOf('pg_attribute', 'a', 'a.attrelid = c.oid AND a.attnum = d.adnum')} WHERE NOT $7::pg_catalog.bool OR a.attgenerated <> ''
  UNION ALL
  SELECT 'a default of ' || k.what, t.typdefaultbin::pg_catalog.text FROM column_types k ${eachOf('pg_type', 't', 't.oid = k.oid')}
  WHERE t.typdefaultbin IS NOT NULL AND NOT $7::pg_catalog.bool
  UNION ALL
  SELECT 'a check of ' || c.relname, q.conbin::pg_catalog.text
  FROM relations c ${eachOf('pg_constraint', 'q', "q.conrelid = c.oid AND q.contype = 'c'")}
  UNION ALL
  SELECT 'the policy ' || y.polname, y.polwithcheck::pg_catalog.text
  FROM relations c JOIN pg_catalog.pg_policy y ON y.polrelid = c.oid WHERE c.relrowsecurity AND NOT $7::pg_catalog.bool
  UNION ALL
  -- What policies and rules read.
  SELECT 'the policy ' || y.polname, y.polqual::pg_catalog.text
  FROM relations c JOIN pg_catalog.pg_policy y ON y.polrelid = c.oid WHERE c.relrowsecurity AND NOT $7::pg_catalog.bool
  UNION ALL
  SELECT 'the view ' || c.relname, w.ev_action::pg_catalog.text
  FROM relations c ${eachOf('pg_rewrite', 'w', "w.ev_class = c.oid AND w.ev_type = '1'")} WHERE c.relkind = 'v' AND NOT $7::pg_catalog.bool
  UNION ALL
  SELECT 'the condition of the trigger ' || g.tgname, g.tgqual::pg_catalog.text
  FROM relations c ${eachOf('pg_trigger', 'g', "g.tgrelid = c.oid AND g.tgqual IS NOT NULL AND g.tgenabled <> 'D'")} WHERE NOT $7::pg_catalog.bool
  UNION ALL
  SELECT 'the rule ' || w.rulename, r.tree
  FROM relations c ${eachOf('pg_rewrite', 'w', "w.ev_class = c.oid AND w.ev_type <> '1'")}
  CROSS JOIN LATERAL (VALUES (w.ev_qual::pg_catalog.text), (w.ev_action::pg_catalog.text)) AS r (tree) WHERE NOT $7::pg_catalog.bool
), ${sizeOf('definition')}, stored (what, tree) AS (
  SELECT d.what, d.tree FROM definition d WHERE ${ARE_READ}
), ${NEIGHBOURS}, ${KEY_TYPES}, ${typesWithin(
  `${STORED_TYPES}
  UNION${PLANNED_TYPES}
  UNION${COLUMN_TYPES}
  UNION
  SELECT k.oid FROM key_types k WHERE k.oid >= ${MADE_BY_SQL}`,
  BUILT_BY_CHANGE,
)}, trees (what, tree) AS (
  SELECT s.what, s.tree FROM stored s
  UNION ALL
  SELECT 'the domain ' || t.typname, q.conbin::pg_catalog.text
  FROM types_within w ${eachOf('pg_type', 't', "t.oid = w.oid AND t.typtype = 'd'")} ${eachOf('pg_constraint', 'q', 'q.contypid = t.oid')} WHERE $4::pg_catalog.bool
), ${namedInTrees}, ${operatorsBy(`${OPERATORS_IN_TREES}
  UNION ALL${OPERATORS_OF_KEYS}`)}, ${classCalls('$1', 'tables')}, called (what, oid, is_estimated) AS (
  SELECT t.what, m.found[1]::pg_catalog.oid, false
  FROM trees t, pg_catalog.regexp_matches(t.tree, '${CALLED}', 'g') AS m (found)
  UNION ALL
  SELECT t.what, m.found[1]::pg_catalog.oid, false
  FROM table_trees t, pg_catalog.regexp_matches(t.tree, '${CALLED}', 'g') AS m (found) WHERE $4::pg_catalog.bool
  UNION ALL
  SELECT n.what, p.oid, false FROM named_in_trees n ${eachOf('pg_proc', 'p', 'p.oid = n.oid')} WHERE $4::pg_catalog.bool OR n.tree IS NULL
  UNION ALL
  SELECT u.what, u.code, true FROM operators u WHERE $4::pg_catalog.bool OR u.tree IS NULL
  UNION ALL
  SELECT c.what, c.oid, false FROM class_calls c WHERE $4::pg_catalog.bool
  UNION ALL
  SELECT 'a cast to a column of ' || k.what, x.castfunc, false FROM column_types k JOIN pg_catalog.pg_cast x ON x.casttarget = k.oid AND x.castcontext <> 'e'
  WHERE NOT $7::pg_catalog.bool AND (x.castsource < 16384::pg_catalog.oid OR x.castsource IN (SELECT w.oid FROM types_within w))
  UNION ALL${CALLS_OF_KEYS}
), ${harmless(`SELECT c.oid FROM called c UNION SELECT c.oid FROM near_calls c UNION SELECT k.castfunc FROM pg_catalog.pg_cast k WHERE ${IS_CAST_TO_JSON}`, '$2', '$3', countsOthers(CARRIED_OUT))}
${answered(`SELECT DISTINCT * FROM (
  SELECT c.what || ', which calls ' || h.proname, NULL::pg_catalog.text, NULL::pg_catalog.text, h.sources
  FROM harmless h ${callersIn('called')} WHERE NOT h.ok AND ($4::pg_catalog.bool OR c.is_estimated OR h.provolatile <> 'v' OR h.is_replaced)
  UNION ALL
  SELECT c.what || ', which calls ' || h.proname, t.tree, CASE WHEN t.tree IS NOT NULL THEN c.place::pg_catalog.text END, h.sources
  FROM harmless h ${callersIn('near_calls')} CROSS JOIN LATERAL (SELECT CASE WHEN NOT h.is_replaced THEN c.tree END) AS t (tree) WHERE NOT h.ok
  UNION ALL
${FOREIGN_TABLES}
    -- The upkeep of all tables reads of the foreign ones those that belong to another.
    AND (NOT $5::pg_catalog.bool OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid))
  UNION ALL
${castsToJson('$1')}
  UNION ALL${openTypes('types_within', MAKES_JSON, countsOthers(CARRIED_OUT))} AND $4::pg_catalog.bool
  UNION ALL${NOT_READ}
) found (what, tree, called, sources)
LIMIT ${MOST_CALLS}`)}`;

/** Event triggers that act on a command which defines objects. $1: the keywords of the command, among which are those of its tag. */
export const EVENT_TRIGGERS = `
SELECT 'the event trigger ' || e.evtname FROM pg_catalog.pg_event_trigger e
WHERE e.evtenabled <> 'D' AND e.evtevent <> 'login' AND (e.evttags IS NULL OR EXISTS (
  SELECT FROM pg_catalog.unnest(e.evttags) AS t (tag) WHERE pg_catalog.string_to_array(t.tag, ' ') <@ $1::pg_catalog.text[]
))
LIMIT 20`;
