import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBatch } from '@tabularium/sdk';
import type { HttpRequest, PageRequest, RowBatch } from '@tabularium/sdk';
import type { Sandbox } from '@tabularium/sandbox';
import { answering, json } from './answers.test-helper.ts';
import { connect } from './connect.ts';
import { admin, call, manyRows, open, startFixture } from './fixture.test-helper.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startFixture();
});
afterAll(() => sandbox.close());

type Opened = Awaited<ReturnType<typeof open>>;
async function using<T>(use: (session: Opened) => Promise<T>, key?: string): Promise<T> {
  const session = await open(sandbox, key);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

const request = (name: string, more: Partial<PageRequest> = {}): PageRequest => ({
  table: { namespace: [], name },
  filter: { match: 'all', conditions: [] },
  sorts: [],
  position: { from: 'start' },
  limit: 1_000,
  ...more,
});

const bodyOf = (sent: HttpRequest | undefined): string => (typeof sent?.body === 'string' ? sent.body : '');

const rowsOf = (batch: Uint8Array): Record<string, unknown>[] => {
  const { columns, rows }: RowBatch = decodeBatch(batch);
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
};

describe('collections', () => {
  it('are listed by name with their counts, aliases with their targets', () =>
    using(async (session) => {
      expect(await session.listTables(call)).toEqual([
        { ref: { namespace: [], name: 'a/b ö' }, kind: 'table', count: { rows: 16, exact: true } },
        {
          ref: { namespace: [], name: 'bookcase' },
          kind: 'table',
          count: { rows: 24, exact: true },
          aliasOf: { namespace: [], name: 'shelf' },
        },
        { ref: { namespace: [], name: 'many' }, kind: 'table', count: { rows: 640, exact: true } },
        { ref: { namespace: [], name: 'shelf' }, kind: 'table', count: { rows: 24, exact: true } },
      ]);
    }));

  it('are described: id first, then in the schema’s order, leaves in the place of their object, reasons for what cannot be done', () =>
    using(async (session) => {
      const table = await session.describeTable({ namespace: [], name: 'shelf' }, call);
      expect(table.columns.map(({ name, kind, type }) => `${name} ${kind} ${type}`)).toEqual([
        'id text string',
        'title text string',
        'sku text string',
        'pages integer int32',
        'big integer int64',
        'price decimal float',
        'in_stock boolean bool',
        'tags json string[]',
        'place geo geopoint',
        'maker.name text string',
        'maker.address.city text string',
        'parts.size json int64[]',
        'parts.serial json int64[]',
        'note text string',
      ]);
      const column = (name: string): unknown => table.columns.find((one) => one.name === name);
      expect(column('id')).toMatchObject({
        nullable: false,
        editable: { allowed: false },
        sortable: { allowed: false },
        filterClass: 'id',
      });
      expect(column('title')).toMatchObject({
        nullable: false,
        sortable: { allowed: false, reason: expect.stringContaining('sort') as string },
      });
      expect(column('sku')).toMatchObject({ sortable: { allowed: true } });
      expect(column('note')).toMatchObject({ note: expect.stringContaining('Not indexed') as string });
      expect(column('note')).not.toHaveProperty('filterClass');
      expect(column('in_stock')).toMatchObject({ nullable: true, marks: [{ label: 'Facet' }] });
      expect(column('title')).not.toHaveProperty('marks');
      expect(column('parts.size')).toMatchObject({ editable: { allowed: false } });
      expect(table).toMatchObject({ key: ['id'], paging: 'offset', readsFromEnd: false, definition: { language: 'json' } });
    }));

  it('with a default field for sorting have it as their default sort, and their documents come in it', () =>
    using(async (session) => {
      const fields = [{ name: 'weight', type: 'int32' }];
      await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'weighed', fields, default_sorting_field: 'weight' }));
      const documents = [3, 9, 1, 9].map((weight, at) => JSON.stringify({ id: `w${at}`, weight })).join('\n');
      await admin(sandbox, 'POST', '/collections/weighed/documents/import', documents);
      const { defaultSort, notes } = await session.describeTable({ namespace: [], name: 'weighed' }, call);
      expect(defaultSort).toEqual([{ column: 'weight', direction: 'descending' }]);
      expect(notes).toContain('Documents that a sort leaves equal come newest first.');
      expect(notes.join()).not.toContain('weight');
      const { batch } = await session.readPage(request('weighed'), call);
      expect(rowsOf(batch).map(({ id }) => id)).toEqual(['w3', 'w1', 'w0', 'w2']);
      expect(await session.describeTable({ namespace: [], name: 'shelf' }, call)).not.toHaveProperty('indexes');
      await admin(sandbox, 'DELETE', '/collections/weighed');
    }));

  it('an alias is described and read like its collection', () =>
    using(async (session) => {
      const table = await session.describeTable({ namespace: [], name: 'bookcase' }, call);
      expect(table.ref.name).toBe('bookcase');
      expect(table.notes[0]).toContain('shelf');
      expect((await session.readPage(request('bookcase'), call)).rowCount).toBe(24);
    }));

  it('an alias has the identity of its collection: another one when it is moved, or when the collection is made again', () =>
    using(async (session) => {
      const identityOf = async (name: string): Promise<string | undefined> =>
        (await session.describeTable({ namespace: [], name }, call)).identity;
      const make = (name: string): Promise<string> =>
        admin(sandbox, 'POST', '/collections', JSON.stringify({ name, fields: [{ name: 'title', type: 'string' }] }));
      const lead = (name: string): Promise<string> =>
        admin(sandbox, 'PUT', '/aliases/moving', JSON.stringify({ collection_name: name }));
      await make('moving_1');
      await make('moving_2');
      await lead('moving_1');
      const first = await identityOf('moving');
      expect(first).toMatch(/^moving_1, created \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
      expect(await identityOf('moving_1')).toBe(first);
      await lead('moving_2');
      expect(await identityOf('moving')).toMatch(/^moving_2, /);
      await admin(sandbox, 'DELETE', '/collections/moving_1');
      // The server counts in whole seconds.
      await expect
        .poll(async () => {
          await make('moving_1');
          await lead('moving_1');
          const identity = await identityOf('moving');
          await admin(sandbox, 'DELETE', '/collections/moving_1');
          return identity;
        })
        .not.toBe(first);
      for (const path of ['/aliases/moving', '/collections/moving_2']) await admin(sandbox, 'DELETE', path);
    }));

  it('a page of 1,000 rows is one request; 10,000 rows are one too', () =>
    using(async (session) => {
      await session.readPage(request('many', { limit: 1 }), call);
      const before = session.http.requests.length;
      const page = await session.readPage(request('many'), call);
      expect(page).toMatchObject({ rowCount: 640, atEnd: true, total: { rows: 640, exact: true }, droppedSorts: [] });
      await session.readPage(request('many', { limit: 10_000 }), call);
      const sent = session.http.requests.slice(before);
      expect(sent.map(({ path }) => path)).toEqual(['/multi_search', '/multi_search']);
      const { searches } = JSON.parse(bodyOf(sent[0])) as { searches: { offset: number; limit: number }[] };
      expect(searches.map(({ offset, limit }) => [offset, limit])).toEqual([
        [0, 250],
        [250, 250],
        [500, 250],
        [750, 250],
      ]);
    }));

  it('a fourth sort and one by an unsortable field are dropped, and it says so', () =>
    using(async (session) => {
      const sorts = ['title', 'in_stock', 'sku', 'pages', 'price'].map((column) => ({
        column,
        direction: 'descending' as const,
      }));
      const page = await session.readPage(request('shelf', { sorts }), call);
      expect(page.droppedSorts.map(({ column }) => column)).toEqual(['title', 'price']);
      const body = JSON.parse(bodyOf(session.http.requests.at(-1))) as { searches: { sort_by: string }[] };
      expect(body.searches[0]?.sort_by).toBe('in_stock:desc,sku:desc,pages:desc');
    }));

  it('nothing is sent for a filter that is refused', () =>
    using(async (session) => {
      await session.readPage(request('shelf', { limit: 1 }), call);
      const before = session.http.requests.length;
      const refused = request('shelf', {
        filter: { match: 'all', conditions: [{ column: 'title', operator: 'equals', values: ['a`b'] }] },
      });
      await expect(session.readPage(refused, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(session.countRows(refused, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(session.http.requests.length).toBe(before);
    }));

  it('fields that documents bring later become columns when the structure is read again', () =>
    using(async (session) => {
      await admin(
        sandbox,
        'POST',
        '/collections',
        '{"name":"learning","enable_nested_fields":true,"fields":[{"name":".*","type":"auto"}]}',
      );
      await admin(sandbox, 'POST', '/collections/learning/documents', '{"id":"1","a":1}');
      const ref = { namespace: [], name: 'learning' };
      await session.describeTable(ref, call);
      await admin(sandbox, 'POST', '/collections/learning/documents', '{"id":"2","a":2,"b":{"c":[{"d":null},{"d":5}]}}');
      const names = async (): Promise<string[]> =>
        Object.keys(rowsOf((await session.readPage(request('learning'), call)).batch)[0] ?? {});
      expect(await names()).toEqual(['id', 'a']);
      const table = await session.describeTable(ref, call);
      expect(table.notes.join()).toContain('learned');
      expect(await names()).toEqual(['id', 'a', ...table.columns.map(({ name }) => name).slice(2)]);
      expect((await names()).length).toBeGreaterThan(2);
      await admin(sandbox, 'DELETE', '/collections/learning');
      await expect(session.readPage(request('learning'), call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));

  it('a filter on a field learned since the structure was read works', () =>
    using(async (session) => {
      await admin(sandbox, 'POST', '/collections', '{"name":"later","fields":[{"name":".*","type":"auto"}]}');
      await session.describeTable({ namespace: [], name: 'later' }, call);
      await admin(sandbox, 'POST', '/collections/later/documents', '{"id":"1","n":7}');
      const filter = { match: 'all', conditions: [{ column: 'n', operator: 'equals', values: ['7'] }] } as const;
      expect(await session.countRows({ table: { namespace: [], name: 'later' }, filter }, call)).toEqual({
        rows: 1,
        exact: true,
      });
      await admin(sandbox, 'DELETE', '/collections/later');
    }));

  it('with a key that may only search: read, filtered and counted, without a schema', async () => {
    const { value } = JSON.parse(
      await admin(sandbox, 'POST', '/keys', '{"description":"s","actions":["documents:search"],"collections":["*"]}'),
    ) as { value: string };
    await using(async (session) => {
      expect(await session.listTables(call)).toEqual([]);
      const page = await session.readPage(request('many', { sorts: [{ column: 'n', direction: 'ascending' }] }), call);
      expect(rowsOf(page.batch)[0]).toEqual({ id: expect.any(String) as string, n: expect.any(Number) as number });
      expect(page.droppedSorts).toMatchObject([{ column: 'n', reason: expect.stringContaining('schema') as string }]);
      expect(await session.countRows(request('many'), call)).toEqual({ rows: 640, exact: true });
      const filter = { match: 'all', conditions: [{ column: 'n', operator: 'lessThan', values: ['3'] }] } as const;
      const few = manyRows.filter(({ n }) => Number(n) < 3).length;
      expect(await session.countRows({ ...request('many'), filter }, call)).toEqual({ rows: few, exact: true });
      expect(await session.describeTable({ namespace: [], name: 'many' }, call)).toMatchObject({
        columns: [{ name: 'id' }, { name: 'n', kind: 'integer', editable: { allowed: false } }],
      });
    }, value);
  });

  it('numbers beyond 2^53 come digit for digit, inside JSON too, and beyond 64 bits', async () => {
    await admin(
      sandbox,
      'POST',
      '/collections',
      '{"name":"digits","enable_nested_fields":true,"fields":[{"name":"n","type":"int64","optional":true},{"name":"o","type":"object[]","optional":true}]}',
    );
    await admin(
      sandbox,
      'POST',
      '/collections/digits/documents',
      '{"id":"1","n":-9007199254740993,"o":[{"k":[9007199254740993]}]}',
    );
    await using(async (session) => {
      const page = await session.readPage(request('digits'), call);
      expect(rowsOf(page.batch)).toEqual([{ id: '1', n: '-9007199254740993', 'o.k': '[[9007199254740993]]' }]);
    });
    await admin(sandbox, 'DELETE', '/collections/digits');
  });

  it('a search that the server cut off is an error and no short page', async () => {
    const http = answering(({ path }) => {
      if (path === '/multi_search') return json({ results: [{ found: 3, hits: [], search_cutoff: true, search_time_ms: 1 }] });
      return path.startsWith('/collections/') ? json({ name: 'x', fields: [], num_documents: 3 }) : json([]);
    });
    const session = await connect({}, { http, log: () => undefined }, call);
    await expect(session.readPage(request('x', { limit: 10 }), call)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it.each([
    ['one result too few', { results: [] }],
    ['no hits', { results: [{ found: 3 }] }],
    ['no count', { results: [{ hits: [] }] }],
    ['a hit that is none', { results: [{ found: 3, hits: [{}] }] }],
  ])('a search answered with %s is a bad answer', async (_name, answer) => {
    const http = answering(({ path }) =>
      path === '/multi_search' ? json(answer) : path.startsWith('/collections/') ? json({ name: 'x', fields: [] }) : json([]),
    );
    const session = await connect({}, { http, log: () => undefined }, call);
    await expect(session.readPage(request('x', { limit: 10 }), call)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });
});
