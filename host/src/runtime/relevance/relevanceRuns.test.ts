import { DriverError } from '@tabularium/sdk';
import type { SearchAnswer, SearchRequest } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRelevanceRunSchema } from '../../common/relevance.ts';
import type { RelevanceRun } from '../../common/relevance.ts';
import { Searching } from '../data/searching.ts';
import { BOOKS, FakeWork, collect, never } from '../work.test-helper.ts';
import { QuerySets } from './querySets.ts';
import { MOST_RUNS, RelevanceRuns } from './relevanceRuns.ts';

let work: FakeWork;
let sets: QuerySets;
let runs: RelevanceRuns;
let setId: string;
/** The rows that a search finds. */
let finds: (request: SearchRequest, signal: AbortSignal) => readonly string[] | Promise<readonly string[]>;
const asked: SearchRequest[] = [];

beforeEach(() => {
  asked.length = 0;
  work = new FakeWork();
  work.session.search = {
    form: async () => ({
      fields: [
        { name: 'title', isDefault: true },
        { name: 'notes', isDefault: false },
      ],
      facets: [],
      options: [{ id: 'strict', label: 'Strict', group: 'Words', type: 'switch', default: false }],
    }),
    search: async (request, { signal }) => {
      asked.push(request);
      return answerOf(await finds(request, signal));
    },
  };
  sets = new QuerySets(work.database);
  runs = new RelevanceRuns(work.database, sets, new Searching(work.sessions));
  setId = sets.create({ connectionId: work.connectionId, table: BOOKS, name: 'Novels' }).id;
});
afterEach(() => work[Symbol.asyncDispose]());

function answerOf(rows: readonly string[]): SearchAnswer {
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
}

const judge = (text: string, row: string, grade: number) => sets.judge({ id: setId, text, key: [row], grade });
const input = (more: object = {}) =>
  startRelevanceRunSchema.parse({
    setId,
    connectionId: work.connectionId,
    configurations: [
      { name: 'Now', options: {} },
      { name: 'Strict', fields: [{ name: 'notes' }], options: { strict: true } },
    ],
    depth: 2,
    ...more,
  });

async function run(more: object = {}, signal = never): Promise<RelevanceRun> {
  const events = await collect(runs.start(input(more), signal));
  const last = events.at(-1);
  if (last?.type !== 'run') throw new Error('The run has no result.');
  return last.run;
}

