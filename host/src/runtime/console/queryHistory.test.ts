import { afterEach, beforeEach, expect, it } from 'vitest';
import { MOST_SEARCH_WORDS } from '../storage/searchPatterns.ts';
import { FakeWork } from '../work.test-helper.ts';
import { QueryHistory } from './queryHistory.ts';

let work: FakeWork;
let history: QueryHistory;

beforeEach(() => {
  work = new FakeWork();
  history = new QueryHistory(work.database);
});
afterEach(() => work[Symbol.asyncDispose]());

it('finds the entries of several connections together, newest first', async () => {
  const [a, b, c] = [work.connectionId, work.newConnection('B'), work.newConnection('C')];
  const begin = (id: string, text: string): number => history.begin(id, text, false);
  const ids = [begin(a, 'get books'), begin(b, 'get books'), begin(c, 'get books'), begin(b, 'get hats'), begin(a, 'get books')];
  const search = async (connectionIds: readonly string[], limit = 10): Promise<number[]> =>
    (await history.search({ connectionIds, search: 'books', limit })).map(({ id }) => id);
  expect(await search([a, b])).toEqual([ids[4], ids[1], ids[0]]);
  expect(await search([b, a], 2)).toEqual([ids[4], ids[1]]);
  expect(await search([])).toEqual([]);
});

it('looks for a bounded number of words', async () => {
  const words = Array.from({ length: MOST_SEARCH_WORDS }, (_, index) => `word${index}`);
  history.begin(work.connectionId, words.join(' '), false);
  expect(await history.search({ search: [...words, 'another'].join(' '), limit: 10 })).toHaveLength(1);
  expect(await history.search({ search: ['another', ...words].join(' '), limit: 10 })).toHaveLength(0);
});

it('lets others have their turn during a long search, and ends it when its caller has left', async () => {
  for (let index = 0; index < 1_000; index += 1) history.begin(work.connectionId, `get ${index}`, false);
  let turns = 0;
  let isOver = false;
  const searching = history.search({ search: 'get 0', limit: 500 }).finally(() => (isOver = true));
  for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeGreaterThanOrEqual(3);
  expect((await searching).map(({ text }) => text)).toContain('get 0');
  const leaving = new AbortController();
  const left = history.search({ search: 'absent', limit: 1 }, leaving.signal);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
});
