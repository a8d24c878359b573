import { beforeAll, expect, it } from 'vitest';
import type { Session, SocketCapability } from '@tabularium/sdk';
import { connect } from '../connect.ts';
import { PgDatabase } from '../pgDatabase.ts';
import type { ServerFacts } from '../pgDatabase.ts';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, clientOptions, grantsOf, run, signal } from '../session.test-helper.ts';
import { Link } from '../wire/link.ts';
import { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import { PgClient } from '../wire/pgClient.ts';
import { SocketAllowance } from '../wire/socketAllowance.ts';
import { ServerDatabases } from './serverDatabases.ts';

const OTHERS = ['other_one', 'other_two', 'other_three', 'other_four'];

interface Opened {
  readonly session: Session;
  /** Sockets that the session has opened. */
  readonly sockets: () => number;
}

async function openAll(server: TestServer): Promise<Opened> {
  const { settings, context } = grantsOf(server, { settings: { databases: 'all' } });
  let count = 0;
  const socket: SocketCapability = {
    endpoint: context.socket.endpoint,
    tls: context.socket.tls,
    open(options) {
      count += 1;
      return context.socket.open(options);
    },
  };
  const session = await connect(settings, { ...context, socket, log: () => undefined }, { signal });
  return { session, sockets: () => count };
}

async function namesIn(session: Session): Promise<string[]> {
  return (await session.listTables({ signal })).map(({ ref }) => [...ref.namespace, ref.name].join('.'));
}

describeWithServer('lists of all databases', (server) => {
  beforeAll(async () => {
    for (const name of OTHERS) {
      await administer(server(), `CREATE DATABASE ${name}`);
      await administer(server(), 'CREATE TABLE books (id int PRIMARY KEY)', name);
    }
  });

  it.each([
    ['of tables', (session: Session) => session.listTables({ signal })],
    ['of schemas for an import', (session: Session) => session.import?.tables?.namespaces?.({ signal })],
  ])('%s don’t open a socket for each database each time', async (_name, list) => {
    const { session, sockets } = await openAll(server());
    const began = performance.now();
    const first = await list(session);
    expect(first?.length).toBeGreaterThanOrEqual(OTHERS.length);
    for (let count = 0; count < 100; count += 1) expect(await list(session)).toEqual(first);
    const seconds = (performance.now() - began) / 1_000;
    // At most 400 in a minute, and those of the first list.
    expect(sockets()).toBeLessThan(3 + OTHERS.length * 2 + (seconds * 400) / 60);
    await session.close();
  });

  it('have a table at once that a statement of the session has made', async () => {
    const { session } = await openAll(server());
    expect(await namesIn(session)).not.toContain('other_one.public.made');
    await run(session, '\\connect other_one\nCREATE TABLE made (id int)');
    expect(await namesIn(session)).toContain('other_one.public.made');
    await run(session, '\\connect other_one\nDROP TABLE made');
    expect(await namesIn(session)).not.toContain('other_one.public.made');
    await session.close();
  });

  it('have the tables of a database that was made again under its name', async () => {
    const { session } = await openAll(server());
    expect(await namesIn(session)).toContain('other_two.public.books');
    await administer(server(), 'DROP DATABASE other_two WITH (FORCE)');
    await administer(server(), 'CREATE DATABASE other_two');
    expect(await namesIn(session)).not.toContain('other_two.public.books');
    await session.close();
  });

  it('have another table behind a name when its database was made from another one, with the numbers of its tables', async () => {
    const { session } = await openAll(server());
    const table = { namespace: ['other_three', 'public'], name: 'books' };
    const identity = async (): Promise<string | undefined> => (await session.describeTable(table, { signal })).identity;
    const before = await identity();
    expect(await identity()).toBe(before);
    await administer(server(), 'DROP DATABASE other_three WITH (FORCE)');
    await administer(server(), 'CREATE DATABASE other_three TEMPLATE other_four');
    await identity().catch(() => undefined);
    expect(await identity()).not.toBe(before);
    await session.close();
  });

  it('name the databases that are too many for a list', async () => {
    const rows = ['named', ...Array.from({ length: 402 }, (_, index) => `d${index}`)].map((name, index) => [
      name,
      't',
      `${index}`,
    ]);
    const primary = new PgDatabase(undefined as unknown as Links, { database: 'named' } as ServerFacts, ['named']);
    primary.read = async () => [{ fields: [], rows, tag: '' }];
    const databases = new ServerDatabases({
      primary,
      open: () => Promise.reject(new Error('Nothing is opened.')),
      budget: new LinkBudget(6),
      allowance: { listing: async () => undefined },
      systemSchemas: false,
      log: () => undefined,
    });
    const { allowed, unlisted } = await databases.names(signal);
    expect(allowed).toHaveLength(403);
    expect(unlisted).toEqual(['d400', 'd401']);
  });

  it('and all else may have used up the sockets: a statement ends all the same when it is cancelled', async () => {
    const { socket } = grantsOf(server()).context;
    const { user, password } = server();
    const allowance = new SocketAllowance(socket, { lists: 1, work: 1 });
    const links = new Links((own) => Link.open(allowance, { user, password, database: 'postgres' }, own), new LinkBudget(6));
    const watching = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await watching.connect();
    const running = async (): Promise<number> => {
      const { rows } = await watching.query(
        "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(44)%' AND pid <> pg_backend_pid()",
      );
      return rows.length;
    };
    const stopping = new AbortController();
    const sleeping = links.use(stopping.signal, (link) => link.run('SELECT pg_sleep(44)', [], stopping.signal));
    while ((await running()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stopping.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await running()).toBe(0);
    await Promise.all([links.close(), watching.end()]);
  });
});
