import { topicKey } from '../../../common/watches.ts';
import { MOST_WATCHED } from '../../../common/mostWatched.ts';
import type { WatchEvent, WatchTopic } from '../../../common/watches.ts';

/** Subscriptions that come together, as when a tab comes to the front for another, change the stream once. */
const SETTLE_MILLISECONDS = 20;
/** Milliseconds before a stream that broke is asked for again: twice as long each time, up to the longest. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
/** After so many attempts in a row it is said that something is wrong. */
const QUIET_ATTEMPTS = 3;

/** A follower of a topic. It gets the present state first, also after a break. */
export interface WatchListener {
  readonly onValue: (value: unknown) => void;
  /** The stream broke: the reported state may be outdated. */
  readonly onBroken: () => void;
  /** It has been tried for a while without an answer. */
  readonly onLost: () => void;
}

/** Opens one stream. @throws where the host does not answer */
export type OpenWatches = (topics: readonly WatchTopic[], signal: AbortSignal) => Promise<AsyncIterable<WatchEvent>>;

interface Follower extends WatchListener {
  readonly topic: WatchTopic;
  readonly key: string;
}

interface Stream {
  readonly controller: AbortController;
  /** Followers from before it was opened: they get everything from the beginning. */
  readonly followers: ReadonlySet<Follower>;
}

/**
 * Follows any number of topics in one stream. Where the subscriptions change, a new stream is opened, and the old one is let go when the new one
 * speaks: nothing is missed between them, and a person who is asked to approve something never seems to be gone.
 */
export class WatchHub {
  readonly #open: OpenWatches;
  readonly #followers = new Set<Follower>();
  #speaking: Stream | undefined;
  #coming: Stream | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next stream is opened, if one is to be. */
  #due = Number.POSITIVE_INFINITY;
  #attempt = 0;

  constructor(open: OpenWatches) {
    this.#open = open;
  }

  /** @returns what ends it */
  follow(topic: WatchTopic, listener: WatchListener): () => void {
    const follower: Follower = { ...listener, topic, key: topicKey(topic) };
    this.#followers.add(follower);
    this.#openIn(SETTLE_MILLISECONDS);
    return () => {
      if (this.#followers.delete(follower)) this.#openIn(SETTLE_MILLISECONDS);
    };
  }

  #openIn(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#renew(), milliseconds);
  }

  #renew(): void {
    this.#due = Number.POSITIVE_INFINITY;
    this.#coming?.controller.abort();
    this.#coming = undefined;
    if (this.#followers.size === 0) {
      this.#speaking?.controller.abort();
      this.#speaking = undefined;
      return;
    }
    const stream: Stream = { controller: new AbortController(), followers: new Set(this.#followers) };
    this.#coming = stream;
    void this.#run(stream);
  }

  async #run(stream: Stream): Promise<void> {
    const { signal } = stream.controller;
    const topics = [...new Map([...stream.followers].map(({ key, topic }) => [key, topic])).values()];
    try {
      for await (const event of await this.#open(topics.slice(0, MOST_WATCHED), signal)) {
        if (signal.aborted) return;
        this.#takeOver(stream);
        this.#notify(stream, event);
      }
    } catch {
      // The host is gone, or will not have it; which of both, its next answer says.
    }
    if (!signal.aborted) this.#ended(stream);
  }

  #takeOver(stream: Stream): void {
    if (this.#coming !== stream) return;
    this.#speaking?.controller.abort();
    this.#speaking = stream;
    this.#coming = undefined;
    this.#attempt = 0;
  }

  #notify({ followers }: Stream, event: WatchEvent): void {
    if ('ended' in event) {
      // Asked for again without haste; the others are followed meanwhile.
      this.#openIn(LONGEST_PAUSE);
      return;
    }
    const key = topicKey(event.topic);
    for (const follower of followers) if (follower.key === key && this.#followers.has(follower)) follower.onValue(event.value);
  }

  #ended(stream: Stream): void {
    if (this.#speaking === stream) {
      this.#speaking = undefined;
      for (const follower of this.#followers) follower.onBroken();
      // One that is being opened is the next one already.
      if (this.#coming !== undefined) return;
    } else {
      this.#coming = undefined;
      if (this.#attempt === QUIET_ATTEMPTS) for (const follower of this.#followers) follower.onLost();
    }
    this.#openIn(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt));
    this.#attempt += 1;
  }
}
