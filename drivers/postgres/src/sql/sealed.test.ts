import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, consoleOf, open, ref, sessionOf, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

const BODY = 'LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN lower(v); END $$';
const TRIGGER = 'RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.t := upper(NEW.t); RETURN NEW; END $$';

const OBJECTS = `
CREATE ROLE mallory NOLOGIN; CREATE ROLE warden LOGIN PASSWORD 'warden'; CREATE SCHEMA mal AUTHORIZATION mallory; CREATE SCHEMA app; CREATE SCHEMA warded AUTHORIZATION warden;
GRANT USAGE ON SCHEMA mal, app TO PUBLIC;
CREATE FUNCTION app.norm(v text) RETURNS text ${BODY};
CREATE FUNCTION app.placed(v text) RETURNS text ${BODY.replace('STABLE', 'STABLE SET search_path = pg_catalog, mal')};
CREATE FUNCTION app.closed(v text) RETURNS text ${BODY.replace('STABLE', 'STABLE SET search_path = pg_catalog')};
CREATE FUNCTION app.naming(v text) RETURNS text ${BODY.replace('lower(v)', '(SELECT MAL.lower(v))')};
CREATE FUNCTION app.of_other(v text) RETURNS text ${BODY}; ALTER FUNCTION app.of_other OWNER TO mallory;
CREATE FUNCTION app.stored(v text) RETURNS text STABLE RETURN lower(v); CREATE FUNCTION app.stored_of_other(v text) RETURNS text STABLE RETURN lower(v); ALTER FUNCTION app.stored_of_other OWNER TO mallory;
CREATE FUNCTION app.add(s text, v text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT s || v $$;
CREATE AGGREGATE app.all_of(text) (SFUNC = app.add, STYPE = text, INITCOND = ''); CREATE AGGREGATE app.all_of_other(text) (SFUNC = app.add, STYPE = text, INITCOND = ''); ALTER AGGREGATE app.all_of_other(text) OWNER TO mallory;
CREATE DOMAIN app.short AS text CHECK (length(VALUE) < 9); CREATE DOMAIN app.short_of_other AS text; ALTER DOMAIN app.short_of_other OWNER TO mallory;
CREATE TYPE app.pair AS (a int, b app.short_of_other);
CREATE FUNCTION app.up() ${TRIGGER}; CREATE FUNCTION app.up_of_other() ${TRIGGER}; ALTER FUNCTION app.up_of_other OWNER TO mallory;
CREATE TABLE app.plain (id int, t text); CREATE TRIGGER up BEFORE INSERT ON app.plain FOR EACH ROW EXECUTE FUNCTION app.up();
CREATE TABLE app.watched (id int, t text); CREATE TRIGGER up BEFORE INSERT ON app.watched FOR EACH ROW EXECUTE FUNCTION app.up_of_other();
CREATE TABLE app.typed (id int, t app.short_of_other);
CREATE VIEW app.seen AS SELECT app.norm(t) AS t FROM app.plain; CREATE VIEW app.seen_of_other AS SELECT app.of_other(t) AS t FROM app.plain;
CREATE TYPE app.pair_of_other AS (a int); ALTER TYPE app.pair_of_other OWNER TO mallory; CREATE TYPE app.mood AS ENUM ('a'); CREATE TYPE app.mood_of_other AS ENUM ('a'); ALTER TYPE app.mood_of_other OWNER TO mallory;
CREATE TABLE app.rows_of_other (a int, b text); ALTER TABLE app.rows_of_other OWNER TO mallory; CREATE TABLE app.moods (m app.mood); CREATE TABLE app.moods_of_other (m app.mood_of_other);
CREATE TABLE app.emptied (id int); CREATE TABLE app.emptied_with_trigger (id int); CREATE FUNCTION app.emptying() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM app.plain; RETURN NULL; END $$;
CREATE TRIGGER emptying AFTER TRUNCATE ON app.emptied_with_trigger EXECUTE FUNCTION app.emptying();
CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA app, mal TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA app TO reader; GRANT INSERT ON app.watched TO reader;
CREATE FUNCTION warded.own(v text) RETURNS text ${BODY}; ALTER FUNCTION warded.own OWNER TO warden;
REVOKE CREATE ON SCHEMA public FROM PUBLIC`;

