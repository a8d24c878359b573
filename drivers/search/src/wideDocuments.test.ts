import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { NO_FILTER, decodeBatch, decodePage, isUnread } from '@tabularium/sdk';
import type { Page, PageBatch, PageRequest, Session } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchClient } from './client.ts';
import { admin, call, httpOf, open } from './fixture.test-helper.ts';
import { PageSizes } from './pageSizes.ts';
import { readPage } from './pages.ts';
import { Schemas } from './schemas.ts';

const DIMENSIONS = 24;
const table = { namespace: [], name: 'wide' };
const COUNT = 60;

let sandbox: Sandbox;
let session: Session;

const vector = (index: number): number[] => Array.from({ length: DIMENSIONS }, (_unused, place) => (index + place) / 8);
const text = (index: number): string => `Text ${index} „${'ä"'.repeat(index === 7 ? 4_000 : 20)}“`;

beforeAll(async () => {
  sandbox = await startSandbox({ apiKey: 'admin-key-of-the-test' });
  await admin(
    sandbox,
    'POST',
    '/collections',
    JSON.stringify({
      name: 'wide',
      enable_nested_fields: true,
      fields: [
        { name: 'body', type: 'string', index: false, optional: true },
        { name: 'meta', type: 'object', optional: true },
        { name: 'meta.vec', type: 'float[]', num_dim: DIMENSIONS, optional: true },
        { name: 'meta.note', type: 'string', optional: true },
        { name: 'parts', type: 'object[]', optional: true, index: false },
        { name: 'parts.name', type: 'string[]', optional: true, index: false },
        { name: 'rank', type: 'int32' },
        { name: 'tags', type: 'string[]', optional: true },
        { name: 'vec', type: 'float[]', num_dim: DIMENSIONS, optional: true },
      ],
    }),
  );
  const documents = Array.from({ length: COUNT }, (_unused, index) =>
    JSON.stringify({
      id: `d/${index}`,
      rank: index,
      body: text(index),
      meta: { vec: vector(index), note: `n${index}` },
      parts: index === 3 ? Array.from({ length: 900 }, (_none, place) => ({ name: `part ${place}` })) : [{ name: 'one' }, {}],
      tags: index === 5 ? Array.from({ length: 2_000 }, (_none, place) => `tag${place}`) : ['a', 'b'],
      ...(index % 2 === 0 ? { vec: vector(index) } : {}),
    }),
  );
  await admin(sandbox, 'POST', '/collections/wide/documents/import?action=create', documents.join('\n'));
  session = await open(sandbox);
});
afterAll(async () => {
  await session.close();
  await sandbox.close();
});

const request = (more: Partial<PageRequest> = {}): PageRequest => ({
  table,
  filter: NO_FILTER,
  sorts: [{ column: 'rank', direction: 'ascending' }],
  position: { from: 'start' },
  limit: COUNT,
  ...more,
});
const place = ({ columns }: PageBatch, name: string): number => columns.findIndex((column) => column.name === name);
const placeholders = { over: 4_096 };

/** The requests to the server while a page is read. */
async function sent(use: (session: Session) => Promise<unknown>): Promise<string[]> {
  const http = httpOf(sandbox);
  const bodies: string[] = [];
  const watched = {
    request: (one: Parameters<typeof http.request>[0]) => {
      if (typeof one.body === 'string') bodies.push(one.body);
      return http.request(one);
    },
  };
  const { driver } = await import('./index.ts');
  const other = await driver.definition.connect({ host: '127.0.0.1' }, { http: watched, log: () => undefined }, call);
  await use(other);
  await other.close();
  http.close();
  return bodies;
}

describe('a page with placeholders', () => {
  it('leaves vectors out at the server and says how many numbers they have', async () => {
    const { batch } = await session.readPage(request({ placeholders }), call);
    const page = decodePage(batch);
    for (const row of page.rows) {
      expect(row[place(page, 'vec')]).toEqual(['unread', { dimensions: DIMENSIONS }]);
      expect(row[place(page, 'meta.vec')]).toEqual(['unread', { dimensions: DIMENSIONS }]);
    }
    expect(page.rows.map((row) => row[place(page, 'meta.note')])).toEqual(
      Array.from({ length: COUNT }, (_none, index) => `n${index}`),
    );
    const bodies = await sent((other) => other.readPage(request({ placeholders }), call));
    expect(bodies.at(-1)).toContain('"exclude_fields":"meta.vec,vec"');
  });

  it('has the size and the beginning of each value that is too long, and every other value whole', async () => {
    const page = decodePage((await session.readPage(request({ placeholders }), call)).batch);
    const whole = decodeBatch((await session.readPage(request(), call)).batch);
    const long: string[] = [];
    for (const [index, row] of page.rows.entries()) {
      for (const [at, { name }] of page.columns.entries()) {
        const cell = row[at] ?? null;
        const stored = whole.rows[index]?.[place(whole, name)];
        if (!isUnread(cell)) expect(cell).toEqual(stored);
        else if (cell[1].dimensions === undefined) {
          long.push(`${index} ${name}`);
          expect(cell[1].bytes).toBe(Buffer.byteLength(String(stored)));
          expect(String(stored).startsWith(cell[1].start ?? 'no start')).toBe(true);
        }
      }
    }
    expect(long).toEqual(['3 parts.name', '5 tags', '7 body']);
  });

  it('is whole where the request allows no placeholders', async () => {
    const page = decodePage((await session.readPage(request(), call)).batch);
    expect(page.rows.flat().some(isUnread)).toBe(false);
    expect(page.rows[2]?.[place(page, 'vec')]).toBe(JSON.stringify(vector(2)));
    const bodies = await sent((other) => other.readPage(request(), call));
    expect(bodies.at(-1)).not.toContain('exclude_fields');
  });

  it('reads the columns that are wanted and no others', async () => {
    const page = decodePage((await session.readPage(request({ columns: ['id', 'vec', 'rank'] }), call)).batch);
    expect(page.columns.map(({ name }) => name)).toEqual(['id', 'rank', 'vec']);
    expect(page.rows[2]).toEqual(['d/2', 2, JSON.stringify(vector(2))]);
    const bodies = await sent((other) => other.readPage(request({ columns: ['id', 'rank'], placeholders }), call));
    expect(bodies.at(-1)).toContain('"exclude_fields":"body,meta.vec,meta.note,parts.name,tags,vec"');
  });
});

