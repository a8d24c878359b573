import { describe, expect, it } from 'vitest';
import { sandboxVersions, startSandbox } from '@tabularium/sandbox';
import type { Filter, HttpRequest, PageRequest } from '@tabularium/sdk';
import { decodeBatch } from '@tabularium/sdk';
import driverPackage from '../package.json' with { type: 'json' };
import { answering, json } from './answers.test-helper.ts';
import { connect } from './connect.ts';
import { ADMIN_KEY, admin, call, collect, open } from './fixture.test-helper.ts';
import { LIMITS, limitFor } from './limits.ts';
import type { Limit } from './limits.ts';

describe('the table of limits', () => {
  const limits: readonly (readonly [string, Limit])[] = Object.entries(LIMITS);

  it.each(limits)('%s begins with 26.0, has its lines in order, and says nothing is measured before 29.0', (_name, limit) => {
    const since = limit.byVersion.map((line) => line.since);
    expect(since[0]).toBe(26);
    expect(since).toEqual(since.toSorted((one, other) => one - other));
    for (const line of limit.byVersion) expect(line.source === 'measured').toBe(line.since >= 29);
  });

  it('takes the newest line for later versions, and the lowest where the version is unknown', () => {
    const limit: Limit = {
      of: 'test',
      byVersion: [
        { since: 26, most: 5, source: 'recorded' },
        { since: 28, most: 3, source: 'recorded' },
        { since: 29, most: 9, source: 'measured' },
      ],
    };
    expect([25, 26, 27.01, 28, 29, 30, 41].map((version) => limitFor(limit, version))).toEqual([3, 5, 5, 3, 9, 9, 9]);
    expect(limitFor(limit, undefined)).toBe(3);
  });

  it('is what the manifest says of sorts', () => {
    expect(driverPackage.tabularium.reading.maxSorts).toBe(limitFor(LIMITS.sortFields));
  });
});

const page = (name: string, more: Partial<PageRequest> = {}): PageRequest => ({
  table: { namespace: [], name },
  filter: { match: 'all', conditions: [] },
  sorts: [],
  position: { from: 'start' },
  limit: 1_000,
  ...more,
});

describe('a server that is set to fewer hits for one search', () => {
  it('is asked again with as many as it names, and from then on', async () => {
    const documents = Array.from({ length: 130 }, (_, at) => ({ id: String(at), n: at }));
    const http = answering(({ path, body }: HttpRequest) => {
      if (path === '/collections/odd') return json({ name: 'odd', num_documents: 130, fields: [{ name: 'n', type: 'int32' }] });
      if (path !== '/multi_search' || typeof body !== 'string') return json([]);
      const { searches } = JSON.parse(body) as { searches: { offset?: number; limit?: number }[] };
      return json({
        results: searches.map(({ offset = 0, limit = 10 }) =>
          limit > 40
            ? { code: 422, error: 'Only upto 40 hits can be fetched per page.' }
            : {
                found: 130,
                out_of: 130,
                ...(offset === 0 ? { page: 1 } : { offset }),
                hits: documents.slice(offset, offset + limit).map((document) => ({ document })),
              },
        ),
      });
    });
    const session = await connect({}, { http, log: () => undefined }, call);
    const read = async (): Promise<readonly unknown[]> =>
      decodeBatch((await session.readPage(page('odd'), call)).batch).rows.map(([id]) => id);
    const ids = documents.map(({ id }) => id);
    expect(await read()).toEqual(ids);
    const before = http.requests.length;
    expect(await read()).toEqual(ids);
    expect(http.requests.length - before).toBe(1);
    const found = await session.suggestions?.values({ table: page('odd').table, column: 'id', typed: '', limit: 5 }, call);
    expect(found?.values).toHaveLength(5);
    await session.close();
  });
});

describe.each(sandboxVersions)('a beginning that many words have, on version %s', (version) => {
  const isWhole = !['26.0', '27.1'].includes(version);

  it(isWhole ? 'finds all of them, in pages, counts and exports' : 'finds four of them, and the table says so', async () => {
    await using server = await startSandbox({ version, apiKey: ADMIN_KEY, port: 0, sampleData: false });
    const fields = [
      { name: 'word', type: 'string' },
      { name: 'kind', type: 'string', facet: true },
    ];
    await admin(server, 'POST', '/collections', JSON.stringify({ name: 'words', fields }));
    const lines = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ id: `w${at}`, word: `aa${at + 10}`, kind: `kk${at + 10}` }),
    );
    await admin(server, 'POST', '/collections/words/documents/import', lines.join('\n'));
    const session = await open(server);
    const table = page('words').table;
    const filter: Filter = { match: 'all', conditions: [{ column: 'word', operator: 'startsWith', values: ['aa'] }] };
    const rows = isWhole ? 30 : 4;
    expect((await session.readPage(page('words', { filter }), call)).rowCount).toBe(rows);
    expect((await session.countRows({ table, filter }, call)).rows).toBe(rows);
    expect(await session.export?.splice?.({ table, filter }, call)).toBeUndefined();
    if (session.export === undefined) throw new Error('The driver has no export.');
    const events = await collect(session.export.rows({ table, filter }, call));
    expect(events.reduce((sum, event) => sum + (event.type === 'rows' ? event.rows.length : 0), 0)).toBe(rows);
    const { notes } = await session.describeTable(table, call);
    expect(notes?.some((note) => note.includes('starts with'))).toBe(!isWhole);
    const typed = await session.suggestions?.values({ table, column: 'kind', typed: 'kk', limit: 50 }, call);
    expect([typed?.values.length, typed?.from]).toEqual([30, 'all']);
    await session.close();
  });
});
