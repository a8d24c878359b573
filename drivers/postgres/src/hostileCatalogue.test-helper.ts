/** Ways to the server's own tables through objects of users. */
export const CATALOGUE_OBJECTS = `
CREATE ROLE plain; CREATE SCHEMA aside;
CREATE VIEW aside.roles AS SELECT rolname, rolsuper FROM pg_authid;
CREATE VIEW aside.more_roles AS SELECT * FROM aside.roles WHERE rolsuper IS NOT NULL;
CREATE TABLE aside.ruled (id int); CREATE RULE also AS ON INSERT TO aside.ruled DO ALSO UPDATE pg_authid SET rolsuper = false WHERE rolname = 'plain';
CREATE TABLE aside.mine (id int PRIMARY KEY, name text); INSERT INTO aside.mine VALUES (1, 'a');
CREATE VIEW aside.numbered AS SELECT pg_current_xact_id() AS n; CREATE FUNCTION aside.number() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT txid_current()';
CREATE VIEW aside.my_view AS SELECT id, name FROM aside.mine;
CREATE FUNCTION aside.passes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; CREATE TRIGGER passes BEFORE INSERT ON aside.mine FOR EACH ROW EXECUTE FUNCTION aside.passes();
`;

/** Changes and locks of rows of the server's own tables. All of them destroy, and say which table it is. */
export const CATALOGUE_CHANGES: readonly string[] = [
  "UPDATE pg_catalog.pg_authid SET rolsuper = true WHERE rolname = 'plain'",
  "UPDATE pg_authid SET rolsuper = true WHERE rolname = 'plain'",
  `UPDATE "pg_catalog"."pg_authid" SET rolsuper = true WHERE rolname = 'plain'`,
  "UPDATE PG_CATALOG . /* x */ Pg_AuthId AS a SET rolsuper = true WHERE rolname = 'plain'",
  "UPDATE ONLY (pg_catalog.pg_authid) SET rolsuper = true WHERE rolname = 'plain'",
  "UPDATE postgres.pg_catalog.pg_authid SET rolsuper = true WHERE rolname = 'plain'",
  "EXPLAIN ANALYZE UPDATE pg_catalog.pg_authid SET rolsuper = true WHERE rolname = 'plain'",
  'INSERT INTO pg_catalog.pg_auth_members SELECT * FROM pg_auth_members LIMIT 0',
  'INSERT INTO pg_db_role_setting SELECT * FROM pg_db_role_setting LIMIT 0',
  'DELETE FROM pg_catalog.pg_description WHERE false',
  'MERGE INTO pg_catalog.pg_authid a USING aside.mine m ON false WHEN MATCHED THEN UPDATE SET rolsuper = true',
  'WITH a AS (UPDATE pg_catalog.pg_authid SET rolsuper = true WHERE false RETURNING 1) SELECT * FROM a',
  'WITH a AS (SELECT 1) UPDATE pg_authid SET rolsuper = true WHERE false',
  'WITH a AS (INSERT INTO pg_catalog.pg_db_role_setting SELECT * FROM pg_db_role_setting LIMIT 0 RETURNING 1) INSERT INTO aside.mine (id) SELECT 1 FROM a',
  'INSERT INTO aside.mine (id) WITH a AS (UPDATE pg_authid SET rolsuper = true WHERE false RETURNING 1) SELECT 1 FROM a',
  'UPDATE information_schema.sql_features SET comments = NULL WHERE false',
  'UPDATE aside.roles SET rolsuper = true WHERE false',
  'UPDATE aside.more_roles SET rolsuper = true WHERE false',
  'INSERT INTO aside.ruled SELECT 1 WHERE false',
  "COPY pg_catalog.pg_authid FROM '/nothing/there'",
  "COPY pg_authid (rolname) FROM PROGRAM 'false'",
  'SELECT 1 FROM pg_catalog.pg_authid WHERE false FOR UPDATE',
  'SELECT 1 FROM pg_authid WHERE false FOR NO KEY UPDATE',
  'SELECT 1 FROM "pg_authid" WHERE false FOR KEY SHARE',
  'SELECT 1 FROM aside.more_roles WHERE false FOR SHARE',
  'INSERT INTO aside.mine (id) SELECT 1 FROM pg_authid WHERE false FOR UPDATE',
];

