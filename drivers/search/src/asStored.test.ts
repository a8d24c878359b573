import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { Filter, HttpCapability, HttpRequest } from '@tabularium/sdk';
import { connect } from './connect.ts';
import { admin, call, collect, httpOf, open, startFixture } from './fixture.test-helper.ts';

/** Whatever a search parameter may do to rows, counts or suggestions, or leave behind on the server. */
const OFF = {
  enable_overrides: false,
  enable_curations: false,
  enable_synonyms: false,
  enable_analytics: false,
  num_typos: 0,
  typo_tokens_threshold: 0,
  drop_tokens_threshold: 0,
  facet_query_num_typos: 0,
  use_cache: false,
};

const table = { namespace: [], name: 'shelf' };
const everything: Filter = { match: 'all', conditions: [] };
const cheap: Filter = { match: 'all', conditions: [{ column: 'price', operator: 'lessThan', values: ['9'] }] };
/** Too long for an address, so that the export is read in pages. */
const long: Filter = { match: 'all', conditions: [], raw: `pages:[${Array.from({ length: 1_500 }, (_, at) => at).join(',')}]` };

let sandbox: Sandbox;
let http: ReturnType<typeof httpOf>;
const sent: HttpRequest[] = [];

beforeAll(async () => {
  sandbox = await startFixture();
  http = httpOf(sandbox);
});
afterAll(async () => {
  http?.close();
  await sandbox?.close();
});

const recording: HttpCapability = {
  request: (request) => {
    sent.push(request);
    return http.request(request);
  },
};

describe('a search that the driver sends on its own', () => {
  it('finds what is stored and leaves no trace, whatever it is for', async () => {
    const session = await connect({}, { http: recording, log: () => undefined }, call);
    const { export: exporting } = session;
    if (exporting === undefined) throw new Error('The driver has no export.');
    const page = { table, columns: undefined, sorts: [{ column: 'pages', direction: 'ascending' as const }], limit: 1_000 };
    await session.readPage({ ...page, filter: everything, position: { from: 'start' } }, call);
    await session.readPage({ ...page, filter: cheap, position: { from: 'offset', offset: 3 } }, call);
    await session.countRows({ table, filter: cheap }, call);
    for (const filter of [everything, cheap, long]) await collect(exporting.rows({ table, filter }, call));
    for (const [column, typed] of [
      ['tags', 't1'],
      ['tags', ''],
      ['title', 'apple'],
      ['title', '---'],
      ['title', 'a`b'],
      ['title', ''],
      ['pages', '1'],
      ['id', ''],
    ] as const)
      await session.suggestions?.values({ table, column, typed, limit: 10 }, call);
    await session.close();

    const searches = sent
      .filter(({ path }) => path.includes('search'))
      .flatMap(({ path, body }) => {
        // A search in an address has no place in the driver: its query is limited, and nothing here would look at it.
        expect(path).toBe('/multi_search');
        if (typeof body !== 'string') throw new Error('A search has no text as its body.');
        return (JSON.parse(body) as { searches: object[] }).searches;
      });
    expect(searches.length).toBeGreaterThan(15);
    for (const search of searches) expect(search).toMatchObject({ ...OFF, q: '*' });
  });
});

describe.each(sandboxVersions)('a rule on everything, on version %s', (version) => {
  it('changes no row, count, export or suggestion', async () => {
    await using server = await startFixture(version);
    const rule = {
      id: 'all',
      rule: { query: '*', match: 'exact' },
      includes: [{ id: '37', position: 1 }],
      excludes: [{ id: '0' }],
      filter_by: 'pages:>1',
      sort_by: 'pages:asc',
    };
    if (version === '30.0') {
      await admin(server, 'PUT', '/curation_sets/rules', JSON.stringify({ items: [rule] }));
      await admin(server, 'PATCH', '/collections/shelf', JSON.stringify({ curation_sets: ['rules'] }));
    } else await admin(server, 'PUT', '/collections/shelf/overrides/all', JSON.stringify(rule));
    const curated = JSON.parse(await admin(server, 'GET', '/collections/shelf/documents/search?q=*&per_page=250')) as {
      found: number;
    };
    const session = await open(server);
    const { export: exporting, suggestions } = session;
    if (exporting === undefined || suggestions === undefined) throw new Error('The driver has no export or no suggestions.');
    const page = await session.readPage(
      { table, sorts: [], limit: 1_000, filter: everything, position: { from: 'start' } },
      call,
    );
    // The rule works: without the driver's switches the rows would be others.
    expect(curated.found).toBeLessThan(24);
    expect(page.rowCount).toBe(24);
    expect(page.total).toEqual({ rows: 24, exact: true });
    const positive: Filter = { match: 'all', conditions: [{ column: 'pages', operator: 'greaterOrEqual', values: ['0'] }] };
    expect(await session.countRows({ table, filter: positive }, call)).toEqual({ rows: 24, exact: true });
    const exported = await collect(exporting.rows({ table, filter: positive }, call));
    expect(exported.reduce((rows, event) => rows + (event.type === 'rows' ? event.rows.length : 0), 0)).toBe(24);
    const all = await suggestions.values({ table, column: 'id', typed: '', limit: 100 }, call);
    expect(all.values).toHaveLength(24);
    await session.close();
  });
});
