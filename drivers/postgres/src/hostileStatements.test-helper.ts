/** Statements that look like reading, or hide among it, and do more. None of them may count as reading. */
export const HOSTILE_STATEMENTS: readonly string[] = [
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
  'SELECT pg_cancel_backend(1)',
  'SELECT "pg_terminate_backend"(1)',
  'SELECT pg_catalog.pg_terminate_backend(1)',
  'SELECT pg_catalog /* x */ . "pg_reload_conf" -- y\n ()',
  "SELECT set_config('search_path', 'evil', false)",
  "SELECT lo_export(1, '/tmp/x')",
  "SELECT lo_import('/etc/passwd')",
  'SELECT lo_unlink(1)',
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT pg_read_binary_file('/etc/passwd')",
  "SELECT pg_ls_dir('.')",
  "SELECT pg_stat_file('postgresql.conf')",
  'SELECT pg_advisory_lock(1)',
  'SELECT pg_try_advisory_lock(1)',
  "SELECT nextval('hostile.counter')",
  "SELECT setval('hostile.counter', 1)",
  "SELECT query_to_xml('SELECT pg_terminate_backend(1)', true, false, '')",
  "SELECT table_to_xml('hostile.sly_view', true, false, '')",
  "SELECT * FROM ts_stat('SELECT pg_terminate_backend(1)')",
  "SELECT pg_notify('a', 'b')",
  'SELECT pg_sleep(0)',
  'SELECT pg_export_snapshot()',
  'SELECT pg_switch_wal()',
  'SELECT pg_stat_reset()',
  "SELECT pg_create_restore_point('x')",
  "SELECT pg_create_physical_replication_slot('x')",
  'SELECT hostile.deletes()',
  'SELECT "deletes"() FROM hostile.victim',
  'SELECT HOSTILE.Deletes()',
  'SELECT hostile.lies_immutable()',
  'EXPLAIN SELECT hostile.lies_immutable()',
  'SELECT * FROM hostile.sly_view',
  'SELECT * FROM hostile.view_of_view',
  'TABLE hostile.sly_view',
  'SELECT (SELECT count(*) FROM hostile.view_of_view)',
  'SELECT * FROM hostile.guarded',
  'SELECT 1 ==> 2',
  'SELECT 1 OPERATOR(hostile.==>) 2',
  "SELECT 'x'::hostile.checked",
  "SELECT CAST('x' AS hostile.checked)",
  "SELECT '{x}'::hostile.checked[]",
  "SELECT pg_input_is_valid('x', 'hostile.checked')",
  "SELECT pg_input_error_info('x', 'hostile.checked')",
  "SELECT domain_in('x', 1, -1) IS NULL",
  "SELECT array_in('{x}', 1, -1) IS NULL",
  "SELECT record_in('(x)', 1, -1) IS NULL",
  "SELECT ROW(1, 'x')::hostile.holder",
  "SELECT CAST('(1,x)' AS hostile.holder)",
  "SELECT '((1,x))'::hostile.outer_holder",
  "SELECT '((1,x))'::hostile.over_holder",
  'SELECT json_populate_record(NULL::hostile.holder, \'{"held":"x"}\')',
  'SELECT jsonb_populate_recordset(NULL::hostile.with_checked, \'[{"held":"x"}]\')',
  'SELECT jsonb_populate_record_valid(NULL::hostile.holder, \'{"held":"x"}\')',
  'SELECT json_query(\'{"held":"x"}\', \'$\' RETURNING hostile.holder)',
  'SELECT jsonb_populate_record(with_checked, \'{"held":"x"}\') FROM hostile.with_checked',
  'SELECT hostile.a123456789a123456789a123456789a123456789a123456789a123456789abcd()',
  'SELECT (victim).sly FROM hostile.victim',
  'SELECT v.sly FROM hostile.victim v',
  'SELECT hostile.sums(id) FROM hostile.victim',
  'SELECT 1 FROM hostile.victim FOR UPDATE',
  'SELECT 1 FROM hostile.victim FOR NO KEY UPDATE',
  'SELECT 1 FROM hostile.victim FOR KEY SHARE',
  'SELECT * INTO hostile.copy FROM hostile.victim',
  'WITH x AS (DELETE FROM hostile.victim RETURNING *) SELECT * FROM x',
  'WITH x AS (INSERT INTO hostile.victim VALUES (9) RETURNING *) SELECT * FROM x',
  'WITH x AS MATERIALIZED (UPDATE hostile.victim SET id = 7 RETURNING *) TABLE x',
  'EXPLAIN ANALYZE DELETE FROM hostile.victim',
  'EXPLAIN (ANALYZE true, BUFFERS) DELETE FROM hostile.victim',
  'EXPLAIN (VERBOSE, ANALYZE) DELETE FROM hostile.victim',
  'EXPLAIN ANALYSE VERBOSE INSERT INTO hostile.victim VALUES (8)',
  'explain (analyze) select hostile.deletes()',
  'DELETE FROM hostile.victim',
  'TRUNCATE hostile.victim',
  'DO $$ BEGIN DELETE FROM hostile.victim; END $$',
  'CALL hostile.procedure()',
  "COPY hostile.victim TO PROGRAM 'cat'",
  "COPY (SELECT 1) TO '/tmp/x'",
  "COPY hostile.victim FROM '/etc/passwd'",
  'CREATE TABLE hostile.more AS SELECT 1',
  'REFRESH MATERIALIZED VIEW hostile.stored',
  "ALTER SYSTEM SET log_statement = 'all'",
  'ALTER ROLE tester SUPERUSER',
  'GRANT ALL ON hostile.victim TO PUBLIC',
  'VACUUM hostile.victim',
  "NOTIFY a, 'b'",
  "SELECT dblink_exec('', 'DELETE FROM hostile.victim')",
  // A string that another line continues keeps the escapes of its beginning, and may hide what follows.
  "SELECT E'a'\n'\\'', pg_terminate_backend(4711) --'",
  "SELECT e'a' -- it's\n  \r'\\'', hostile.deletes() --'",
  "SELECT E'a'\f\n--'\n'b'\n\n'\\'', hostile.deletes() --'",
  "SELECT N'a\\'\n, hostile.deletes() --'",
  "SELECT U&'a'\n'b\\\\', hostile.deletes() --'",
  "SELECT B'1'\n'0', hostile.deletes() --'",
  "EXPLAIN SELECT E'a'\n'\\'', hostile.lies_immutable() --'",
];

