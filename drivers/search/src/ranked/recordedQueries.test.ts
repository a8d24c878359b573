import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { RecordedQueries, RecordedQueriesRequest, Session } from '@tabularium/sdk';
import { FORBIDDEN, answering, json } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { ADMIN_KEY, admin, call, open, recordingRule, startFixture } from '../fixture.test-helper.ts';

const books = { namespace: [], name: 'shelf' };
const DESTINATION = [
  { name: 'q', type: 'string' },
  { name: 'count', type: 'int32' },
];

for (const version of sandboxVersions) {
  describe(`recorded queries on version ${version}`, () => {
    let sandbox: Sandbox;
    let session: Session;
    const ask = (more: Partial<RecordedQueriesRequest> = {}): Promise<RecordedQueries> => {
      const queries = session.search?.recordedQueries?.(
        { table: books, kind: 'popular', offset: 0, limit: 1_000, ...more },
        call,
      );
      if (queries === undefined) throw new Error('The session has no recorded queries.');
      return queries;
    };
    const rule = (name: string, type: string, collection: string, destination: string): Promise<string> =>
      admin(sandbox, 'POST', '/analytics/rules', recordingRule(version, name, type, collection, destination));
    beforeAll(async () => {
      sandbox = await startFixture(version);
      session = await open(sandbox, ADMIN_KEY);
      for (const name of ['asked', 'lost']) {
        await admin(sandbox, 'POST', '/collections', JSON.stringify({ name, fields: DESTINATION }));
      }
    });
    afterAll(async () => {
      await session.close();
      await sandbox.close();
    });

    it('say that no rule counts searches, and which kind of object would', async () => {
      const { missing, ...none } = await ask();
      expect(none).toEqual({ recordings: [], queries: [], found: 0 });
      expect(missing?.reason).toContain('popular_queries');
      expect(missing?.objects).toBe('analytics-rule');
      expect((await ask({ kind: 'withoutHits' })).missing?.reason).toContain('nohits_queries');
      await expect(ask({ table: { namespace: [], name: 'nowhere' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('are those of the destination, the most frequent first, page by page', async () => {
      await rule('what-is-asked', 'popular_queries', 'shelf', 'asked');
      expect((await ask()).missing?.reason).toContain('has not written a query to “asked” yet');
      const lines = Array.from({ length: 300 }, (_, index) => JSON.stringify({ q: `query ${index}`, count: index + 1 }));
      await admin(sandbox, 'POST', '/collections/asked/documents/import', lines.join('\n'));
      const all = await ask();
      expect(all.recordings).toEqual(['what-is-asked']);
      expect(all.found).toBe(300);
      expect(all.missing).toBeUndefined();
      expect(all.queries).toHaveLength(300);
      expect(all.queries.slice(0, 2)).toEqual([
        { text: 'query 299', count: 300 },
        { text: 'query 298', count: 299 },
      ]);
      expect((await ask({ offset: 298, limit: 10 })).queries.map(({ count }) => count)).toEqual([2, 1]);
      // The other kind has a rule of its own.
      expect((await ask({ kind: 'withoutHits' })).recordings).toEqual([]);
    });

    it('are found by an alias, of a rule for an alias, and by the name of the recording', async () => {
      await admin(sandbox, 'PUT', '/aliases/books', JSON.stringify({ collection_name: 'shelf' }));
      expect((await ask({ table: { namespace: [], name: 'books' } })).recordings).toEqual(['what-is-asked']);
      await rule('by-alias', 'popular_queries', 'books', 'lost');
      const { recordings } = await ask();
      expect([...recordings].sort()).toEqual(['by-alias', 'what-is-asked']);
      expect((await ask({ recording: 'by-alias' })).found).toBe(0);
      expect((await ask({ recording: 'what-is-asked' })).found).toBe(300);
      await expect(ask({ recording: 'no such rule' })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'recording' },
      });
    });

    it('name a destination that is gone', async () => {
      await rule('to-nowhere', 'nohits_queries', 'shelf', 'lost');
      await admin(sandbox, 'DELETE', '/collections/lost');
      expect((await ask({ kind: 'withoutHits' })).missing?.reason).toBe(
        'The analytics rule “to-nowhere” writes to the collection “lost”, which is not there.',
      );
    });
  });
}

it('have the filter of their searches where the server wrote it, and no entry without words', async () => {
  const rules = [{ name: 'r', type: 'popular_queries', collection: 'shelf', params: { destination_collection: 'asked' } }];
  const hit = (document: object) => ({ document });
  const http = answering(({ path }) => {
    if (path === '/debug') return json({ version: '30.2' });
    if (path === '/analytics/rules') return json(rules);
    if (path === '/collections/shelf') return json({ name: 'shelf', fields: [] });
    if (path === '/multi_search') {
      const hits = [
        hit({ id: '1', q: 'fig', count: 3, filter_by: 'price:>1' }),
        hit({ id: '2', q: '', count: 2 }),
        hit({ id: '3', q: 'date', count: 1, filter_by: '' }),
      ];
      return json({ results: [{ found: 3, out_of: 3, page: 1, hits }] });
    }
    return json([]);
  });
  const { search } = await connect({}, { http, log: () => undefined }, call);
  expect(await search?.recordedQueries?.({ table: books, kind: 'popular', offset: 0, limit: 10 }, call)).toEqual({
    recordings: ['r'],
    queries: [
      { text: 'fig', count: 3, filter: 'price:>1' },
      { text: 'date', count: 1 },
    ],
    found: 3,
  });
});

it('say that a key may not read them', async () => {
  const http = answering(({ path }) =>
    path === '/analytics/rules' ? FORBIDDEN : json(path === '/collections/shelf' ? { name: 'shelf', fields: [] } : []),
  );
  const { search } = await connect({}, { http, log: () => undefined }, call);
  await expect(search?.recordedQueries?.({ table: books, kind: 'popular', offset: 0, limit: 10 }, call)).rejects.toMatchObject({
    code: 'ACCESS_REFUSED',
  });
});
