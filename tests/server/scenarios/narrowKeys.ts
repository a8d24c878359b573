import type { PrincipalInput, Session } from '@tabularium/sdk';
import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Problems, Scenario, ServerUnderTest } from '../scenario.ts';

const DOCUMENTS = ['{"id":"1","n":1}', '{"id":"2","n":2}'];

/** A search-only key of one collection, and a scoped key that was computed from it, open the collection by name and read what they may. */
export const narrowKeys: Scenario = {
  id: 'narrow-keys',
  title: 'narrow keys: open by name, read without a schema, compute a scoped key',
  async run(server, problems) {
    const { session, options, prefix } = server;
    const { principals } = session;
    const table = await createCollection(server, 'narrow', [{ name: 'n', type: 'int32' }]);
    await importDocuments(server, table, DOCUMENTS);
    if (principals?.generator === undefined) throw new Error('The session computes no keys.');
    const key: PrincipalInput = {
      description: [`${prefix}search-only`],
      actions: ['documents:search'],
      collections: [table],
      expiresAt: ['2999-01-01T00:00:00Z'],
    };
    const { principal, secret } = await principals.create(key, options);
    try {
      const parent = secret?.value ?? '';
      await opened(server, parent, (narrow) => reads(server, narrow, table, DOCUMENTS.length, problems));
      const scoped = await principals.generator.generate({ parent: [parent], filter: ['n:>1'] }, options);
      await opened(server, scoped.secret.value, (narrow) => reads(server, narrow, table, 1, problems));
    } finally {
      await principals.remove(principal.id, options);
    }
  },
};

async function opened(server: ServerUnderTest, key: string, use: (session: Session) => Promise<void>): Promise<void> {
  const session = await server.open(key);
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

async function reads(
  { options, prefix }: ServerUnderTest,
  narrow: Session,
  table: string,
  rows: number,
  problems: Problems,
): Promise<void> {
  problems.same(
    'nothing is called failed',
    narrow.findings.map(({ outcome }) => outcome),
    ['ok', 'ok', 'warning'],
  );
  problems.same('the list of collections', await narrow.listTables(options), []);
  const found = await narrow.namedTables?.find(table, options);
  problems.same('the collection by its name', found, {
    ref: { namespace: [], name: table },
    kind: 'table',
    count: { rows, exact: true },
  });
  const { columns } = await narrow.describeTable({ namespace: [], name: table }, options);
  problems.same(
    'columns without a schema',
    columns.map(({ name }) => name),
    ['id', 'n'],
  );
  problems.same('rows', (await readRows({ session: narrow, options }, table)).length, rows);
  await problems.rejected('Finding a collection of others', 'ACCESS_REFUSED', async () =>
    narrow.namedTables?.find(`${prefix}other`, options),
  );
}
