import { statementsSince } from './serverVersion.test-helper.ts';

/** Statements that look like reading, or hide among it, and do more. None of them may count as reading. */
export const HOSTILE_STATEMENTS: readonly string[] = [
  'SELECT v.last FROM hostile.victim v',
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
  ...statementsSince(
    16,
    "SELECT pg_input_is_valid('x', 'hostile.checked')",
    "SELECT pg_input_error_info('x', 'hostile.checked')",
  ),
  "SELECT domain_in('x', 1, -1) IS NULL",
  "SELECT array_in('{x}', 1, -1) IS NULL",
  "SELECT record_in('(x)', 1, -1) IS NULL",
  "SELECT ROW(1, 'x')::hostile.holder",
  "SELECT CAST('(1,x)' AS hostile.holder)",
  "SELECT '((1,x))'::hostile.outer_holder",
  "SELECT '((1,x))'::hostile.over_holder",
  'SELECT json_populate_record(NULL::hostile.holder, \'{"held":"x"}\')',
  'SELECT jsonb_populate_recordset(NULL::hostile.with_checked, \'[{"held":"x"}]\')',
  ...statementsSince(
    17,
    'SELECT jsonb_populate_record_valid(NULL::hostile.holder, \'{"held":"x"}\')',
    'SELECT json_query(\'{"held":"x"}\', \'$\' RETURNING hostile.holder)',
  ),
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
  // A domain in a view, casts by the names of SQL, operators by a word, and functions of a row.
  'SELECT * FROM hostile.asks',
  'SELECT * FROM hostile.makes_holder',
  "SELECT 'x'::hostile.twice_checked",
  'SELECT x::integer FROM hostile.plain_rows',
  'SELECT CAST(x AS int) FROM hostile.plain_rows',
  'SELECT x::hostile.over_int FROM hostile.plain_rows',
  "SELECT x LIKE 'a' FROM hostile.odd_rows",
  "SELECT x NOT ILIKE 'a' FROM hostile.odd_rows",
  'SELECT 1 FROM hostile.odd_rows WHERE x IN (x)',
  'SELECT 1 FROM hostile.odd_rows WHERE x BETWEEN x AND x',
  'SELECT NULLIF(x, x) FROM hostile.odd_rows',
  'SELECT CASE x WHEN x THEN 1 END FROM hostile.odd_rows',
  'SELECT x IS DISTINCT FROM x FROM hostile.odd_rows',
  'SELECT 1 FROM hostile.odd_rows a JOIN hostile.odd_rows b USING (x)',
  'SELECT 1 FROM hostile.odd_rows a NATURAL JOIN hostile.odd_rows b',
  'SELECT v.sly_more FROM hostile.victim v',
  'SELECT v.sly_any FROM hostile.victim v',
  'SELECT v.sly_record FROM hostile.victim v',
  'SELECT v.sly_each FROM hostile.victim v',
  'SELECT hostile.deletes() FROM hostile.victim FOR UPDATE',
  // A string that another line continues keeps the escapes of its beginning, and may hide what follows.
  "SELECT E'a'\n'\\'', pg_terminate_backend(4711) --'",
  "SELECT e'a' -- it's\n  \r'\\'', hostile.deletes() --'",
  "SELECT E'a'\f\n--'\n'b'\n\n'\\'', hostile.deletes() --'",
  "SELECT N'a\\'\n, hostile.deletes() --'",
  "SELECT U&'a'\n'b\\\\', hostile.deletes() --'",
  "SELECT B'1'\n'0', hostile.deletes() --'",
  "EXPLAIN SELECT E'a'\n'\\'', hostile.lies_immutable() --'",
  // A function of one value is written as a column of it, and the value may be of any type.
  'SELECT (4711).pg_terminate_backend',
  'SELECT (4711)."pg_terminate_backend"',
  'SELECT (4711) /* x */ . -- y\n Pg_Terminate_Backend',
  'SELECT ((SELECT 4711)).pg_cancel_backend',
  'SELECT (1).pg_sleep',
  'SELECT (42::bigint).pg_advisory_lock',
  'SELECT (42::bigint).pg_try_advisory_xact_lock FROM hostile.victim',
  "SELECT ('postgresql.conf'::text).pg_read_file",
  "SELECT ('.'::text).pg_ls_dir",
  "SELECT ('/etc/hostname'::text).lo_import",
  "SELECT ('hostile.counter'::regclass).nextval",
  "SELECT ('SELECT pg_advisory_lock(5)'::text).ts_stat",
  "SELECT ('host=127.0.0.1'::text).dblink_connect",
  "SELECT ('x'::text).purge",
  'SELECT (name).purge FROM hostile.users',
  'SELECT (u.name).purge FROM hostile.users u',
  'SELECT 1 FROM hostile.users WHERE (name).purge > 0',
  'SELECT name FROM hostile.users ORDER BY (name).purge',
  'SELECT count(*) FROM hostile.users GROUP BY (name).purge',
  "VALUES (('v'::text).purge)",
  "SELECT (ARRAY['z'::text])[1].purge",
  "SELECT ((ARRAY['z'::text])[1]).purge",
  "SELECT (ROW('a'::text)::hostile.texts).word.purge",
  "SELECT (lower('LO')).purge",
  "SELECT (CASE WHEN true THEN 'c'::text END).purge",
  "SELECT p.* FROM (SELECT ('s'::text).purge) p",
  "SELECT 1 FROM hostile.users WHERE name = ANY (ARRAY[('a'::text).purge::text])",
  'EXPLAIN ANALYZE SELECT (name).purge FROM hostile.users',
  'SELECT (id).with_default FROM hostile.users',
  'SELECT (id).with_more FROM hostile.users',
  // A function in FROM that gives one value is that value.
  "SELECT l.pg_read_file FROM lower('postgresql.conf') AS l",
  "SELECT l.purge FROM lower('x') AS l",
  "SELECT l.purge FROM unnest(ARRAY['x']) AS l",
  // Planning calls what the expressions of a table have of constants.
  'SELECT * FROM hostile.const_index',
  'EXPLAIN SELECT * FROM hostile.const_index',
  'SELECT * FROM hostile.over_index',
  'SELECT * FROM hostile.sql_index WHERE a = 1',
  'SELECT * FROM hostile.more_index WHERE a = 1',
  'SELECT * FROM hostile.const_pred WHERE a = 1',
  'SELECT * FROM hostile.or_pred WHERE a > 0',
  'SELECT * FROM hostile.const_stats WHERE a + 1 = 2',
  'SELECT * FROM hostile.parent WHERE a = 1',
  'SELECT a FROM hostile.const_check UNION ALL SELECT a FROM hostile.const_check',
  'SELECT * FROM hostile.const_parts',
  'SELECT * FROM hostile.stored_index WHERE a = 1',
  // Values are compared by the default operator class of their type, and those of a range by the class of the range.
  'SELECT x FROM hostile.classed_rows ORDER BY x',
  'SELECT count(*) FROM hostile.classed_rows GROUP BY x',
  'SELECT x FROM hostile.classed_rows UNION SELECT x FROM hostile.classed_rows',
  'SELECT x FROM hostile.classed_rows INTERSECT SELECT x FROM hostile.classed_rows',
  'SELECT rank() OVER (ORDER BY x) FROM hostile.classed_rows',
  'SELECT greatest(x, x) FROM hostile.classed_rows',
  'SELECT ARRAY[x] @> ARRAY[x] FROM hostile.classed_rows',
  'SELECT DISTINCT ON (x) n FROM hostile.classed_rows',
  'SELECT width_bucket(x, ARRAY[x]) FROM hostile.classed_rows',
  ...statementsSince(18, 'SELECT max(ROW(x)) FROM hostile.classed_rows'),
  'SELECT r FROM (SELECT r FROM hostile.classed_rows AS r) AS s ORDER BY r',
  'SELECT ROW(1)::hostile.classed < ROW(2)::hostile.classed',
  'SELECT * FROM hostile.ordered_view',
  'SELECT * FROM hostile.distinct_view',
  'SELECT * FROM hostile.span_view',
  "SELECT '[1,2]'::hostile.span",
  'SELECT hostile.span(1, 2)',
  "SELECT '{[1,2]}'::hostile.span[]",
  "SELECT '{[1,2]}'::hostile.span_multirange",
  'SELECT multirange(r) FROM hostile.spans',
  'SELECT * FROM hostile.by_class WHERE a = 1',
  // Casts that no word names.
  'SELECT length(x) FROM hostile.implied_rows',
  "SELECT x || 'a' FROM hostile.implied_rows",
  'SELECT length(x) FROM hostile.over_implied',
  'SELECT to_json(x) FROM hostile.implied_rows',
  'SELECT row_to_json(i) FROM hostile.implied_rows i',
  'SELECT json_agg(x) FROM hostile.over_implied',
  'SELECT hostile.implied_text(1)',
  // Functions in SQL and PL/pgSQL count as what they call, and aggregates as what they are made of.
  'SELECT hostile.ext_ends()',
  'SELECT hostile.ext_deep()',
  'SELECT hostile.ext_tree()',
  'SELECT hostile.ext_tree_deep()',
  'SELECT hostile.ext_text_of_tree()',
  'SELECT hostile.ext_view()',
  'SELECT hostile.ext_atomic()',
  'SELECT hostile.ext_distinct()',
  'SELECT hostile.ext_greatest(x) FROM hostile.classed_rows',
  "SELECT hostile.ext_domain('x')",
  'SELECT hostile.ext_cast(x) FROM hostile.plain_rows',
  'SELECT hostile.ext_default()',
  'SELECT hostile.ext_default(1)',
  'SELECT hostile.ext_setting()',
  'SELECT hostile.ext_operator(NULL)',
  'SELECT hostile.ext_several()',
  'SELECT hostile.ext_writes()',
  "SELECT ('x'::text).ext_point",
  'SELECT 1 ===> 2',
  'SELECT hostile.ext_sums(id) FROM hostile.victim',
  'SELECT hostile.ext_final(id) FROM hostile.victim',
  'SELECT hostile.ext_of_tree(id) FROM hostile.victim',
  'SELECT * FROM hostile.over_ext',
];

