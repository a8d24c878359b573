import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormSignInStep, SignInStep, SignInWay } from '../../common/signInSteps.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { openOutside } from '../ui/openOutside.ts';

type Step = SignInStep | FormSignInStep;
/** A step that the person has to take. */
export type SignInInstruction = Extract<Step, { readonly step: 'browser' | 'device' }>;
/** The last step. */
export type SignInEnd<Any extends Step> = Exclude<Any, SignInInstruction>;

export type SignInProgress =
  | { readonly is: 'idle'; readonly wasCancelled?: boolean }
  | { readonly is: 'running'; readonly instruction?: SignInInstruction }
  | { readonly is: 'failed'; readonly problem: Problem };

export interface RunningSignIn {
  readonly progress: SignInProgress;
  readonly start: (way?: SignInWay) => void;
  readonly cancel: () => void;
}

function isInstruction(step: Step): step is SignInInstruction {
  return step.step === 'browser' || step.step === 'device';
}

function isEnd<Any extends Step>(step: Any): step is SignInEnd<Any> {
  return !isInstruction(step);
}

/**
 * Signs in at a provider, for as long as the component is there.
 *
 * @param begin - asks the host; ends with the signal
 */
export function useSignIn<Any extends Step>(
  begin: (way: SignInWay | undefined, signal: AbortSignal) => Promise<AsyncIterable<Any>>,
  onEnd: (end: SignInEnd<Any>) => void,
): RunningSignIn {
  const [progress, setProgress] = useState<SignInProgress>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  const latest = useRef({ begin, onEnd });
  useEffect(() => {
    latest.current = { begin, onEnd };
  });
  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback((way?: SignInWay): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProgress({ is: 'running' });
    const follow = async (): Promise<void> => {
      for await (const step of await latest.current.begin(way, controller.signal)) {
        if (running.current !== controller) return;
        if (isInstruction(step)) {
          setProgress({ is: 'running', instruction: step });
          // The press that began this is still fresh, so browsers let the tab open. A code is entered wherever the person likes.
          if (step.step === 'browser') openOutside(step.address);
        } else if (isEnd(step)) {
          setProgress({ is: 'idle' });
          latest.current.onEnd(step);
        }
      }
    };
    follow().catch((error: unknown) => {
      if (running.current !== controller) return;
      running.current = undefined;
      if (wasAborted(error, controller.signal)) setProgress({ is: 'idle' });
      else setProgress({ is: 'failed', problem: problemOf(error) });
    });
  }, []);

  const cancel = useCallback((): void => {
    const controller = running.current;
    running.current = undefined;
    controller?.abort();
    setProgress({ is: 'idle', wasCancelled: true });
  }, []);

  return { progress, start, cancel };
}
