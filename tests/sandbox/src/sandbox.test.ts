import { request } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realFaults } from './faults.ts';
import { startSandbox } from './sandbox.ts';
import { TEST_KEY, ask } from './testing.test-helper.ts';

const books = { name: 'books', fields: [{ name: 'title', type: 'string' }] };

describe('the key', () => {
  test.for(['x-typesense-api-key', 'x-search-api-key', 'X-SEARCH-API-KEY'])('is taken from %s', async (header) => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    expect(await ask(sandbox.url, '/collections', { headers: { [header]: TEST_KEY } })).toMatchObject({ status: 200 });
    expect(await ask(sandbox.url, '/collections', { headers: { [header]: 'wrong' } })).toMatchObject({ status: 401 });
  });

  test('is never part of the log of requests', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    await ask(sandbox.url, `/debug?x-typesense-api-key=${TEST_KEY}`, { headers: { 'x-search-api-key': TEST_KEY } });
    expect(sandbox.requests.seen).toHaveLength(1);
    expect(JSON.stringify(sandbox.requests.seen)).not.toContain(TEST_KEY);
  });
});

describe('the log of requests', () => {
  test('records method, path and headers, and notifies listeners', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    const heard: string[] = [];
    const stop = sandbox.requests.onRequest(({ method, path }) => heard.push(`${method} ${path}`));
    await ask(sandbox.url, '/collections/a%2Fb', { headers: { 'x-search-api-key': TEST_KEY, 'user-agent': 'probe' } });
    stop();
    await ask(sandbox.url, '/health');
    expect(heard).toEqual(['GET /collections/a%2Fb']);
    expect(sandbox.requests.seen[0]).toMatchObject({ headers: { 'user-agent': 'probe', 'x-search-api-key': '(hidden)' } });
    sandbox.requests.clear();
    expect(sandbox.requests.seen).toEqual([]);
  });
});

test("never answers a key id that isn't a number, and closing ends the wait", async () => {
  const sandbox = await startSandbox({ apiKey: TEST_KEY });
  const { hostname, port } = new URL(sandbox.url);
  const waiting = request({ hostname, port, path: '/keys/abc', headers: { 'x-typesense-api-key': TEST_KEY } });
  const failed = once(waiting, 'error');
  const asked = new Promise<void>((resolve) => {
    const stop = sandbox.requests.onRequest(() => {
      stop();
      resolve();
    });
  });
  waiting.end();
  await asked;
  await sandbox.close();
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  await expect(ask(sandbox.url, '/health')).rejects.toThrow('ECONNREFUSED');
});

test('a repeated close is the same close', async () => {
  const sandbox = await startSandbox({ apiKey: TEST_KEY });
  await Promise.all([sandbox.close(), sandbox.close()]);
  await expect(ask(sandbox.url, '/health')).rejects.toThrow('ECONNREFUSED');
});

describe('faults', () => {
  test('reset, cut and replace answers until they are taken back', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    sandbox.fault(({ path }) => (path === '/debug' ? { kind: 'reset' } : undefined));
    await expect(ask(sandbox.url, '/debug')).rejects.toThrow('socket hang up');
    expect(await ask(sandbox.url, '/health')).toMatchObject({ status: 200 });
    sandbox.fault(() => ({ kind: 'cut', afterBytes: 5 }));
    await expect(ask(sandbox.url, '/health')).rejects.toThrow('aborted');
    sandbox.fault(() => ({ kind: 'answer', status: 418, body: '{"message":"tea"}' }));
    expect(await ask(sandbox.url, '/health')).toMatchObject({ status: 418, json: { message: 'tea' } });
    sandbox.fault();
    expect(await ask(sandbox.url, '/health')).toMatchObject({ status: 200 });
  });

  test('a server without room refuses writes as 29.0 and 30.0 do, and continues reading and deleting', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    await ask(sandbox.url, '/collections', { body: books });
    sandbox.setExhausted('OUT_OF_DISK');
    expect(await ask(sandbox.url, '/health')).toMatchObject({ status: 200, json: { ok: true, resource_error: 'OUT_OF_DISK' } });
    const refused = { status: 422, json: { message: 'Rejecting write: running out of resource type: OUT_OF_DISK' } };
    expect(await ask(sandbox.url, '/collections/books/documents', { body: { title: 'Zen' } })).toMatchObject(refused);
    expect(await ask(sandbox.url, '/collections/books', { method: 'PATCH', body: {} })).toMatchObject(refused);
    const searches = { searches: [{ collection: 'books', q: '*' }] };
    expect(await ask(sandbox.url, '/multi_search', { body: searches })).toMatchObject({ status: 200 });
    expect(await ask(sandbox.url, '/collections/books', { method: 'DELETE' })).toMatchObject({ status: 200 });
    sandbox.setExhausted();
    expect(await ask(sandbox.url, '/collections', { body: books })).toMatchObject({ status: 201 });
  });

  test('what real servers refuse with can be chosen for single requests', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    sandbox.fault(({ method }) => (method === 'POST' ? realFaults.outOfMemory : realFaults.lagging));
    expect(await ask(sandbox.url, '/collections', { body: books })).toMatchObject({ status: 422 });
    expect(await ask(sandbox.url, '/collections')).toMatchObject({ status: 503, json: { message: 'Not Ready or Lagging' } });
  });

  test('a starting server says so, key or no key', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    sandbox.setStarting(true);
    expect(await ask(sandbox.url, '/collections', { headers: {} })).toMatchObject({
      status: 503,
      json: { message: 'Not Ready or Lagging' },
    });
    expect(await ask(sandbox.url, '/health')).toMatchObject({ status: 503, json: { ok: false } });
    expect(await ask(sandbox.url, '/debug')).toMatchObject({ status: 200 });
    sandbox.setStarting(false);
    expect(await ask(sandbox.url, '/collections')).toMatchObject({ status: 200 });
  });
});