describe('a run over a query set', () => {
  it('computes each metric per query and in all, and how far the ways to search differ', async () => {
    judge('whale', 'a', 3);
    judge('sea', 'b', 1);
    sets.addQueries({ id: setId, texts: ['nothing', 'not judged'] });
    finds = ({ text, options }) =>
      text === 'nothing' ? [] : options['strict'] === true ? (text === 'whale' ? ['a', 'x'] : ['b', 'y']) : ['x', 'a', 'b'];
    const { configurations, perQuery } = await run();
    expect(perQuery.map(({ text }) => text)).toEqual(['whale', 'sea', 'nothing', 'not judged']);
    const [now, strict] = configurations.map(({ totals }) => totals);
    const none = { ndcg: null, reciprocalRank: null, precision: null, recall: null };
    expect(perQuery[0]?.metrics).toMatchObject([
      { ndcg: 1 / Math.log2(3), reciprocalRank: 0.5, precision: 0.5, recall: 1, found: 3, unjudged: 1, overlap: null },
      { ndcg: 1, reciprocalRank: 1, precision: 0.5, recall: 1, found: 2, unjudged: 1, overlap: 1 },
    ]);
    expect(perQuery[1]?.metrics).toMatchObject([
      { ndcg: 0, reciprocalRank: 0, recall: 0 },
      { ndcg: 1, overlap: 0 },
    ]);
    expect(perQuery[2]?.metrics).toMatchObject([none, { ...none, overlap: 1 }]);
    expect(perQuery[3]?.metrics).toMatchObject([none, none]);
    expect(now).toMatchObject({
      ndcg: 0.5 / Math.log2(3),
      measured: 2,
      zeroResults: 1,
      failed: 0,
      unjudged: 5,
      hits: 6,
      overlap: null,
    });
    expect(strict).toMatchObject({ ndcg: 1, reciprocalRank: 1, precision: 0.5, recall: 1, zeroResults: 1 });
    expect(strict?.overlap).toBeCloseTo((1 + 0 + 1 + 0) / 4, 12);
  });

  it('searches only as deep as it looks, in the fields of each way or the default ones', async () => {
    judge('whale', 'a', 3);
    finds = () => ['a'];
    await run();
    expect(asked).toMatchObject([
      { table: BOOKS, text: 'whale', limit: 2, offset: 0, fields: [{ name: 'title' }], options: {}, facets: [], sorts: [] },
      { fields: [{ name: 'notes' }], options: { strict: true } },
    ]);
  });

  it('reports its progress, and keeps the run', async () => {
    judge('whale', 'a', 3);
    judge('sea', 'a', 3);
    finds = () => ['a'];
    const events = await collect(runs.start(input(), never));
    expect(events.slice(0, -1).map((event) => (event.type === 'progress' ? `${event.done} of ${event.of}` : ''))).toEqual(
      [0, 1, 2, 3, 4].map((done) => `${done} of 4`),
    );
    const [listed] = runs.list(setId);
    expect(listed).toMatchObject({ setId, depth: 2, relevantFrom: 1, queries: 2 });
    expect(listed).not.toHaveProperty('perQuery');
    const last = events.at(-1);
    expect(last).toEqual({ type: 'run', run: runs.get(listed?.id ?? '') });
    runs.remove(listed?.id ?? '');
    expect(runs.list(setId)).toEqual([]);
    expect(() => runs.get(listed?.id ?? '')).toThrow('This run no longer exists.');
  });

  it('counts a query that the server refuses as failed, and measures the others', async () => {
    judge('whale', 'a', 3);
    judge('broken', 'a', 3);
    finds = ({ text }) => {
      if (text === 'broken') throw new DriverError('INVALID_INPUT', 'The words cannot be read.');
      return ['a'];
    };
    const { configurations, perQuery } = await run();
    expect(configurations[0]?.totals).toMatchObject({ ndcg: 1, measured: 1, failed: 1, zeroResults: 0 });
    expect(perQuery[1]?.metrics).toMatchObject([
      { ndcg: null, error: 'The words cannot be read.' },
      { overlap: null, error: 'The words cannot be read.' },
    ]);
  });

  it('ends with the first failure that is not about one query, ends the other searches, and keeps nothing', async () => {
    const ended: string[] = [];
    for (let query = 0; query < 20; query += 1) judge(`query ${query}`, 'a', 3);
    finds = async ({ text }, signal) => {
      if (text === 'query 2') throw new DriverError('CONNECTION_LOST');
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(text);
          reject(new DriverError('CANCELLED'));
        });
      });
      return ['a'];
    };
    await expect(run()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect.poll(() => ended.toSorted()).toEqual(['query 0', 'query 1', 'query 3']);
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(runs.list(setId)).toEqual([]);
  });

  it('says that its set was deleted meanwhile', async () => {
    judge('whale', 'a', 3);
    finds = () => {
      sets.remove(setId);
      return ['a'];
    };
    await expect(run()).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('deleted') as string });
  });

  it('ends when it is cancelled, and keeps nothing', async () => {
    for (let query = 0; query < 20; query += 1) judge(`query ${query}`, 'a', 3);
    const cancel = new AbortController();
    finds = ({ text }, signal) => {
      if (text === 'query 5') cancel.abort();
      signal.throwIfAborted();
      return ['a'];
    };
    await expect(run({}, cancel.signal)).rejects.toThrow();
    expect(asked.length).toBeLessThan(20);
    expect(runs.list(setId)).toEqual([]);
  });

  it.each([
    ['a field', { name: 'Old', fields: [{ name: 'gone' }], options: {} }, '"Old" has the field "gone"'],
    ['an option', { name: 'Old', options: { gone: 1 } }, '"Old" has the option "gone"'],
    ['an option of the prototype', { name: 'Old', options: { constructor: 1 } }, '"Old" has the option "constructor"'],
  ])('names %s that the table no longer has, before it searches', async (_, way, message) => {
    judge('whale', 'a', 3);
    await expect(run({ configurations: [{ name: 'Now', options: {} }, way] })).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  it('needs a query, and a name of its own for each way to search', async () => {
    await expect(run()).rejects.toThrow('The query set "Novels" has no query.');
    judge('whale', 'a', 3);
    const twice = [
      { name: 'Now', options: {} },
      { name: 'NOW', options: {} },
    ];
    await expect(run({ configurations: twice })).rejects.toThrow('Two configurations are named');
  });

  it(`keeps the newest ${MOST_RUNS} runs of a set`, async () => {
    judge('whale', 'a', 3);
    finds = () => ['a'];
    const first = await run();
    for (let more = 0; more < MOST_RUNS; more += 1) {
      work.database.connection
        .prepare(
          'INSERT INTO relevance_runs (id, set_id, started_at, summary, queries) SELECT ?, set_id, ?, summary, queries FROM relevance_runs WHERE id = ?',
        )
        .run(`copy ${more}`, `2100-01-01T00:00:0${more % 10}.000Z`, first.id);
    }
    await run();
    const listed = runs.list(setId);
    expect(listed).toHaveLength(MOST_RUNS);
    expect(listed.map(({ id }) => id)).not.toContain(first.id);
  });
});
