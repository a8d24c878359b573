import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/value.ts';
import { isObject } from '../json/value.ts';
import { startSandbox } from '../sandbox.ts';
import type { Sandbox } from '../sandbox.ts';
import { TEST_KEY, ask } from '../testing.test-helper.ts';
import type { SandboxVersion } from '../versions.ts';

const counted = {
  '29.0': {
    name: 'popular',
    type: 'popular_queries',
    params: { source: { collections: ['shoes'] }, destination: { collection: 'popular' }, limit: 2 },
  },
  '30.0': {
    name: 'popular',
    type: 'popular_queries',
    collection: 'shoes',
    event_type: 'search',
    params: { destination_collection: 'popular', limit: 2 },
  },
} as const;

const start = async (version: keyof typeof counted & SandboxVersion): Promise<Sandbox> => {
  const sandbox = await startSandbox({ apiKey: TEST_KEY, version });
  await ask(sandbox.url, '/collections', { body: { name: 'shoes', fields: [{ name: 'title', type: 'string' }] } });
  await ask(sandbox.url, '/collections/shoes/documents', { body: { title: 'Red shoe' } });
  const fields = [
    { name: 'q', type: 'string' },
    { name: 'count', type: 'int32' },
  ];
  await ask(sandbox.url, '/collections', { body: { name: 'popular', fields } });
  const made = await ask(sandbox.url, '/analytics/rules', { body: counted[version] });
  expect(made.status).toBe(version === '29.0' ? 201 : 200);
  return sandbox;
};

const search = (sandbox: Sandbox, q: string, more = ''): Promise<unknown> =>
  ask(sandbox.url, `/collections/shoes/documents/search?query_by=title&q=${encodeURIComponent(q)}${more}`);

const popular = async (sandbox: Sandbox): Promise<JsonValue[]> => {
  const { json } = await ask(sandbox.url, '/collections/popular/documents/search?q=*&sort_by=count:desc&include_fields=q,count');
  const hits = isObject(json) ? json['hits'] : [];
  return (Array.isArray(hits) ? hits : []).map((hit) => (isObject(hit) ? (hit['document'] ?? null) : null));
};

describe('popular queries', () => {
  test.for(['29.0', '30.0'] as const)("%s counts a user's searches, browsing included, by default", async (version) => {
    await using sandbox = await start(version);
    await search(sandbox, '*', '&x-typesense-user-id=a');
    await search(sandbox, 'Red', '&x-typesense-user-id=b');
    await search(sandbox, 'red', '&x-typesense-user-id=c');
    await search(sandbox, 'shoe', '&x-typesense-user-id=d&enable_analytics=false');
    await search(sandbox, 'nothing', '&x-typesense-user-id=e');
    expect(await popular(sandbox)).toEqual([]);
    sandbox.flushAnalytics();
    expect(await popular(sandbox)).toEqual([
      { q: 'red', count: 2 },
      { q: '*', count: 1 },
    ]);
  });

  test('what one user types within seconds is one query, the last', async () => {
    await using sandbox = await start('29.0');
    for (const typed of ['r', 're', 'red']) await search(sandbox, typed);
    sandbox.flushAnalytics();
    expect(await popular(sandbox)).toEqual([{ q: 'red', count: 1 }]);
  });

  test('counts add up, and only as many as the rule says are kept', async () => {
    await using sandbox = await start('30.0');
    for (const [at, q] of ['red', 'shoe', 'red shoe', 'red'].entries()) await search(sandbox, q, `&x-typesense-user-id=${at}`);
    await ask(sandbox.url, '/analytics/flush', { method: 'POST' });
    await search(sandbox, 'red', '&x-typesense-user-id=9');
    await ask(sandbox.url, '/analytics/flush', { method: 'POST' });
    const stored = await popular(sandbox);
    expect(stored).toHaveLength(2);
    expect(stored[0]).toEqual({ q: 'red', count: 3 });
  });

  test('are written automatically at the configured interval', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY, version: '30.0', analyticsFlushMs: 5 });
    const fields = [
      { name: 'q', type: 'string' },
      { name: 'count', type: 'int32' },
    ];
    for (const name of ['shoes', 'popular']) await ask(sandbox.url, '/collections', { body: { name, fields } });
    await ask(sandbox.url, '/analytics/rules', { body: { ...counted['30.0'], type: 'nohits_queries' } });
    await ask(sandbox.url, '/collections/shoes/documents/search?q=anything&query_by=q');
    await expect.poll(() => popular(sandbox)).toEqual([{ q: 'anything', count: 1 }]);
  });
});
