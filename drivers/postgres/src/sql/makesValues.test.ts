import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, signal } from '../session.test-helper.ts';

// A text, a parameter or a row without a type takes that of what is beside it. Where that is a composite type of another role, its owner may give it an attribute with a domain of theirs before the statement is parsed.

const OBJECTS = `
CREATE ROLE mallory NOLOGIN; CREATE ROLE guest LOGIN PASSWORD 'guest'; CREATE SCHEMA m; CREATE SCHEMA app; GRANT USAGE ON SCHEMA m, app TO PUBLIC;
CREATE TYPE m.pair AS (a text); CREATE TYPE app.pair AS (a text);
CREATE TYPE app.around AS (n int, q m.pair); CREATE DOMAIN app.fenced AS m.pair; CREATE TYPE app.own_around AS (n int, q app.pair); CREATE DOMAIN app.own_fenced AS app.pair;
CREATE TABLE app.theirs (id int, plain m.pair, list m.pair[], deep app.around, bounded app.fenced);
CREATE TABLE app.ids (id int); CREATE TABLE app.ours (id int, plain app.pair, list app.pair[], deep app.own_around, bounded app.own_fenced);
CREATE VIEW app.seen_theirs AS SELECT * FROM app.theirs; CREATE VIEW app.seen_ours AS SELECT * FROM app.ours;
CREATE FUNCTION app.taking_theirs(v m.pair) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
ALTER TYPE m.pair OWNER TO mallory; GRANT ALL ON ALL TABLES IN SCHEMA app TO guest`;

/** Each makes values of the type of the column V of T, which it doesn't name. */
const MAKING = [
  "SELECT coalesce(V, '(zz)') FROM T",
  "SELECT V FROM T UNION ALL SELECT '(zz)'",
  "SELECT '(zz)' EXCEPT SELECT V FROM T",
  "SELECT lag(V, 1, '(zz)') OVER () FROM T",
  "SELECT id FROM T WHERE V IN ('(zz)', '(y)')",
  "SELECT id FROM T WHERE V = '(zz)'",
  "SELECT id FROM T WHERE V IS DISTINCT FROM E'(zz)'",
  "SELECT id FROM T WHERE V BETWEEN '(a)' AND U&'(zz)'",
  'SELECT id FROM T WHERE V = $$(zz)$$',
  "SELECT CASE WHEN true THEN '(zz)' ELSE V END FROM T",
  "SELECT greatest(V, '(zz)') FROM T",
  "SELECT nullif(V, '(zz)') FROM T",
  "SELECT ARRAY[(SELECT V FROM T LIMIT 1), '(zz)']",
  "VALUES ((SELECT V FROM T LIMIT 1)), ('(zz)')",
  "SELECT array_position(array_agg(V), '(zz)') FROM T",
  'SELECT coalesce(V, ROW (1)) FROM T',
  'SELECT coalesce(V, (1, 2)) FROM T',
  'SELECT coalesce(V, s) FROM T, (SELECT 1 AS a) s',
  'WITH s AS (SELECT 1 AS a) SELECT coalesce(V, s) FROM T, s',
  'SELECT coalesce(V, k) FROM T, pg_get_keywords() k',
  'SELECT CASE WHEN true THEN V ELSE j END FROM T JOIN app.ids USING (id) AS j',
  "EXPLAIN SELECT coalesce(V, '(zz)') FROM T",
];
/** Each only reads values, compares numbers and counts. */
const PLAIN = [
  'SELECT * FROM T',
  'TABLE T',
  'SELECT V FROM T WHERE id = 1 ORDER BY id LIMIT 5',
  'SELECT count(*), max(id) FROM T',
  'SELECT a.V, b.id FROM T a JOIN T b ON a.id = b.id',
  'SELECT V FROM T JOIN app.ids USING (id)',
];
const COLUMNS = ['plain', 'list', 'deep', 'bounded'];

const over = (statements: readonly string[], tables: readonly string[]): readonly string[] =>
  tables.flatMap((table) =>
    COLUMNS.flatMap((column) => statements.map((one) => one.replaceAll(/\bT\b/g, `app.${table}`).replaceAll(/\bV\b/g, column))),
  );

describeWithServer('values that take the type of a column', (server) => {
  let session: Session;
  let guest: Session;
  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server());
    guest = await open(server(), { user: 'guest', password: 'guest' });
  });
  afterAll(() => Promise.all([session.close(), guest.close()]));

  /** The statements that are judged otherwise than expected. */
  const otherwise = async (by: Session, statements: readonly string[], expected: boolean): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const statement of statements) {
      const { unknown, summary } = await consoleOf(by).classify(statement, { signal });
      if ((unknown === true) !== expected) found.push(`${statement}: ${summary}`);
    }
    return found;
  };

  describe('for a superuser', () => {
    it.each(COLUMNS)('are uncertain where that belongs to another role: %s', async (column) => {
      const statements = over(MAKING, ['theirs', 'seen_theirs']).filter((one) => one.includes(column));
      expect(await otherwise(session, statements, true)).toEqual([]);
    });

    it('are uncertain as an argument of a function that takes such a type', async () => {
      expect(await otherwise(session, ["SELECT app.taking_theirs('(zz)')"], true)).toEqual([]);
    });

    it('are certain where it is the superuser’s own, and where a statement makes none', async () => {
      expect(await otherwise(session, over(MAKING, ['ours', 'seen_ours']), false)).toEqual([]);
      expect(await otherwise(session, over(PLAIN, ['theirs', 'seen_theirs', 'ours']), false)).toEqual([]);
    });
  });

  it('are certain in the reads of a role without rights beyond that, and uncertain in its changes', async () => {
    expect(await otherwise(guest, over(MAKING, ['theirs']), false)).toEqual([]);
    expect(
      await otherwise(
        guest,
        over(["UPDATE T SET V = '(zz)'", "INSERT INTO T (V) SELECT coalesce(V, '(zz)') FROM T"], ['theirs']),
        true,
      ),
    ).toEqual([]);
  });
});
