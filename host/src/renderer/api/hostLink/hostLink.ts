import { createStore, useStore } from 'zustand';
import { findWindowHost } from './returnToHost.ts';
import type { HostFound } from './returnToHost.ts';

/** Milliseconds before the host is looked for again: twice as long each time, up to the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** Whether the host of this window answers. */
export type HostPresence =
  | { readonly is: 'up' }
  /** It doesn't answer. `retryAt` is when it is looked for again, in milliseconds since 1970; undefined while it is. */
  | { readonly is: 'down'; readonly retryAt: number | undefined }
  /** It answers, and doesn't let this window in. */
  | { readonly is: 'expired' }
  /** Something answers that isn't the host. */
  | { readonly is: 'stranger' };

/** How the host came back. */
export interface HostReturn {
  /** It is another run: what it held open is closed. */
  readonly restarted: boolean;
}

export interface HostLinkOptions {
  readonly find: () => Promise<HostFound>;
  /** Continues under another path. */
  readonly moveTo: (path: string) => void;
}

/** Looks for the host when something goes unanswered, until it is there. While it isn't, nothing else is sent to its address. */
export class HostLinkWatch {
  readonly store = createStore<HostPresence>(() => ({ is: 'up' }));
  readonly #options: HostLinkOptions;
  readonly #listeners = new Set<(back: HostReturn) => void>();
  #looking: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;

  constructor(options: HostLinkOptions) {
    this.#options = options;
  }

  /** A request went unanswered, or the host did not take it. Looks at once, unless that is being done. */
  readonly look = (): void => {
    clearTimeout(this.#timer);
    this.#looking ??= this.#find().finally(() => (this.#looking = undefined));
  };

  /** Calls back when the host is there again. @returns what ends it */
  readonly onReturn = (listener: (back: HostReturn) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the host answers, at once where it does. */
  readonly whenUp = async (): Promise<void> => {
    // A request that has just gone unanswered counts.
    await this.#looking;
    if (this.store.getState().is === 'up') return;
    await new Promise<void>((resolve) => {
      const leave = this.store.subscribe((link) => {
        if (link.is !== 'up') return;
        leave();
        resolve();
      });
    });
  };

  async #find(): Promise<void> {
    if (this.store.getState().is === 'down') this.store.setState({ is: 'down', retryAt: undefined }, true);
    const found = await this.#options.find();
    switch (found.is) {
      case 'expired':
      case 'stranger':
        this.store.setState({ is: found.is }, true);
        return;
      case 'nothing': {
        const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt);
        this.#attempt += 1;
        this.store.setState({ is: 'down', retryAt: Date.now() + pause }, true);
        this.#timer = setTimeout(this.look, pause);
        return;
      }
      case 'restarted':
        this.#options.moveTo(found.path);
        break;
      case 'same':
    }
    const wasUp = this.store.getState().is === 'up';
    this.#attempt = 0;
    this.store.setState({ is: 'up' }, true);
    if (wasUp && found.is === 'same') return;
    for (const listener of this.#listeners) listener({ restarted: found.is === 'restarted' });
  }
}

const watch = new HostLinkWatch({
  find: findWindowHost,
  // The page stays as it is, with everything that it shows.
  moveTo: (path) => history.replaceState(null, '', `${path}${location.search}${location.hash}`),
});
export const { look: lookForHost, onReturn: onHostReturn, whenUp: whenHostIsUp } = watch;

/** Whether requests may be sent to the host. */
export const hostIsUp = (): boolean => watch.store.getState().is === 'up';

export function useHostLink(): HostPresence {
  return useStore(watch.store);
}

if (typeof window !== 'undefined') {
  // A computer that wakes up has waited long enough.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && watch.store.getState().is === 'down') lookForHost();
  });
}
