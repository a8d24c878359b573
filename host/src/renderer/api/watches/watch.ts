import { ROUTER_PATH } from '../../../common/api.ts';
import type { TopicOf, WatchedValues, WatchTopic } from '../../../common/watches.ts';
import { apiUrl } from '../apiUrl.ts';
import { lookForHost, onHostReturn } from '../hostLink/hostLink.ts';
import { openWatchesAt } from './openWatches.ts';
import { WatchHub } from './watchHub.ts';
import { Watches } from './watches.ts';
import type { WatchSource } from './watches.ts';
import { workerSource } from './workerSource.ts';

/** The handlers of one part of the window for a topic. */
export interface Watching<Value> {
  /** The present state first, then every change; after a break from the beginning. */
  readonly onValue: (value: Value) => void;
  /** The host is gone, or has been: the reported state may be outdated. */
  readonly onBroken?: () => void;
  /** The host has not answered for a while. */
  readonly onLost?: () => void;
}

let canShare = true;
let watches: Watches | undefined;
onHostReturn(({ restarted }) => (restarted ? watches?.renew() : undefined));

/**
 * A browser allows six connections to a host over HTTP/1.1, for all its windows, so that they share one stream. The desktop shell's requests are
 * none of HTTP: there each window has its own.
 */
function begin(onGone: () => void): WatchSource {
  const url = apiUrl(ROUTER_PATH);
  if (canShare && location.protocol.startsWith('http') && typeof SharedWorker !== 'undefined' && 'locks' in navigator) {
    try {
      // Windows of one address share a worker. A window that came back to a restarted host has another address.
      const name = `watches ${location.pathname}`;
      const worker = new SharedWorker(new URL('./watchWorker.ts', import.meta.url), { type: 'module', name });
      return workerSource(worker, url, navigator.locks, (started) => {
        if (!started) canShare = false;
        onGone();
      });
    } catch {
      // The browser's settings forbid it.
      canShare = false;
    }
  }
  return new WatchHub(openWatchesAt(url));
}

/** Follows a topic until the function that it returns is called. */
export function watch<Name extends WatchTopic['is']>(topic: TopicOf<Name>, watching: Watching<WatchedValues[Name]>): () => void {
  watches ??= new Watches({ begin, page: document });
  return watches.follow(topic, {
    // The host sends the events of a topic with the topic.
    onValue: (value) => watching.onValue(value as WatchedValues[Name]),
    onBroken: () => {
      lookForHost();
      watching.onBroken?.();
    },
    onLost: () => watching.onLost?.(),
  });
}
