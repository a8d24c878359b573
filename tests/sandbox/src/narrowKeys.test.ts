import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { startSandbox } from './sandbox.ts';
import { TEST_KEY, ask } from './testing.test-helper.ts';
import type { Asked } from './testing.test-helper.ts';

// As real servers of 29.0 and 30.0 answered to the same keys.

const PARENT = 'parent-of-the-test';
const FORBIDDEN = { status: 401, body: expect.stringContaining('Forbidden') as string };

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ apiKey: TEST_KEY, sampleData: false });
  for (const name of ['products', 'articles', 'orders']) {
    await ask(sandbox.url, '/collections', { body: { name, fields: [{ name: 'n', type: 'int32' }] } });
  }
  for (const [value, actions] of [
    [PARENT, ['documents:search']],
    ['lists', ['collections:list']],
    ['exports', ['documents:export']],
  ] as const) {
    await ask(sandbox.url, '/keys', { body: { description: value, actions, collections: ['products'], value } });
  }
});
afterAll(() => sandbox.close());

const get = (key: string, path: string): Promise<Asked> => ask(sandbox.url, path, { headers: { 'x-typesense-api-key': key } });
const search = (key: string, ...searches: readonly object[]): Promise<Asked> =>
  ask(sandbox.url, '/multi_search', { headers: { 'x-typesense-api-key': key }, body: { searches } });

function scoped(parameters: object): string {
  const text = JSON.stringify(parameters);
  const digest = createHmac('sha256', PARENT).update(text).digest('base64');
  return Buffer.from(`${digest}${PARENT.slice(0, 4)}${text}`).toString('base64');
}

describe('a narrow key', () => {
  test('may search without a collection’s name wherever its collections are, and names no other', async () => {
    for (const key of [PARENT, scoped({ filter_by: 'n:>1' })]) {
      expect(await search(key, { collection: '', q: '*' })).toMatchObject({ status: 200 });
      expect(await search(key, { collection: 'products', q: '*' })).toMatchObject({ status: 200 });
      for (const collection of ['articles', 'absent']) expect(await search(key, { collection, q: '*' })).toMatchObject(FORBIDDEN);
    }
    for (const key of ['exports', 'wrong']) expect(await search(key, { collection: '', q: '*' })).toMatchObject(FORBIDDEN);
  });

  test('lists what it reaches of each page of all collections', async () => {
    const names = async (query: string): Promise<unknown> =>
      (JSON.parse((await get('lists', `/collections?${query}`)).body) as { name: string }[]).map(({ name }) => name);
    expect(await names('')).toEqual(['products']);
    expect(await names('limit=1')).toEqual([]);
    expect(await names('limit=1&offset=2')).toEqual(['products']);
    expect(await get('lists', '/collections?offset=9')).toMatchObject({ status: 400 });
  });

  test('of a scoped kind keeps to its own limit of searches, and cannot hold lists', async () => {
    const one = { collection: 'products', q: '*' };
    expect(await search(scoped({ limit_multi_searches: 1 }), one, one)).toMatchObject({
      status: 400,
      body: expect.stringContaining('limit_multi_searches') as string,
    });
    expect(await search(scoped({ limit_multi_searches: 3 }), one, one)).toMatchObject({ status: 200 });
    expect((await search(scoped({ x: { a: 1 } }), one)).body).toContain(
      'Error applying search parameters inside Scoped Search API key',
    );
  });
});
