import type { NamespacePage, NamespacesFacet, TablePage } from '@tabularium/sdk';
import { namespacePageSchema, tablePageSchema } from '@tabularium/sdk/protocol';
import { describe, expect, it } from 'vitest';
import type { Calls } from './remoteCalls.ts';
import { remoteNamespaces } from './remoteNamespaces.ts';

const { signal } = new AbortController();

function answering(answer: NamespacePage | TablePage): NamespacesFacet {
  const calls: Pick<Calls, 'json'> = { json: async () => answer as never };
  return remoteNamespaces(calls as Calls, { initial: [['shop']] });
}

const space = (...path: string[]) => ({ path, hasNamespaces: false, hasTables: true });
const table = (name: string, ...namespace: string[]) => ({ ref: { namespace, name }, kind: 'table' as const });

describe('a page of namespaces', () => {
  it('is passed on as it is', async () => {
    const page = { namespaces: [space('shop', 'a'), space('shop', 'b')], next: 'b' };
    expect(await answering(page).list(['shop'], { limit: 2, signal })).toEqual(page);
  });

  it.each([
    ['of another parent', { namespaces: [space('sales', 'a')] }],
    ['of another depth', { namespaces: [space('shop', 'a', 'b')] }],
    ['that is its own parent', { namespaces: [space('shop')] }],
    ['with one twice', { namespaces: [space('shop', 'a'), space('shop', 'a')] }],
    ['with more than were asked for', { namespaces: [space('shop', 'a'), space('shop', 'b'), space('shop', 'c')] }],
    ['whose next one is the same', { namespaces: [space('shop', 'a')], next: 'here' }],
  ])('%s is rejected', async (_name, page) => {
    const asked = answering(page).list(['shop'], { limit: 2, after: 'here', signal });
    await expect(asked).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  });
});

describe('a page of tables', () => {
  it.each([
    ['of another namespace', { tables: [table('a', 'sales')] }],
    ['of a namespace within', { tables: [table('a', 'shop', 'public')] }],
    ['with one twice', { tables: [table('a', 'shop'), table('a', 'shop')] }],
    ['with more than were asked for', { tables: [table('a', 'shop'), table('b', 'shop'), table('c', 'shop')] }],
    ['whose next one is the same', { tables: [table('a', 'shop')], next: 'here' }],
  ])('%s is rejected', async (_name, page) => {
    const asked = answering(page).listTables(['shop'], { limit: 2, after: 'here', signal });
    await expect(asked).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  });
});

it('a page without an entry that has a next one is not valid, so that a list ends', () => {
  expect(namespacePageSchema.safeParse({ namespaces: [], next: 'more' }).success).toBe(false);
  expect(tablePageSchema.safeParse({ tables: [], next: 'more' }).success).toBe(false);
  expect(namespacePageSchema.safeParse({ namespaces: [] }).success).toBe(true);
});
