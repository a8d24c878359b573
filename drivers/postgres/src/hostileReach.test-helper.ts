import { serverVersion, since, statementsSince } from './serverVersion.test-helper.ts';

/** Objects by which a statement reaches a function without naming it: beside those of {@link HOSTILE_OBJECTS}, which come first. */
export const REACHING_OBJECTS = `
CREATE SCHEMA reach;
CREATE FUNCTION reach.acts(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN true; END $$;
CREATE VIEW reach.inner_view AS SELECT hostile.deletes() AS one;
CREATE TABLE reach.simple (a int, b text); INSERT INTO reach.simple VALUES (1, 'x'), (2, 'y');
CREATE TABLE reach.by_view (id int PRIMARY KEY, t text); ALTER TABLE reach.by_view ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.by_view USING (id IN (SELECT one FROM reach.inner_view));
CREATE TABLE reach.members (id int); ALTER TABLE reach.members ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.members USING (hostile.is_fine(id::text));
CREATE TABLE reach.by_member (id int PRIMARY KEY); ALTER TABLE reach.by_member ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.by_member USING (id IN (SELECT m.id FROM reach.members m));
CREATE TABLE reach.checks_view (id int PRIMARY KEY); ALTER TABLE reach.checks_view ENABLE ROW LEVEL SECURITY; CREATE POLICY r ON reach.checks_view FOR SELECT USING (true);
CREATE POLICY w ON reach.checks_view FOR INSERT WITH CHECK (EXISTS (SELECT FROM reach.inner_view));
CREATE VIEW reach.over_by_view AS SELECT id FROM reach.by_view;
CREATE TABLE reach.forebear (id int PRIMARY KEY); CREATE TABLE reach.child () INHERITS (reach.forebear); ALTER TABLE reach.child ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.child USING (EXISTS (SELECT FROM reach.inner_view));
CREATE DOMAIN reach.dom AS text CHECK (reach.acts(VALUE));
CREATE VIEW reach.of_record AS SELECT 1 AS one FROM json_to_record('{"a":"x"}') AS x (a reach.dom);
CREATE VIEW reach.of_records AS SELECT 1 AS one FROM ROWS FROM (json_to_recordset('[{"a":["x"]}]') AS (a reach.dom[])) t;
CREATE VIEW reach.of_xml AS SELECT 1 AS one FROM XMLTABLE('/r' PASSING (SELECT '<r><a>x</a></r>'::xml) COLUMNS a reach.dom PATH 'a');
${since(17, `CREATE VIEW reach.of_json AS SELECT 1 AS one FROM JSON_TABLE('{"a":"x"}', '$' COLUMNS (a reach.dom PATH '$.a'));`)}
CREATE TABLE reach.by_record (id int PRIMARY KEY); ALTER TABLE reach.by_record ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.by_record USING (EXISTS (SELECT FROM json_to_record('{"a":"x"}') AS x (a reach.dom)));
${since(16, 'CREATE AGGREGATE reach.any_of (reach.dom) (SFUNC = any_value_transfn, STYPE = reach.dom, FINALFUNC = length);')}
CREATE TYPE reach.holder AS (n int, d reach.dom);
${since(16, 'CREATE AGGREGATE reach.any_holder (reach.holder) (SFUNC = any_value_transfn, STYPE = reach.holder, FINALFUNC = pg_typeof);')}
CREATE TYPE reach.cast_type AS (n date); CREATE TABLE reach.cast_rows (c reach.cast_type, arr int[]);
CREATE FUNCTION reach.to_text(reach.cast_type) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN '<x/>'; END $$;
CREATE CAST (reach.cast_type AS text) WITH FUNCTION reach.to_text(reach.cast_type);
CREATE TYPE reach.bool_type AS (n date); CREATE TABLE reach.bool_rows (c reach.bool_type);
CREATE FUNCTION reach.to_bool(reach.bool_type) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN reach.acts('x'); END $$;
CREATE CAST (reach.bool_type AS bool) WITH FUNCTION reach.to_bool(reach.bool_type) AS ASSIGNMENT;
CREATE TYPE reach.int_type AS (n date); CREATE TABLE reach.int_rows (c reach.int_type, arr int[]);
CREATE FUNCTION reach.to_int(reach.int_type) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN 1; END $$;
CREATE CAST (reach.int_type AS int) WITH FUNCTION reach.to_int(reach.int_type) AS ASSIGNMENT;
CREATE TYPE reach.long_type AS (n date); CREATE TABLE reach.long_rows (c reach.long_type);
CREATE FUNCTION reach.to_long(reach.long_type) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN 1; END $$;
CREATE CAST (reach.long_type AS bigint) WITH FUNCTION reach.to_long(reach.long_type) AS ASSIGNMENT;
CREATE FUNCTION reach.hash_more(int, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN 1; END $$;
CREATE FUNCTION reach.hash_one(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN 1; END $$;
CREATE FUNCTION reach.compares(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN $1 - $2; END $$;
CREATE OPERATOR reach.<<< (FUNCTION = int4lt, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR reach.<<<= (FUNCTION = int4le, LEFTARG = int, RIGHTARG = int);
CREATE OPERATOR reach.==== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int, HASHES, MERGES, COMMUTATOR = OPERATOR(reach.====));
CREATE OPERATOR reach.>>>= (FUNCTION = int4ge, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR reach.>>> (FUNCTION = int4gt, LEFTARG = int, RIGHTARG = int);
CREATE OPERATOR CLASS reach.sly_ops FOR TYPE int USING btree AS OPERATOR 1 reach.<<<, OPERATOR 2 reach.<<<=, OPERATOR 3 reach.====, OPERATOR 4 reach.>>>=, OPERATOR 5 reach.>>>, FUNCTION 1 reach.compares(int, int);
CREATE OPERATOR CLASS reach.sly_hash FOR TYPE int USING hash AS OPERATOR 1 reach.====, FUNCTION 1 reach.hash_one(int), FUNCTION 2 reach.hash_more(int, bigint);
CREATE VIEW reach.orders AS SELECT a FROM reach.simple ORDER BY a USING OPERATOR(reach.<<<);
CREATE VIEW reach.compares_rows AS SELECT (a, a) OPERATOR(reach.<<<) (a, 2) AS r FROM reach.simple;
CREATE VIEW reach.joins AS SELECT p.a FROM reach.simple p JOIN reach.simple q ON p.a OPERATOR(reach.====) q.a;
CREATE TABLE reach.by_row_check (id int PRIMARY KEY, a int CHECK ((a, a) OPERATOR(reach.<<<) (a, 5)));
CREATE TABLE reach.by_row_column (id int PRIMARY KEY, g int GENERATED ALWAYS AS (CASE WHEN (id, id) OPERATOR(reach.<<<) (1, 5) THEN 1 ELSE 2 END) STORED);
CREATE FUNCTION reach.ends(int, bigint) RETURNS boolean LANGUAGE internal IMMUTABLE AS 'pg_terminate_backend'; ALTER EXTENSION fuzzystrmatch ADD FUNCTION reach.ends(int, bigint);
CREATE FUNCTION reach."lösche"() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN reach.acts('x'); END $$;
CREATE TYPE reach.pair AS (n int); CREATE FUNCTION reach.nears(int, reach.pair) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN reach.acts('x'); END $$;
CREATE OPERATOR reach.~~~> (FUNCTION = reach.nears, LEFTARG = int, RIGHTARG = reach.pair);
CREATE TABLE reach.columns (share int, operator int, insert int, update int, delete int, merge int, truncate int);
CREATE TABLE reach.of_honest (id int PRIMARY KEY); ALTER TABLE reach.of_honest ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON reach.of_honest USING (id IN (SELECT a FROM reach.simple));`;

