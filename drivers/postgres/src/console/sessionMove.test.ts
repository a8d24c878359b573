import { expect, it } from 'vitest';
import type { PgDatabase } from '../pgDatabase.ts';
import type { Link } from '../wire/link.ts';
import { PgConsoleSession } from './session.ts';

const signal = new AbortController().signal;

/** A database with one connection, of which it says whether it is closed. */
function databaseOf(name: string, answer: () => Promise<unknown>) {
  const link = { isOpen: true, transaction: 'none', settled: async () => undefined, batch: answer } as unknown as Link;
  const closed: Link[] = [];
  const links = { openOwn: async () => link, closeOwn: async (own: Link) => void closed.push(own) };
  const database = {
    facts: { database: name, user: 'tester', path: ['public'] },
    prefix: [name],
    links,
  } as unknown as PgDatabase;
  return { at: { database, changed: () => undefined }, isClosed: () => closed.includes(link) };
}

const context = async (): Promise<unknown> => [{ rows: [] }, { rows: [['public', 'tester', '["public"]']] }];

it.each(['answers', 'fails'])(
  'a session that is closed while it moves closes both connections, where the other one %s',
  async (end) => {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const from = databaseOf('from', context);
    const to = databaseOf('to', async () => {
      asked.resolve();
      await released.promise;
      if (end === 'fails') throw new Error('Connection terminated');
      return await context();
    });
    const session = await PgConsoleSession.open(from.at, signal, { get: async () => to.at });
    const events = session.run('\\connect to', { maxRows: 1, signal });
    const moving = events.next().catch(() => undefined);
    await asked.promise;
    await session.close();
    expect([from.isClosed(), to.isClosed()]).toEqual([true, true]);
    released.resolve();
    await moving;
  },
);
