import { randomUUID } from 'node:crypto';
import { rowKeyText } from '@tabularium/sdk';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import { RELEVANCE_METRICS, relevanceRunInfoSchema, relevanceRunSchema } from '../../common/relevance.ts';
import type {
  JudgedQuery,
  QueryMetrics,
  RelevanceMetrics,
  RelevanceRun,
  RelevanceRunEvent,
  RelevanceRunInfo,
  RelevanceTotals,
  RelevanceWay,
  StartRelevanceRun,
} from '../../common/relevance.ts';
import type { Inject } from '../container/inject.ts';
import { Searching } from '../data/searching.ts';
import { Database } from '../storage/database.ts';
import { SEARCHES_AT_A_TIME, findKeys } from './findKeys.ts';
import type { FoundKeys } from './findKeys.ts';
import { QuerySets } from './querySets.ts';
import { meanOf, overlap, rankMetrics } from './rankMetrics.ts';
import { wayRequest } from './wayRequest.ts';

/** Runs that a set keeps; the oldest goes first. */
export const MOST_RUNS = 200;
const summarySchema = relevanceRunInfoSchema.omit({ id: true, setId: true, startedAt: true });
const perQuerySchema = relevanceRunSchema.shape.perQuery;

/** Searches the queries of a set in several ways, computes how good the hits are, and keeps the metrics in the home's database. */
export class RelevanceRuns {
  static readonly inject: Inject<typeof RelevanceRuns> = [Database, QuerySets, Searching];

  readonly #database: Database;
  readonly #sets: Pick<QuerySets, 'get'>;
  readonly #searching: Pick<Searching, 'form' | 'search'>;

  constructor(database: Database, sets: Pick<QuerySets, 'get'>, searching: Pick<Searching, 'form' | 'search'>) {
    this.#database = database;
    this.#sets = sets;
    this.#searching = searching;
  }

  /** The runs of a set, without the metrics of their queries, the newest first. */
  list(setId: string): readonly RelevanceRunInfo[] {
    return this.#database.connection
      .prepare('SELECT id, set_id, started_at, summary FROM relevance_runs WHERE set_id = ? ORDER BY started_at DESC, id')
      .all(setId)
      .map(infoOf);
  }

  /** @throws HostError `INVALID_REQUEST` for a run that is gone */
  get(id: string): RelevanceRun {
    const row = this.#database.connection.prepare('SELECT * FROM relevance_runs WHERE id = ?').get(id);
    if (row === undefined) throw new HostError('INVALID_REQUEST', 'This run no longer exists.');
    return { ...infoOf(row), perQuery: perQuerySchema.parse(JSON.parse(String(row['queries']))) };
  }

  remove(id: string): void {
    this.#database.connection.prepare('DELETE FROM relevance_runs WHERE id = ?').run(id);
  }

