import type { WatchTopic } from '../../../common/watches.ts';
import type { ToWindow, ToWorker } from './messages.ts';
import type { WatchListener } from './watchHub.ts';
import type { WatchSource } from './watches.ts';

/** The part of the worker that the window uses. */
export interface WorkerEnd {
  readonly port: Pick<MessagePort, 'addEventListener' | 'postMessage' | 'start'>;
  readonly addEventListener: (type: 'error', listener: () => void) => void;
}

/**
 * Follows by the worker that the windows of a browser share.
 *
 * @param url - of the router
 * @param onGone - the worker could not be started, or has ended
 */
export function workerSource(
  worker: WorkerEnd,
  url: string,
  locks: LockManager,
  onGone: (started: boolean) => void,
): WatchSource {
  const listeners = new Map<number, WatchListener>();
  let last = 0;
  const { port } = worker;
  const lock = `tabularium-window-${crypto.randomUUID()}`;
  const greeted = new Promise<void>((resolve) => {
    void locks.request(lock, () => {
      port.postMessage({ type: 'hello', url, lock } satisfies ToWorker);
      resolve();
      return new Promise(() => undefined);
    });
  });
  const say = (message: ToWorker): void => void greeted.then(() => port.postMessage(message));
  port.addEventListener('message', (event) => {
    const message = (event as MessageEvent<ToWindow>).data;
    switch (message.type) {
      case 'ready':
        // Granted when the worker holds it no more.
        void locks.request(message.lock, { mode: 'shared' }, () => onGone(true));
        return;
      case 'value':
        return listeners.get(message.id)?.onValue(message.value);
      case 'broken':
        return listeners.get(message.id)?.onBroken();
      case 'lost':
        return listeners.get(message.id)?.onLost();
    }
  });
  worker.addEventListener('error', () => onGone(false));
  port.start();
  return {
    follow(topic: WatchTopic, listener: WatchListener): () => void {
      last += 1;
      const id = last;
      listeners.set(id, listener);
      say({ type: 'follow', id, topic });
      return () => {
        listeners.delete(id);
        say({ type: 'leave', id });
      };
    },
  };
}
