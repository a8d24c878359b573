import { useCallback, useEffect, useRef, useState } from 'react';
import type { OpenConnectionInfo, OpenProgress } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { inDriverWords, learnDriverTexts } from '../api/driverTexts.ts';
import { manifestInWindowLanguage } from '../api/manifestInWindowLanguage.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import { loadScope } from '../state/workspaceStore.ts';

export type OpeningState =
  | { readonly phase: 'running'; readonly progress?: OpenProgress }
  | { readonly phase: 'failed'; readonly problem: Problem }
  /** The session is open, and what it was opened with does not work, such as a key that the server rejects. */
  | { readonly phase: 'refused'; readonly problem: Problem; readonly info: OpenConnectionInfo }
  | { readonly phase: 'cancelled' };

export interface Opening {
  readonly state: OpeningState;
  /** Tries again, with values for secrets that the host lacks. */
  readonly start: (secrets?: Readonly<Record<string, string>>) => void;
  readonly cancel: () => void;
}

/** The problem in a driver's findings that failed; undefined: none did. */
function refusalOf({ findings }: OpenConnectionInfo): Problem | undefined {
  const failed = findings.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return undefined;
  const message = failed.map((finding) => `${finding.label}: ${finding.message}`).join(' ');
  return { code: 'ACCESS_REFUSED', message, advice: strings.opening.refusedAdvice, retryable: false, details: {} };
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
            if (running.current !== controller) return;
            const translated = manifestInWindowLanguage(progress.connection);
            learnDriverTexts(connectionId, translated.manifest);
            const findings = translated.findings.map((finding) => inDriverWords(connectionId, finding));
            const info = { ...translated, findings };
            const refusal = refusalOf(info);
            if (refusal === undefined) handler.current(info);
            else setState({ phase: 'refused', problem: refusal, info });
          } else {
            if (progress.step === 'connecting' && progress.manifest !== undefined)
              learnDriverTexts(connectionId, progress.manifest);
            setState({ phase: 'running', progress });
          }
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
      const mustClose = state.phase === 'refused';
      setState({ phase: 'running' });
      // The open session has found what it found; another one looks again.
      const closed = mustClose ? api.connections.close.mutate({ connectionId }).catch(() => undefined) : Promise.resolve();
      void closed.then(() => run(secrets));
    },
    cancel: () => {
      running.current?.abort();
      setState({ phase: 'cancelled' });
    },
  };
}
