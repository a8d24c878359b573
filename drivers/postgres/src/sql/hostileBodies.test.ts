import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { BODY_OBJECTS, HONEST_BODIES, HOSTILE_BODIES } from '../hostileBodies.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, ref, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** The traces of an effect. */
const TRACES = `SELECT coalesce(current_setting('body.called', true), '') || (SELECT coalesce(string_agg(id::text, ','), '') FROM body.victim) AS traces`;

describeWithServer('functions whose bodies, defaults, settings, types or casts hide an effect', (server) => {
  let session: Session;
  let client: PgClient;
  beforeAll(async () => {
    await administer(server(), BODY_OBJECTS);
    for (const { makes } of [...HOSTILE_BODIES, ...HONEST_BODIES]) await administer(server(), makes);
    await administer(server(), 'ALTER ROLE tester SET search_path = pg_catalog, body');
    session = await open(server());
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    await client.query('SET search_path = pg_catalog, body');
  });
  afterAll(async () => {
    await session.close();
    await client.end();
  });

  it('make a statement unknown, every one of them', async () => {
    const read: string[] = [];
    for (const { way, calls } of HOSTILE_BODIES) {
      const { effect, unknown } = (await session.console?.classify(calls, { signal })) ?? {};
      if (effect !== 'write' || unknown !== true) read.push(way);
    }
    expect(read).toEqual([]);
  });

  it('leave those alone that only read', async () => {
    for (const { way, calls } of HONEST_BODIES)
      expect(await session.console?.classify(calls, { signal }), way).toMatchObject({ effect: 'read' });
  });

  it('may call a cast between types of the server, which an administrator made', async () => {
    const assigns = 'SELECT body.assigns_span()';
    await administer(
      server(),
      `CREATE FUNCTION body.assigns_span() RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN SELECT age(now()) AS a INTO r; r.a := point(1, 2); RETURN 1; EXCEPTION WHEN others THEN RETURN 2; END $$;
       CREATE FUNCTION body.to_span(point) RETURNS interval LANGUAGE plpgsql AS $$ BEGIN PERFORM body.acts(); RETURN '1 day'; END $$`,
    );
    expect(await session.console?.classify(assigns, { signal })).toMatchObject({ effect: 'read' });
    await administer(server(), 'CREATE CAST (point AS interval) WITH FUNCTION body.to_span(point) AS ASSIGNMENT');
    expect(await session.console?.classify(assigns, { signal })).toMatchObject({ effect: 'write', unknown: true });
    await administer(server(), 'DROP CAST (point AS interval)');
  });

  it('have the effect where it can be seen', async () => {
    const without: unknown[] = [];
    for (const { way, calls, isUnseen } of HOSTILE_BODIES) {
      if (isUnseen === true) continue;
      await client.query('BEGIN');
      const before = (await client.query(TRACES)).rows;
      try {
        await client.query(calls);
        const after = (await client.query(TRACES)).rows;
        if (JSON.stringify(before) === JSON.stringify(after)) without.push(way);
      } catch (error) {
        without.push([way, String(error)]);
      }
      await client.query('ROLLBACK');
    }
    expect(without).toEqual([]);
  });

  /** Those without arguments, as a statement may have them in place of a table. */
  const functions = HOSTILE_BODIES.flatMap(({ calls }) => /^SELECT (?:\* FROM )?(body\.\w+\(\))$/.exec(calls)?.[1] ?? []);

  it('make a change unknown, which may take numbers of a sequence only', async () => {
    const plain: string[] = [];
    for (const call of functions) {
      const statement = `UPDATE body.victim SET name = 'x' WHERE EXISTS (SELECT FROM ${call})`;
      const { unknown } = (await session.console?.classify(statement, { signal })) ?? {};
      if (unknown !== true) plain.push(call);
    }
    expect(plain).toEqual(['body.by_a_sequence()']);
  });

  it('make the reading of a table uncertain whose policy or view calls them', async () => {
    expect(functions.length).toBeGreaterThan(80);
    const names = functions.map((_, index) => `reads_${index}`);
    const made = functions.map((call, index) =>
      index % 2 === 0
        ? `CREATE VIEW body.reads_${index} AS SELECT 1 AS one FROM ${call}`
        : `CREATE TABLE body.reads_${index} (id int); ALTER TABLE body.reads_${index} ENABLE ROW LEVEL SECURITY; CREATE POLICY calls ON body.reads_${index} USING (EXISTS (SELECT FROM ${call}))`,
    );
    await administer(server(), made.join(';\n'));
    const certain: string[] = [];
    for (const [index, name] of names.entries()) {
      const { uncertainRead } = await session.describeTable(ref(name, 'body'), { signal });
      if (uncertainRead === undefined) certain.push(functions[index] ?? '');
    }
    expect(certain).toEqual([]);
  });
});
