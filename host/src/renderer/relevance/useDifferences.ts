import { useEffect, useRef, useState } from 'react';
import type { QueryDifference, RelevanceWay, StartSearchDifferences } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';

/** The results of two ways to search, for many queries. */
export interface FoundDifferences {
  /** The set of the queries; undefined for pasted ones. */
  readonly setId: string | undefined;
  readonly first: RelevanceWay;
  readonly second: RelevanceWay;
  /** The most different first. */
  readonly queries: readonly QueryDifference[];
}

/** The comparison that this view has started. */
export interface StartedDifferences {
  readonly result: FoundDifferences | undefined;
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  readonly problem: Problem | undefined;
  readonly wasCancelled: boolean;
  /** @param searches - how many it will make, as far as it is known before it begins */
  readonly start: (input: StartSearchDifferences, searches: number) => void;
  readonly cancel: () => void;
}

/** Compares two ways to search over many queries, one comparison at a time. It ends with the view. */
export function useDifferences(): StartedDifferences {
  const [result, setResult] = useState<FoundDifferences>();
  const [progress, setProgress] = useState<StartedDifferences['progress']>();
  const [problem, setProblem] = useState<Problem>();
  const [wasCancelled, setCancelled] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const run = async (input: StartSearchDifferences, searches: number): Promise<void> => {
    const current = new AbortController();
    controller.current = current;
    setProblem(undefined);
    setCancelled(false);
    setProgress({ done: 0, of: searches });
    try {
      for await (const event of await api.relevance.differences.mutate(input, { signal: current.signal })) {
        if (event.type === 'progress') setProgress({ done: event.done, of: event.of });
        else {
          const setId = 'setId' in input.queries ? input.queries.setId : undefined;
          setResult({ setId, first: input.first, second: input.second, queries: event.queries });
        }
      }
    } catch (error) {
      if (current.signal.aborted) setCancelled(true);
      else setProblem(problemOf(error));
    } finally {
      setProgress(undefined);
    }
  };
  return {
    result,
    progress,
    problem,
    wasCancelled,
    start: (input, searches) => void run(input, searches),
    cancel: () => controller.current?.abort(),
  };
}
