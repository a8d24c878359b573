import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleFacet, ConsoleSession, PermittedStatement, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, sessionOf, signal } from '../session.test-helper.ts';

/** Each turns a statement that reads, as it was classified, into one that does more. */
const TURNS = [
  ['a view that calls another function', 'SELECT * FROM shown', 'CREATE OR REPLACE VIEW shown AS SELECT loud() AS id'],
  [
    'a function of the same name in another schema',
    'SELECT lower(word) FROM words',
    loudFunction('public.lower(text)', 'text', "'x'"),
  ],
  [
    'an operator of the same name',
    'SELECT word || 1 FROM words',
    `${loudFunction('joined(text, int)', 'text', "'x'")}; CREATE OPERATOR public.|| (FUNCTION = joined, LEFTARG = text, RIGHTARG = int)`,
  ],
  [
    'a policy of the table',
    'SELECT * FROM words',
    'ALTER TABLE words ENABLE ROW LEVEL SECURITY; CREATE POLICY seen ON words USING (loud() > 0)',
  ],
] as const;

/** Makes a function that leaves a row behind. */
function loudFunction(signature: string, type: string, value: string): string {
  return `CREATE FUNCTION ${signature} RETURNS ${type} LANGUAGE plpgsql AS $$ BEGIN INSERT INTO traces VALUES (1); RETURN ${value}; END $$`;
}

describeWithServer('a statement that was permitted', (server) => {
  let session: Session;
  let all: Session;
  beforeAll(async () => {
    session = await open(server());
    all = await open(server(), { settings: { databases: 'all' } });
  });
  beforeEach(() =>
    administer(
      server(),
      `DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO public;
      CREATE TABLE traces (id int); GRANT ALL ON traces TO public; ${loudFunction('loud()', 'int', '1')};
      CREATE TABLE words (word text); GRANT ALL ON words TO public; INSERT INTO words VALUES ('a');
      CREATE VIEW shown AS SELECT 1 AS id; GRANT ALL ON shown TO public`,
    ),
  );
  afterAll(() => Promise.all([session.close(), all.close()]));

  const doors: Readonly<Record<string, () => Promise<Pick<ConsoleFacet | ConsoleSession, 'classify' | 'run'>>>> = {
    'the console': async () => consoleOf(session),
    'a console session': () => sessionOf(session),
    'the console of all databases': async () => consoleOf(all),
    'a console session of all databases': () => sessionOf(all),
  };

  const traces = async (): Promise<unknown> => rows(await collect(consoleOf(session), 'SELECT count(*) FROM traces'));

  describe.each(Object.entries(doors))('by %s', (_name, door) => {
    it.each(TURNS)('is refused where it does more now: %s', async (_turn, statement, turn) => {
      const runner = await door();
      const { effect, unknown } = await runner.classify(statement, { signal });
      expect([effect, unknown]).toEqual(['read', undefined]);
      await administer(server(), turn);
      await expect(collect(runner, statement, { effect })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('Nothing was run.') as string,
      });
      // A change that is understood isn't one that isn't.
      await expect(collect(runner, statement, { effect: 'write' })).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await traces()).toEqual([[0]]);
    });

    it('runs where as much was permitted, or nothing was said', async () => {
      const runner = await door();
      await collect(runner, 'INSERT INTO words VALUES (1)', { effect: 'write' });
      await collect(runner, 'INSERT INTO words VALUES (1)', { effect: 'destructive', unknown: true });
      await collect(runner, 'INSERT INTO words VALUES (1)');
      expect(rows(await collect(runner, 'SELECT count(*) FROM words', { effect: 'read' }))).toEqual([[4]]);
      await expect(collect(runner, 'DELETE FROM words', { effect: 'write', unknown: true })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });
  });
});

async function collect(
  runner: Pick<ConsoleFacet | ConsoleSession, 'run'>,
  statement: string,
  permitted?: PermittedStatement,
): Promise<readonly { readonly type: string }[]> {
  return await Array.fromAsync(
    runner.run(statement, { maxRows: 10, signal, ...(permitted === undefined ? {} : { permitted }) }) as AsyncIterable<{
      readonly type: string;
    }>,
  );
}

function rows(events: readonly { readonly type: string; readonly rows?: unknown }[]): unknown {
  return events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
}
