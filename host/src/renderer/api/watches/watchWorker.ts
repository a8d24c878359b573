import type { ToWindow, ToWorker } from './messages.ts';
import { openWatchesAt } from './openWatches.ts';
import { WatchHub } from './watchHub.ts';

// The worker that all windows of a browser share: what they follow comes in one stream, whichever of them are on a screen. It is there as long
// as one of them is.

const lock = `tabularium-watches-${crypto.randomUUID()}`;
const held = new Promise<void>((resolve) => {
  void navigator.locks.request(lock, () => {
    resolve();
    return new Promise(() => undefined);
  });
});
let hub: WatchHub | undefined;

function serve(port: MessagePort): void {
  const leaves = new Map<number, () => void>();
  const notify = (message: ToWindow): void => port.postMessage(message);
  const take = (message: ToWorker): void => {
    switch (message.type) {
      case 'hello':
        hub ??= new WatchHub(openWatchesAt(message.url));
        void held.then(() => notify({ type: 'ready', lock }));
        // A port does not say that its window is gone; the lock that the window held does.
        void navigator.locks.request(message.lock, () => {
          for (const leave of leaves.values()) leave();
          leaves.clear();
          port.close();
        });
        return;
      case 'follow': {
        const { id, topic } = message;
        const leave = hub?.follow(topic, {
          onValue: (value) => notify({ type: 'value', id, value }),
          onBroken: () => notify({ type: 'broken', id }),
          onLost: () => notify({ type: 'lost', id }),
        });
        if (leave !== undefined) leaves.set(id, leave);
        return;
      }
      case 'leave':
        leaves.get(message.id)?.();
        leaves.delete(message.id);
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data));
  port.start();
}

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port !== undefined) serve(port);
});