describe('rows by their ids', () => {
  it('are whole, and a document that is gone is left out', async () => {
    const keys = [['d/7'], ['gone'], ['d/3'], [['text', 'd/2']]] as const;
    const answer = await session.rows?.read({ table, keys }, call);
    const found = decodeBatch(answer?.batch ?? new Uint8Array());
    expect(answer?.rowCount).toBe(3);
    const ids = found.rows.map((row) => row[place(found, 'id')]);
    expect(ids.toSorted()).toEqual(['d/2', 'd/3', 'd/7']);
    expect(found.rows[ids.indexOf('d/7')]?.[place(found, 'body')]).toBe(text(7));
    expect(found.rows[ids.indexOf('d/2')]?.[place(found, 'vec')]).toBe(JSON.stringify(vector(2)));
  });

  it('are found by a key that may only search', async () => {
    const created = await admin(
      sandbox,
      'POST',
      '/keys',
      JSON.stringify({ description: 'search', actions: ['documents:search'], collections: ['wide'] }),
    );
    const { value } = JSON.parse(created) as { value: string };
    const narrow = await open(sandbox, value);
    const answer = await narrow.rows?.read({ table, keys: [['d/8']], columns: ['id', 'vec'] }, call);
    const found = decodeBatch(answer?.batch ?? new Uint8Array());
    expect(found.rows[0]?.[place(found, 'vec')]).toBe(JSON.stringify(vector(8)));
    await narrow.close();
  });

  it.each([[[]], [['a', 'b']], [['']], [[7]]])('are refused for the key %j, which no document has', async (key) => {
    await expect(session.rows?.read({ table, keys: [key] }, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('a page that is too large for one answer', () => {
  /** Reads on until the end, as a window does, with answers of so many bytes. */
  async function readOn(mostBytes: number, limit: number): Promise<{ pages: Page[]; ids: unknown[]; requests: number }> {
    const http = httpOf(sandbox);
    let requests = 0;
    const counted = { request: (one: Parameters<typeof http.request>[0]) => ((requests += 1), http.request(one)) };
    const client = new SearchClient(counted, 10_000, mostBytes);
    const schemas = new Schemas(client);
    const sizes = new PageSizes();
    const pages: Page[] = [];
    const ids: unknown[] = [];
    for (let offset = 0; ;) {
      const page = await readPage(
        request({ position: { from: 'offset', offset }, limit, placeholders }),
        client,
        schemas,
        sizes,
        call.signal,
      );
      pages.push(page);
      const batch = decodePage(page.batch);
      ids.push(...batch.rows.map((row) => row[place(batch, 'id')]));
      offset += page.rowCount;
      if (page.atEnd) break;
      expect(page.rowCount).toBeGreaterThan(0);
    }
    http.close();
    return { pages, ids, requests };
  }

  const everyId = Array.from({ length: COUNT }, (_unused, index) => `d/${index}`);

  it('is shorter, says how many rows there are, and the next pages continue to the last row', async () => {
    const { pages, ids, requests } = await readOn(40_000, COUNT);
    expect(ids).toEqual(everyId);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ total }) => total?.rows === COUNT && total.exact)).toBe(true);
    expect(requests).toBeLessThan(40);
  });

  it('shows a document that is too large alone by its id and placeholders', async () => {
    // The document with 900 parts is larger than this, and so are those with long tags and a long body.
    const { pages, ids } = await readOn(9_000, COUNT);
    expect(ids).toEqual(everyId);
    const rows = pages.flatMap(({ batch }) => {
      const page = decodePage(batch);
      return page.rows.map((row) => ({ id: row[place(page, 'id')], rank: row[place(page, 'rank')] }));
    });
    expect(rows.filter(({ rank }) => isUnread(rank ?? null)).map(({ id }) => id)).toEqual(['d/3', 'd/5', 'd/7']);
  });

  it('is an error where the request allows no placeholders', async () => {
    const http = httpOf(sandbox);
    const client = new SearchClient(http, 10_000, 20_000);
    const asked = readPage(request(), client, new Schemas(client), new PageSizes(), call.signal);
    await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' });
    http.close();
  });
});