/** Statements that are never run. */
export const REFUSED_STATEMENTS: readonly string[] = [
  'BEGIN',
  'BEGIN; DELETE FROM hostile.victim',
  'SELECT 1; DELETE FROM hostile.victim',
  'COMMIT',
  'ROLLBACK',
  'START TRANSACTION READ WRITE',
  'SET TRANSACTION READ WRITE',
  'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
  'SET default_transaction_read_only = off',
  'SET ROLE postgres',
  'RESET ALL',
  'DISCARD ALL',
  'PREPARE x AS DELETE FROM hostile.victim',
  'EXECUTE x',
  'DECLARE c CURSOR FOR SELECT 1',
  'LOCK hostile.victim',
  'LISTEN a',
  "LOAD 'plpgsql'",
  'COPY hostile.victim FROM STDIN',
  'COPY hostile.victim TO STDOUT',
  'SELECT U&"pg_terminate_b\\0061ckend"(1)',
  'SELECT $1',
  "SELECT 'open",
  'SELECT /* open',
];

/** Statements that only read, however odd they look. */
export const HARMLESS_STATEMENTS: readonly string[] = [
  "SELECT 'x'::hostile.honest_domain, ARRAY['y']::hostile.honest_domain[]",
  'SELECT 1',
  "SELECT 'DELETE FROM hostile.victim; --' AS text",
  'SELECT $$ pg_terminate_backend(1) $$',
  '/* DELETE */ SELECT count(*), max(id) FROM hostile.victim -- UPDATE',
  'SELECT now(), random(), version(), current_user, gen_random_uuid()',
  'SELECT pg_size_pretty(pg_total_relation_size(oid)) FROM pg_class LIMIT 1',
  'SELECT * FROM pg_stat_activity LIMIT 1',
  'SELECT * FROM pg_locks',
  'SELECT * FROM information_schema.tables LIMIT 1',
  'SELECT * FROM pg_settings LIMIT 1',
  'SELECT row_number() OVER (ORDER BY id) FROM hostile.victim',
  "SELECT string_agg(id::text, ',') FILTER (WHERE id > 0) FROM hostile.victim",
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n',
  'SELECT * FROM generate_series(1, 3) AS g (i)',
  "SELECT jsonb_path_query('[1,2]', '$[*]')",
  'SELECT * FROM hostile.honest_view',
  'EXPLAIN DELETE FROM hostile.victim',
  'EXPLAIN (COSTS OFF) SELECT * FROM hostile.victim',
  'SHOW server_version',
  'VALUES (1), (2)',
  '(SELECT 1) UNION ALL (SELECT 2)',
];

/** The objects that the statements name. */
export const HOSTILE_OBJECTS = `
CREATE SCHEMA hostile;
CREATE TABLE hostile.victim (id int);
INSERT INTO hostile.victim VALUES (1), (2);
CREATE SEQUENCE hostile.counter;
CREATE FUNCTION hostile.deletes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.lies_immutable() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN 1; END $$;
CREATE FUNCTION hostile.sly(hostile.victim) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.adds(int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE AGGREGATE hostile.sums (int) (SFUNC = hostile.adds, STYPE = int);
CREATE OPERATOR hostile.==> (FUNCTION = hostile.adds, LEFTARG = int, RIGHTARG = int);
CREATE FUNCTION hostile.is_fine(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN true; END $$;
CREATE DOMAIN hostile.checked AS text CHECK (hostile.is_fine(VALUE));
CREATE TYPE hostile.holder AS (a int, held hostile.checked);
CREATE TYPE hostile.outer_holder AS (inner_holder hostile.holder);
CREATE DOMAIN hostile.over_holder AS hostile.outer_holder;
CREATE TABLE hostile.with_checked (id int, held hostile.checked);
CREATE DOMAIN hostile.honest_domain AS text CHECK (length(VALUE) < 10);
CREATE FUNCTION hostile.a123456789a123456789a123456789a123456789a123456789a123456789abc() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE VIEW hostile.sly_view AS SELECT pg_terminate_backend(0) AS ended;
CREATE VIEW hostile.view_of_view AS SELECT * FROM hostile.sly_view;
CREATE VIEW hostile.honest_view AS SELECT id, lower(id::text) FROM hostile.victim WHERE id > 0;
CREATE MATERIALIZED VIEW hostile.stored AS SELECT 1 AS one;
CREATE TABLE hostile.guarded (id int);
ALTER TABLE hostile.guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY sly ON hostile.guarded USING (hostile.is_fine(id::text));
CREATE PROCEDURE hostile.procedure() LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; END $$;`;
