import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ConsoleSession, Session } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offsetOf, withOffset, withOffsetMoved } from './faultPlace.ts';
import { describeWithServer } from './server.test-helper.ts';
import { administer, open, run, signal } from './session.test-helper.ts';

describe('the place of a fault', () => {
  const encoding = 'UTF8';

  it('is counted in characters by the server and in code units here', () => {
    const text = "-- 💥\r\nSELECT '日本💥', naem";
    const characters = [...text];
    for (const [index] of characters.entries())
      expect(offsetOf(text, index + 1, encoding)).toBe(characters.slice(0, index).join('').length);
    expect(offsetOf(text, characters.length + 1, encoding)).toBe(text.length);
    expect(offsetOf(text, characters.length + 2, encoding)).toBeUndefined();
    expect(offsetOf(text, undefined, encoding)).toBeUndefined();
    // Each half of a pair that is alone is sent as one character.
    expect(offsetOf('\ud83d naem', 3, encoding)).toBe(2);
  });

  it('is certain in another encoding only where all before it is ASCII', () => {
    expect(offsetOf('SELECT naem', 8, 'SQL_ASCII')).toBe(7);
    expect(offsetOf("SELECT 'ä', naem", 13, 'SQL_ASCII')).toBeUndefined();
    expect(offsetOf("SELECT naem, 'ä'", 8, 'LATIN1')).toBe(7);
  });

  const failed = (position: string, status = '42703'): DriverError =>
    new DriverError('INVALID_INPUT', 'It is wrong.', {
      cause: Object.assign(new Error('wrong'), { position }),
      details: { status },
    });
  const offset = (error: unknown): number | undefined => (error as DriverError).details.offset;

  it('is that in the given text, without what the driver put in front', () => {
    const sent = { text: 'EXPLAIN SELECT naem', lead: 8, start: 3, encoding };
    expect(offset(withOffset(failed('16'), sent))).toBe(10);
    expect(offset(withOffset(failed('3'), sent))).toBeUndefined();
    expect(offset(withOffset(failed('99'), sent))).toBeUndefined();
    expect(offset(withOffset(failed('no'), sent))).toBeUndefined();
    const placed = withOffset(failed('16'), sent) as DriverError;
    expect(placed.cause).toMatchObject({ position: '16' });
    expect(placed.details.status).toBe('42703');
    expect(offset(withOffsetMoved(placed, 5))).toBe(15);
    expect(offset(withOffsetMoved(placed, -11))).toBeUndefined();
  });

  it('is none where the server may have read another text', () => {
    const of = (text: string, status?: string): number | undefined =>
      offset(withOffset(failed('3', status), { text, start: 0, encoding }));
    expect(of('CREATE EXTENSION hstore')).toBeUndefined();
    expect(of('ALTER EXTENSION hstore UPDATE', '42601')).toBeUndefined();
    expect(of('ALTER TABLE a ALTER b TYPE int')).toBeUndefined();
    expect(of('ALTER TABLE a ALTER b TYPE int', '42601')).toBe(2);
    expect(of('ALTER TYPE a RENAME TO b')).toBe(2);
  });
});

/** Where a text has its mark, and the text without it. */
function marked(text: string): { readonly statement: string; readonly offset: number | undefined } {
  const place = text.indexOf('‸');
  return { statement: text.replace('‸', ''), offset: place < 0 ? undefined : place };
}

