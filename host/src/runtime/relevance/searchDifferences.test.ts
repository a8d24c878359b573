import { DriverError } from '@tabularium/sdk';
import type { SearchRequest } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSearchDifferencesSchema } from '../../common/relevance.ts';
import type { QueryDifference } from '../../common/relevance.ts';
import { Searching } from '../data/searching.ts';
import { BOOKS, FakeWork, collect, never } from '../work.test-helper.ts';
import { QuerySets } from './querySets.ts';
import { SearchDifferences } from './searchDifferences.ts';

let work: FakeWork;
let sets: QuerySets;
let differences: SearchDifferences;
/** The rows that a search finds. */
let finds: (request: SearchRequest, signal: AbortSignal) => readonly string[] | Promise<readonly string[]>;
const asked: SearchRequest[] = [];

beforeEach(() => {
  asked.length = 0;
  work = new FakeWork();
  work.session.search = {
    form: async () => ({
      fields: [{ name: 'title', isDefault: true }],
      facets: [],
      options: [{ id: 'strict', label: 'Strict', group: 'Words', type: 'switch', default: false }],
    }),
    search: async (request, { signal }) => {
      asked.push(request);
      const rows = await finds(request, signal);
      return {
        found: rows.length,
        isCutOff: false,
        hits: rows.map((row) => ({ key: [row], document: '{}', highlights: [], explanation: [], marks: [] })),
        facets: [],
        leftOut: [],
        droppedSorts: [],
        request: { method: 'GET', path: '/' },
        code: [],
        notes: [],
      };
    },
  };
  sets = new QuerySets(work.database);
  differences = new SearchDifferences(sets, new Searching(work.sessions));
});
afterEach(() => work[Symbol.asyncDispose]());

async function compared(more: object, signal = never): Promise<readonly QueryDifference[]> {
  const input = startSearchDifferencesSchema.parse({
    connectionId: work.connectionId,
    table: BOOKS,
    first: { name: 'Now', options: {} },
    second: { name: 'Strict', options: { strict: true } },
    depth: 3,
    ...more,
  });
  const last = (await collect(differences.start(input, signal))).at(-1);
  if (last?.type !== 'differences') throw new Error('The comparison has no result.');
  return last.queries;
}

it('says per query what changed, the most different first, each query once', async () => {
  finds = ({ text, options }) => {
    if (text === 'same') return ['a', 'b'];
    if (text === 'turned') return options['strict'] === true ? ['b', 'a'] : ['a', 'b'];
    return options['strict'] === true ? ['x', 'y', 'a', 'z'] : ['a', 'b'];
  };
  expect(await compared({ queries: { texts: ['same', 'turned', 'other', 'same'] } })).toEqual([
    { text: 'other', found: [2, 4], overlap: (0 + 0 + 1 / 3) / 3, shared: 1, moved: 1, gained: 2, lost: 1 },
    { text: 'turned', found: [2, 2], overlap: 0.5, shared: 2, moved: 2, gained: 0, lost: 0 },
    { text: 'same', found: [2, 2], overlap: 1, shared: 2, moved: 0, gained: 0, lost: 0 },
  ]);
  expect(asked).toHaveLength(6);
  expect(asked.every(({ limit }) => limit === 3)).toBe(true);
});

it('takes the queries of a set', async () => {
  finds = () => ['a'];
  const { id } = sets.create({ connectionId: work.connectionId, table: BOOKS, name: 'Novels' });
  await expect(compared({ queries: { setId: id } })).rejects.toThrow('has no query');
  sets.addQueries({ id, texts: ['whale', 'sea'] });
  expect((await compared({ queries: { setId: id } })).map(({ text }) => text)).toEqual(['whale', 'sea']);
});

it('a refused query fails alone and is said first; a way with an unknown option and a lost server end all', async () => {
  finds = ({ text }) => {
    if (text === 'bad') throw new DriverError('INVALID_INPUT', 'No such words.');
    return ['a'];
  };
  expect(await compared({ queries: { texts: ['good', 'bad'] } })).toMatchObject([
    { text: 'bad', overlap: null, error: 'No such words.' },
    { text: 'good', overlap: 1 },
  ]);
  await expect(
    compared({ queries: { texts: ['good'] }, second: { name: 'Old', options: { gone: true } } }),
  ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'gone' } });
  finds = () => {
    throw new DriverError('CONNECTION_LOST', 'Gone.');
  };
  await expect(compared({ queries: { texts: ['a', 'b'] } })).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
});

it('is cancelled', async () => {
  const stop = new AbortController();
  finds = (_, signal) => {
    stop.abort();
    signal.throwIfAborted();
    return [];
  };
  await expect(compared({ queries: { texts: ['a', 'b', 'c'] } }, stop.signal)).rejects.toThrow();
  expect(asked.length).toBeLessThan(6);
});
