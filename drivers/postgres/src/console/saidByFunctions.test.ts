import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsoleSession, Session, SessionEvent } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

describeWithServer('what a function says', (server) => {
  let session: Session;
  let own: ConsoleSession;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE FUNCTION says(state text) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION 'said' USING ERRCODE = state; END $$;
       CREATE FUNCTION noisy(n int) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN FOR i IN 1..n LOOP
         RAISE NOTICE '% %', i, repeat(U&'\\20AC', 9000000) USING HINT = repeat('h', 3000000); END LOOP; RETURN n; END $$;`,
    );
    session = await open(server());
    const opened = await session.console?.openSession?.({ signal });
    if (opened === undefined) throw new Error('The driver opens no sessions.');
    own = opened;
  });
  afterAll(async () => {
    await own.close();
    await session.close();
  });

  async function inSession(statement: string): Promise<SessionEvent[]> {
    return await Array.fromAsync(own.run(statement, { maxRows: 10, signal }));
  }

  it.each(['28P01', '28000', '57P01', '08006', '53300'])(
    'with the state %s is an error of the statement, and the connection stays',
    async (state) => {
      for (const ask of [(text: string) => run(session, text), inSession])
        await expect(ask(`SELECT says('${state}')`)).rejects.toMatchObject({
          code: 'SERVER_ERROR',
          message: 'PostgreSQL says: said.',
          details: { status: state },
        });
      expect(await inSession('SELECT 1')).toContainEqual({ type: 'rows', rows: [[1]] });
    },
  );

  it('in notices of 30 MB each is shown by its beginning', async () => {
    const notices = (await inSession('SELECT noisy(3)')).filter(({ type }) => type === 'notice');
    expect(notices).toHaveLength(3);
    expect(notices[2]).toMatchObject({ message: `3 ${'\u{20AC}'.repeat(1_998)}`, hint: 'h'.repeat(2_000) });
    const text = (await run(session, 'SELECT noisy(2)')).flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    expect(text).toBe(['1', '2'].map((number) => `NOTICE: ${number} ${'\u{20AC}'.repeat(1_998)}`).join('\n'));
  });
});
