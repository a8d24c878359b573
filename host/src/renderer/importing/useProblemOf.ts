import { useState } from 'react';
import type { Problem } from '../api/problem.ts';

/**
 * The problem that a request had. It goes with the first change of the request, since it says nothing about another one.
 *
 * @param request - as text
 */
export function useProblemOf(request: string): readonly [Problem | undefined, (problem: Problem | undefined) => void] {
  const [retained, setRetained] = useState<{ readonly request: string; readonly problem: Problem }>();
  return [
    retained?.request === request ? retained.problem : undefined,
    (problem) => setRetained(problem === undefined ? undefined : { request, problem }),
  ];
}
