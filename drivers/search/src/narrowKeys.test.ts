import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { Filter, Page, Session } from '@tabularium/sdk';
import { admin, call, collect, manyRows, open, startFixture } from './fixture.test-helper.ts';

let sandbox: Sandbox;

async function keyFor(actions: readonly string[], collections: readonly string[], more: object = {}): Promise<string> {
  const body = JSON.stringify({ description: 'narrow', actions, collections, ...more });
  return (JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string }).value;
}

async function using(key: string, use: (session: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

function must<T>(facet: T | undefined): T {
  if (facet === undefined) throw new Error('The session lacks a facet.');
  return facet;
}

const table = (name: string) => ({ namespace: [], name });
const page = (session: Session, name: string, limit: number, filter: Filter = NO_FILTER): Promise<Page> =>
  session.readPage({ table: table(name), filter, sorts: [], position: { from: 'start' }, limit }, call);
const warnings = ({ findings }: Session): string[] => findings.flatMap((one) => (one.outcome === 'ok' ? [] : [one.message]));

for (const version of sandboxVersions) {
  describe(`narrow keys of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('a search-only key for one collection opens, says what it may do, and finds that collection by name', async () => {
      await using(await keyFor(['documents:search'], ['many']), async (session) => {
        expect(warnings(session)).toEqual([
          "This key can't list collections: it lacks the action collections:list. It may search documents. Open a collection by name.",
        ]);
        expect(await session.listTables(call)).toEqual([]);
        expect(await session.namedTables?.find(' many ', call)).toEqual({
          ref: table('many'),
          kind: 'table',
          count: { rows: 640, exact: true },
        });
        await session.ping(call);
      });
    });

    it('a name that the key does not reach is refused by name, whether it is there or not', async () => {
      await using(await keyFor(['documents:search'], ['many']), async (session) => {
        for (const name of ['shelf', 'nowhere']) {
          await expect(session.namedTables?.find(name, call)).rejects.toMatchObject({
            code: 'ACCESS_REFUSED',
            message: `This key may not search in a collection “${name}”.`,
          });
        }
        await expect(session.namedTables?.find('  ', call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      });
      await using(await keyFor(['documents:search'], ['*']), async (session) => {
        await expect(session.namedTables?.find('nowhere', call)).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: 'There is no collection “nowhere”.',
        });
      });
    });

    it('its grid has the columns of the documents, page after page the same, with filters, counts and suggestions', async () => {
      await using(await keyFor(['documents:search'], ['shel.*']), async (session) => {
        const description = await session.describeTable(table('shelf'), call);
        const columns = Object.fromEntries(description.columns.map((column) => [column.name, column]));
        expect(columns).toMatchObject({
          id: { filterClass: 'id' },
          title: { kind: 'text', filterClass: 'text', editable: { allowed: false }, sortable: { allowed: false } },
          pages: { kind: 'integer', filterClass: 'number' },
          in_stock: { kind: 'boolean', filterClass: 'boolean' },
          tags: { kind: 'json', filterClass: 'text' },
        });
        expect(columns['place']).not.toHaveProperty('filterClass');
        expect(description.notes.join(' ')).toContain('collections:get');
        const names = description.columns.map(({ name }) => name);
        const first = await page(session, 'shelf', 3);
        expect(decodeBatch(first.batch).columns.map(({ name }) => name)).toEqual(names);
        const filter: Filter = { match: 'all', conditions: [{ column: 'title', operator: 'contains', values: ['apple'] }] };
        const found = await page(session, 'shelf', 100, filter);
        expect(found.rowCount).toBe(3);
        expect(await session.countRows({ table: table('shelf'), filter }, call)).toEqual({ rows: 3, exact: true });
        const { values = [] } =
          (await session.suggestions?.values({ table: table('shelf'), column: 'tags', typed: 't', limit: 5 }, call)) ?? {};
        expect(values.map(({ value }) => value)).toContain('t1');
      });
    });

    it('exports by pages where it may search and not export', async () => {
      await using(await keyFor(['documents:search'], ['many']), async (session) => {
        expect(await session.export?.splice({ table: table('many'), filter: NO_FILTER }, call)).toBeUndefined();
        const events = await collect(must(session.export).rows({ table: table('many'), filter: NO_FILTER }, call));
        expect(events[0]).toMatchObject({ type: 'begin', expected: { rows: manyRows.length, exact: true } });
        const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
        expect(rows).toHaveLength(manyRows.length);
      });
      await using(await keyFor(['documents:search', 'documents:export'], ['many']), async (session) => {
        expect(await session.export?.splice({ table: table('many'), filter: NO_FILTER }, call)).toMatchObject({
          request: { path: expect.stringContaining('/collections/many/documents/export') as string },
        });
      });
    });

    it('what it may not do is refused with the action that it lacks', async () => {
      await using(await keyFor(['documents:search', 'collections:get'], ['many']), async (session) => {
        expect((await session.describeTable(table('many'), call)).columns[1]).toMatchObject({ editable: { allowed: true } });
        const outcomes = await collect(must(session.edits).apply(table('many'), [{ kind: 'delete', key: ['d0'] }], call));
        expect(outcomes).toMatchObject([
          { code: 'ACCESS_REFUSED', message: 'The API key lacks the action documents:delete for “many”.' },
        ]);
        await expect(session.metrics?.read(call)).rejects.toMatchObject({
          code: 'ACCESS_REFUSED',
          message: expect.stringContaining('metrics.json:list') as string,
        });
        await expect(session.describeTable(table('shelf'), call)).rejects.toMatchObject({
          code: 'ACCESS_REFUSED',
          message: 'The API key lacks the action documents:search for “shelf”.',
        });
      });
    });

    it('a key that may list is asked for nothing else, and gets no other way to open a collection', async () => {
      await using(await keyFor(['collections:list'], ['*']), async (session) => {
        expect(session.namedTables).toBeUndefined();
        expect(warnings(session)).toEqual([]);
        expect((await session.listTables(call)).length).toBeGreaterThan(0);
      });
    });

    it.each([
      ['documents:get', 'read documents by their ids'],
      ['documents:export', 'export documents'],
    ])('a key for one collection with %s alone is accepted, and leaves no trace', async (action, ability) => {
      const before = await admin(sandbox, 'GET', '/collections');
      await using(await keyFor([action], ['many']), async (session) => {
        expect(warnings(session)).toEqual([
          `This key can't list collections: it lacks the action collections:list. It may ${ability}; it can't search, so no collection can be opened.`,
        ]);
        expect(session.findings).toContainEqual(expect.objectContaining({ label: 'API key', outcome: 'ok' }));
        await session.ping(call);
      });
      expect(await admin(sandbox, 'GET', '/collections')).toBe(before);
    });

    it('a key that may only write is not called wrong: nothing can be found out without writing', async () => {
      await using(await keyFor(['documents:create'], ['many']), async (session) => {
        expect(session.findings).toContainEqual(
          expect.objectContaining({ outcome: 'failed', message: expect.stringContaining('it may only write') as string }),
        );
      });
    });

    it.each([
      ['searches', ['documents:search'], ['many']],
      ['lists', ['collections:list'], ['*']],
    ])('a key that ends while it %s is said to have ended, and not to lack what it had', async (_does, actions, collections) => {
      const body = JSON.stringify({ description: 'ends', actions, collections });
      const { id, value } = JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { id: number; value: string };
      await using(value, async (session) => {
        await session.ping(call);
        await admin(sandbox, 'DELETE', `/keys/${id}`);
        await expect(session.ping(call)).rejects.toMatchObject({
          code: 'ACCESS_REFUSED',
          message: 'The API key no longer works: it has expired, or it was deleted.',
          details: { advice: expect.stringContaining('Make a new key') as string },
        });
      });
    });

    it('a key that ends before it is used for something new is said to have ended, and one that lacks an action to lack it', async () => {
      const change = { kind: 'delete', key: ['1'] } as const;
      const table = { namespace: [], name: 'many' };
      const outcome = async (session: Session): Promise<unknown> => {
        const all = [];
        for await (const one of session.edits?.apply(table, [change], call) ?? []) all.push(one);
        return all[0];
      };
      const body = (actions: readonly string[]): string => JSON.stringify({ description: 'ends', actions, collections: ['*'] });
      const whole = JSON.parse(await admin(sandbox, 'POST', '/keys', body(['*']))) as { id: number; value: string };
      await using(whole.value, async (session) => {
        await session.describeTable(table, call);
        await admin(sandbox, 'DELETE', `/keys/${whole.id}`);
        await expect(outcome(session)).rejects.toMatchObject({
          message: 'The API key no longer works: it has expired, or it was deleted.',
        });
        await expect(session.rows?.read({ table, keys: [['1']] }, call)).rejects.toMatchObject({
          message: 'The API key no longer works: it has expired, or it was deleted.',
        });
      });
      await using(await keyFor(['collections:*', 'documents:search', 'documents:get'], ['*']), async (session) => {
        expect(await outcome(session)).toMatchObject({
          message: expect.stringContaining('lacks the action documents:delete') as string,
        });
      });
    });

    it('an expired key is refused for everything', async () => {
      await using(await keyFor(['*'], ['*'], { expires_at: 1_000 }), async (session) => {
        expect(session.findings).toContainEqual(expect.objectContaining({ label: 'API key', outcome: 'failed' }));
        expect(session.namedTables).toBeUndefined();
      });
    });
  });
}