/** Changes of tables of users beside them. */
export const OWN_CHANGES: readonly string[] = [
  "INSERT INTO aside.mine VALUES (2, 'pg_catalog.pg_authid')",
  'UPDATE aside.mine SET name = (SELECT rolname FROM pg_catalog.pg_authid LIMIT 1) WHERE id = 1',
  'SELECT * FROM aside.mine FOR UPDATE',
  "WITH a AS (INSERT INTO aside.mine VALUES (3, 'b') RETURNING id) INSERT INTO aside.mine SELECT id + 10, 'c' FROM a",
];

/** Definitions of which a part hides among harmless ones, or hands out access. All of them destroy. */
export const HOSTILE_DEFINITIONS: readonly string[] = [
  ...[
    'NO FORCE ROW LEVEL SECURITY',
    'DISABLE ROW LEVEL SECURITY',
    'SET UNLOGGED',
    'SET (user_catalog_table = true)',
    'RESET (fillfactor)',
    'REPLICA IDENTITY NOTHING',
    'ENABLE ALWAYS TRIGGER passes',
    'ENABLE REPLICA TRIGGER passes',
    'DISABLE TRIGGER ALL',
    'OWNER TO plain',
    'INHERIT aside.ruled',
    'NO INHERIT aside.ruled',
    'NOT OF',
    'CLUSTER ON mine_pkey',
    'SET WITHOUT CLUSTER',
    'SET TABLESPACE pg_default',
    'SET ACCESS METHOD heap',
    'ALTER name SET DEFAULT 1',
    'DROP name',
  ].flatMap((action) => [
    `ALTER TABLE aside.mine ADD COLUMN zz int, ${action}`,
    `ALTER TABLE IF EXISTS ONLY aside.mine ${action}, ADD zz numeric(3, 2) DEFAULT (1)`,
    `ALTER TABLE aside.mine ADD CHECK (id IN (1, 2)), ${action}, ADD UNIQUE (id)`,
  ]),
  'ALTER TABLE aside.mine ADD FOREIGN KEY (id) REFERENCES aside.keys ON DELETE CASCADE',
  'ALTER TABLE aside.mine ADD zz int, ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES aside.keys ON UPDATE SET NULL NOT VALID',
  'ALTER TABLE aside.mine ADD COLUMN zz int REFERENCES aside.keys ON DELETE SET DEFAULT',
  'ALTER TABLE add NO FORCE ROW LEVEL SECURITY',
  'ALTER TABLE aside.rename REPLICA IDENTITY NOTHING',
  'ALTER TYPE aside.kind ADD ATTRIBUTE a int, DROP ATTRIBUTE b',
  'ALTER TYPE aside.add OWNER TO plain',
  'ALTER TYPE aside.add SET (STORAGE = plain)',
  'ALTER SCHEMA add OWNER TO plain',
  'ALTER SEQUENCE aside.add RESTART WITH 1',
  'ALTER SEQUENCE aside.rename OWNED BY NONE',
  'ALTER INDEX aside.add ATTACH PARTITION aside.rename',
  'CREATE SCHEMA sa AUTHORIZATION plain',
  'CREATE SCHEMA AUTHORIZATION plain',
  'CREATE SCHEMA IF NOT EXISTS sa AUTHORIZATION plain',
  'CREATE SCHEMA sa GRANT ALL ON aside.mine TO PUBLIC',
  'CREATE SCHEMA sa CREATE TABLE t (id int) GRANT ALL ON t TO PUBLIC',
  'CREATE DATABASE other_one OWNER plain',
  'CREATE DATABASE other_one WITH ENCODING = UTF8 OWNER = plain',
  'CREATE DATABASE other_one TEMPLATE postgres',
  'CREATE DATABASE other_one TEMPLATE template0 CONNECTION LIMIT -1 OWNER plain',
  'REFRESH MATERIALIZED VIEW aside.summed WITH NO DATA',
  'REFRESH MATERIALIZED VIEW CONCURRENTLY "no" WITH NO DATA',
  'CREATE POLICY p ON aside.mine USING (true)',
  'CREATE PUBLICATION p FOR ALL TABLES',
  'CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION aside.on_command()',
  'CREATE CAST (aside.kind AS int) WITH INOUT AS IMPLICIT',
  "CREATE FUNCTION aside.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
  "CREATE USER MAPPING FOR plain SERVER s OPTIONS (passfile '/x')",
];

