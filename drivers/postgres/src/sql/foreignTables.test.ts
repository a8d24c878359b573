import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, ref, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** A role that may use a foreign server makes tables there of whatever it likes: here of a view that takes a number, with the permissions of the administrator. */
const objects = ({ port, user, password }: TestServer): string => `
CREATE EXTENSION postgres_fdw; CREATE EXTENSION file_fdw; CREATE ROLE maker; CREATE SCHEMA made AUTHORIZATION maker; CREATE SEQUENCE made.marks; GRANT ALL ON made.marks TO maker;
CREATE SERVER again FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${port}', dbname 'postgres');
CREATE USER MAPPING FOR ${user} SERVER again OPTIONS (user '${user}', password '${password}'); GRANT USAGE ON FOREIGN SERVER again TO maker;
CREATE FOREIGN DATA WRAPPER without_handler; CREATE SERVER elsewhere FOREIGN DATA WRAPPER without_handler; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE TABLE made.plain (a int PRIMARY KEY); CREATE FOREIGN TABLE made.filed (a int) SERVER files OPTIONS (filename '/dev/null');
CREATE FOREIGN TABLE made.of_admin (a int) SERVER again OPTIONS (schema_name 'made', table_name 'plain');
CREATE FOREIGN TABLE made.of_other (a int) SERVER elsewhere;
GRANT ALL ON made.plain TO maker; SET ROLE maker;
CREATE VIEW made.acts AS SELECT nextval('made.marks')::int AS a;
CREATE FOREIGN TABLE made.sales (a int) SERVER again OPTIONS (schema_name 'made', table_name 'acts');
CREATE VIEW made.over_sales AS SELECT * FROM made.sales; CREATE VIEW made.over_view AS SELECT 1 AS a FROM made.over_sales;
CREATE MATERIALIZED VIEW made.kept AS SELECT * FROM made.sales WITH NO DATA;
CREATE FUNCTION made.counts() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM made.sales';
CREATE FUNCTION made.counts_so() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM made.over_sales); END $$;
CREATE TABLE made.whole (a int) PARTITION BY LIST (a); CREATE TABLE made.own_part PARTITION OF made.whole DEFAULT;
CREATE FOREIGN TABLE made.part PARTITION OF made.whole FOR VALUES IN (1) SERVER again OPTIONS (schema_name 'made', table_name 'acts');
CREATE TABLE made.parent (a int); CREATE FOREIGN TABLE made.heir () INHERITS (made.parent) SERVER again OPTIONS (schema_name 'made', table_name 'acts');
CREATE TABLE made.guarded (a int); INSERT INTO made.guarded VALUES (1); ALTER TABLE made.guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON made.guarded USING (EXISTS (SELECT FROM made.sales));
CREATE TABLE made.ruled (a int); CREATE RULE r AS ON UPDATE TO made.ruled DO ALSO INSERT INTO made.plain SELECT * FROM made.sales;
RESET ROLE;`;

/** Tables that are answered elsewhere, at least in part. */
const ELSEWHERE = ['sales', 'of_admin', 'of_other', 'over_sales', 'over_view', 'whole', 'part', 'parent', 'heir', 'guarded'];

const STATEMENTS: readonly string[] = [
  ...ELSEWHERE.flatMap((name) => [
    `SELECT a FROM made.${name}`,
    `SELECT count(*) FROM made.${name}`,
    `EXPLAIN TABLE made.${name}`,
  ]),
  ...['made.counts()', 'made.counts_so()'].map((call) => `SELECT ${call}`),
  ...ELSEWHERE.flatMap((name) => [
    `INSERT INTO made.${name} VALUES (1)`,
    `UPDATE made.${name} SET a = 2`,
    `DELETE FROM made.${name} WHERE a = 1`,
    `MERGE INTO made.${name} t USING made.plain p ON t.a = p.a WHEN MATCHED THEN UPDATE SET a = 3`,
    `INSERT INTO made.plain SELECT a FROM made.${name}`,
    `COPY made.${name} TO '/dev/null'`,
    `COPY made.${name} FROM '/dev/null'`,
    `ANALYZE made.${name}`,
  ]),
  'SELECT a FROM made.sales FOR UPDATE',
  'UPDATE made.ruled SET a = 2',
  'ANALYZE',
  'REFRESH MATERIALIZED VIEW made.kept',
  'CREATE TABLE made.more AS SELECT * FROM made.sales',
  'CREATE MATERIALIZED VIEW made.more AS SELECT * FROM made.over_sales',
  'IMPORT FOREIGN SCHEMA made FROM SERVER again INTO public',
  'ALTER FOREIGN TABLE made.sales ADD COLUMN b int',
];

const CERTAIN = ['plain', 'filed', 'own_part', 'kept'];

describeWithServer('a foreign table', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), objects(server()));
    session = await open(server());
  });
  afterAll(() => session.close());

  it('makes each statement uncertain that another server has a part in', async () => {
    const certain: string[] = [];
    for (const statement of STATEMENTS) {
      const { unknown } = (await session.console?.classify(statement, { signal })) ?? {};
      if (unknown !== true) certain.push(statement);
    }
    expect(certain).toEqual([]);
  });

  it('says the server, once', async () => {
    const { summary } = (await session.console?.classify('UPDATE made.sales SET a = 2', { signal })) ?? {};
    expect(summary).toBe('UPDATE made.sales SET a = 2 (the foreign table sales, which asks the server again)');
  });

  it.each(ELSEWHERE)('makes the reading of made.%s uncertain', async (name) => {
    expect(await session.describeTable(ref(name, 'made'), { signal })).toHaveProperty('uncertainRead');
  });

  it.each(CERTAIN)('is not behind made.%s, or only reads a file', async (name) => {
    expect(await session.describeTable(ref(name, 'made'), { signal })).not.toHaveProperty('uncertainRead');
    expect(await session.console?.classify(`TABLE made.${name}`, { signal })).toMatchObject({ effect: 'read' });
  });

  it.each(['sales', 'whole'])('takes no import into made.%s without a question', async (name) => {
    const form = await session.import?.form(ref(name, 'made'), { signal });
    expect(form?.modes.map(({ effect }) => effect)).toEqual(form?.modes.map(() => 'destructive'));
  });

  it('runs there what its maker wrote, with the permissions of another role', async () => {
    const client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    const marks = async (): Promise<unknown> => (await client.query('SELECT last_value, is_called FROM made.marks')).rows[0];
    const before = await marks();
    await client.query('BEGIN; SELECT a FROM made.sales; ROLLBACK');
    expect(await marks()).not.toEqual(before);
    await client.end();
  });
});
