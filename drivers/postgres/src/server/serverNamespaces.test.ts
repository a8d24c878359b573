import { beforeAll, expect, it } from 'vitest';
import type { NamespacesFacet, Session, SocketCapability } from '@tabularium/sdk';
import { connect } from '../connect.ts';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, clientOptions, grantsOf, run, signal } from '../session.test-helper.ts';
import { Link } from '../wire/link.ts';
import { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import { PgClient } from '../wire/pgClient.ts';
import { SocketAllowance } from '../wire/socketAllowance.ts';

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

function namespacesOf({ namespaces }: Session): NamespacesFacet {
  if (namespaces === undefined) throw new Error('The session has no namespaces.');
  return namespaces;
}

/** The last names of all namespaces in one, read in pages. */
async function inPages(session: Session, parent: readonly string[], limit: number): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const asked = { limit, signal, ...(after === undefined ? {} : { after }) };
    const { namespaces, next } = await namespacesOf(session).list(parent, asked);
    expect(namespaces.length).toBeLessThanOrEqual(limit);
    found.push(...namespaces.map(({ path }) => path.at(-1) ?? ''));
    after = next;
  } while (after !== undefined);
  return found;
}

async function tablesIn(session: Session, namespace: readonly string[], limit = 1_000): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const asked = { limit, signal, ...(after === undefined ? {} : { after }) };
    const { tables, next } = await namespacesOf(session).listTables(namespace, asked);
    found.push(...tables.map(({ ref }) => ref.name));
    after = next;
  } while (after !== undefined);
  return found;
}

