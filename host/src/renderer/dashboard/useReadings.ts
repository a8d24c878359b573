import { useCallback, useEffect, useRef, useState } from 'react';
import type { TimedReading } from '../../common/metrics.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { withReading } from './series.ts';

export interface Readings {
  /** Oldest first. */
  readonly readings: readonly TimedReading[];
  readonly reading: boolean;
  /** Why the last attempt failed; the readings before it stay. */
  readonly problem: Problem | undefined;
  readonly readNow: () => void;
}

/**
 * A server's metrics, read again some time after the last reading has ended, so that a slow server is never asked twice at once.
 *
 * @param seconds - between two readings; 0: only when asked
 */
export function useReadings(connectionId: string, seconds: number): Readings {
  const [readings, setReadings] = useState<readonly TimedReading[]>([]);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(undefined);

  const read = useCallback(async (): Promise<void> => {
    if (running.current !== undefined) return;
    const controller = new AbortController();
    running.current = controller;
    setReading(true);
    try {
      const next = await api.metrics.read.query({ connectionId }, { signal: controller.signal });
      setReadings((before) => withReading(before, next));
      setProblem(undefined);
    } catch (error) {
      if (!wasAborted(error, controller.signal)) setProblem(problemOf(error));
    } finally {
      if (running.current === controller) running.current = undefined;
      setReading(false);
      setTurn((before) => before + 1);
    }
  }, [connectionId]);

  useEffect(() => {
    const controller = new AbortController();
    const begin = async (): Promise<void> => {
      try {
        const history = await api.metrics.history.query({ connectionId }, { signal: controller.signal });
        setReadings((newer) => newer.reduce(withReading, history));
      } catch {
        // The history is a convenience; the reading below reports the problem, if there is one.
      }
      if (!controller.signal.aborted) await read();
    };
    void begin();
    return () => {
      controller.abort();
      running.current?.abort();
      running.current = undefined;
    };
  }, [connectionId, read]);

  useEffect(() => {
    if (seconds === 0 || turn === 0) return undefined;
    const timer = setTimeout(() => void read(), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [seconds, turn, read]);

  return { readings, reading, problem, readNow: () => void read() };
}
