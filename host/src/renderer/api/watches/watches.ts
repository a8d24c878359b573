import type { WatchTopic } from '../../../common/watches.ts';
import type { WatchListener } from './watchHub.ts';

/** A window that is hidden for so long does not follow tables any more. */
const HIDDEN_MILLISECONDS = 5_000;

/** Where the news come from: a stream of this window, or the one that all windows of a browser share. */
export interface WatchSource {
  /** @returns what ends it */
  follow(topic: WatchTopic, listener: WatchListener): () => void;
}

interface Subscription {
  readonly topic: WatchTopic;
  readonly listener: WatchListener;
  leave: (() => void) | undefined;
}

export interface WatchesOptions {
  /** Makes a source; `onGone` is called when it can't report any more. */
  readonly begin: (onGone: () => void) => WatchSource;
  readonly page: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

/**
 * The topics that this window follows. A hidden window follows no table: it gets the whole state again when it is seen. Approvals are
 * followed all the same, so that there is somebody to ask while any window is open.
 */
export class Watches implements WatchSource {
  readonly #options: WatchesOptions;
  readonly #subscriptions = new Set<Subscription>();
  #source: WatchSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rests = false;

  constructor(options: WatchesOptions) {
    this.#options = options;
    options.page.addEventListener('visibilitychange', () => this.#look());
    this.#look();
  }

  follow(topic: WatchTopic, listener: WatchListener): () => void {
    const subscription: Subscription = { topic, listener, leave: undefined };
    this.#subscriptions.add(subscription);
    this.#take(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      this.#drop(subscription);
    };
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#options.page.visibilityState === 'hidden') {
      this.#timer = setTimeout(() => this.#rest(), HIDDEN_MILLISECONDS);
      return;
    }
    this.#rests = false;
    for (const subscription of this.#subscriptions) this.#take(subscription);
  }

  #rest(): void {
    this.#rests = true;
    for (const subscription of this.#subscriptions) if (subscription.topic.is === 'stage') this.#drop(subscription);
  }

  #take(subscription: Subscription): void {
    if (subscription.leave !== undefined || (this.#rests && subscription.topic.is === 'stage')) return;
    subscription.leave = (this.#source ??= this.#begin()).follow(subscription.topic, subscription.listener);
  }

  #drop(subscription: Subscription): void {
    subscription.leave?.();
    subscription.leave = undefined;
  }

  #begin(): WatchSource {
    const source = this.#options.begin(() => {
      // Only once: what one that was given up says later is of no interest.
      if (this.#source === source) this.#gone();
    });
    return source;
  }

  /** Follows everything from another source: the host is at another address. */
  renew(): void {
    if (this.#source !== undefined) this.#gone();
  }

  #gone(): void {
    this.#source = undefined;
    for (const subscription of this.#subscriptions) {
      if (subscription.leave === undefined) continue;
      this.#drop(subscription);
      subscription.listener.onBroken();
      this.#take(subscription);
    }
  }
}