/** Definitions of which the words don't say everything that they do. */
export const UNKNOWN_DEFINITIONS: readonly string[] = [
  'CREATE SCHEMA sa CREATE TABLE t (id int)',
  'CREATE SCHEMA sa CREATE TRIGGER t BEFORE INSERT ON aside.mine EXECUTE FUNCTION aside.passes()',
  'ALTER TABLE aside.mine VALIDATE CONSTRAINT mine_pkey',
  'ALTER TABLE IF EXISTS ONLY aside.mine ADD zz int, VALIDATE CONSTRAINT "mine_pkey"',
  'CREATE TRIGGER t BEFORE INSERT ON aside.mine EXECUTE FUNCTION aside.passes()',
  'CREATE RULE r AS ON INSERT TO aside.mine DO ALSO NOTIFY a',
  'CREATE OPERATOR aside.=== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int)',
  'CREATE EXTENSION hstore',
  'CREATE TYPE aside.base (INPUT = textin, OUTPUT = textout)',
  'CREATE TYPE aside.spans AS RANGE (SUBTYPE = int, SUBTYPE_DIFF = aside.lies)',
  'CREATE TYPE aside.spans AS RANGE (CANONICAL = aside.lies, SUBTYPE = int)',
];

/** Definitions that lose nothing. */
export const HONEST_DEFINITIONS: readonly string[] = [
  'ALTER TABLE aside.mine ADD COLUMN type text, ADD owner text, ADD CONSTRAINT positive CHECK (id > 0)',
  'ALTER TABLE IF EXISTS ONLY aside.mine ADD COLUMN IF NOT EXISTS price numeric(10, 2) DEFAULT 0 NOT NULL',
  'ALTER TABLE aside.mine * ADD UNIQUE (id, name)',
  'ALTER TABLE aside.mine ADD FOREIGN KEY (id) REFERENCES aside.keys ON DELETE RESTRICT ON UPDATE NO ACTION',
  'ALTER TABLE aside.mine RENAME TO yours',
  'ALTER TABLE aside.mine RENAME COLUMN name TO "Name"',
  'ALTER TABLE aside.mine RENAME name TO title',
  'ALTER TABLE aside.mine RENAME CONSTRAINT mine_pkey TO yours_pkey',
  'ALTER INDEX aside.mine_pkey RENAME TO yours_pkey',
  'ALTER SCHEMA aside RENAME TO beside',
  "ALTER TYPE aside.mood ADD VALUE IF NOT EXISTS 'b' AFTER 'a'",
  "ALTER TYPE aside.mood RENAME VALUE 'a' TO 'c'",
  'ALTER TYPE aside.kind RENAME ATTRIBUTE a TO b CASCADE',
  'ALTER TYPE aside.kind ADD ATTRIBUTE c text, ADD ATTRIBUTE d int',
  'CREATE SCHEMA sa',
  'CREATE SCHEMA IF NOT EXISTS "sa"',
  'CREATE DATABASE other_one',
  "CREATE DATABASE other_one WITH TEMPLATE = template0 ENCODING 'UTF8' LC_COLLATE = 'C' CONNECTION LIMIT = -1 IS_TEMPLATE false",
  "CREATE TYPE aside.mood AS ENUM ('a', 'b')",
  'CREATE TYPE aside.kind AS (a int, b text)',
  'CREATE TYPE aside.spans AS RANGE (SUBTYPE = int4, MULTIRANGE_TYPE_NAME = aside.many)',
];

/** Queries that use up a number of a transaction, also in a read-only one. None of them may count as reading. */
export const NUMBERED_QUERIES: readonly string[] = [
  'SELECT txid_current()',
  'SELECT pg_catalog.pg_current_xact_id()',
  'SELECT "txid_current" () FROM aside.mine',
  'EXPLAIN ANALYZE SELECT pg_current_xact_id()',
  'SELECT * FROM aside.numbered',
  'SELECT aside.number()',
];
