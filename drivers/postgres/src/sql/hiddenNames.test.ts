import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { ConsoleSession, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, read, ref, run, sessionOf, signal } from '../session.test-helper.ts';

const LONG = 'a'.repeat(63);

/** A function that does more than read. */
const acts = (name: string, takes: string, returns: string): string =>
  `CREATE FUNCTION ${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('a', 'b'); RETURN NULL; END $$;`;

/** Things that another role makes with well-known names in a schema of its own, and those that lead to them. */
const OBJECTS = `
CREATE ROLE mallory NOLOGIN; CREATE ROLE reader LOGIN PASSWORD 'reader'; CREATE SCHEMA app; CREATE SCHEMA mal; CREATE SCHEMA ${LONG}; CREATE SCHEMA "id";
ALTER ROLE reader SET search_path = app; GRANT USAGE ON SCHEMA app TO reader;
CREATE TABLE app.people (id int PRIMARY KEY, name text, label text, born date); CREATE TABLE app.empty (id int);
INSERT INTO app.people VALUES (1, 'Ada', 'a', '1815-12-10');
GRANT ALL ON ALL TABLES IN SCHEMA app TO reader;
${acts('mal.lower', 'text', 'text')} ${acts('mal.upper', 'int', 'text')} ${acts('mal.count', 'int', 'int')} ${acts('mal.name', 'text', 'text')}
${acts('mal.id', 'anyelement', 'int')} ${acts('mal.is', 'text', 'bool')} ${acts('mal.compares', 'int, text', 'bool')} ${acts('mal.likes', 'text, int', 'bool')}
${acts('id.lower', 'text', 'text')}
${['=', '<>', '<', '<=', '>', '>=', '~~'].map((operator) => `CREATE OPERATOR mal.${operator} (FUNCTION = mal.compares, LEFTARG = int, RIGHTARG = text);`).join(' ')}
CREATE OPERATOR mal.~~ (FUNCTION = mal.likes, LEFTARG = text, RIGHTARG = int);
CREATE DOMAIN mal.int4 AS integer CHECK (mal.is(VALUE::text)); CREATE DOMAIN mal.date AS text CHECK (mal.is(VALUE)); CREATE DOMAIN mal.text AS varchar CHECK (mal.is(VALUE));
CREATE TYPE mal.numbers AS (n int); CREATE FUNCTION mal.lower(int) RETURNS mal.numbers LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('a', 'b'); RETURN NULL; END $$;
CREATE CAST (int AS mal.numbers) WITH FUNCTION mal.lower(int) AS IMPLICIT; ${acts('mal.length', 'mal.numbers', 'int')} ${acts('mal.adds', 'mal.numbers, mal.numbers', 'int')} CREATE OPERATOR mal.+ (FUNCTION = mal.adds, LEFTARG = mal.numbers, RIGHTARG = mal.numbers);
CREATE VIEW mal.people AS SELECT mal.upper(1) AS name; CREATE VIEW mal.empty AS SELECT mal.upper(1) AS id;
CREATE FUNCTION mal.marks(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM pg_notify('a', 'b'); RETURN 1; END $$;
CREATE TABLE mal.tabled (x int); CREATE INDEX label ON mal.tabled (mal.marks(x));
${acts(`${LONG}.acts`, '', 'int')}
CREATE VIEW app.over AS SELECT * FROM mal.people; CREATE TABLE app.typed (x mal.int4); GRANT ALL ON app.over, app.typed TO reader;
CREATE FUNCTION app.wide() RETURNS text LANGUAGE plpgsql SET search_path = mal AS $$ BEGIN RETURN lower('A'); END $$;
CREATE FUNCTION app.narrow() RETURNS text LANGUAGE plpgsql SET search_path = app AS $$ BEGIN RETURN app.wide(); END $$;`;

/** Statements that name nothing in that schema, with the effect of each. */
const PLAIN: readonly (readonly [statement: string, effect: string])[] = [
  [`SELECT lower(name), upper(name), count(*) FROM people WHERE id = 1 AND name LIKE 'A%' GROUP BY name, id`, 'read'],
  [`SELECT p.id, p.name, p.label FROM people p WHERE p.id IN (1, 2) AND p.id BETWEEN 1 AND 2 OR p.id <> 3`, 'read'],
  [`SELECT lower(p.name), (p).id FROM app.people AS p WHERE born = date '1815-12-10'`, 'read'],
  [`SELECT '1'::int4, CAST('2' AS integer) + id, 'x'::text, length(label) FROM people`, 'read'],
  [`SELECT coalesce(nullif(id, 2), 1), CASE id WHEN 1 THEN lower('A') END FROM people`, 'read'],
  [`EXPLAIN SELECT lower(name) FROM people WHERE id = 1`, 'read'],
  [`TABLE empty`, 'read'],
  [`INSERT INTO people VALUES (2, lower('A'), 'x')`, 'write'],
  [`UPDATE people SET label = lower(name) WHERE id = 1`, 'write'],
];