/** Statements with what another role may replace while they run, and whether it is certain what they do. */
const STATEMENTS: readonly (readonly [statement: string, isCertain: boolean])[] = [
  [`SELECT app.norm('A')`, true],
  [`SELECT app.closed('A')`, true],
  [`SELECT app.stored('A')`, true],
  [`SELECT app.all_of(t) FROM app.plain`, true],
  [`SELECT 'a'::app.short`, true],
  [`INSERT INTO app.plain VALUES (1, 'a')`, true],
  [`SELECT app.of_other('A')`, false],
  [`SELECT app.stored_of_other('A')`, false],
  [`SELECT app.placed('A')`, false],
  [`SELECT app.naming('A')`, false],
  [`SELECT app.all_of_other(t) FROM app.plain`, false],
  [`SELECT 'a'::app.short_of_other`, false],
  [`SELECT '(1,a)'::app.pair`, false],
  [`INSERT INTO app.watched VALUES (1, 'a')`, false],
  [`INSERT INTO app.typed VALUES (1, 'a')`, false],
  [`SELECT warded.own('A')`, false],
  [`SELECT to_json(m) FROM app.moods`, true],
  [`SELECT m FROM app.moods_of_other`, true],
  [`SELECT to_json(m) FROM app.moods_of_other`, false],
  [`SELECT json_agg(t) FROM app.moods_of_other t`, false],
  [`INSERT INTO app.plain SELECT 1, to_jsonb(m)::text FROM app.moods_of_other`, false],
  [`SELECT to_jsonb(t), NULL::app.rows_of_other FROM app.rows_of_other t`, true],
  [`SELECT NULL::app.pair_of_other`, false],
  [`SELECT * FROM jsonb_to_record('{}') AS r (p app.pair_of_other)`, false],
];

