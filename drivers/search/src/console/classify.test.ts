import { describe, expect, it } from 'vitest';
import { answering, json } from '../answers.test-helper.ts';
import { SearchClient } from '../client.ts';
import { call } from '../fixture.test-helper.ts';
import { createConsole } from './console.ts';

const http = answering(({ path }) => {
  if (path === '/aliases/shop') return json({ name: 'shop', collection_name: 'products' });
  if (path === '/aliases/unreadable') return { status: 401, body: '{"message":"Forbidden"}' };
  if (path === '/presets/listing') return json({ name: 'listing', value: {} });
  if (path === '/stopwords/secret') return { status: 401, body: '{"message":"Forbidden"}' };
  return { status: 404, body: '{"message":"Not Found"}' };
});
const console = createConsole(new SearchClient(http, 1_000));

describe('what a request would do', () => {
  it.each([
    ['GET /collections', 'read', []],
    ['HEAD /health', 'read', []],
    ['OPTIONS /collections', 'read', []],
    ['GET /collections/products/documents/export', 'read', ['products']],
    ['GET /collections//products/', 'read', ['products']],
    ['GET /keys', 'read', []],
    [
      'POST /multi_search\n{"searches":[{"collection":"a","q":"*"},{"collection":"b","q":"*"},{"collection":"a"}]}',
      'read',
      ['a', 'b'],
    ],
    ['POST /multi_search?collection=c\n{"searches":[{"q":"*"}]}', 'read', ['c']],
    ['POST /multi_search/\n{"searches":[{"q":"conversation"}]}', 'read', []],
    ['POST /multi_search?conversation=true&q=x\n{"searches":[]}', 'write', []],
    ['POST /multi_search\n{"searches":[{"q":"x","conv\\u0065rsation":true}]}', 'write', []],
    ['POST /multi_search\n\uFEFF{"conversation":true}', 'write', []],
    ['GET /collections/a/documents/search?q=x&conversation=true', 'write', ['a']],
    ['GET /collections/a/documents/search?q=x&conversation=false', 'read', ['a']],
    ['POST /multi_search\n{oops', 'read', []],
    ['POST /collections\n{"name":"new"}', 'write', ['new']],
    ['POST /collections?src_name=products\n{"name":"new"}', 'write', ['new']],
    ['POST /collections\n{"name":"shop","fields":[]}', 'destructive', ['products']],
    ['POST /collections/\n{"name":"new","n\\u0061me":"shop","fields":[]}', 'destructive', ['products']],
    ['POST /collections?src_name=products\n{"name":"shop"}', 'destructive', ['products']],
    ['POST /collections/products/documents\n{}', 'write', ['products']],
    ['POST /collections/products/documents?action=emplace\n{}', 'write', ['products']],
    ['POST /collections/products/documents?action=upsert\n{}', 'destructive', ['products']],
    ['POST /collections/products/documents?action=%75psert\n{}', 'destructive', ['products']],
    ['POST /collections/products/documents?action=create&action=upsert\n{}', 'destructive', ['products']],
    ['POST /collections/products//documents/?action=upsert\n{}', 'destructive', ['products']],
    ['POST /collections/products/documents/import?action=upsert\n{}', 'destructive', ['products']],
    ['POST /collections/products/documents/import?action=update\n{}', 'write', ['products']],
    ['PATCH /collections/products/documents?filter_by=a:1\n{}', 'write', ['products']],
    ['PATCH /collections/products/documents/1\n{}', 'write', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","type":"int32"}],"metadata":{}}', 'write', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","drop":true}]}', 'destructive', ['products']],
    ['PATCH /collections//products//\n{"fields":[{"name":"a","drop":true}]}', 'destructive', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","dr\\u006fp":true}]}', 'destructive', ['products']],
    ['PATCH /collections/products\n{"fields":[{"name":"a","drop":true}],"fields":[]}', 'destructive', ['products']],
    ['PATCH /collections/products\n\uFEFF{"fields":[{"name":"a","drop":true}]}', 'destructive', ['products']],
    ['PATCH /collections/products\n{"synonym_sets":[]}', 'destructive', ['products']],
    ['PUT /aliases/shop\n{"collection_name":"products"}', 'destructive', ['products']],
    ['PUT /aliases/new\n{"collection_name":"products"}', 'write', ['products']],
    ['PUT /presets/listing\n{"value":{}}', 'destructive', []],
    ['PUT /presets/new\n{"value":{}}', 'write', []],
    ['PUT /stopwords/secret\n{}', 'destructive', []],
    ['POST /analytics/events\n{}', 'write', []],
    ['POST /analytics/rules\n{}', 'destructive', []],
    ['PUT /analytics/rules/new\n{}', 'destructive', []],
    ['POST /conversations/models\n{}', 'destructive', []],
    ['POST /keys\n{}', 'destructive', []],
    ['POST /keys/\n{}', 'destructive', []],
    ['POST /operations/snapshot?snapshot_path=/tmp/x', 'destructive', []],
    ['POST /operations//db/compact', 'destructive', []],
    ['POST /config\n{}', 'destructive', []],
    ['POST /proxy\n{"url":"http://10.0.0.1/"}', 'destructive', []],
    ['DELETE /collections/products', 'destructive', ['products']],
    ['DELETE /collections/products/documents?truncate=true', 'destructive', ['products']],
    ['DELETE /keys/5', 'destructive', []],
    ['POST /stemming/dictionaries/import?id=english\n{"word":"mice","root":"mouse"}', 'destructive', []],
    ['DELETE /something/new', 'destructive', []],
    ['delete /collections/shop', 'destructive', ['products']],
    ['DELETE /collections/a+b', 'destructive', ['a b']],
  ])('%j: %s', async (text, effect, tables) => {
    const found = await console.classify(text, call);
    expect(found).toMatchObject({ effect, tables: tables.map((name) => ({ namespace: [], name })) });
    expect(found.summary).not.toBe('');
    expect(found).not.toHaveProperty('unknown');
  });

  it.each([
    'POST /multi_search/x',
    'POST /%6dulti_search\n{"searches":[]}',
    'POST /Multi_Search\n{}',
    'POST /multi_search;x\n{}',
    'POST /collections/a/documents/search',
    'POST /collections/a/documents%2Fsearch',
    'POST /collections/a/documents/%73earch',
    'POST /collections/../documents\n{}',
    'POST /collections/a%2F..%2F..%2Fkeys/documents\n{}',
    'PATCH /collections/%252e%252e/documents\n{}',
    'POST /collections/a/documents?action=UPSERT\n{}',
    'POST /collections/a/documents?action=replace\n{}',
    'PUT /collections/a/documents/1\n{}',
    'PUT /keys/1\n{}',
    'POST /operations/anything',
    'POST /something/new',
    'GET /something/new',
    'POST /collections\n{"name":"unreadable","fields":[]}',
    'POST /collections\n\uFEFF{"name":"shop","fields":[]}',
  ])('%j is unknown', async (text) => {
    expect(await console.classify(text, call)).toMatchObject({ effect: 'write', unknown: true });
  });

  it.each([
    ['DELETE /collections/a?collection=b', 'collection'],
    ['PATCH /collections/a/documents/1?id=2\n{}', 'id'],
    ['PUT /aliases//a?alias=b\n{}', 'alias'],
    ['GET /keys/1?id=abc', 'id'],
    ['PUT /presets/a?name=b\n{}', 'name'],
    ['DELETE /collections//a/?c%6Fllection=b', 'collection'],
  ])('%j is rejected: the query replaces a name of the path', async (text, name) => {
    await expect(console.classify(text, call)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `The query parameter “${name}” replaces a name of the path.`,
    });
  });

  it.each([
    ['POST /keys\n{"actions":["*"]}', 'inAnswer'],
    ['POST /keys//\n{"actions":["*"]}', 'inAnswer'],
    ['POST /keys\n{"value":"chosen"}', 'inStatement'],
    ['POST /keys\n{"v\\u0061lue":"chosen"}', 'inStatement'],
    ['POST /keys\n{"value":"chosen","value":null,"a":1}', 'inStatement'],
    ['POST /keys\n\uFEFF{"value":"chosen"}', 'inStatement'],
    ['GET /keys', undefined],
    ['DELETE /keys/1', undefined],
  ])('%j creates a secret: %s', async (text, newSecret) => {
    expect((await console.classify(text, call)).newSecret).toBe(newSecret);
  });

  it.each([
    ['DELETE /collections/products', 'Delete the collection “products” with all its documents'],
    ['DELETE /collections/shop/documents?truncate=true', 'Delete all documents of “products” (behind the alias “shop”)'],
    [
      'DELETE /collections/products/documents?filter_by=a:1',
      'Delete every document of “products” that the request’s filter matches',
    ],
    ['DELETE /collections/products/documents/a%2Fb', 'Delete the document “a/b” of “products”'],
    ['POST /keys?x-typesense-api-key=secret\n{"value":"secret"}', 'Create an API key'],
    ['PUT /aliases/shop\n{"collection_name":"products"}', 'Point the alias “shop” at “products”'],
    [
      'POST /collections\n{"name":"shop"}',
      'Create a collection that hides the alias of its name: “products” (behind the alias “shop”)',
    ],
    ['POST /operations//snapshot', 'Write a snapshot to the disk of the server'],
    [
      'POST /collections/shop/documents/import?action=upsert\n{}',
      'Import documents into “products” (behind the alias “shop”) and replace those with the same id',
    ],
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
    expect(await holds('POST /nl_search_models\n{"api_key":"sk-1"}')).toBe(true);
    for (const text of ['GET /keys', 'DELETE /keys/5', 'POST /collections/keys/documents\n{}'])
      expect(await holds(text)).toBeUndefined();
  });
});
