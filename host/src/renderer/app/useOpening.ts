import { useCallback, useEffect, useRef, useState } from 'react';
import type { OpenConnectionInfo, OpenProgress } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import { loadScope } from '../state/workspaceStore.ts';

export type OpeningState =
  | { readonly phase: 'running'; readonly progress?: OpenProgress }
  | { readonly phase: 'failed'; readonly problem: Problem }
  | { readonly phase: 'cancelled' };

export interface Opening {
  readonly state: OpeningState;
  /** Tries again, with values for secrets that the host lacks. */
  readonly start: (secrets?: Readonly<Record<string, string>>) => void;
  readonly cancel: () => void;
}

/** Opens a connection as soon as it is on the screen. */
export function useOpening(connectionId: string, name: string, onOpen: (info: OpenConnectionInfo) => void): Opening {
  const [state, setState] = useState<OpeningState>({ phase: 'running' });
  const running = useRef<AbortController>(undefined);
  const handler = useRef(onOpen);
  useEffect(() => {
    handler.current = onOpen;
  });

  const run = useCallback(
    async (secrets: Readonly<Record<string, string>>): Promise<void> => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      // The window's documents of the connection are there when its tabs are drawn.
      const remembered = loadScope(connectionId);
      const activity = beginActivity(strings.opening.title(name), () => controller.abort());
      try {
        const stream = await api.connections.open.mutate({ connectionId, secrets }, { signal: controller.signal });
        for await (const progress of stream) {
          if (controller.signal.aborted) return;
          if (progress.step === 'open') {
            await remembered;
            if (running.current === controller) handler.current(progress.connection);
          } else setState({ phase: 'running', progress });
        }
      } catch (error) {
        if (running.current !== controller) return;
        setState(wasAborted(error, controller.signal) ? { phase: 'cancelled' } : { phase: 'failed', problem: problemOf(error) });
      } finally {
        activity.end();
      }
    },
    [connectionId, name],
  );

  useEffect(() => {
    void run({});
    return () => {
      const controller = running.current;
      running.current = undefined;
      controller?.abort();
    };
  }, [run]);

  return {
    state,
    start: (secrets = {}) => {
      setState({ phase: 'running' });
      void run(secrets);
    },
    cancel: () => {
      running.current?.abort();
      setState({ phase: 'cancelled' });
    },
  };
}