describeWithServer('what another role may replace while a statement runs', (server) => {
  let session: Session;
  let warden: Session;

  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server());
    warden = await open(server(), { user: 'warden', password: 'warden' });
  });
  afterAll(() => Promise.all([session.close(), warden.close()]));

  const isCertain = async (statement: string, own = session): Promise<boolean> => {
    const { effect, unknown } = await consoleOf(own).classify(statement, { signal });
    return unknown !== true && effect === (statement.startsWith('SELECT') ? 'read' : 'write');
  };

  it.each(STATEMENTS)('decides whether it is certain: %s is %s', async (statement, expected) => {
    expect(await isCertain(statement)).toBe(expected);
  });

  it('is said of views that call it', async () => {
    expect(await session.describeTable(ref('seen', 'app'), { signal })).not.toHaveProperty('uncertainRead');
    expect(await session.describeTable(ref('seen_of_other', 'app'), { signal })).toHaveProperty('uncertainRead');
    expect(await session.describeTable(ref('typed', 'app'), { signal })).not.toHaveProperty('uncertainRead');
  });

  describe('in a read by a role that can do nothing which a transaction that only reads allows', () => {
    let reader: Session;
    beforeAll(async () => (reader = await open(server(), { user: 'reader', password: 'reader' })));
    afterAll(() => reader.close());

    it.each([
      ...[`SELECT app.of_other('A')`, `SELECT app.stored_of_other('A')`, `SELECT app.placed('A')`, `SELECT app.naming('A')`],
      ...[`SELECT app.all_of_other(t) FROM app.plain`, `SELECT 'a'::app.short_of_other`],
      ...[`SELECT to_json(m) FROM app.moods_of_other`, `SELECT * FROM app.seen_of_other`],
    ])('counts as what it is now: %s', async (statement) => {
      expect(await isCertain(statement, reader)).toBe(true);
    });

    it('counts no less where it may write', async () => {
      expect(await isCertain(`INSERT INTO app.watched VALUES (1, 'a')`, reader)).toBe(false);
    });

    it('counts by its body as everywhere', async () => {
      await administer(
        server(),
        `CREATE OR REPLACE FUNCTION app.of_other(v text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('a', v); RETURN v; END $$`,
      );
      expect(await isCertain(`SELECT app.of_other('A')`, reader)).toBe(false);
    });
  });

  it.each([
    ['a role that can run programs', 'pg_execute_server_program'],
    ['a role that can write files', 'pg_write_server_files'],
    ['a role that can read files', 'pg_read_server_files'],
  ])('counts for %s as for a superuser', async (_what, granted) => {
    const name = `with_${granted}`;
    await administer(
      server(),
      `CREATE ROLE ${name} LOGIN PASSWORD 'p' IN ROLE ${granted}; GRANT USAGE ON SCHEMA app, mal TO ${name}`,
    );
    const own = await open(server(), { user: name, password: 'p' });
    try {
      expect(await isCertain(`SELECT app.stored_of_other('A')`, own)).toBe(false);
    } finally {
      await own.close();
    }
  });

  it('counts for a role that can become a superuser as for one', async () => {
    await administer(
      server(),
      `CREATE ROLE head SUPERUSER NOLOGIN; CREATE ROLE deputy LOGIN PASSWORD 'deputy' IN ROLE head; GRANT USAGE ON SCHEMA app, mal TO deputy`,
    );
    const own = await open(server(), { user: 'deputy', password: 'deputy' });
    const door = await sessionOf(own);
    try {
      expect(await isCertain(`SELECT app.stored_of_other('A')`, own)).toBe(false);
      await Array.fromAsync(door.run('SET ROLE head', { maxRows: 1, signal }));
      expect(await door.classify(`SELECT app.stored_of_other('A')`, { signal })).toMatchObject({ unknown: true });
    } finally {
      await door.close();
      await own.close();
    }
  });

  it('counts by the role that signed in, whatever role it has now', async () => {
    await administer(server(), `CREATE ROLE chief SUPERUSER LOGIN PASSWORD 'chief'; ALTER ROLE chief SET role = 'mallory'`);
    const own = await open(server(), { user: 'chief', password: 'chief' });
    const door = await sessionOf(session);
    try {
      expect(await isCertain(`SELECT app.stored_of_other('A')`, own)).toBe(false);
      await Array.fromAsync(door.run('SET ROLE mallory', { maxRows: 1, signal }));
      expect(await door.classify(`SELECT app.stored_of_other('A')`, { signal })).toMatchObject({ unknown: true });
    } finally {
      await door.close();
      await own.close();
    }
  });

  it('are the triggers of a table that is emptied', async () => {
    const classified = (statement: string) => consoleOf(session).classify(statement, { signal });
    expect(await classified('TRUNCATE app.emptied')).not.toHaveProperty('unknown');
    for (const statement of [
      'TRUNCATE app.emptied_with_trigger',
      'TRUNCATE TABLE ONLY app.emptied, app.emptied_with_trigger RESTART IDENTITY',
      'TRUNCATE app.emptied CASCADE',
    ])
      expect(await classified(statement)).toMatchObject({ effect: 'destructive', unknown: true });
    expect((await classified('TRUNCATE app.emptied CASCADE')).summary).toContain('and all tables that refer to it');
  });

  it('has its schema in the summary, where the table was named without one', async () => {
    await administer(
      server(),
      'CREATE TABLE warded.stock (id int); GRANT ALL ON warded.stock TO warden; CREATE TABLE public.stock (id int)',
    );
    await administer(server(), 'ALTER ROLE warden SET search_path = warded, public');
    const own = await open(server(), { user: 'warden', password: 'warden' });
    try {
      for (const statement of ['TRUNCATE stock', 'UPDATE stock SET id = 1 WHERE id = 2'])
        expect((await consoleOf(own).classify(statement, { signal })).summary).toContain('warded.stock');
    } finally {
      await own.close();
    }
  });

  it('is not what belongs to the role itself', async () => {
    expect(await isCertain(`SELECT warded.own('A')`, warden)).toBe(true);
  });

  describe('where functions of a body are looked for', () => {
    it('counts a right of everybody only where another role can sign in', async () => {
      const each = (way: string) =>
        `DO $$ DECLARE r text; BEGIN FOREACH r IN ARRAY ${way} LOOP EXECUTE format('ALTER ROLE %I %s', split_part(r, ' ', 1), split_part(r, ' ', 2)); END LOOP; END $$`;
      const others = `(SELECT array_agg(rolname || ' NOLOGIN') FROM pg_roles WHERE rolcanlogin AND NOT rolsuper)`;
      const client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
      await client.connect();
      try {
        const { rows } = await client.query<{ name: string }>(
          'SELECT rolname AS name FROM pg_roles WHERE rolcanlogin AND NOT rolsuper',
        );
        await client.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
        expect(await isCertain(`SELECT app.norm('A')`)).toBe(false);
        await client.query(each(others));
        expect(await isCertain(`SELECT app.norm('A')`)).toBe(true);
        await client.query(
          `REVOKE CREATE ON SCHEMA public FROM PUBLIC; ${rows.map(({ name }) => `ALTER ROLE ${name} LOGIN`).join('; ')}`,
        );
      } finally {
        await client.end();
      }
    });

    it.each([
      ['GRANT CREATE ON SCHEMA public TO PUBLIC', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'],
      ['GRANT CREATE ON SCHEMA public TO mallory', 'REVOKE CREATE ON SCHEMA public FROM mallory'],
      ['ALTER SCHEMA public OWNER TO mallory', 'ALTER SCHEMA public OWNER TO pg_database_owner'],
      ['ALTER DATABASE postgres OWNER TO mallory', 'ALTER DATABASE postgres OWNER TO tester'],
      [
        'GRANT CREATE ON SCHEMA app TO mallory; ALTER ROLE tester SET search_path = app',
        'REVOKE CREATE ON SCHEMA app FROM mallory; ALTER ROLE tester RESET search_path',
      ],
    ])('counts whether others can make one there: %s', async (opening, closing) => {
      await administer(server(), opening);
      const own = await open(server());
      try {
        expect(await isCertain(`SELECT app.norm('A')`, own)).toBe(false);
      } finally {
        await administer(server(), closing);
        await own.close();
      }
      expect(await isCertain(`SELECT app.norm('A')`)).toBe(true);
    });
  });
});
