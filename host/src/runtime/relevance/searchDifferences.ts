import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import type { QueryDifference, SearchDifferencesEvent, StartSearchDifferences } from '../../common/relevance.ts';
import type { Inject } from '../container/inject.ts';
import { Searching } from '../data/searching.ts';
import { averageOverlap } from './averageOverlap.ts';
import { SEARCHES_AT_A_TIME, findKeys } from './findKeys.ts';
import type { FoundKeys } from './findKeys.ts';
import { QuerySets } from './querySets.ts';
import { wayRequest } from './wayRequest.ts';

/** Searches many queries in two ways and reports how much the hits of each differ. It needs no judgments, and nothing of it is kept. */
export class SearchDifferences {
  static readonly inject: Inject<typeof SearchDifferences> = [QuerySets, Searching];

  readonly #sets: Pick<QuerySets, 'get'>;
  readonly #searching: Pick<Searching, 'form' | 'search'>;

  constructor(sets: Pick<QuerySets, 'get'>, searching: Pick<Searching, 'form' | 'search'>) {
    this.#sets = sets;
    this.#searching = searching;
  }

  /**
   * Yields the progress and at last the differences. A query that the server refuses is said to have failed; what ends every search ends all.
   *
   * @throws HostError `INVALID_REQUEST` for a set that is gone or empty; DriverError `INVALID_INPUT` for a field or an option that the table's search doesn't have,
   *   and what {@link Searching} throws
   */
  start(input: StartSearchDifferences, signal: AbortSignal): AsyncGenerator<SearchDifferencesEvent> {
    return progressStream<SearchDifferencesEvent>(async (notify) => {
      const { connectionId, table, queries, depth } = input;
      const texts = 'texts' in queries ? [...new Set(queries.texts)] : this.#textsOf(queries.setId);
      const form = await this.#searching.form({ connectionId, table }, signal);
      const [first, second] = [input.first, input.second].map((way) => wayRequest(form, way, { table, limit: depth }));
      if (first === undefined || second === undefined) return;
      const of = 2 * texts.length;
      let done = 0;
      notify({ type: 'progress', done, of });
      const differences: QueryDifference[] = [];
      const waiting = texts.values();
      const failure = new AbortController();
      const either = AbortSignal.any([signal, failure.signal]);
      const work = async (): Promise<void> => {
        for (const text of waiting) {
          const one = await findKeys(this.#searching, connectionId, { ...first, text }, either);
          const other = await findKeys(this.#searching, connectionId, { ...second, text }, either);
          done += 2;
          notify({ type: 'progress', done, of });
          differences.push(queryDifference(text, one, other));
        }
      };
      try {
        await Promise.all(Array.from({ length: SEARCHES_AT_A_TIME }, work));
      } finally {
        // The first failure ends the searches that are in progress.
        failure.abort();
      }
      const places = new Map(texts.map((text, place) => [text, place]));
      const rank = ({ overlap }: QueryDifference): number => overlap ?? -1;
      differences.sort((a, b) => rank(a) - rank(b) || (places.get(a.text) ?? 0) - (places.get(b.text) ?? 0));
      notify({ type: 'differences', queries: differences });
    });
  }

  #textsOf(setId: string): readonly string[] {
    const { judged, name } = this.#sets.get(setId);
    if (judged.length > 0) return judged.map(({ text }) => text);
    throw new HostError('INVALID_REQUEST', `The query set "${name}" has no query.`, {
      details: { advice: 'Add queries to it, or judge hits in the search.' },
    });
  }
}

function queryDifference(text: string, first: FoundKeys, second: FoundKeys): QueryDifference {
  const error = first.error ?? second.error;
  const before = new Map(first.keys.map((key, place) => [key, place]));
  const shared = second.keys.filter((key) => before.has(key));
  return {
    text,
    found: [first.found, second.found],
    overlap: error === undefined ? averageOverlap(first.keys, second.keys) : null,
    shared: shared.length,
    moved: second.keys.filter((key, place) => before.has(key) && before.get(key) !== place).length,
    gained: second.keys.length - shared.length,
    lost: first.keys.length - shared.length,
    ...(error === undefined ? {} : { error }),
  };
}
