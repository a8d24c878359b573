import { useState } from 'react';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';

/** A question whose yes takes a while and may fail: then it stays, with the reason, and can be answered again. */
export function useConsent(onYes: () => Promise<void>): {
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  readonly agree: () => void;
} {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const answer = async (): Promise<void> => {
    setBusy(true);
    try {
      await onYes();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { busy, problem, agree: () => void answer() };
}
