import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StartRelevanceRun } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { rereadQuerySets } from '../search/querySetQueries.ts';

/** The run that this view has started. */
export interface StartedRun {
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  readonly problem: Problem | undefined;
  readonly wasCancelled: boolean;
  /** @param searches - how many the run will make, as far as it is known before it begins */
  readonly start: (input: StartRelevanceRun, searches: number) => void;
  readonly cancel: () => void;
}

/** Starts runs, one at a time. A run ends with the view. */
export function useRelevanceRun(onDone: (runId: string) => void): StartedRun {
  const client = useQueryClient();
  const [progress, setProgress] = useState<StartedRun['progress']>();
  const [problem, setProblem] = useState<Problem>();
  const [wasCancelled, setCancelled] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const run = async (input: StartRelevanceRun, searches: number): Promise<void> => {
    const current = new AbortController();
    controller.current = current;
    setProblem(undefined);
    setCancelled(false);
    setProgress({ done: 0, of: searches });
    try {
      for await (const event of await api.relevance.runs.start.mutate(input, { signal: current.signal })) {
        if (event.type === 'progress') setProgress({ done: event.done, of: event.of });
        else {
          await rereadQuerySets(client);
          onDone(event.run.id);
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
    progress,
    problem,
    wasCancelled,
    start: (input, searches) => void run(input, searches),
    cancel: () => controller.current?.abort(),
  };
}
