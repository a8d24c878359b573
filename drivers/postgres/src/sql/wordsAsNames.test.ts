import { isDriverError } from '@tabularium/sdk';
import { beforeAll, expect, it } from 'vitest';
import { describeWithServer } from '../server.test-helper.ts';
import { open, run, signal } from '../session.test-helper.ts';
import { verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Statements that may come behind a WITH. */
const STATEMENTS = [
  'SELECT 1',
  'SELECT a FROM del FOR UPDATE',
  'SELECT a FROM del FOR NO KEY UPDATE',
  'VALUES (1)',
  'TABLE del',
  '(SELECT 1) UNION SELECT 2',
  'DELETE FROM del',
  'DELETE FROM ONLY del WHERE a = 1 RETURNING a',
  'UPDATE del SET a = 1, id = 2',
  'UPDATE del SET a = 1 WHERE id = 2',
  'INSERT INTO del VALUES (1)',
  'INSERT INTO del VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1',
  'MERGE INTO del d USING q ON d.id = q.id WHEN MATCHED THEN DELETE',
  'MERGE INTO del d USING q ON d.id = q.id WHEN MATCHED THEN UPDATE SET a = 1',
];
/** `§` has any name that the server takes for a table or a column. */
const WITHS = [
  'WITH § AS (SELECT 1)',
  'WITH §(del) AS (SELECT 1)',
  'WITH q(§) AS MATERIALIZED (SELECT 1)',
  'WITH q(a, §, b) AS NOT MATERIALIZED (SELECT 1, 2, 3)',
  'WITH q AS (SELECT 1), § AS (SELECT 2)',
  'WITH RECURSIVE §(a) AS (SELECT 1)',
  'WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) SEARCH DEPTH FIRST BY a SET §',
  'WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) SEARCH BREADTH FIRST BY a, § SET s',
  'WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) CYCLE a, § SET m USING p',
  'WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) CYCLE a SET § USING p',
  "WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) CYCLE a SET m TO text 'y' DEFAULT text 'n' USING §",
  'WITH RECURSIVE q(a) AS (SELECT 1 UNION ALL SELECT a FROM q WHERE false) SEARCH DEPTH FIRST BY a SET s CYCLE a SET m USING §, r AS (SELECT 1)',
  'WITH q AS (UPDATE § SET a = 1, b = 2 RETURNING a)',
  'WITH q AS (DELETE FROM § AS x RETURNING a)',
  'WITH q AS (WITH § AS (SELECT 1) SELECT 1)',
  'WITH q AS (SELECT a AS x FROM t § WHERE §.a = 1)',
];
const NAMES = [
  'UPDATE § SET a = 1',
  'UPDATE del AS § SET a = 1, id = 2',
  'UPDATE del SET § = 1, id = 2',
  'UPDATE del SET (a, §) = (1, 2), id = 3 WHERE a = 1',
  'UPDATE del SET a = § + 1, id = 2',
  'UPDATE del SET a = 1 FROM § WHERE del.id = 1',
  'DELETE FROM §',
  'DELETE FROM del AS § WHERE a = 1',
  'DELETE FROM del USING § WHERE del.a = 1',
  'INSERT INTO § VALUES (1)',
  'INSERT INTO del AS § (§) VALUES (1) ON CONFLICT (§) DO UPDATE SET § = 1',
  'MERGE INTO § USING q ON true WHEN MATCHED THEN DELETE',
  'SELECT § FROM del',
  'SELECT a FROM § FOR UPDATE',
  'SELECT a INTO § FROM del',
  'VACUUM §',
  'ANALYZE §',
  'CLUSTER §',
  'TRUNCATE §',
  'DROP TABLE §',
  'REFRESH MATERIALIZED VIEW § WITH NO DATA',
  'CREATE TABLE § (a int)',
  'CREATE TABLE t (§ int)',
  'CREATE VIEW § AS SELECT 1',
  'CREATE INDEX ON t (§)',
  'CREATE SCHEMA § AUTHORIZATION other',
  'CREATE DATABASE § OWNER other',
  'CREATE DATABASE d TEMPLATE §',
  'ALTER TABLE § ADD COLUMN a int',
  'ALTER TABLE t ADD COLUMN § int',
  'ALTER TABLE t DROP COLUMN §',
  'ALTER TABLE t RENAME COLUMN § TO b',
  'ALTER TABLE § OWNER TO other',
  'COMMENT ON TABLE § IS NULL',
  'COPY § FROM PROGRAM $$x$$',
  'LOCK TABLE §',
  'EXPLAIN ANALYZE UPDATE § SET a = 1',
  'EXPLAIN (ANALYZE) DELETE FROM §',
];
/** `§` has any word at all. */
const LABELS = [
  'UPDATE del SET a = del.§, id = 2',
  'UPDATE del SET a = (del.§), id = 2 WHERE del.§ = 1',
  'UPDATE del SET a = 1 RETURNING 1 AS §',
  'UPDATE del SET a = 1 RETURNING del.§',
  'UPDATE s.§ SET a = 1, id = 2',
  'DELETE FROM del RETURNING 1 AS §',
  'DELETE FROM s.§',
  'INSERT INTO del VALUES (1) ON CONFLICT DO NOTHING RETURNING 1 AS §',
  'INSERT INTO s.§ VALUES (1)',
  'SELECT 1 AS § FROM del',
  'SELECT del.§ FROM del FOR UPDATE',
  'WITH q AS (DELETE FROM del RETURNING 1 AS §) SELECT 1',
  'WITH q AS (SELECT 1 AS §) UPDATE del SET a = 1, id = 2',
  'WITH q AS (SELECT t.§ FROM t) DELETE FROM del',
  'TRUNCATE s.§',
  'ALTER TABLE s.§ OWNER TO other',
];

const RANK = { read: 0, write: 1, destructive: 2 } as const;

/** A statement that is refused is never run. */
function verdictOrRefusal(statement: string): Verdict | undefined {
  try {
    return verdictOf(statement, 'session');
  } catch (error) {
    if (isDriverError(error)) return undefined;
    throw error;
  }
}

/** Whether one verdict promises no more than another. */
function isNoMilder(found: Verdict | undefined, than: Verdict): boolean {
  if (found === undefined) return true;
  if (RANK[found.effect] < RANK[than.effect] || (found.isQuery && !than.isQuery)) return false;
  if (than.unknown === true && found.unknown !== true && RANK[found.effect] === RANK[than.effect]) return false;
  if (found.unknown === true) return true;
  if (than.everyRow === true && found.everyRow !== true) return false;
  if (than.acts !== undefined && found.acts !== than.acts) return false;
  if (found.assigned !== undefined && JSON.stringify(found.assigned) !== JSON.stringify(than.assigned)) return false;
  const targets = new Set((found.targets ?? []).map((target) => JSON.stringify(target)));
  return (than.targets ?? []).every((target) => targets.has(JSON.stringify(target)));
}

describeWithServer('a word of SQL as a name', (server) => {
  let names: readonly string[];
  let words: readonly string[];
  beforeAll(async () => {
    const session = await open(server());
    const events = await run(session, 'SELECT word, catcode FROM pg_get_keywords()');
    await session.close();
    const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
    words = rows.map(([word]) => String(word));
    names = rows.flatMap(([word, code]) => (code === 'U' || code === 'C' ? [String(word)] : []));
  });

  it('makes no verdict milder than the same name in quotes', () => {
    expect([words.length, names.length].every((length) => length > 300)).toBe(true);
    const cases = [
      ...WITHS.flatMap((before) => STATEMENTS.map((statement) => [`${before} ${statement}`, names] as const)),
      ...WITHS.map((before) => [`EXPLAIN ANALYZE ${before} DELETE FROM del`, names] as const),
      ...NAMES.map((statement) => [statement, names] as const),
      ...LABELS.map((statement) => [statement, words] as const),
    ];
    const milder: string[] = [];
    for (const [statement, among] of cases) {
      const plain = verdictOf(statement.replaceAll('§', '"zz"'), 'session');
      for (const word of among) {
        const quoted = verdictOf(statement.replaceAll('§', `"${word}"`), 'session');
        const bare = statement.replaceAll('§', word);
        if (quoted.effect !== plain.effect || !isNoMilder(verdictOrRefusal(bare), quoted)) milder.push(bare);
      }
    }
    expect(milder).toEqual([]);
  });

  it('is an operator in each of its spellings', async () => {
    const session = await open(server());
    await run(session, 'CREATE SCHEMA spelled');
    await run(
      session,
      `CREATE FUNCTION spelled.differ(text, text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN COPY (SELECT 1) TO PROGRAM ''true''; RETURN true; END'`,
    );
    await run(session, 'CREATE OPERATOR public.<> (FUNCTION = spelled.differ, LEFTARG = text, RIGHTARG = text)');
    for (const operator of ['<>', '!=', 'OPERATOR(public.<>)', 'OPERATOR(public.!=)', 'NOT IN'])
      expect(
        await session.console?.classify(`SELECT 1 WHERE 'a'::text ${operator} ('b'::text)`, { signal }),
        operator,
      ).toMatchObject({ effect: 'write', unknown: true });
    await run(session, 'DROP SCHEMA spelled CASCADE');
    await session.close();
  });
});