/** Statements that look like reading, and call a function by way of {@link REACHING_OBJECTS}. */
export const REACHING_STATEMENTS: readonly string[] = [
  // The policy of a table reads a view, or a table with a policy.
  'SELECT * FROM reach.by_view',
  'SELECT * FROM reach.over_by_view',
  'SELECT * FROM reach.by_member',
  'SELECT * FROM reach.forebear',
  'EXPLAIN SELECT * FROM reach.by_view',
  // A view has values of a type in a list of columns.
  'SELECT * FROM reach.of_record',
  'SELECT * FROM reach.of_records',
  'SELECT * FROM reach.of_xml',
  ...statementsSince(17, 'SELECT * FROM reach.of_json'),
  'SELECT * FROM reach.by_record',
  // A text becomes an argument.
  ...statementsSince(16, "SELECT reach.any_of('x')", "SELECT reach.any_holder('(1,x)')"),
  "SELECT 1 ~~~> '(1)'",
  // A value is taken as if it were assigned.
  'SELECT quote_literal(c) FROM reach.cast_rows',
  "SELECT 'a' || c FROM reach.cast_rows",
  'SELECT xmlparse(content c) FROM reach.cast_rows',
  'SELECT 1 FROM reach.bool_rows WHERE c',
  'SELECT NOT c FROM reach.bool_rows',
  'SELECT CASE WHEN c THEN 1 END FROM reach.bool_rows',
  'SELECT count(*) FILTER (WHERE c) FROM reach.bool_rows',
  'SELECT 1 FROM reach.bool_rows JOIN reach.simple ON c',
  'SELECT arr[c] FROM reach.int_rows',
  'SELECT 1 FROM reach.simple LIMIT (SELECT c FROM reach.long_rows)',
  // Functions of the server's own that run what an oid names.
  "SELECT fmgr_sql_validator('reach.acts'::regproc)",
  "SELECT fmgr_internal_validator('reach.acts'::regproc)",
  "SELECT fmgr_c_validator('reach.acts'::regproc)",
  "SELECT plpgsql_validator('reach.acts'::regproc)",
  "SELECT schema_to_xmlschema('reach', true, false, '')",
  "SELECT database_to_xmlschema(true, false, '')",
  "SELECT satisfies_hash_partition('reach.simple'::regclass, 4, 0, 1)",
  // An operator leads to the family that sorts and hashes by it.
  'SELECT x FROM generate_series(1, 3) x ORDER BY x USING <<<',
  'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a USING <<<) FROM reach.simple',
  'SELECT (1, 2) <<< (1, 4)',
  "SELECT a ==== ANY ('{1,2,3,4,5,6,7,8,9,10}') FROM reach.simple",
  'SELECT p.a FROM reach.simple p JOIN reach.simple q ON p.a ==== q.a',
  'SELECT * FROM reach.orders',
  'SELECT * FROM reach.compares_rows',
  'SELECT * FROM reach.joins',
  // A function of an extension that is another name of one of the server's own.
  'SELECT reach.ends(4711, 0)',
  // An identifier that JavaScript would fold to a keyword, and columns that are called like verbs.
  'WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SEARCH DEPTH FIRST BY a SET ſelect UPDATE reach.simple SET a = DEFAULT',
  'EXPLAIN ANALYZE WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SEARCH DEPTH FIRST BY a SET ſelect UPDATE reach.simple SET a = DEFAULT',
  'WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SEARCH DEPTH FIRST BY a SET values UPDATE reach.simple SET a = DEFAULT',
  'WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SEARCH DEPTH FIRST BY a SET insert UPDATE reach.simple SET a = DEFAULT',
  // A name as a database folds it whose letters are bytes.
  'SELECT reach.LÖSCHE()',
];

