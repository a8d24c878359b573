import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ConsoleSession, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

/** The length and the code of a request to cancel. */
const CANCEL = Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]);

describeWithServer('a request to stop that comes before the statement has begun', (server) => {
  let between: Server;
  let session: Session;
  let toLose = 0;
  let lost = 0;
  beforeAll(async () => {
    await administer(server(), 'CREATE TABLE held (id int)');
    between = createServer((near) => {
      let far: ReturnType<typeof connect> | undefined;
      near.on('error', () => far?.destroy());
      near.once('data', (first: Buffer) => {
        if (first.subarray(0, 8).equals(CANCEL) && toLose > 0) {
          toLose -= 1;
          lost += 1;
          near.destroy();
          return;
        }
        far = connect(server().port, '127.0.0.1');
        far.on('error', () => near.destroy());
        far.write(first);
        near.pipe(far);
        far.pipe(near);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => void between.once('listening', resolve));
    session = await open(server(), { socket: { port: (between.address() as AddressInfo).port } });
  });
  beforeEach(() => {
    lost = 0;
  });
  afterAll(async () => {
    await session.close();
    between.close();
  });

  async function holding(): Promise<ConsoleSession> {
    const own = await session.console?.openSession?.({ signal });
    if (own === undefined) throw new Error('The driver opens no sessions.');
    for (const statement of ['BEGIN', 'INSERT INTO held VALUES (1)'])
      await Array.fromAsync(own.run(statement, { maxRows: 1, signal }));
    return own;
  }
  const sleeps = async (own: ConsoleSession, stopping: AbortSignal): Promise<void> => {
    await Array.fromAsync(own.run('SELECT pg_sleep(600)', { maxRows: 1, signal: stopping }));
  };
  const sleeping = async (): Promise<unknown> => {
    const events = await run(
      session,
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
    );
    return events.flatMap((event) => (event.type === 'rows' ? event.rows : []))[0]?.[0];
  };
  const begun = () => expect.poll(sleeping).toBe(1);

  it('is repeated, so that the statement is stopped and its connection stays', async () => {
    const own = await holding();
    const stopping = new AbortController();
    const slow = sleeps(own, stopping.signal);
    slow.catch(() => undefined);
    await begun();
    toLose = 2;
    stopping.abort();
    await expect(slow).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([lost, await sleeping()]).toEqual([2, 0]);
    expect(own.context.transaction).not.toBe('none');
    await own.close();
  });

  it('is repeated also where its session is closed, so that nothing keeps its locks', async () => {
    const own = await holding();
    const slow = sleeps(own, signal);
    slow.catch(() => undefined);
    await begun();
    toLose = 2;
    await own.close();
    await expect(slow).rejects.toThrow();
    expect(lost).toBe(2);
    await administer(server(), 'TRUNCATE held');
    expect(await sleeping()).toBe(0);
  });
});