describe('aliases', () => {
  test('stand for their collection everywhere', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    await ask(sandbox.url, '/collections', { body: books });
    const put = await ask(sandbox.url, '/aliases/current', { method: 'PUT', body: { collection_name: 'books' } });
    expect(put.json).toEqual({ collection_name: 'books', name: 'current' });
    await ask(sandbox.url, '/collections/current/documents', { body: { id: '1', title: 'Zen' } });
    expect((await ask(sandbox.url, '/collections/current/documents/search?q=*')).json).toMatchObject({
      found: 1,
      request_params: { collection_name: 'books' },
    });
    expect((await ask(sandbox.url, '/collections/current')).json).toMatchObject({ name: 'books', num_documents: 1 });
    expect((await ask(sandbox.url, '/aliases')).json).toEqual({ aliases: [{ collection_name: 'books', name: 'current' }] });
    await ask(sandbox.url, '/aliases/current', { method: 'DELETE' });
    expect(await ask(sandbox.url, '/aliases/current')).toMatchObject({ status: 404 });
  });

  test('may dangle, and may not take the name of a collection', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    await ask(sandbox.url, '/collections', { body: books });
    const dangling = await ask(sandbox.url, '/aliases/next', { method: 'PUT', body: { collection_name: 'nowhere' } });
    expect(dangling.status).toBe(200);
    expect(await ask(sandbox.url, '/collections/next')).toMatchObject({ status: 404 });
    expect(await ask(sandbox.url, '/aliases/books', { method: 'PUT', body: { collection_name: 'x' } })).toMatchObject({
      status: 500,
    });
  });
});

describe('paging', () => {
  test('an offset is named in the answer unless it is 0', async () => {
    await using sandbox = await startSandbox({ apiKey: TEST_KEY });
    await ask(sandbox.url, '/collections', { body: books });
    for (const id of ['1', '2', '3']) await ask(sandbox.url, '/collections/books/documents', { body: { id, title: id } });
    const search = (query: string) => ask(sandbox.url, `/collections/books/documents/search?q=*&${query}`);
    expect((await search('limit=1&offset=1')).json).toMatchObject({ offset: 1, hits: [{ document: { id: '2' } }] });
    expect((await search('limit=1&offset=0')).json).toMatchObject({ page: 1, hits: [{ document: { id: '3' } }] });
    expect((await search('per_page=2&page=2')).json).toMatchObject({ page: 2, hits: [{ document: { id: '1' } }] });
  });
});

describe('a snapshot', () => {
  test('keeps collections, exact numbers, keys and aliases over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-snapshot-'));
    const snapshotFile = join(folder, 'data.jsonl');
    try {
      const schema = {
        name: 'auto',
        enable_nested_fields: true,
        fields: [
          { name: '.*', type: 'auto' },
          { name: 'v', type: 'float[]', num_dim: 2, optional: true },
        ],
        metadata: { a: 1 },
      };
      const first = await startSandbox({ apiKey: TEST_KEY, snapshotFile });
      await ask(first.url, '/collections', { body: schema });
      await ask(first.url, '/collections/auto/documents', { body: '{"id":"1","o":{"n":9007199254740993},"f":3.0}' });
      await ask(first.url, '/aliases/now', { method: 'PUT', body: { collection_name: 'auto' } });
      const key = { description: 'k', actions: ['documents:get'], collections: ['auto'], value: 'narrow' };
      await ask(first.url, '/keys', { body: key });
      const before = await ask(first.url, '/collections');
      await first.close();
      expect(statSync(snapshotFile).mode & 0o777).toBe(0o600);
      await using second = await startSandbox({ apiKey: TEST_KEY, snapshotFile });
      expect((await ask(second.url, '/collections')).body).toBe(before.body);
      const read = await ask(second.url, '/collections/auto/documents/1', { headers: { 'x-search-api-key': 'narrow' } });
      expect(read.body).toBe('{"f":3.0,"id":"1","o":{"n":9007199254740993}}');
      expect(await ask(second.url, '/collections/now')).toMatchObject({ status: 200 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
