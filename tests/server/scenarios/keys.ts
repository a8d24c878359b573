import { isDriverError } from '@tabularium/sdk';
import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** A key is added, used and removed; a narrow one reaches its collection and no other. */
export const keys: Scenario = {
  id: 'keys',
  title: 'API keys: add, use, list without the value, remove',
  async run(server, problems) {
    const { session, options, prefix } = server;
    const table = await createCollection(server, 'keyed', [{ name: 'n', type: 'int32' }]);
    await importDocuments(server, table, ['{"id":"1","n":1}']);
    if (session.principals === undefined) throw new Error('The session lists no keys.');
    const { principal, secret } = await session.principals.create(
      {
        description: [`${prefix}key`],
        actions: ['documents:search', 'documents:get', 'collections:get'],
        collections: [table],
        expiresAt: ['2999-01-01T00:00:00Z'],
      },
      options,
    );
    const listed = await session.principals.list(options);
    problems.holds(
      'the new key is not listed',
      listed.some(({ id }) => id === principal.id),
    );
    problems.holds('the list holds the value of the key', !JSON.stringify(listed).includes(secret?.value ?? '?'));
    const narrow = await server.open(secret?.value ?? '');
    try {
      problems.same('rows', await readRows({ session: narrow, options }, table), [{ id: '1', n: 1 }]);
      problems.holds('a narrow key lists no collections', (await narrow.listTables(options)).length === 0);
      await problems.rejected('Reading the keys with a narrow key', 'ACCESS_REFUSED', async () =>
        narrow.principals?.list(options),
      );
      await session.principals.remove(principal.id, options);
      // Some servers keep a key for a moment; none keeps it for long.
      const error = await readRows({ session: narrow, options }, table).catch((found: unknown) => found);
      problems.holds('a removed key still reads', isDriverError(error) && error.code === 'ACCESS_REFUSED');
    } finally {
      await narrow.close();
    }
    const wrong = await server.open('a-wrong-key');
    try {
      const [, finding] = wrong.findings;
      problems.same('a wrong key is reported', finding?.outcome, 'failed');
    } finally {
      await wrong.close();
    }
  },
};