/** Statements that name something there. */
const NAMING: readonly string[] = [
  `SELECT mal.lower('A')`,
  `SELECT "mal"."lower"('A')`,
  `SELECT MAL /* x */ . -- y\n lower('A')`,
  `SELECT postgres.mal.lower('A')`,
  `SELECT lower('A'), mal.is(name) FROM people`,
  `SELECT id OPERATOR(mal.=) name FROM people`,
  `SELECT name OPERATOR("mal".~~) id FROM people`,
  `SELECT '1'::mal.int4`,
  `SELECT CAST('1' AS mal . int4)`,
  `SELECT mal.int4 '1'`,
  `SELECT '{1}'::mal.int4[]`,
  `SELECT * FROM json_to_record('{}') AS r (x mal.int4)`,
  `SELECT * FROM mal.people`,
  `SELECT postgres.mal.people.name FROM postgres.mal.people`,
  `TABLE "mal".empty`,
  `WITH lower AS (SELECT 1) SELECT * FROM lower, mal.empty`,
  `EXPLAIN SELECT mal.lower(name) FROM people`,
  `SELECT mal.length(1)`,
  `SELECT 1 OPERATOR(mal.+) 2`,
  `SELECT ${LONG}aaaa.acts()`,
  `SELECT * FROM app.over`,
  `SELECT app.wide()`,
  `SELECT app.narrow()`,
  `INSERT INTO app.typed VALUES (1)`,
  `INSERT INTO people VALUES (2, mal.lower('A'))`,
  `UPDATE people SET name = mal.lower('A') WHERE id = 1`,
];

/** Statements without a schema, which mean something there where the path leads to it. */
const BY_PATH: readonly string[] = [
  `SELECT lower('A') FROM app.people`,
  `SELECT id = name FROM app.people`,
  `SELECT id IN (name) FROM app.people`,
  `SELECT id BETWEEN name AND name FROM app.people`,
  `SELECT NULLIF(id, name) FROM app.people`,
  `SELECT CASE id WHEN name THEN 1 END FROM app.people`,
  `SELECT id IS DISTINCT FROM name FROM app.people`,
  `SELECT (id, 1) < (name, 2) FROM app.people`,
  `SELECT id < ANY (ARRAY[name]) FROM app.people`,
  `SELECT name LIKE id FROM app.people`,
  `SELECT 1 FROM app.people p JOIN (SELECT name AS id FROM app.people) q USING (id)`,
  `SELECT 1 FROM app.people p NATURAL JOIN (SELECT label AS id FROM app.people) q`,
  `SELECT '1'::int4 FROM app.people`,
  `SELECT 'x'::"date"`,
  `SELECT * FROM empty`,
  `TABLE people`,
  `SELECT (name).is FROM app.people`,
  `SELECT p.is FROM (SELECT 'x'::varchar) p`,
  `SELECT length(1)`,
  `SELECT 1 + 2`,
  `INSERT INTO app.people VALUES (2, lower('A'))`,
];

