import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConnectionInput, TestStep } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { withStep } from './testSteps.ts';

export interface ConnectionTestState {
  readonly steps: readonly TestStep[];
  /** `stopped`: by the person; the step that was in progress is still in the list, as running. */
  readonly state: 'idle' | 'running' | 'ended' | 'stopped';
  readonly problem?: Problem;
}

const IDLE: ConnectionTestState = { steps: [], state: 'idle' };

export function useConnectionTest(): {
  readonly test: ConnectionTestState;
  readonly run: (input: ConnectionInput, connectionId: string | undefined, code?: string) => void;
  readonly stop: () => void;
  /** Ends a test and forgets its results: they belong to what was tested. */
  readonly forget: () => void;
} {
  const [test, setTest] = useState<ConnectionTestState>(IDLE);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback((input: ConnectionInput, connectionId: string | undefined, code?: string): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setTest({ steps: [], state: 'running' });
    const follow = async (): Promise<void> => {
      const stream = await api.connections.test.mutate(
        { input, ...(connectionId === undefined ? {} : { connectionId }), ...(code === undefined ? {} : { code }) },
        { signal: controller.signal },
      );
      for await (const step of stream) {
        if (running.current !== controller) return;
        setTest((before) => ({ ...before, steps: withStep(before.steps, step) }));
      }
    };
    follow()
      .then(() => running.current === controller && setTest((before) => ({ ...before, state: 'ended' })))
      .catch((error: unknown) => {
        if (running.current !== controller) return;
        setTest((before) => ({ ...before, state: 'ended', problem: problemOf(error) }));
      });
  }, []);

  const stop = useCallback((): void => {
    const controller = running.current;
    running.current = undefined;
    controller?.abort();
    setTest(({ steps }) => ({ steps, state: 'stopped' }));
  }, []);

  const forget = useCallback((): void => {
    const controller = running.current;
    running.current = undefined;
    controller?.abort();
    setTest(IDLE);
  }, []);

  return { test, run, stop, forget };
}
