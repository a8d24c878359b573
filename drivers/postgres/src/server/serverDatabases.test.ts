import { beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type {
  ConsoleSession,
  NamespacesFacet,
  ResultEvent,
  Session,
  SessionEvent,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, apply, clientOptions, grantsOf, open, read, run, signal } from '../session.test-helper.ts';
import { PgDatabase } from '../pgDatabase.ts';
import { readFacts } from '../serverFacts.ts';
import { Link } from '../wire/link.ts';
import { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import { PgClient } from '../wire/pgClient.ts';
import { ServerDatabases } from './serverDatabases.ts';

const ALPHA = 'alpha';
/** A name that SQL and psql have to quote. */
const BETA = 'be ta"x';
const IN_BETA = '\\connect "be ta""x"';

const books = (database: string, schema = 'public'): TableRef => ({ namespace: [database, schema], name: 'books' });

/** Two databases with a table of the same name, each with rows of its own. */
async function writeDatabases(server: TestServer): Promise<void> {
  for (const [name, word, more] of [
    [ALPHA, 'alpha', ''],
    [
      BETA,
      'beta',
      `INSERT INTO books VALUES (3, 'beta three', 1); CREATE FUNCTION changing() RETURNS int VOLATILE LANGUAGE plpgsql AS 'BEGIN DELETE FROM books; RETURN 1; END'`,
    ],
  ] as const) {
    await administer(server, `CREATE DATABASE "${name.replaceAll('"', '""')}"`);
    await administer(
      server,
      `CREATE TABLE shelves (id int PRIMARY KEY, place text); INSERT INTO shelves VALUES (1, '${word} shelf');
      CREATE TABLE books (id int PRIMARY KEY, title text, shelf int REFERENCES shelves);
      INSERT INTO books VALUES (1, '${word} one', 1), (2, '${word} two', 1); ${more}`,
      name,
    );
  }
}

const all = { settings: { databases: 'all' } } as const;
const openAll = (server: TestServer, user?: { user: string; password: string }): Promise<Session> =>
  open(server, { database: ALPHA, ...all, ...user });

async function within<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function namespacesOf(session: Session): NamespacesFacet {
  if (session.namespaces === undefined) throw new Error('The session has no namespaces.');
  return session.namespaces;
}

async function databasesOf(session: Session): Promise<readonly (string | undefined)[]> {
  const { namespaces } = await namespacesOf(session).list([], { limit: 1_000, signal });
  return namespaces.map(({ path: [name] }) => name);
}

async function schemasOf(session: Session, database: string): Promise<readonly (string | undefined)[]> {
  const { namespaces } = await namespacesOf(session).list([database], { limit: 1_000, signal });
  return namespaces.map(({ path: [, name] }) => name);
}

async function tablesOf(session: Session, namespace: readonly string[]): Promise<readonly TableSummary[]> {
  return (await namespacesOf(session).listTables(namespace, { limit: 1_000, signal })).tables;
}

function rowsOf(events: readonly (ResultEvent | SessionEvent)[]): unknown[] {
  return events.flatMap((event) => (event.type === 'rows' ? event.rows.flat() : []));
}

async function runIn(console: ConsoleSession, statement: string, parameters?: readonly string[]): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  const options = { maxRows: 100, signal, ...(parameters === undefined ? {} : { parameters }) };
  for await (const event of console.run(statement, options)) events.push(event);
  return events;
}

async function openConsole(session: Session): Promise<ConsoleSession> {
  const opened = await session.console?.openSession?.({ signal });
  if (opened === undefined) throw new Error('The console has no sessions.');
  return opened;
}

async function titles(server: TestServer, database: string): Promise<unknown[]> {
  return await within(await open(server, { database }), async (session) =>
    (await read(session, 'books')).map((row) => row.get('title')),
  );
}

describeWithServer('all databases of a server', (server) => {
  beforeAll(() => writeDatabases(server()));

  describe('without the choice', () => {
    it('the path of a table is its schema', async () => {
      await within(await open(server(), { database: ALPHA }), async (session) => {
        const tables = await session.listTables({ signal });
        expect(tables.map(({ ref }) => ref)).toEqual([
          { namespace: ['public'], name: 'books' },
          { namespace: ['public'], name: 'shelves' },
        ]);
        await expect(session.describeTable(books(ALPHA), { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(session.console?.classify(`${IN_BETA}\nSELECT 1`, { signal })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
      });
    });
  });

  describe('the list', () => {
    it('has the tables of the named database', async () => {
      await within(await openAll(server()), async (session) => {
        const paths = (await session.listTables({ signal })).map(({ ref }) => [...ref.namespace, ref.name].join('.'));
        expect(paths).toEqual(['alpha.public.books', 'alpha.public.shelves']);
        expect(session.namespaces?.initial).toEqual([[ALPHA]]);
      });
    });

    it('leaves out databases that the role may not connect to, with a finding, and ones without a free connection, with another', async () => {
      await administer(server(), "CREATE ROLE narrow LOGIN PASSWORD 'narrow'");
      for (const statement of [
        'CREATE DATABASE closed',
        'REVOKE CONNECT ON DATABASE closed FROM PUBLIC',
        'CREATE DATABASE none_more CONNECTION LIMIT 0',
        'CREATE DATABASE off ALLOW_CONNECTIONS false',
        'CREATE DATABASE form IS_TEMPLATE true',
      ])
        await administer(server(), statement);
      await administer(server(), 'GRANT SELECT ON books TO narrow', ALPHA);
      await administer(server(), 'GRANT SELECT ON books TO narrow', BETA);
      try {
        await within(await openAll(server(), { user: 'narrow', password: 'narrow' }), async (session) => {
          expect((await session.listTables({ signal })).map(({ ref }) => ref)).toEqual([books(ALPHA)]);
          expect(await databasesOf(session)).toEqual([ALPHA, BETA, 'postgres']);
          expect((await tablesOf(session, [BETA, 'public'])).map(({ ref }) => ref)).toEqual([books(BETA)]);
          expect(session.findings.find(({ label }) => label === 'Databases')).toMatchObject({
            outcome: 'warning',
            message: 'Left out, because your role may not connect to them: closed.',
          });
          expect(session.findings.find(({ label }) => label === 'Databases with a limit')).toMatchObject({
            outcome: 'warning',
            message: 'Left out, because their CONNECTION LIMIT is 0: none_more.',
          });
          await expect(session.describeTable(books('none_more'), { signal })).rejects.toMatchObject({
            code: 'SERVER_NOT_READY',
            message: 'The database “none_more” takes no connections: its CONNECTION LIMIT is 0.',
          });
          for (const name of ['closed', 'off', 'form'])
            await expect(session.describeTable(books(name), { signal })).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
        });
      } finally {
        for (const statement of [
          'ALTER DATABASE form IS_TEMPLATE false',
          'DROP DATABASE closed',
          'DROP DATABASE none_more',
          'DROP DATABASE off',
          'DROP DATABASE form',
        ])
          await administer(server(), statement);
      }
    });

    it('keeps no connection to a database that was only listed', async () => {
      await within(await openAll(server()), async (session) => {
        await administer(server(), 'CREATE DATABASE brief');
        expect(await databasesOf(session)).toContain('brief');
        await session.listTables({ signal });
        await administer(server(), 'DROP DATABASE brief');
      });
    });
  });

  describe('a database that refuses', () => {
    it('is listed, has the reason of the server when it is asked for, and is asked again each time', async () => {
      await administer(server(), "CREATE ROLE full LOGIN PASSWORD 'full'");
      await administer(server(), 'CREATE DATABASE crowded CONNECTION LIMIT 1');
      const holding = new PgClient({ ...clientOptions(server()), user: 'full', password: 'full', database: 'crowded' });
      await holding.connect();
      try {
        await within(await openAll(server(), { user: 'full', password: 'full' }), async (session) => {
          expect(await databasesOf(session)).toContain('crowded');
          for (let tries = 0; tries < 2; tries += 1)
            await expect(schemasOf(session, 'crowded')).rejects.toMatchObject({
              details: { status: '53300', serverMessage: expect.stringContaining('"crowded"') as string },
            });
          expect(await schemasOf(session, BETA)).toEqual(['public']);
          await holding.end();
          await expect.poll(() => schemasOf(session, 'crowded').catch(() => [])).toEqual(['public']);
        });
      } finally {
        await holding.end().catch(() => undefined);
        await administer(server(), 'DROP DATABASE crowded WITH (FORCE)');
      }
    });
  });

  describe('a pooler that leads elsewhere', () => {
    /** A session's databases behind a pooler, for which the name of one database stands for another. */
    async function behindPooler(): Promise<ServerDatabases> {
      const { user, password } = server();
      const { socket } = grantsOf(server()).context;
      const openLink = (database: string, own: AbortSignal): Promise<Link> =>
        Link.open(socket, { user, password, database: database === BETA ? ALPHA : database }, own);
      const budget = new LinkBudget(6);
      const links = new Links((own) => openLink(ALPHA, own), budget);
      const facts = await links.use(signal, (link) => readFacts(link, signal));
      const primary = new PgDatabase(links, facts, [ALPHA]);
      return new ServerDatabases({ primary, open: openLink, budget, systemSchemas: false });
    }

    it('keeps a database from being opened in the place of another one', async () => {
      const databases = await behindPooler();
      try {
        await expect(databases.get(BETA, signal)).rejects.toMatchObject({
          code: 'CONFLICT',
          message: `A pooler leads elsewhere: a connection to the database “${BETA}” is in “${ALPHA}”.`,
        });
      } finally {
        await databases.close();
      }
    });
  });

  describe('tables', () => {
    it.each([
      [ALPHA, ['alpha one', 'alpha two']],
      [BETA, ['beta one', 'beta two', 'beta three']],
    ])('are read from the database of their path: %s', async (database, expected) => {
      await within(await openAll(server()), async (session) => {
        const table = books(database);
        const rows = await read(session, table);
        expect(rows.map((row) => row.get('title'))).toEqual(expected);
        expect(await session.countRows({ table, filter: NO_FILTER }, { signal })).toEqual({ rows: expected.length, exact: true });
        const filter = { match: 'all', conditions: [{ column: 'title', operator: 'contains', values: ['two'] }] } as const;
        expect((await read(session, table, { filter })).map((row) => row.get('title'))).toEqual([expected[1]]);
        const raw = { match: 'all', conditions: [], raw: "title LIKE '%one'" } as const;
        expect((await read(session, table, { filter: raw })).map((row) => row.get('title'))).toEqual([expected[0]]);
        const found = await session.suggestions?.values({ table, column: 'title', typed: 'one', limit: 5 }, { signal });
        expect(found?.values.map(({ value }) => value)).toEqual([expected[0]]);
        const description = await session.describeTable(table, { signal });
        expect(description.ref).toEqual(table);
        expect(description.identity).toContain(`${database}.public.books`);
        expect(description.foreignKeys?.[0]?.references).toEqual({ namespace: [database, 'public'], name: 'shelves' });
        expect(description.definition?.text).toContain('CREATE TABLE "public"."books"');
        const page = await session.rows?.read({ table, keys: [[1]] }, { signal });
        expect(page?.rowCount).toBe(1);
        const exported: unknown[] = [];
        for await (const event of session.export?.rows({ table, filter: NO_FILTER, columns: ['title'] }, { signal }) ?? [])
          if (event.type === 'rows') exported.push(...event.rows.flat());
        expect(exported).toEqual(expected);
        const sent = await session.expressions?.ofRead({ table, filter, sorts: [] }, { signal });
        expect(sent?.parts[0]?.text).toContain('two');
      });
    });

    it.each([ALPHA, BETA])('are changed in the database of their path: %s', async (database) => {
      const other = database === ALPHA ? BETA : ALPHA;
      const before = await titles(server(), other);
      await within(await openAll(server()), async (session) => {
        const table = books(database);
        const values = [{ column: 'id', value: 77 }];
        const [prepared] = (await session.edits?.prepare(table, [{ kind: 'insert', values }], { signal })) ?? [];
        expect(prepared).toMatchObject({ ready: true, text: expect.stringMatching(/^\\connect .*\nINSERT INTO/) as string });
        const [inserted] = await apply(session, table, [
          {
            kind: 'insert',
            values: [
              { column: 'id', value: 77 },
              { column: 'title', value: 'new' },
            ],
          },
        ]);
        expect(inserted).toMatchObject({ outcome: 'saved', key: [77] });
        expect(await titles(server(), database)).toContain('new');
        await apply(session, table, [{ kind: 'delete', key: [77] }]);
        const outcomes: unknown[] = [];
        for await (const outcome of session.import?.write({ table, mode: 'upsert' }, ['{"id":78,"title":"imported"}'], {
          signal,
        }) ?? [])
          outcomes.push(outcome);
        expect(outcomes).toEqual([{ outcome: 'written' }]);
        expect(await titles(server(), database)).toContain('imported');
        await apply(session, table, [{ kind: 'delete', key: [78] }]);
        expect(await titles(server(), database)).not.toContain('imported');
      });
      expect(await titles(server(), other)).toEqual(before);
    });

    it('are emptied and dropped in the database of their path, which the plan names', async () => {
      for (const name of [ALPHA, BETA])
        await administer(server(), 'CREATE TABLE scratch (id int); INSERT INTO scratch VALUES (1)', name);
      await within(await openAll(server()), async (session) => {
        const table = { namespace: [BETA, 'public'], name: 'scratch' };
        const plan = await session.tableOperations?.plan(table, 'drop', { signal });
        expect(plan?.target).toEqual(table);
        expect(plan?.consequence).toContain(`“${BETA}.public.scratch”`);
        const elsewhere = { ...table, namespace: [ALPHA, 'public'] };
        await expect(session.tableOperations?.run(table, 'drop', elsewhere, { signal })).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        await session.tableOperations?.run(table, 'drop', table, { signal });
        const left = (await session.listTables({ signal })).filter(({ ref }) => ref.name === 'scratch');
        expect(left.map(({ ref }) => ref.namespace)).toEqual([[ALPHA, 'public']]);
        expect((await tablesOf(session, [BETA, 'public'])).map(({ ref }) => ref.name)).not.toContain('scratch');
      });
      await administer(server(), 'DROP TABLE scratch', ALPHA);
    });

    it('are looked for in no database that their path does not name', async () => {
      await within(await openAll(server()), async (session) => {
        for (const namespace of [
          [],
          ['public'],
          [ALPHA],
          ['gone', 'public'],
          [ALPHA, 'public', 'more'],
          ['x'.repeat(70), 'public'],
        ])
          await expect(session.describeTable({ namespace, name: 'books' }, { signal })).rejects.toMatchObject({
            code: 'NOT_FOUND',
          });
      });
    });
  });

  describe('a database that goes', () => {
    it('is reported by its name, and one that has its name later is opened', async () => {
      await administer(server(), 'CREATE DATABASE passing');
      await administer(server(), 'CREATE TABLE books (id int PRIMARY KEY)', 'passing');
      await within(await openAll(server()), async (session) => {
        expect(await read(session, books('passing'))).toEqual([]);
        await administer(server(), 'DROP DATABASE passing WITH (FORCE)');
        const gone = { code: 'NOT_FOUND', message: 'There is no database “passing” on this server.' };
        await expect(session.describeTable(books('passing'), { signal })).rejects.toMatchObject(gone);
        await expect(read(session, books('passing'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
        expect(await databasesOf(session)).not.toContain('passing');
        await expect(schemasOf(session, 'passing')).rejects.toMatchObject(gone);
        await administer(server(), 'CREATE DATABASE passing');
        await administer(server(), 'CREATE TABLE books (id int PRIMARY KEY); INSERT INTO books VALUES (5)', 'passing');
        expect(await read(session, books('passing'))).toHaveLength(1);
      });
      await administer(server(), 'DROP DATABASE passing');
    });
  });

  describe('connections', () => {
    it('are at most six for all databases together, and idle ones make room', async () => {
      const names = Array.from({ length: 8 }, (_, index) => `many_${index}`);
      for (const name of names) {
        await administer(server(), `CREATE DATABASE ${name}`);
        await administer(server(), 'CREATE TABLE books (id int PRIMARY KEY); INSERT INTO books VALUES (1)', name);
      }
      await within(await openAll(server()), async (session) => {
        const counts: number[] = [];
        const watching = new AbortController();
        const watch = (async () => {
          while (!watching.signal.aborted) {
            const [row] = await within(await open(server(), { database: 'postgres' }), (own) =>
              run(own, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'Tabularium' AND pid <> pg_backend_pid()"),
            ).then(rowsOf);
            counts.push(Number(row));
          }
        })();
        const rows = await Promise.all(names.flatMap((name) => [1, 2, 3].map(() => read(session, books(name)))));
        await Promise.all(names.map((name) => tablesOf(session, [name, 'public'])));
        watching.abort();
        await watch;
        expect(rows.every((own) => own.length === 1)).toBe(true);
        expect(Math.max(...counts)).toBeLessThanOrEqual(6);
      });
      for (const name of names) await administer(server(), `DROP DATABASE ${name} WITH (FORCE)`);
    });
  });

  describe('statements', () => {
    it('run in the database that the line before them names, else in the named one', async () => {
      await within(await openAll(server()), async (session) => {
        const query = 'SELECT title FROM books ORDER BY id LIMIT 1';
        expect(rowsOf(await run(session, query))).toEqual(['alpha one']);
        expect(rowsOf(await run(session, `${IN_BETA}\n${query}`))).toEqual(['beta one']);
        expect(rowsOf(await run(session, `\\c alpha;\n${query}`))).toEqual(['alpha one']);
        await expect(run(session, `\\connect gone\n${query}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(run(session, `\\connect a b\n${query}`)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
        await expect(run(session, IN_BETA)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      });
    });

    it('of a text are split so that each has its database', async () => {
      await within(await openAll(server()), async (session) => {
        const text = `SELECT 1;\n${IN_BETA}\n-- of beta\nSELECT 2; SELECT '\n\\connect alpha\n';\n\\connect alpha\n`;
        const parts = (await session.console?.split(text)) ?? [];
        expect(parts.map((part) => part.text)).toEqual([
          'SELECT 1',
          `${IN_BETA}\nSELECT 2`,
          `${IN_BETA}\nSELECT '\n\\connect alpha\n'`,
          '\\connect alpha',
        ]);
        expect(parts.map(({ start, end }) => text.slice(start, end))).toEqual([
          'SELECT 1',
          `${IN_BETA}\n-- of beta\nSELECT 2`,
          `SELECT '\n\\connect alpha\n'`,
          '\\connect alpha',
        ]);
      });
    });

    it('are judged by the functions of their database', async () => {
      await within(await openAll(server()), async (session) => {
        expect(await session.console?.classify('SELECT changing()', { signal })).toMatchObject({ effect: 'read' });
        const judged = await session.console?.classify(`${IN_BETA}\nSELECT changing()`, { signal });
        expect(judged).toMatchObject({ effect: 'write', unknown: true });
        expect(judged?.summary).toContain(`in the database ${BETA}`);
        const plan = await session.explain?.classify(`${IN_BETA}\nSELECT changing()`, { analyze: true, signal });
        expect(plan).toMatchObject({ effect: 'write', unknown: true });
        const change = await session.console?.classify(`${IN_BETA}\nDELETE FROM books`, { signal });
        expect(change).toMatchObject({ effect: 'destructive', everyRowOf: books(BETA), tables: [books(BETA)] });
        const filter = { match: 'all', conditions: [], raw: 'changing() = 1' } as const;
        await expect(read(session, books(ALPHA), { filter })).rejects.toMatchObject({ details: { status: '42883' } });
        await expect(read(session, books(BETA), { filter })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      });
    });

    it('are asked about with the database in which they run, also that of the form', async () => {
      await within(await openAll(server()), async (session) => {
        const analyze = { analyze: false, signal };
        const summaries = async (own: Pick<ConsoleSession, 'classify' | 'explain'>, statement: string): Promise<unknown[]> => [
          (await own.classify(statement, { signal })).summary,
          (await own.explain?.classify(statement.replace('DELETE', 'SELECT *'), analyze))?.summary,
        ];
        const inAlpha = Array.from({ length: 2 }, () => expect.stringMatching(/, in the database alpha$/) as string);
        const inBeta = Array.from({ length: 2 }, () => expect.stringMatching(/, in the database be ta"x$/) as string);
        const { console: facet, explain } = session;
        if (facet === undefined || explain === undefined) throw new Error('The session has no console.');
        const shared = { classify: facet.classify.bind(facet), explain };
        expect(await summaries(shared, 'DELETE FROM books')).toEqual(inAlpha);
        expect(await summaries(shared, `${IN_BETA}\nDELETE FROM books`)).toEqual(inBeta);
        const console = await openConsole(session);
        expect(await summaries(console, 'DELETE FROM books')).toEqual(inAlpha);
        expect(await summaries(console, `${IN_BETA}\nDELETE FROM books`)).toEqual(inBeta);
        await runIn(console, IN_BETA);
        expect(await summaries(console, 'DELETE FROM books')).toEqual(inBeta);
        expect(await summaries(console, '\\connect alpha\nDELETE FROM books')).toEqual(inAlpha);
        await console.close();
      });
      await within(await open(server(), { database: ALPHA }), async (session) =>
        expect((await session.console?.classify('DELETE FROM books', { signal }))?.summary).not.toContain('in the database'),
      );
    });

    it('that name a table with its database fail with the way to reach it', async () => {
      await within(await openAll(server()), async (session) => {
        await expect(run(session, 'SELECT * FROM beta.public.books')).rejects.toMatchObject({
          details: { advice: 'Write \\connect beta in a line before the statement, and the table without its database.' },
        });
      });
    });

    it('are explained and completed in their database', async () => {
      await administer(server(), 'CREATE TABLE only_beta (beta_column int)', BETA);
      await within(await openAll(server()), async (session) => {
        const plan = await session.explain?.explain(`${IN_BETA}\nSELECT beta_column FROM only_beta`, { analyze: false, signal });
        expect(plan?.nodes[0]?.target).toContain('only_beta');
        const text = `${IN_BETA}\nSELECT beta_ FROM only_beta`;
        const found = await session.console?.complete?.(text, text.indexOf(' FROM'), { signal });
        expect(found?.items.map(({ label }) => label)).toContain('beta_column');
        const inSession = { signal, namespace: [BETA, 'public'] };
        const ofSession = await session.console?.complete?.('SELECT beta_ FROM only_beta', 12, inSession);
        expect(ofSession?.items.map(({ label }) => label)).toContain('beta_column');
        const named = await session.console?.complete?.('\\connect be', 11, { signal });
        expect(named).toEqual({ from: 9, items: [{ label: BETA, detail: 'database', insert: '"be ta""x"', kind: 'value' }] });
        for (const example of (await session.console?.examples?.({ signal })) ?? [])
          expect(await session.console?.classify(example, { signal })).toMatchObject({ effect: 'read' });
      });
      await administer(server(), 'DROP TABLE only_beta', BETA);
    });
  });

  describe('a console session', () => {
    it('can move to each database that a line can say, of which the first is its own', async () => {
      await administer(server(), 'CREATE DATABASE "two\nlines"');
      await within(await openAll(server()), async (session) => {
        const places = (await session.console?.places?.({ signal })) ?? [];
        expect(places.map(({ namespace: [name] }) => name)).not.toContain('two\nlines');
        expect(places[0]).toEqual({ namespace: [ALPHA], statement: '\\connect alpha' });
        expect(places).toContainEqual({ namespace: [BETA], statement: IN_BETA });
        const typed = await session.console?.complete?.('\\connect two', 12, { signal });
        expect(typed?.items).toEqual([]);
      });
      await administer(server(), 'DROP DATABASE "two\nlines"');
      await within(await open(server(), { database: ALPHA }), async (session) => expect(session.console?.places).toBeUndefined());
    });

    it('says its database and moves to another one', async () => {
      await within(await openAll(server()), async (session) => {
        const console = await openConsole(session);
        expect(console.context).toMatchObject({ namespace: [ALPHA, 'public'] });
        expect(rowsOf(await runIn(console, 'SELECT title FROM books ORDER BY id LIMIT 1'))).toEqual(['alpha one']);
        expect(await console.classify(IN_BETA, { signal })).toEqual({
          effect: 'read',
          tables: [],
          summary: `Connect to the database ${BETA}`,
        });
        expect(await runIn(console, IN_BETA)).toEqual([
          { type: 'context', context: { namespace: [BETA, 'public'], role: 'tester', transaction: 'none' } },
          { type: 'done', truncated: false, milliseconds: 0, status: `Connected to ${BETA}` },
        ]);
        expect(rowsOf(await runIn(console, 'SELECT title FROM books ORDER BY id LIMIT 1'))).toEqual(['beta one']);
        expect(await console.classify('SELECT changing()', { signal })).toMatchObject({ effect: 'write', unknown: true });
        expect(rowsOf(await runIn(console, `\\connect ${ALPHA}\nSELECT title FROM books WHERE id = $1`, ['2']))).toEqual([
          'alpha two',
        ]);
        expect(console.context).toMatchObject({ namespace: [ALPHA, 'public'] });
        await console.close();
      });
    });

    it('judges, explains and asks for parameters where a statement would run, and stays where it is', async () => {
      await within(await openAll(server()), async (session) => {
        const console = await openConsole(session);
        const statement = `${IN_BETA}\nSELECT changing()`;
        expect(await console.classify(statement, { signal })).toMatchObject({ effect: 'write', unknown: true });
        expect(await console.explain?.classify(statement, { analyze: true, signal })).toMatchObject({ effect: 'write' });
        expect(await console.parameters?.(`${IN_BETA}\nSELECT title FROM books WHERE id = $1`, { signal })).toEqual([
          { name: '$1', type: 'integer', kind: 'integer' },
        ]);
        expect(await console.parameters?.(IN_BETA, { signal })).toEqual([]);
        const plan = await console.explain?.explain(`${IN_BETA}\nSELECT * FROM books`, { analyze: false, signal });
        expect(plan?.nodes[0]?.target).toContain('books');
        expect(console.context).toMatchObject({ namespace: [ALPHA, 'public'] });
        await console.close();
      });
    });

    it('stays in its database while a transaction is open or failed', async () => {
      await within(await openAll(server()), async (session) => {
        const console = await openConsole(session);
        const stays = {
          code: 'CONFLICT',
          message: expect.stringContaining('open transaction in the database “alpha”') as string,
        };
        await runIn(console, 'BEGIN');
        await runIn(console, "INSERT INTO books VALUES (90, 'open')");
        for (const statement of [IN_BETA, `${IN_BETA}\nSELECT 1`]) {
          await expect(runIn(console, statement)).rejects.toMatchObject(stays);
          await expect(console.classify(statement, { signal })).rejects.toMatchObject(stays);
        }
        expect(console.context).toMatchObject({ namespace: [ALPHA, 'public'], transaction: 'open' });
        expect(rowsOf(await runIn(console, `\\connect ${ALPHA}\nSELECT title FROM books WHERE id = 90`))).toEqual(['open']);
        await expect(runIn(console, 'SELECT 1 / 0')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
        await expect(runIn(console, IN_BETA)).rejects.toMatchObject(stays);
        await console.endTransaction('rollBack', { signal });
        await runIn(console, IN_BETA);
        expect(console.context).toMatchObject({ namespace: [BETA, 'public'], transaction: 'none' });
        await console.close();
      });
      expect(await titles(server(), ALPHA)).not.toContain('open');
    });

    it('stays where it is when the other database cannot be opened', async () => {
      await within(await openAll(server()), async (session) => {
        const console = await openConsole(session);
        await runIn(console, 'CREATE TEMP TABLE kept (id int)');
        await expect(runIn(console, '\\connect gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
        expect(rowsOf(await runIn(console, 'SELECT count(*) FROM kept'))).toEqual([0]);
        await console.close();
      });
    });
  });

  it('shows the processes of all its databases as its own', async () => {
    await within(await openAll(server()), async (session) => {
      const console = await openConsole(session);
      await runIn(console, IN_BETA);
      await read(session, books(BETA));
      const listed = await session.activity?.list({ signal });
      const own = listed?.entries.filter(({ own }) => own).map(({ namespace }) => namespace);
      expect(own?.filter((namespace) => namespace === BETA)).toHaveLength(2);
      await console.close();
    });
  });
});