/** Changes that do more than the change of rows that they name. None of them may count as a plain one. */
export const HOSTILE_CHANGES: readonly string[] = [
  "CREATE VIEW hostile.seen AS SELECT '(1,a)'::hostile.holder AS held",
  "CREATE OR REPLACE VIEW hostile.seen AS VALUES ('{a}'::hostile.checked[])",
  "CREATE RECURSIVE VIEW hostile.seen (held) AS SELECT CAST('a' AS hostile.checked)",
  'INSERT INTO hostile.plainly SELECT hostile.deletes()',
  "INSERT INTO hostile.plainly VALUES (('/etc/hostname'::text).lo_import)",
  "INSERT INTO hostile.users VALUES (1, ('PG_VERSION'::text).pg_read_file)",
  'INSERT INTO hostile.users SELECT 10, (name).purge::text FROM hostile.users',
  'INSERT INTO hostile.users VALUES (1) RETURNING (name).purge',
  'UPDATE hostile.users SET name = (name).purge',
  'UPDATE hostile.users SET name = NULL WHERE (name).purge > 0',
  'MERGE INTO hostile.plainly p USING hostile.users u ON p.a = u.id WHEN MATCHED THEN UPDATE SET a = (u.name).purge',
  'CREATE MATERIALIZED VIEW hostile.made AS SELECT (name).purge FROM hostile.users',
  "INSERT INTO hostile.dotted VALUES (1, 'x')",
  // Beside the rows that it names: tables whose keys follow, operator classes, and what upkeep computes.
  'UPDATE hostile.checked_keys SET id = 2',
  'UPDATE hostile.default_keys SET id = 2',
  'UPDATE hostile.index_keys SET id = 2',
  'INSERT INTO hostile.dates SELECT x FROM hostile.assigned_rows',
  'INSERT INTO hostile.classed_keys VALUES (ROW(1))',
  'UPDATE hostile.classed_keys SET x = ROW(1)',
  'INSERT INTO hostile.by_class VALUES (1)',
  "INSERT INTO hostile.spans VALUES (1, '[1,2]')",
  'CREATE INDEX ON hostile.classed_rows (x)',
  'CREATE UNIQUE INDEX ON hostile.plainly (a hostile.int_ops)',
  'ALTER TABLE hostile.classed_rows ADD UNIQUE (x)',
  'ALTER TABLE hostile.by_index ADD COLUMN more uuid DEFAULT gen_random_uuid()',
  'REINDEX TABLE hostile.by_index',
  'REINDEX TABLE hostile.classed_keys',
  'REINDEX (VERBOSE) INDEX CONCURRENTLY hostile.by_index_expr_idx',
  'REINDEX DATABASE postgres',
  'REFRESH MATERIALIZED VIEW hostile.stored_index',
  'ANALYZE hostile.const_stats',
  'ANALYZE hostile.classed_rows',
  'ANALYZE (VERBOSE) hostile.sql_index',
  'ANALYZE',
  'ANALYZE VERBOSE',
  'VACUUM (ANALYZE, VERBOSE false)',
  'VACUUM ANALYZE hostile.const_stats',
  'VACUUM FULL hostile.by_index',
  'CLUSTER',
  'CREATE COLLATION hostile.other FROM "C"',
  'ALTER COLLATION hostile.other RENAME TO another',
  "CREATE TABLESPACE place LOCATION '/tmp/x'",
  'CHECKPOINT',
  'INSERT INTO hostile.plainly VALUES (hostile.deletes())',
  'INSERT INTO hostile.plainly (a) SELECT pg_terminate_backend(1)::int',
  'INSERT INTO hostile.plainly SELECT lo_unlink(1)',
  'INSERT INTO hostile.plainly VALUES (1) RETURNING hostile.deletes()',
  'UPDATE hostile.plainly SET a = hostile.deletes()',
  'UPDATE hostile.plainly SET a = 1 WHERE hostile.deletes() > 0',
  'EXPLAIN ANALYZE UPDATE hostile.plainly SET a = hostile.deletes()',
  'MERGE INTO hostile.plainly p USING hostile.victim v ON p.a = v.id WHEN NOT MATCHED THEN INSERT VALUES (hostile.deletes())',
  'MERGE INTO hostile.watched w USING hostile.victim v ON w.a = v.id WHEN NOT MATCHED THEN INSERT VALUES (v.id)',
  'MERGE INTO ONLY hostile.watched AS w USING hostile.victim v ON w.a = v.id WHEN MATCHED THEN UPDATE SET a = 1',
  'INSERT INTO hostile.watched VALUES (1)',
  'WITH a AS (INSERT INTO hostile.watched VALUES (1) RETURNING a) INSERT INTO hostile.plainly SELECT a FROM a',
  'INSERT INTO hostile.plainly WITH a AS (UPDATE hostile.watched SET a = 2 RETURNING a) SELECT a FROM a',
  'INSERT INTO hostile.parted VALUES (1)',
  'INSERT INTO hostile.ruled VALUES (1)',
  'UPDATE hostile.keys SET id = id + 1',
  'INSERT INTO hostile.by_default (a) VALUES (1)',
  'INSERT INTO hostile.by_index VALUES (1)',
  'INSERT INTO hostile.by_check VALUES (1)',
  "INSERT INTO hostile.with_checked VALUES (1, 'x')",
  'CREATE MATERIALIZED VIEW hostile.made AS SELECT hostile.deletes()',
  'REFRESH MATERIALIZED VIEW hostile.sly_stored',
  'ALTER TABLE hostile.plainly ADD c int DEFAULT hostile.deletes()',
  'CREATE INDEX ON hostile.plainly (hostile.lies_immutable())',
  'CREATE TABLE hostile.part_more PARTITION OF hostile.parted FOR VALUES IN (hostile.deletes())',
  'CREATE SCHEMA more CREATE TABLE t (a int) GRANT ALL ON hostile.victim TO PUBLIC',
  "INSERT INTO hostile.plainly WITH a AS (SELECT E'a'\n'\\'' AS m), d AS (DELETE FROM hostile.victim RETURNING 1) SELECT 1 FROM a --'",
];

