import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, read, run, signal } from '../session.test-helper.ts';

/** Takes the place of every statement of this side by one that finds nothing. The views run it on the connection that reads them. */
const OBJECTS = `
CREATE TABLE plain (id int PRIMARY KEY, v int);
CREATE FUNCTION ends() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN pg_terminate_backend(0); END $$;
CREATE FUNCTION replaces() RETURNS int LANGUAGE plpgsql AS $$ DECLARE own record; BEGIN
  FOR own IN SELECT name, cardinality(parameter_types) AS count, parameter_types FROM pg_prepared_statements LOOP
    EXECUTE format('DEALLOCATE %I', own.name);
    EXECUTE format('PREPARE %I (%s) AS SELECT NULL::text, NULL::text, NULL::text, NULL::text, NULL::text WHERE false', own.name, array_to_string(own.parameter_types, ','));
  END LOOP; RETURN 1; END $$;
CREATE FUNCTION drops() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN 1; END $$;
CREATE VIEW replacing AS SELECT replaces(); CREATE VIEW dropping AS SELECT drops();`;

describeWithServer('the statements that stay at a connection', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server());
  });
  afterAll(() => session.close());
  const effectOf = async (statement: string, own = session) => (await own.console?.classify(statement, { signal }))?.effect;
  /** Those of the connection that has just been used, beside the statement that asks. */
  const staying = async (own = session) =>
    await run(
      own,
      `SELECT count(*) FILTER (WHERE NOT from_sql), count(*) FILTER (WHERE from_sql) FROM pg_prepared_statements WHERE name <> 'tabularium_0'`,
    );

  it('are the questions what a statement calls and what it reaches', async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(await effectOf('SELECT 1')).toBe('read');
    expect(await staying()).toContainEqual({ type: 'rows', rows: [[2, 0]] });
  });

  it.each(['replacing', 'dropping'])('are made again where a view of the database is %s them', async (view) => {
    expect(await effectOf('SELECT ends()')).toBe('write');
    await read(session, view);
    expect(await effectOf('SELECT ends()')).toBe('write');
    expect(await effectOf('SELECT 1')).toBe('read');
    expect(await effectOf('UPDATE plain SET v = 1')).toBe('write');
    expect(await staying()).not.toContainEqual({ type: 'rows', rows: [[0, 0]] });
  });

  it('see what was made since they were planned', async () => {
    expect(await effectOf('SELECT upper(v::text), v <-> 1 FROM plain')).toBe('read');
    for (const [made, undone] of [
      [
        'CREATE FUNCTION upper(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM ends(); RETURN 1; END $$',
        'DROP FUNCTION upper(int)',
      ],
      // In the schema of the role's own name, which comes first in its path.
      [`CREATE SCHEMA ${server().user} CREATE VIEW plain AS SELECT ends()`, `DROP SCHEMA ${server().user} CASCADE`],
      ['CREATE OPERATOR <-> (FUNCTION = ends_of, LEFTARG = int, RIGHTARG = int)', 'DROP OPERATOR <-> (int, int)'],
      ['ALTER TABLE plain ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON plain USING (ends())', 'DROP POLICY p ON plain'],
      ['CREATE INDEX sly ON plain (v) WHERE always(v)', 'DROP INDEX sly'],
      ['CREATE CAST (int AS text) WITH FUNCTION text_of(int) AS IMPLICIT', 'DROP CAST (int AS text)'],
    ] as const) {
      await administer(server(), `${HELPERS}; ${made}`);
      expect(await effectOf('SELECT upper(v::text), v <-> 1 FROM plain'), made).toBe('write');
      await administer(server(), undone);
      expect(await effectOf('SELECT upper(v::text), v <-> 1 FROM plain'), undone).toBe('read');
    }
  });

  it('are gone with a connection that the server ended', async () => {
    await effectOf('SELECT 1');
    await administer(server(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Tabularium'");
    await expect.poll(() => effectOf('SELECT ends()').catch(() => 'lost')).toBe('write');
  });

  it('are none where a pooler is between', async () => {
    // As poolers do, it gives a process number of its own.
    const pooler = createServer((client: Socket) => {
      const upstream = connect(server().port, '127.0.0.1');
      client.pipe(upstream);
      upstream.on('data', (data: Buffer) => {
        const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
        if (at >= 0) data.writeInt32BE(7, at + 5);
        client.write(data);
      });
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
    await new Promise<void>((resolve) => void pooler.listen(0, '127.0.0.1', resolve));
    const { port } = pooler.address() as AddressInfo;
    const pooled = await open({ ...server(), port });
    try {
      expect(await effectOf('SELECT 1', pooled)).toBe('read');
      expect(await effectOf('SELECT ends()', pooled)).toBe('write');
      expect(await staying(pooled)).toContainEqual({ type: 'rows', rows: [[0, 0]] });
    } finally {
      await pooled.close();
      pooler.close();
    }
  });
});

const HELPERS = `
CREATE OR REPLACE FUNCTION ends_of(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN ends(); END $$;
CREATE OR REPLACE FUNCTION text_of(int) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM ends(); RETURN 'x'; END $$;
CREATE OR REPLACE FUNCTION always(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN ends(); END $$`;
