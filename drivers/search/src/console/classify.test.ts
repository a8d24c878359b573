import { describe, expect, it } from 'vitest';
import { answering, json } from '../answers.test-helper.ts';
import { SearchClient } from '../client.ts';
import { call } from '../shelf.test-helper.ts';
import { createConsole } from './console.ts';

const http = answering(({ path }) =>
  path === '/aliases/shop'
    ? json({ name: 'shop', collection_name: 'products' })
    : { status: 404, body: '{"message":"Not Found"}' },
);
const console = createConsole(new SearchClient(http, 1_000));

describe('what a request would do', () => {
  it.each([
    ['GET /collections', 'read', []],
    ['HEAD /health', 'read', []],
    ['OPTIONS /collections', 'read', []],
    ['GET /collections/products/documents/export', 'read', ['products']],
    [
      'POST /multi_search\n{"searches":[{"collection":"a","q":"*"},{"collection":"b","q":"*"},{"collection":"a"}]}',
      'read',
      ['a', 'b'],
    ],
    ['POST /multi_search?collection=c\n{"searches":[{"q":"*"}]}', 'read', ['c']],
    ['POST /collections/products/documents/search', 'read', ['products']],
    ['POST /multi_search/x', 'write', []],
    ['POST /%6dulti_search\n{"searches":[]}', 'write', []],
    ['POST /collections/a/documents/%73earch', 'write', ['a']],
    ['POST /multi_search\n{oops', 'read', []],
    ['POST /Multi_Search\n{}', 'write', []],
    ['POST /collections/products/documents\n{}', 'write', ['products']],
    ['POST /collections/products/documents/import?action=upsert\n{}', 'write', ['products']],
    ['POST /collections\n{"name":"new"}', 'write', ['new']],
    ['PUT /aliases/shop\n{"collection_name":"products"}', 'write', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","type":"int32"}]}', 'write', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","drop":true}]}', 'destructive', ['products']],
    ['PATCH /collections/products/documents?filter_by=a:1\n{}', 'write', ['products']],
    ['POST /operations/db/compact', 'write', []],
    ['POST /operations/anything', 'write', []],
    ['POST /something/new', 'write', []],
    ['DELETE /collections/products', 'destructive', ['products']],
    ['DELETE /collections/products/documents?truncate=true', 'destructive', ['products']],
    ['DELETE /keys/5', 'destructive', []],
    ['delete /collections/shop', 'destructive', ['products']],
  ])('%j: %s', async (text, effect, tables) => {
    const found = await console.classify(text, call);
    expect(found).toMatchObject({ effect, tables: tables.map((name) => ({ namespace: [], name })) });
    expect(found.summary).not.toBe('');
  });

  it.each([
    ['DELETE /collections/products', 'Delete the collection “products” with all its documents'],
    ['DELETE /collections/shop/documents?truncate=true', 'Delete all documents of “products” (behind the alias “shop”)'],
    [
      'DELETE /collections/products/documents?filter_by=a:1',
      'Delete every document of “products” that the request’s filter matches',
    ],
    ['DELETE /collections/products/documents/a%2Fb', 'Delete the document “a/b” of “products”'],
    ['POST /keys?x-typesense-api-key=secret\n{"value":"secret"}', 'POST /keys'],
  ])('%j in words', async (text, summary) => {
    expect((await console.classify(text, call)).summary).toBe(summary);
  });

  it.each(['SELECT 1', 'DELETE FROM books', 'GET //evil.example', 'GET /keys/abc', 'GET /a\nGET /b'])(
    '%j is refused, and nothing is sent for it',
    async (text) => {
      http.requests.length = 0;
      await expect(console.classify(text, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(http.requests).toEqual([]);
    },
  );

  it('asks the server only where a change could go through an alias', async () => {
    http.requests.length = 0;
    await console.classify('GET /collections/shop', call);
    await console.classify('POST /multi_search\n{"searches":[{"collection":"shop"}]}', call);
    expect(http.requests).toEqual([]);
  });

  it('says of a request that makes a key that it may hold a secret, and of no other', async () => {
    const holds = async (text: string): Promise<boolean | undefined> => (await console.classify(text, call)).holdsSecret;
    expect(await holds('POST /keys\n{"value":"chosen"}')).toBe(true);
    for (const text of ['GET /keys', 'DELETE /keys/5', 'POST /collections/keys/documents\n{}'])
      expect(await holds(text)).toBeUndefined();
  });
});