/** Changes that are what they say. */
export const HONEST_CHANGES: readonly string[] = [
  "CREATE VIEW hostile.seen AS SELECT id, lower('A') AS low, '2026-01-31'::date AS day FROM hostile.victim WHERE id = 1 ORDER BY id",
  'INSERT INTO hostile.plainly VALUES (1)',
  'INSERT INTO hostile.plainly (a) SELECT id FROM hostile.victim WHERE id IN (1, 2)',
  'INSERT INTO hostile.plainly SELECT max(a) FROM hostile.watched',
  'INSERT INTO hostile.numbered (made, what) VALUES (now(), lower(gen_random_uuid()::text)) RETURNING id',
  "UPDATE hostile.numbered SET what = coalesce(what, '') || 'x', id = nextval('hostile.counter') WHERE id = 1",
  'UPDATE hostile.plainly SET a = 1 WHERE a = (SELECT id FROM hostile.victim LIMIT 1 FOR UPDATE SKIP LOCKED)',
  'MERGE INTO hostile.plainly p USING hostile.victim v ON p.a = v.id WHEN MATCHED THEN UPDATE SET a = 2 WHEN NOT MATCHED THEN INSERT VALUES (v.id)',
  'WITH a AS (INSERT INTO hostile.numbered (what) VALUES ($$x$$) RETURNING id) INSERT INTO hostile.plainly SELECT id FROM a',
  'SELECT id FROM hostile.victim ORDER BY id FOR UPDATE',
  'CREATE TABLE hostile.new_one (id serial PRIMARY KEY, name varchar(20) NOT NULL, price numeric(10, 2) DEFAULT 0, at timestamptz DEFAULT now())',
  'CREATE INDEX ON hostile.numbered (lower(what))',
  'CREATE VIEW hostile.new_view AS SELECT id FROM hostile.victim',
  'CREATE MATERIALIZED VIEW hostile.new_stored AS SELECT id FROM hostile.victim',
  'REFRESH MATERIALIZED VIEW hostile.stored',
  'ALTER TABLE hostile.plainly ADD COLUMN more timestamptz DEFAULT now()',
  'CREATE SCHEMA more',
  'UPDATE hostile.deleted_keys SET id = 2',
  'UPDATE hostile.people SET name = (address).city WHERE (address).zip IS NOT NULL',
  'ALTER TABLE hostile.by_default ADD COLUMN more int',
  'INSERT INTO hostile.dates VALUES (now())',
  'ANALYZE hostile.victim',
  'VACUUM (ANALYZE) hostile.numbered',
  'VACUUM FULL VERBOSE hostile.people',
  'REINDEX TABLE hostile.numbered',
  'REINDEX INDEX hostile.numbered_pkey',
  "COMMENT ON TABLE hostile.victim IS 'x'",
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
  // A domain with a check, next to types with operator classes of their own.
  'SELECT count(*) FROM hostile.prices WHERE price > 1',
  'SELECT id AS first FROM hostile.victim ORDER BY first NULLS LAST',
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
  // A point before a column, a field of a row, or a function that only reads.
  'SELECT (address).city, (address).spot.x FROM hostile.people',
  'SELECT (p.address).city, p.name, p.geom FROM hostile.people p ORDER BY (p.address).zip, p.name',
  'SELECT (p.address).* FROM hostile.people AS p WHERE (p.address).city IS NOT NULL',
  'SELECT ((p.address).spot).y FROM hostile.people p',
  'SELECT (ROW(1, 2)::hostile.spot).x, (SELECT (s).y FROM (SELECT ROW(3, 4)::hostile.spot AS s) AS z)',
  'SELECT (spots[1]).x, spots[1].y, p.spots[2].x FROM hostile.people p',
  'SELECT (name).lower, (name).length, name.upper FROM hostile.people, LATERAL (SELECT 1 AS upper) AS name (upper)',
  'SELECT (geom).x FROM (SELECT ROW(1, 2)::hostile.spot AS geom) AS g',
  'SELECT (each).key, (each).value FROM (SELECT jsonb_each(\'{"a": 1}\') AS each) AS e',
  'SELECT hostile.people.name, people.id FROM hostile.people GROUP BY hostile.people.name, people.id',
  'SELECT x FROM hostile.assigned_rows',
  'SELECT * FROM hostile.honest_index WHERE a = 1 AND b > 1 ORDER BY b, a',
  'SELECT x.a FROM jsonb_to_recordset(\'[{"a": 1}]\') AS x (a int) GROUP BY x.a ORDER BY x.a',
  "SELECT int4range(1, 2) * '[1,9]', array_agg(DISTINCT id ORDER BY id) FROM hostile.people WHERE name IN ('Ann', 'Bob') GROUP BY id",
  "SELECT DISTINCT ON (p.name) p.name || 'x', to_json(p.spots), coalesce(p.name, 'none') FROM hostile.people p ORDER BY p.name, p.id DESC",
  "SELECT hostile.ext_honest(1), hostile.ext_honest_text('a'), hostile.ext_honest_deep(2), hostile.ext_twice(3)",
  'SELECT hostile.own_sum(id), hostile.ext_honest_sum(id) FROM hostile.victim',
  'SELECT hostile.calls_honest(), hostile.ext_definer(), hostile.honest(1)',
  'SELECT g.n, g.ordinality FROM generate_series(1, 2) WITH ORDINALITY AS g (n)',
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
CREATE TABLE hostile.plainly (a int);
CREATE TABLE hostile.numbered (id serial PRIMARY KEY, made timestamptz DEFAULT now(), what text DEFAULT gen_random_uuid()::text CHECK (length(what) < 100));
CREATE FUNCTION hostile.notes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN NEW; END $$;
CREATE TABLE hostile.watched (a int); CREATE TRIGGER notes BEFORE INSERT OR UPDATE ON hostile.watched FOR EACH ROW EXECUTE FUNCTION hostile.notes();
CREATE FUNCTION hostile.assigns() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a := hostile.deletes(); RETURN NEW; END $$;
CREATE TABLE hostile.assigned (a int); CREATE TRIGGER assigns BEFORE INSERT OR UPDATE ON hostile.assigned FOR EACH ROW EXECUTE FUNCTION hostile.assigns();
CREATE FUNCTION hostile.quotes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a := hostile . "deletes" /* */ (); RETURN NEW; END $$;
CREATE TABLE hostile.quoted (a int); CREATE TRIGGER quotes BEFORE INSERT OR UPDATE ON hostile.quoted FOR EACH ROW EXECUTE FUNCTION hostile.quotes();
CREATE FUNCTION hostile.stamps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (NEW.a IS NOT NULL) THEN NEW.what := lower(coalesce(NEW.what, now()::text)) || nextval('hostile.counter'); END IF; RETURN NEW; END $$;
CREATE TABLE hostile.stamped (a int PRIMARY KEY, what text); CREATE TRIGGER stamps BEFORE INSERT OR UPDATE ON hostile.stamped FOR EACH ROW EXECUTE FUNCTION hostile.stamps();
CREATE TABLE hostile.parted (a int) PARTITION BY LIST (a); CREATE TABLE hostile.part_one PARTITION OF hostile.parted FOR VALUES IN (1);
CREATE TRIGGER notes BEFORE INSERT ON hostile.part_one FOR EACH ROW EXECUTE FUNCTION hostile.notes();
CREATE TABLE hostile.ruled (a int); CREATE RULE also AS ON INSERT TO hostile.ruled DO ALSO DELETE FROM hostile.victim;
CREATE TABLE hostile.keys (id int PRIMARY KEY, code int UNIQUE);
CREATE TABLE hostile.refers (id int REFERENCES hostile.keys ON UPDATE CASCADE, code int REFERENCES hostile.keys (code) ON UPDATE CASCADE);
CREATE TABLE hostile.users (id int PRIMARY KEY, name text); CREATE TABLE hostile.posts (author int REFERENCES hostile.users ON UPDATE CASCADE);
CREATE TRIGGER notes BEFORE UPDATE ON hostile.posts FOR EACH ROW EXECUTE FUNCTION hostile.notes();
CREATE TRIGGER notes BEFORE UPDATE ON hostile.refers FOR EACH ROW EXECUTE FUNCTION hostile.notes();
CREATE TABLE hostile.by_default (a int, b int DEFAULT hostile.deletes());
CREATE TABLE hostile.by_index (a int); CREATE INDEX ON hostile.by_index ((a + hostile.lies_immutable()));
CREATE TABLE hostile.by_check (a int CHECK (hostile.is_fine(a::text)));
CREATE MATERIALIZED VIEW hostile.sly_stored AS SELECT hostile.deletes() AS n WITH NO DATA;
CREATE VIEW hostile.asks AS SELECT count(id::text::hostile.checked) FROM hostile.victim;
CREATE VIEW hostile.makes_holder AS SELECT ROW(id, 'x')::hostile.holder AS made FROM hostile.victim;
CREATE DOMAIN hostile.twice_checked AS text CHECK (VALUE::hostile.checked IS NOT NULL);
CREATE TYPE hostile.plain AS (a int);
CREATE FUNCTION hostile.plain_int(hostile.plain) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE CAST (hostile.plain AS int) WITH FUNCTION hostile.plain_int(hostile.plain);
CREATE DOMAIN hostile.over_int AS int; CREATE TABLE hostile.plain_rows (x hostile.plain);
CREATE TYPE hostile.odd AS ENUM ('a'); CREATE TABLE hostile.odd_rows (x hostile.odd);
CREATE FUNCTION hostile.odd_is(hostile.odd, hostile.odd) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN true; END $$;
CREATE OPERATOR hostile.= (FUNCTION = hostile.odd_is, LEFTARG = hostile.odd, RIGHTARG = hostile.odd);
CREATE OPERATOR hostile.>= (FUNCTION = hostile.odd_is, LEFTARG = hostile.odd, RIGHTARG = hostile.odd);
CREATE OPERATOR hostile.~~ (FUNCTION = hostile.odd_is, LEFTARG = hostile.odd, RIGHTARG = hostile.odd);
CREATE OPERATOR hostile.!~~* (FUNCTION = hostile.odd_is, LEFTARG = hostile.odd, RIGHTARG = hostile.odd);
CREATE FUNCTION hostile.sly_more(hostile.victim, int DEFAULT 1) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.sly_any(anyelement) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.sly_record(record) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.sly_each(VARIADIC hostile.victim[]) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.last(anyelement) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.first(anyelement) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.purge(text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.with_default(int, int DEFAULT 1) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE FUNCTION hostile.with_more(VARIADIC int[]) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE TYPE hostile.texts AS (word text);
CREATE FUNCTION hostile.dots() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.word := (NEW.word).purge; RETURN NEW; END $$;
CREATE TABLE hostile.dotted (id int PRIMARY KEY, word text); CREATE TRIGGER dots BEFORE INSERT OR UPDATE ON hostile.dotted FOR EACH ROW EXECUTE FUNCTION hostile.dots();
CREATE TYPE hostile.spot AS (x int, y int); CREATE TYPE hostile.address AS (city text, zip text, spot hostile.spot);
CREATE TABLE hostile.people (id int PRIMARY KEY, name text, address hostile.address, geom point, spots hostile.spot[]);
INSERT INTO hostile.people VALUES (1, 'Ann', ROW('Aachen', '52062', ROW(1, 2)), point(1, 2), ARRAY[ROW(1, 2)::hostile.spot]);
CREATE FUNCTION hostile.lies(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN $1; END $$;
CREATE FUNCTION hostile.lies_fine(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN true; END $$;
CREATE FUNCTION hostile.lies_sql(int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + hostile.lies(2) $$;
CREATE FUNCTION hostile.lies_more(int, int DEFAULT hostile.lies(3)) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1; END $$;
CREATE TABLE hostile.const_index (a int); CREATE INDEX ON hostile.const_index ((a + hostile.lies(1)));
CREATE TABLE hostile.sql_index (a int); CREATE INDEX ON hostile.sql_index (hostile.lies_sql(a));
CREATE TABLE hostile.more_index (a int); CREATE INDEX ON hostile.more_index (hostile.lies_more(a));
CREATE TABLE hostile.const_pred (a int); CREATE INDEX ON hostile.const_pred (a) WHERE hostile.lies_fine(1);
CREATE TABLE hostile.or_pred (a int); CREATE INDEX ON hostile.or_pred (a) WHERE hostile.lies_fine(a) OR a > 0;
CREATE TABLE hostile.const_stats (a int, b int); CREATE STATISTICS hostile.of_const ON (a + hostile.lies(1)), b FROM hostile.const_stats;
CREATE TABLE hostile.parent (a int); CREATE TABLE hostile.child (CHECK (hostile.lies_fine(1))) INHERITS (hostile.parent);
CREATE TABLE hostile.const_check (a int CHECK (a > hostile.lies(1)));
CREATE TABLE hostile.const_parts (a int) PARTITION BY RANGE ((a + hostile.lies(1)));
CREATE VIEW hostile.over_index AS SELECT a FROM hostile.const_index;
CREATE MATERIALIZED VIEW hostile.stored_index AS SELECT 1 AS a; CREATE INDEX ON hostile.stored_index ((a + hostile.lies(1)));
CREATE FUNCTION hostile.honest(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1; END $$;
CREATE TABLE hostile.honest_index (a int CHECK (hostile.honest(a) < 9), b int CHECK (b > 0)); CREATE INDEX ON hostile.honest_index (hostile.honest(a)); CREATE INDEX ON hostile.honest_index (abs(b)) WHERE b > abs(-1);
CREATE DOMAIN hostile.amount AS numeric CHECK (VALUE IS NULL OR VALUE > -1000); CREATE TABLE hostile.prices (price hostile.amount);
CREATE TYPE hostile.classed AS (a int); CREATE TABLE hostile.classed_rows (x hostile.classed, n int); INSERT INTO hostile.classed_rows VALUES (ROW(1), 1), (ROW(2), 2);
CREATE FUNCTION hostile.class_order(hostile.classed, hostile.classed) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN ($1).a - ($2).a; END $$;
CREATE FUNCTION hostile.class_less(hostile.classed, hostile.classed) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN ($1).a < ($2).a; END $$;
CREATE OPERATOR hostile.<| (FUNCTION = hostile.class_less, LEFTARG = hostile.classed, RIGHTARG = hostile.classed);
CREATE OPERATOR hostile.<=| (FUNCTION = hostile.class_less, LEFTARG = hostile.classed, RIGHTARG = hostile.classed);
CREATE OPERATOR hostile.=| (FUNCTION = hostile.class_less, LEFTARG = hostile.classed, RIGHTARG = hostile.classed);
CREATE OPERATOR hostile.>=| (FUNCTION = hostile.class_less, LEFTARG = hostile.classed, RIGHTARG = hostile.classed);
CREATE OPERATOR hostile.>| (FUNCTION = hostile.class_less, LEFTARG = hostile.classed, RIGHTARG = hostile.classed);
CREATE OPERATOR CLASS hostile.classed_ops DEFAULT FOR TYPE hostile.classed USING btree AS OPERATOR 1 hostile.<|, OPERATOR 2 hostile.<=|, OPERATOR 3 hostile.=|, OPERATOR 4 hostile.>=|, OPERATOR 5 hostile.>|, FUNCTION 1 hostile.class_order(hostile.classed, hostile.classed);
CREATE FUNCTION hostile.int_order(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('hostile.called', 'yes', false); RETURN $1 - $2; END $$;
CREATE OPERATOR CLASS hostile.int_ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 hostile.int_order(int, int);
CREATE TYPE hostile.span AS RANGE (SUBTYPE = int, SUBTYPE_OPCLASS = hostile.int_ops);
CREATE TABLE hostile.spans (id int, r hostile.span); CREATE TABLE hostile.by_class (a int); CREATE INDEX ON hostile.by_class (a hostile.int_ops);
CREATE VIEW hostile.ordered_view AS SELECT n FROM hostile.classed_rows ORDER BY x;
CREATE VIEW hostile.distinct_view AS SELECT count(*) FROM (SELECT DISTINCT x FROM hostile.classed_rows) AS d;
CREATE VIEW hostile.span_view AS SELECT ('[' || n || ',5]')::hostile.span IS NULL AS none FROM hostile.classed_rows;
CREATE TABLE hostile.classed_keys (x hostile.classed); CREATE INDEX ON hostile.classed_keys (x);
CREATE TYPE hostile.implied AS (a int); CREATE TABLE hostile.implied_rows (x hostile.implied);
CREATE FUNCTION hostile.implied_text(hostile.implied) RETURNS text LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 'x'; END $$;
CREATE CAST (hostile.implied AS text) WITH FUNCTION hostile.implied_text(hostile.implied) AS IMPLICIT;
CREATE FUNCTION hostile.implied_json(hostile.implied) RETURNS json LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN '1'; END $$;
CREATE CAST (hostile.implied AS json) WITH FUNCTION hostile.implied_json(hostile.implied);
CREATE FUNCTION hostile.from_int(int) RETURNS hostile.implied LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN ROW(1); END $$;
CREATE CAST (int AS hostile.implied) WITH FUNCTION hostile.from_int(int) AS IMPLICIT;
CREATE TYPE hostile.assigned_type AS (a int); CREATE TABLE hostile.assigned_rows (x hostile.assigned_type); CREATE TABLE hostile.dates (made date);
CREATE FUNCTION hostile.assigned_date(hostile.assigned_type) RETURNS date LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN now(); END $$;
CREATE CAST (hostile.assigned_type AS date) WITH FUNCTION hostile.assigned_date(hostile.assigned_type) AS ASSIGNMENT;
CREATE VIEW hostile.over_implied AS SELECT x FROM hostile.implied_rows;
CREATE TABLE hostile.checked_keys (id int PRIMARY KEY); CREATE TABLE hostile.checked_refs (id int REFERENCES hostile.checked_keys ON UPDATE CASCADE CHECK (hostile.is_fine(id::text)));
CREATE TABLE hostile.default_keys (id int PRIMARY KEY); CREATE TABLE hostile.default_refs (id int DEFAULT hostile.deletes() REFERENCES hostile.default_keys ON UPDATE SET DEFAULT);
CREATE TABLE hostile.index_keys (id int PRIMARY KEY); CREATE TABLE hostile.index_refs (id int REFERENCES hostile.index_keys ON UPDATE CASCADE); CREATE INDEX ON hostile.index_refs (hostile.lies(id));
CREATE TABLE hostile.deleted_keys (id int PRIMARY KEY); CREATE TABLE hostile.deleted_refs (id int REFERENCES hostile.deleted_keys ON DELETE CASCADE CHECK (hostile.is_fine(id::text)));
CREATE FUNCTION hostile.on_command() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN NULL; END $$;
CREATE EVENT TRIGGER hostile_collations ON ddl_command_end WHEN TAG IN ('CREATE COLLATION', 'ALTER COLLATION') EXECUTE FUNCTION hostile.on_command();
CREATE FUNCTION hostile.calls_honest() RETURNS int LANGUAGE sql IMMUTABLE RETURN 1;
CREATE FUNCTION hostile.ext_ends() RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT pg_terminate_backend(0)';
CREATE FUNCTION hostile.ext_deep() RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT hostile.ext_ends()';
CREATE FUNCTION hostile.ext_tree() RETURNS int LANGUAGE sql STABLE RETURN hostile.deletes();
CREATE FUNCTION hostile.ext_tree_deep() RETURNS int LANGUAGE sql STABLE RETURN 1 + hostile.ext_tree();
CREATE FUNCTION hostile.ext_text_of_tree() RETURNS int LANGUAGE sql STABLE AS 'SELECT hostile.ext_tree_deep()';
CREATE FUNCTION hostile.ext_view() RETURNS boolean LANGUAGE sql STABLE AS 'SELECT ended FROM hostile.sly_view';
CREATE FUNCTION hostile.ext_atomic() RETURNS boolean LANGUAGE sql STABLE BEGIN ATOMIC SELECT ended FROM hostile.sly_view; END;
CREATE FUNCTION hostile.ext_distinct() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(*) FROM (SELECT DISTINCT x FROM hostile.classed_rows) AS d; END;
CREATE FUNCTION hostile.ext_greatest(hostile.classed) RETURNS hostile.classed LANGUAGE sql STABLE RETURN greatest($1, $1);
CREATE FUNCTION hostile.ext_domain(text) RETURNS text LANGUAGE sql STABLE RETURN $1::hostile.checked::text;
CREATE FUNCTION hostile.ext_cast(hostile.plain) RETURNS int LANGUAGE sql STABLE RETURN $1::int;
CREATE FUNCTION hostile.ext_default(int DEFAULT hostile.deletes()) RETURNS int LANGUAGE sql STABLE AS 'SELECT $1';
CREATE FUNCTION hostile.ext_setting() RETURNS int LANGUAGE sql STABLE SET session_replication_role = replica AS 'SELECT 1';
CREATE FUNCTION hostile.ext_definer() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT 1';
CREATE FUNCTION hostile.ext_operator(hostile.odd) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT $1 = $1';
CREATE FUNCTION hostile.ext_several() RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1; DELETE FROM hostile.victim; SELECT 2';
CREATE FUNCTION hostile.ext_writes() RETURNS int LANGUAGE sql VOLATILE BEGIN ATOMIC DELETE FROM hostile.victim RETURNING id; END;
CREATE FUNCTION hostile.ext_point(text) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT pg_terminate_backend(0)';
CREATE FUNCTION hostile.ext_compares(int, int) RETURNS int LANGUAGE sql STABLE AS 'SELECT hostile.adds($1, $2)'; CREATE OPERATOR hostile.===> (FUNCTION = hostile.ext_compares, LEFTARG = int, RIGHTARG = int);
CREATE AGGREGATE hostile.ext_sums (int) (SFUNC = hostile.adds, STYPE = int); CREATE AGGREGATE hostile.ext_final (int) (SFUNC = int4pl, STYPE = int, FINALFUNC = hostile.lies);
CREATE FUNCTION hostile.ext_adds(int, int) RETURNS int LANGUAGE sql STABLE RETURN hostile.adds($1, $2); CREATE AGGREGATE hostile.ext_of_tree (int) (SFUNC = hostile.ext_adds, STYPE = int);
CREATE VIEW hostile.over_ext AS SELECT hostile.ext_deep();
CREATE FUNCTION hostile.ext_honest(int) RETURNS int LANGUAGE sql IMMUTABLE RETURN CASE WHEN $1 > 0 THEN abs($1) ELSE coalesce($1, 2) END;
CREATE FUNCTION hostile.ext_honest_text(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT pg_catalog.lower($1) || $1'; CREATE FUNCTION hostile.ext_honest_deep(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT hostile.ext_honest($1)';
CREATE FUNCTION hostile.ext_twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 > 0 THEN hostile.ext_twice($1 - 1) END';
CREATE AGGREGATE hostile.own_sum (int) (SFUNC = int4pl, STYPE = int, FINALFUNC = abs); CREATE AGGREGATE hostile.ext_honest_sum (int) (SFUNC = int4pl, STYPE = int, FINALFUNC = hostile.ext_honest);
CREATE EXTENSION fuzzystrmatch; DO $$ DECLARE f regprocedure; BEGIN
  FOR f IN SELECT oid FROM pg_proc WHERE starts_with(proname, 'ext_') LOOP EXECUTE 'ALTER EXTENSION fuzzystrmatch ADD ROUTINE ' || f; END LOOP;
END $$;
CREATE PROCEDURE hostile.procedure() LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; END $$;`;
