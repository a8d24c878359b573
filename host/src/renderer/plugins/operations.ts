import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';
import type { DowngradeQuestion, GrantQuestion, InstallProgress, TrustQuestion } from '../../common/drivers.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify } from '../state/notify.ts';

export type OperationKind = 'install' | 'update' | 'rollBack' | 'other' | 'file';

/** Something that is being done with a driver, or that failed last. Lives outside the components, so that it continues when they close. */
export interface PluginOperation {
  readonly kind: OperationKind;
  readonly name: string;
  readonly running: boolean;
  readonly progress?: InstallProgress;
  readonly problem?: Problem;
  readonly question?: TrustQuestion;
  readonly grantQuestion?: GrantQuestion;
  readonly downgradeQuestion?: DowngradeQuestion;
  readonly cancel: () => void;
  readonly retry: () => void;
  /** Does it again with the consent to the older version that was asked about. */
  readonly retryWithOlder: (version: string) => void;
}

export interface Work {
  /** The driver's id; a file has its own name until it is known which driver it holds. */
  readonly key: string;
  readonly kind: OperationKind;
  /** As people call it. */
  readonly name: string;
  readonly run: (
    signal: AbortSignal,
    notify: (progress: InstallProgress) => void,
    /** The older version that a person has agreed to. */
    allowDowngrade: string | undefined,
  ) => Promise<void>;
  /** The message of a success. */
  readonly done: string;
  readonly onDone: () => Promise<void>;
}

/** How far an installation is, 0 to 1; a step counts a quarter, and the download what has arrived of it. */
export function shareOf(progress: InstallProgress | undefined): number {
  if (progress === undefined) return 0;
  const steps = ['resolving', 'downloading', 'verifying', 'tryingOut', 'installed'];
  const arrived =
    progress.step === 'downloading' && progress.totalBytes !== undefined && progress.totalBytes > 0
      ? Math.min(1, progress.receivedBytes / progress.totalBytes)
      : 0;
  return (steps.indexOf(progress.step) + arrived) / (steps.length - 1);
}

/** The label of an installation in the status bar, and how much of its download has arrived, 0 to 1. */
export function downloadOf(label: string, progress: InstallProgress): [label: string, share?: number] {
  if (progress.step !== 'downloading') return [label];
  const { receivedBytes, totalBytes } = progress;
  const text = `${label}: ${strings.install.bytes(receivedBytes, totalBytes)}`;
  return totalBytes === undefined || totalBytes === 0 ? [text] : [text, Math.min(1, receivedBytes / totalBytes)];
}

/** Whether it waits for a person's answer. */
export function isAsking({ running, question, grantQuestion, downgradeQuestion }: PluginOperation): boolean {
  return !running && (question !== undefined || grantQuestion !== undefined || downgradeQuestion !== undefined);
}

/** The running operations on drivers, and the last failures. */
export interface PluginOperations {
  /** By the key of the work. */
  readonly operations: ReadonlyMap<string, PluginOperation>;
  /** Does something with a driver; one thing at a time for each. */
  readonly operate: (work: Work) => Promise<void>;
  /** A failure has been seen. */
  readonly dismiss: (key: string) => void;
}

export function createOperationsStore(): StoreApi<PluginOperations> {
  return createStore((set, get) => {
    function publish(key: string, operation: PluginOperation | undefined): void {
      const operations = new Map(get().operations);
      if (operation === undefined) operations.delete(key);
      else operations.set(key, operation);
      set({ operations });
    }

    async function operate(work: Work, allowDowngrade?: string): Promise<void> {
      const { key, kind, name, done } = work;
      if (get().operations.get(key)?.running === true) return;
      const controller = new AbortController();
      const cancel = (): void => controller.abort();
      const retry = (): void => void operate(work, allowDowngrade);
      const retryWithOlder = (version: string): void => void operate(work, version);
      const base = { kind, name, cancel, retry, retryWithOlder };
      publish(key, { ...base, running: true });
      const label = strings.plugins.working[kind](name);
      const activity = beginActivity(label, cancel);
      try {
        await work.run(
          controller.signal,
          (progress) => {
            publish(key, { ...base, running: true, progress });
            activity.update(...downloadOf(label, progress));
          },
          allowDowngrade,
        );
        await work.onDone();
        publish(key, undefined);
        notify({ tab: 'none', tone: 'plain', text: done });
      } catch (error) {
        if (wasAborted(error, controller.signal)) publish(key, undefined);
        else {
          const problem = problemOf(error);
          publish(key, {
            ...base,
            running: false,
            problem,
            ...(problem.question === undefined ? {} : { question: problem.question }),
            ...(problem.grantQuestion === undefined ? {} : { grantQuestion: problem.grantQuestion }),
            ...(problem.downgradeQuestion === undefined ? {} : { downgradeQuestion: problem.downgradeQuestion }),
          });
          if (problem.question === undefined && problem.grantQuestion === undefined && problem.downgradeQuestion === undefined)
            notify({ tab: 'none', tone: 'warning', text: `${strings.plugins.failed[kind](name)}. ${problem.message}` });
        }
        await work.onDone();
      } finally {
        activity.end();
      }
    }

    return {
      operations: new Map(),
      operate: (work) => operate(work),
      dismiss(key) {
        if (get().operations.get(key)?.running !== true) publish(key, undefined);
      },
    };
  });
}

const operations = createOperationsStore();

export const { operate, dismiss } = operations.getState();

export function useOperations(): ReadonlyMap<string, PluginOperation> {
  return useStore(operations, (state) => state.operations);
}