describeWithServer('what is in a schema that a statement neither names nor looks in', (server) => {
  let reader: Session;
  let owner: Session;
  beforeAll(async () => {
    await administer(server(), OBJECTS);
    reader = await open(server(), { user: 'reader', password: 'reader' });
    await administer(server(), 'ALTER ROLE tester SET search_path = app');
    owner = await open(server());
  });
  afterAll(() => Promise.all([reader.close(), owner.close()]));

  const certain = async (runner: Pick<ConsoleSession, 'classify'>, statement: string): Promise<boolean> =>
    (await runner.classify(statement, { signal })).unknown !== true;

  describe.each([
    ['a role with few rights', () => reader],
    ['a superuser', () => owner],
  ])('by %s', (_name, session) => {
    it.each(PLAIN)('has no part in %s', async (statement, effect) => {
      const found = await consoleOf(session()).classify(statement, { signal });
      expect(found).toMatchObject({ effect });
      expect(found).not.toHaveProperty('unknown');
    });

    it('has no part in reading a table', async () => {
      for (const name of ['people', 'empty'])
        expect(await session().describeTable(ref(name, 'app'), { signal })).not.toHaveProperty('uncertainRead');
      const filter = { ...NO_FILTER, raw: `lower(name) = 'ada' AND id IN (1, 2)` };
      expect(await read(session(), ref('people', 'app'), { filter })).toHaveLength(1);
    });

    it.each(NAMING)('counts where the statement names it: %s', async (statement) => {
      expect(await certain(consoleOf(session()), statement)).toBe(false);
    });

    it('counts nowhere as a name with escapes, which is refused', async () => {
      await expect(certain(consoleOf(session()), String.raw`SELECT U&"m\0061l".lower('A')`)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    });
  });

  /** The statements of {@link BY_PATH} that are certain. */
  const certainByPath = async (runner: Pick<ConsoleSession, 'classify'>): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const statement of BY_PATH) if (await certain(runner, statement)) found.push(statement);
    return found;
  };
  /** In a session of the console, after statements there. */
  const after = async (statements: readonly string[]): Promise<readonly string[]> => {
    const own = await sessionOf(owner);
    try {
      for (const statement of statements) await Array.fromAsync(own.run(statement, { maxRows: 1, signal }));
      return await certainByPath(own);
    } finally {
      await own.close();
    }
  };

  it.each([
    ['a setting of the session', ['SET search_path = mal, app']],
    ['a path in which it is the last', ['SET search_path = app, "mal"']],
    ['a single schema', [`SET SCHEMA 'mal'`]],
    ['a setting of the transaction', ['BEGIN', 'SET LOCAL search_path = pg_catalog, mal']],
    [
      'a setting in an open transaction of which each statement sees the same',
      ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'SET LOCAL search_path = mal'],
    ],
  ])('counts where the path leads to it by %s', async (_way, statements) => {
    expect(await after(statements)).toEqual([]);
  });

  it('counts nowhere else', async () => {
    expect(await certainByPath(consoleOf(owner))).toEqual(BY_PATH);
  });

  it('counts by the path of a role', async () => {
    await administer(
      server(),
      `CREATE ROLE wide LOGIN PASSWORD 'wide'; GRANT USAGE ON SCHEMA app, mal TO wide; ALTER ROLE wide SET search_path = app, mal`,
    );
    const own = await open(server(), { user: 'wide', password: 'wide' });
    expect(await certainByPath(consoleOf(own))).toEqual([]);
    await own.close();
  });

  it('counts for a condition by the path in which that runs, which is the one of when the connection was opened', async () => {
    await administer(
      server(),
      `CREATE ROLE moved LOGIN PASSWORD 'moved'; GRANT USAGE ON SCHEMA app, mal TO moved; GRANT SELECT ON app.people TO moved; ALTER ROLE moved SET search_path = app, mal`,
    );
    const own = await open(server(), { user: 'moved', password: 'moved' });
    await administer(
      server(),
      `ALTER ROLE moved SET search_path = app; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'moved'`,
    );
    for (let turn = 0; turn < 4; turn += 1) await own.ping({ signal }).catch(() => undefined);
    expect(await run(own, 'SHOW search_path')).toContainEqual(expect.objectContaining({ rows: [['app']] }));
    const filter = { ...NO_FILTER, raw: 'is(name)' };
    await expect(read(own, ref('people', 'app'), { filter })).rejects.toMatchObject({
      message: expect.stringContaining('the function is') as string,
    });
    await own.close();
  });

  it('counts in the temporary schema of a session', async () => {
    const own = await sessionOf(owner);
    const runs = (statement: string) => Array.fromAsync(own.run(statement, { maxRows: 1, signal }));
    try {
      await runs(`CREATE TEMPORARY TABLE kept (a int)`);
      await runs(
        `CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('a', 'b'); RETURN NULL; END $$`,
      );
      await runs(`CREATE TEMPORARY VIEW people AS SELECT pg_temp.lower('A') AS name`);
      expect(await certain(own, `SELECT pg_temp.lower('A')`)).toBe(false);
      expect(await certain(own, 'SELECT name FROM people')).toBe(false);
      expect(await certain(own, 'SELECT name FROM pg_temp.people')).toBe(false);
      expect(await certain(own, 'SELECT id FROM app.empty')).toBe(true);
    } finally {
      await own.close();
    }
  });
});