/** Changes that call a function by way of {@link REACHING_OBJECTS}. */
export const REACHING_CHANGES: readonly string[] = [
  "UPDATE reach.by_view SET t = 'b' WHERE id = 1",
  'INSERT INTO reach.checks_view VALUES (1)',
  'INSERT INTO reach.by_row_check VALUES (1, 1)',
  'UPDATE reach.by_row_check SET a = 1',
  'INSERT INTO reach.by_row_column VALUES (1)',
  'INSERT INTO reach.by_record VALUES (1)',
];

/** Tables and views of {@link REACHING_OBJECTS} of which reading is uncertain. */
export const REACHING_TABLES: readonly string[] = [
  'by_view',
  'over_by_view',
  'by_member',
  'forebear',
  'of_record',
  'of_records',
  'of_xml',
  ...(serverVersion >= 17 ? ['of_json'] : []),
  'by_record',
  'orders',
  'compares_rows',
  'joins',
];

/** Statements that only read, with words and functions that look like more. */
export const HONEST_READS: readonly string[] = [
  'SELECT * FROM reach.simple TABLESAMPLE BERNOULLI (50)',
  'SELECT * FROM reach.simple TABLESAMPLE SYSTEM (10) REPEATABLE (1)',
  'SELECT 1 AS share, 2 AS operator, 3 AS insert, 4 AS update, 5 AS delete, 6 AS merge, 7 AS truncate',
  'SELECT share, operator, insert, update, delete, merge, truncate FROM reach.columns',
  'SELECT c.delete FROM reach.columns c WHERE c.insert = 1 OR c.update > 2 ORDER BY c.merge',
  'SELECT delete FROM reach.columns',
  'SELECT merge, delete FROM reach.columns WHERE truncate = 1 AND share = 2 GROUP BY merge, delete',
  'SELECT 1 OPERATOR(pg_catalog.+) 2',
  'SELECT * FROM reach.of_honest',
  'SELECT * FROM information_schema.columns LIMIT 1',
  'SELECT * FROM information_schema.applicable_roles',
  'SELECT * FROM pg_views LIMIT 1',
  'SELECT * FROM pg_stats LIMIT 1',
  'SELECT system_identifier IS NOT NULL FROM pg_control_system()',
  'SELECT x::text FROM reach.simple x',
];
