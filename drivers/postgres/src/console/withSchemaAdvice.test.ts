import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

describeWithServer('a table that is in no schema of the search path', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA shop; CREATE TABLE shop.customers (id int); CREATE SCHEMA "Old shop"; CREATE VIEW "Old shop".customers AS SELECT 1 AS id;`,
    );
    session = await open(server());
  });
  afterAll(() => session?.close());

  const adviceOf = async (work: Promise<unknown>): Promise<unknown> =>
    await work.then(
      () => 'none',
      (error: { readonly details: { readonly advice?: string } }) => error.details.advice,
    );
  const inSession = async (statement: string): Promise<unknown> => {
    const own = await session.console?.openSession?.({ signal });
    const events = Array.fromAsync(own?.run(statement, { maxRows: 1, signal }) ?? []);
    return await adviceOf(events).finally(() => own?.close());
  };

  it('is named with its schema, in a session and without one', async () => {
    const advice = expect.stringContaining('Write the name with its schema: "Old shop".customers, shop.customers.') as unknown;
    for (const statement of ['SELECT * FROM customers', 'UPDATE customers SET id = 2']) {
      expect(await inSession(statement)).toEqual(advice);
      expect(await adviceOf(run(session, statement))).toEqual(advice);
    }
  });

  it('advice is left out for a name that no schema has, and for one with a schema of its own', async () => {
    for (const statement of ['SELECT * FROM nowhere', 'SELECT * FROM public.customers'])
      expect(await inSession(statement)).not.toEqual(expect.stringContaining('with its schema'));
  });
});