  /**
   * Searches each query of the set in each way, and yields the progress and at last the run, which is stored. A query that the server refuses is counted as failed;
   * what ends every search, such as a server that is down, ends the run, and nothing of it is stored.
   *
   * @throws HostError `INVALID_REQUEST` for a set that is gone or empty; DriverError `INVALID_INPUT` for a field or an option that the table's search doesn't
   *   have, and what {@link Searching} throws
   */
  start(input: StartRelevanceRun, signal: AbortSignal): AsyncGenerator<RelevanceRunEvent> {
    return progressStream<RelevanceRunEvent>(async (notify) => {
      const { setId, connectionId, configurations, depth, relevantFrom } = input;
      const { table, judged, name } = this.#sets.get(setId);
      if (judged.length === 0) {
        throw new HostError('INVALID_REQUEST', `The query set "${name}" has no query.`, {
          details: { advice: 'Add queries to it, or judge hits in the search.' },
        });
      }
      requireOwnNames(configurations);
      const form = await this.#searching.form({ connectionId, table }, signal);
      const requests = configurations.map((way) => wayRequest(form, way, { table, limit: depth }));
      const startedAt = new Date().toISOString();
      const of = judged.length * requests.length;
      let done = 0;
      notify({ type: 'progress', done, of });
      const perQuery: { text: string; metrics: QueryMetrics[] }[] = judged.map(({ text }) => ({ text, metrics: [] }));
      const waiting = judged.entries();
      const failure = new AbortController();
      const either = AbortSignal.any([signal, failure.signal]);
      const work = async (): Promise<void> => {
        for (const [place, query] of waiting) {
          const found: FoundKeys[] = [];
          for (const request of requests) {
            found.push(await findKeys(this.#searching, connectionId, { ...request, text: query.text }, either));
            done += 1;
            notify({ type: 'progress', done, of });
          }
          const [first] = found;
          perQuery[place]?.metrics.push(
            ...found.map((one) => queryMetrics(one, query, { depth, relevantFrom, first: one === first ? undefined : first })),
          );
        }
      };
      try {
        await Promise.all(Array.from({ length: SEARCHES_AT_A_TIME }, work));
      } finally {
        // The first failure ends the searches that are in progress.
        failure.abort();
      }
      const run: RelevanceRun = {
        ...{ id: randomUUID(), setId, startedAt, depth, relevantFrom, queries: judged.length, perQuery },
        configurations: configurations.map((way, index) => ({
          ...way,
          totals: totalsOf(
            perQuery.flatMap(({ metrics }) => metrics[index] ?? []),
            depth,
          ),
        })),
      };
      this.#store(run);
      notify({ type: 'run', run });
    });
  }

  #store({ id, setId, startedAt, perQuery, ...summary }: RelevanceRun): void {
    const { connection } = this.#database;
    this.#database.transaction(() => {
      if (connection.prepare('SELECT 1 FROM query_sets WHERE id = ?').get(setId) === undefined)
        throw new HostError('INVALID_REQUEST', 'The query set was deleted during the run, so its result was not kept.');
      connection
        .prepare('INSERT INTO relevance_runs (id, set_id, started_at, summary, queries) VALUES (?, ?, ?, ?, ?)')
        .run(id, setId, startedAt, JSON.stringify(summary), JSON.stringify(perQuery));
      connection
        .prepare(
          `DELETE FROM relevance_runs WHERE set_id = ?1 AND id NOT IN
            (SELECT id FROM relevance_runs WHERE set_id = ?1 ORDER BY started_at DESC, id LIMIT ?2)`,
        )
        .run(setId, MOST_RUNS);
    });
  }
}

interface Counting {
  readonly depth: number;
  readonly relevantFrom: number;
  /** The result of the first way to search, for the others. */
  readonly first: FoundKeys | undefined;
}

const NO_METRICS: RelevanceMetrics = { ndcg: null, reciprocalRank: null, precision: null, recall: null };

function queryMetrics(result: FoundKeys, { judgments }: JudgedQuery, { depth, relevantFrom, first }: Counting): QueryMetrics {
  const { keys, found, error } = result;
  const grades = new Map(judgments.map(({ key, grade }) => [rowKeyText(key), grade]));
  const failed = error !== undefined || first?.error !== undefined;
  return {
    ...(error === undefined ? rankMetrics(keys, { grades, depth, relevantFrom }) : NO_METRICS),
    found,
    unjudged: keys.filter((key) => !grades.has(key)).length,
    overlap: first === undefined || failed ? null : overlap(first.keys, keys),
    ...(error === undefined ? {} : { error }),
  };
}

function totalsOf(metrics: readonly QueryMetrics[], depth: number): RelevanceTotals {
  const means = RELEVANCE_METRICS.map((name) => [name, meanOf(metrics.map((one) => one[name]))] as const);
  return {
    ...NO_METRICS,
    ...Object.fromEntries(means),
    measured: metrics.filter(({ ndcg }) => ndcg !== null).length,
    zeroResults: metrics.filter(({ found, error }) => found === 0 && error === undefined).length,
    failed: metrics.filter(({ error }) => error !== undefined).length,
    unjudged: metrics.reduce((sum, one) => sum + one.unjudged, 0),
    hits: metrics.reduce((sum, { found }) => sum + Math.min(found, depth), 0),
    overlap: meanOf(metrics.map((one) => one.overlap)),
  };
}

function requireOwnNames(ways: readonly RelevanceWay[]): void {
  const names = ways.map(({ name }) => name.toLowerCase());
  const twice = ways.find(({ name }, place) => names.indexOf(name.toLowerCase()) !== place);
  if (twice === undefined) return;
  throw new HostError('INVALID_REQUEST', `Two configurations are named "${twice.name}".`, {
    details: { advice: 'Give each its own name.' },
  });
}

function infoOf(row: Record<string, unknown>): RelevanceRunInfo {
  return {
    id: z.string().parse(row['id']),
    setId: String(row['set_id']),
    startedAt: String(row['started_at']),
    ...summarySchema.parse(JSON.parse(String(row['summary']))),
  };
}
