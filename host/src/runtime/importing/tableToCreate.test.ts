import type { ImportFacet, ImportedTables } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { FakeNamespaces, THREE_DATABASES } from '../data/fakeNamespaces.test-helper.ts';
import { tableToCreate } from './importTarget.ts';

const { signal } = new AbortController();

/** Takes new tables in the schema `public` of each database. */
function imports(asked: (readonly string[] | undefined)[]): ImportFacet {
  const tables: Pick<ImportedTables, 'namespaces'> = {
    namespaces: async ({ within }) => {
      asked.push(within);
      return [[within?.[0] ?? 'shop', 'public']];
    },
  };
  return { tables: tables as ImportedTables } as ImportFacet;
}

it('a new table is made in a namespace that is not among the first ones, where its name begins with that', async () => {
  const asked: (readonly string[] | undefined)[] = [];
  const session = { ...new FakeNamespaces(THREE_DATABASES).members, import: imports(asked) };
  expect(await tableToCreate(session, 'made', signal)).toEqual({ namespace: ['shop', 'public'], name: 'made' });
  expect(asked).toEqual([undefined]);
  expect(await tableToCreate(session, 'sales.public.made', signal)).toEqual({ namespace: ['sales', 'public'], name: 'made' });
  expect(asked.flat()).not.toContain('stock');
  await expect(tableToCreate(session, 'sales.gone.made', signal)).rejects.toMatchObject({
    details: { advice: 'Begin it with sales.public.' },
  });
  await expect(tableToCreate(session, 'gone.public.made', signal)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