describeWithServer('namespaces of all databases', (server) => {
  beforeAll(async () => {
    for (const name of OTHERS) {
      await administer(server(), `CREATE DATABASE ${name}`);
      await administer(server(), 'CREATE TABLE books (id int PRIMARY KEY)', name);
    }
  });

  it('are listed in pages that join: databases, schemas and tables, the named database and the schema public first', async () => {
    const made = [
      'CREATE SCHEMA archive',
      'CREATE SCHEMA "Upper"',
      'CREATE TABLE archive.old (id int)',
      'CREATE VIEW shelf AS SELECT 1',
    ];
    for (const statement of [...made, 'CREATE TABLE "Öl" (id int)']) await administer(server(), statement, 'other_one');
    const { session } = await openAll(server());
    const named = (await namespacesOf(session).list([], { limit: 1, signal })).namespaces;
    expect(named).toEqual([{ path: namespacesOf(session).initial[0], hasNamespaces: true, hasTables: false }]);
    const [first, ...others] = await inPages(session, [], 1_000);
    expect([first]).toEqual(namespacesOf(session).initial[0]);
    expect(others).toEqual(others.toSorted());
    for (const limit of [1, 2, 3]) expect(await inPages(session, [], limit)).toEqual([first, ...others]);
    for (const limit of [1, 2, 3]) expect(await inPages(session, ['other_one'], limit)).toEqual(['public', 'Upper', 'archive']);
    for (const limit of [1, 2, 3])
      expect(await tablesIn(session, ['other_one', 'public'], limit)).toEqual(['books', 'shelf', 'Öl']);
    expect(await tablesIn(session, ['other_one', 'Upper'])).toEqual([]);
    const { tables } = await namespacesOf(session).listTables(['other_one', 'archive'], { limit: 10, signal });
    expect(tables).toMatchObject([{ ref: { namespace: ['other_one', 'archive'], name: 'old' }, kind: 'table' }]);
    await session.close();
  });

  it('continue behind the last entry of a page though it is gone', async () => {
    const { session } = await openAll(server());
    await run(session, '\\connect other_one\nCREATE TABLE passing (id int)');
    const all = await tablesIn(session, ['other_one', 'public']);
    const place = all.indexOf('passing');
    const page = await namespacesOf(session).listTables(['other_one', 'public'], { limit: place + 1, signal });
    await run(session, '\\connect other_one\nDROP TABLE passing');
    const rest = { limit: 10, signal, after: page.next ?? '' };
    const { tables } = await namespacesOf(session).listTables(['other_one', 'public'], rest);
    expect(tables.map(({ ref }) => ref.name)).toEqual(all.slice(place + 1));
    await session.close();
  });

  it('that are not there are NOT_FOUND, and a cursor of nothing INVALID_INPUT', async () => {
    const { session } = await openAll(server());
    const long = 'x'.repeat(70);
    for (const path of [['gone'], [long], ['other_one', 'gone'], ['other_one', long], ['other_one', 'public', 'more'], ['a\0b']])
      for (const call of ['list', 'listTables'] as const)
        await expect(namespacesOf(session)[call](path, { limit: 10, signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const call of ['list', 'listTables'] as const)
      for (const path of [[], ['other_one'], ['other_one', 'public']])
        await expect(namespacesOf(session)[call](path, { limit: 10, signal, after: '17' })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
    await session.close();
  });

  it('are given up when the call is cancelled, at every level', async () => {
    const { session } = await openAll(server());
    for (const call of ['list', 'listTables'] as const)
      for (const path of [[], ['other_one'], ['other_one', 'public']])
        await expect(namespacesOf(session)[call](path, { limit: 10, signal: AbortSignal.abort() })).rejects.toMatchObject({
          code: 'CANCELLED',
        });
    await session.close();
  });

  it('have the schemas of the server itself where the form says so', async () => {
    const { settings, context } = grantsOf(server(), { settings: { databases: 'all', systemSchemas: true } });
    const session = await connect(settings, { ...context, log: () => undefined }, { signal });
    expect(await inPages(session, ['other_two'], 10)).toEqual(['public', 'information_schema', 'pg_catalog']);
    expect(await tablesIn(session, ['other_two', 'pg_catalog'], 50)).toContain('pg_class');
    await session.close();
  });

  it('for new tables are those of the named database, and of another one when it is asked for', async () => {
    const { session, sockets } = await openAll(server());
    const [named = []] = namespacesOf(session).initial;
    expect(await session.import?.tables?.namespaces?.({ signal })).toEqual([[...named, 'public']]);
    expect(sockets()).toBe(1);
    const others = await session.import?.tables?.namespaces?.({ signal, within: ['other_two'] });
    expect(others).toEqual([['other_two', 'public']]);
    await session.close();
  });

  it('connect to no database that was not asked for, of 134', async () => {
    const names = Array.from({ length: 134 }, (_, index) => `many_${String(index).padStart(3, '0')}`);
    for (const name of names) await administer(server(), `CREATE DATABASE ${name}`);
    const { session, sockets } = await openAll(server());
    await session.listTables({ signal });
    expect((await inPages(session, [], 100)).filter((name) => name.startsWith('many_'))).toEqual(names);
    expect(sockets()).toBe(1);
    expect(await inPages(session, ['many_077'], 100)).toEqual(['public']);
    expect(await tablesIn(session, ['many_077', 'public'])).toEqual([]);
    expect(sockets()).toBe(2);
    await session.close();
    for (const name of names) await administer(server(), `DROP DATABASE ${name}`);
  }, 600_000);

  it('have a table at once that a statement of the session has made', async () => {
    const { session } = await openAll(server());
    const names = (): Promise<string[]> => tablesIn(session, ['other_three', 'public']);
    expect(await names()).not.toContain('made');
    await run(session, '\\connect other_three\nCREATE TABLE made (id int)');
    expect(await names()).toContain('made');
    await run(session, '\\connect other_three\nDROP TABLE made');
    expect(await names()).not.toContain('made');
    await session.close();
  });

  it('have the tables of a database that was made again under its name', async () => {
    const { session } = await openAll(server());
    expect(await tablesIn(session, ['other_two', 'public'])).toContain('books');
    await administer(server(), 'DROP DATABASE other_two WITH (FORCE)');
    await administer(server(), 'CREATE DATABASE other_two');
    await tablesIn(session, ['other_two', 'public']).catch(() => []);
    expect(await tablesIn(session, ['other_two', 'public'])).toEqual([]);
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

  it('may have used up the sockets: a statement ends all the same when it is cancelled', async () => {
    const { socket } = grantsOf(server()).context;
    const { user, password } = server();
    const allowance = new SocketAllowance(socket, 1);
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