async function offsetIn(call: () => Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await call().then(
    () => expect.fail('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  if (!isDriverError(error)) throw error;
  return error.details.offset;
}

const READS = [
  'SELECT ‸naem FROM shelf',
  'SELECT id\r\nFROM shelf\r\nWHERE ‸naem = 1\r\nORDER BY id',
  '-- 💥 books\nSELECT \'💥\', "title"\n  , /* 日本 */ ‸naem\nFROM shelf',
  '   \n\tSELECT * FROM ‸nowhere  ; ',
  'SELECT (1 +‸  ',
  "SELECT '💥' FORM ‸shelf",
  "SELECT '💥' || ‸upperr(title) FROM shelf",
  "SELECT title FROM shelf WHERE title ‸< 1 AND '💥' = title",
] as const;

/** Faults that the server has no place for, or one in another text than the statement. */
const ELSEWHERE = [
  'SELECT 1 / (id - id) FROM shelf',
  'SELECT broken()',
  'SELECT * FROM shelf WHERE broken_text() IS NULL',
] as const;

const CHANGES = [
  "INSERT INTO shelf (id, ‸naem) VALUES (1, '💥')",
  "UPDATE shelf\nSET title = '💥',\n    ‸naem = 1",
  'CREATE TABLE other (\n  id int, -- 💥\n  word ‸textt\n)',
  'CREATE FUNCTION wrong() RETURNS int LANGUAGE sql AS $$ /* 💥 */ SELECT ‸naem FROM shelf $$',
  'DO $$\nBEGIN\n  -- 💥\n  PERFORM 1 ENDD ‸IF;\nEND $$',
  'ALTER TABLE shelf ADD COLUMN a ‸textt',
  // The server makes the index again, and counts in the definition of that.
  'ALTER TABLE shelf ALTER COLUMN title TYPE date USING NULL',
] as const;

describeWithServer('the place of a fault at a real server', (server) => {
  let session: Session;
  let everywhere: Session;
  let own: ConsoleSession;
  let moving: ConsoleSession;
  const opened = async ({ console }: Session): Promise<ConsoleSession> => {
    const found = await console?.openSession?.({ signal });
    if (found === undefined) throw new Error('The driver opens no sessions.');
    return found;
  };
  const drained = async (events: AsyncIterable<unknown>): Promise<void> => {
    for await (const event of events) expect(event).toBeDefined();
  };
  const inSession = (of: ConsoleSession, statement: string): Promise<void> => drained(of.run(statement, { maxRows: 10, signal }));

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TABLE shelf (id int, title text); CREATE INDEX by_title ON shelf (upper(title)); INSERT INTO shelf VALUES (1, 'a');
      CREATE FUNCTION broken() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN (SELECT naem FROM shelf); END $$;
      CREATE FUNCTION broken_text() RETURNS int LANGUAGE plpgsql STABLE AS $$ DECLARE n int; BEGIN EXECUTE 'SELECT naem FROM shelf' INTO n; RETURN n; END $$;`,
    );
    await administer(server(), 'CREATE DATABASE other');
    session = await open(server());
    everywhere = await open(server(), { settings: { databases: 'all' } });
    own = await opened(session);
    moving = await opened(everywhere);
  });
  afterAll(async () => {
    await Promise.all([own.close(), moving.close()]);
    await Promise.all([session.close(), everywhere.close()]);
  });

  it.each(READS)('is known of a read: %s', async (text) => {
    const { statement, offset } = marked(text);
    expect(await offsetIn(() => run(session, statement))).toBe(offset);
    expect(await offsetIn(() => inSession(own, statement))).toBe(offset);
  });

  it.each(ELSEWHERE)('is none in %s', async (statement) => {
    expect(await offsetIn(() => run(session, statement))).toBeUndefined();
    expect(await offsetIn(() => inSession(own, statement))).toBeUndefined();
  });

  it.each(CHANGES)('is known of a change: %s', async (text) => {
    const { statement, offset } = marked(text);
    expect(await offsetIn(() => run(session, statement))).toBe(offset);
    expect(await offsetIn(() => inSession(own, statement))).toBe(offset);
  });

  it.each(READS.filter((text) => !text.includes(';')))('is known of a plan: %s', async (text) => {
    const { statement, offset } = marked(text);
    const plan = { analyze: false, signal };
    expect(await offsetIn(async () => session.explain?.explain(statement, plan))).toBe(offset);
    expect(await offsetIn(async () => own.explain?.explain(statement, plan))).toBe(offset);
    expect(await offsetIn(async () => session.explain?.explain(statement, { ...plan, analyze: true }))).toBe(offset);
  });

  it('is known of a statement whose parameters are asked for', async () => {
    const { statement, offset } = marked("  -- 💥\nSELECT '💥', ‸naem FROM shelf WHERE id = $1");
    expect(await offsetIn(async () => own.parameters?.(statement, { signal }))).toBe(offset);
    expect(await offsetIn(async () => moving.parameters?.(`\\connect other\n${statement}`, { signal }))).toBe(
      `\\connect other\n${statement}`.indexOf('shelf'),
    );
  });

  it.each(['\\connect postgres\n', '\\connect other\n', '  \\connect other\n\n-- 💥\n'])(
    'is that in the whole text behind the line %j',
    async (line) => {
      for (const text of ["SELECT '💥',\n  ‸naem", "SELECT 1,\n '💥' FORM ‸a", '‸SELEC 1', "SELECT '💥', ‸'open"]) {
        const { statement, offset } = marked(line + text);
        expect(await offsetIn(() => run(everywhere, statement))).toBe(offset);
        expect(await offsetIn(() => inSession(moving, statement))).toBe(offset);
        if (text.startsWith('‸')) continue;
        expect(await offsetIn(async () => everywhere.explain?.explain(statement, { analyze: false, signal }))).toBe(offset);
        expect(await offsetIn(async () => moving.explain?.explain(statement, { analyze: false, signal }))).toBe(offset);
      }
    },
  );

  it('is known of what the driver rejects itself, also before it runs', async () => {
    for (const text of ["SELECT '💥', ‸'open", '  ‸FROB the shelf', '\n‸\\dt', 'SELECT 1; ‸SELECT 2', 'SELECT ‸$1']) {
      const { statement, offset } = marked(text);
      expect(await offsetIn(async () => session.console?.classify(statement, { signal }))).toBe(offset);
      expect(await offsetIn(() => run(session, statement))).toBe(offset);
      const placed = `\\connect other\n${statement}`;
      if (text.includes(';')) continue;
      const from = placed.length - statement.trimStart().length;
      expect(await offsetIn(async () => everywhere.console?.classify(placed, { signal }))).toBe(
        from + (offset ?? 0) - (statement.length - statement.trimStart().length),
      );
    }
  });
});
