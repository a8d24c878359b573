import { createHash, randomBytes } from 'node:crypto';

const LATER_KEY_MILLISECONDS = 10 * 60_000;
const MOST_KEYS = 16;
export const MOST_WINDOWS = 64;
/** An open window has a stream open or asks for something within this time. In milliseconds. */
const UNUSED_MILLISECONDS = 5 * 60_000;
const MOST_WRONG_KEYS = 20;
const COOKIE = 'tabularium';

interface KnownWindow {
  readonly cookieHash: string;
  /** Requests whose answer is not complete, such as a stream of changes. */
  requests: number;
  lastUsed: number;
}

/** A browser that has shown a key: where it finds the window, and what it proves itself with. */
export interface GrantedWindow {
  /** `/w/<random>/`. */
  readonly path: string;
  readonly cookie: string;
}

/**
 * Access to the window: one-time keys, and the cookies that replace them.
 *
 * A browser sends the cookies of 127.0.0.1 to every port of 127.0.0.1, also to the one on which another user of this machine listens. So a
 * cookie is good only for a path that cannot be guessed: a browser sends it nowhere else, and without it the path is worth nothing.
 * Keys and cookies are kept as hashes and found by hash, so that no comparison leaks how much of a guess was right.
 */
export class WindowAccess {
  readonly #keys = new Map<string, { readonly expiresAt: number }>();
  readonly #windows = new Map<string, KnownWindow>();
  readonly #now: () => number;
  #wrongKeys = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A new key; `untilUsed` for the one that a starting host prints, ten minutes for those asked for later. */
  mintKey(validity: 'untilUsed' | 'tenMinutes'): string {
    const key = secret();
    this.#keys.set(hash(key), { expiresAt: validity === 'untilUsed' ? Infinity : this.#now() + LATER_KEY_MILLISECONDS });
    dropOldest(this.#keys, MOST_KEYS);
    return key;
  }

  /** Windows that have access. */
  get count(): number {
    return this.#windows.size;
  }

  /** Whether every place is taken by a window that is in use. A key that is kept until one is free stays good. */
  isFull(): boolean {
    return this.#windows.size >= MOST_WINDOWS && this.#longestUnused() === undefined;
  }

  /** Exchanges a key, once. After twenty wrong ones every key that waits is void. Undefined also while {@link isFull}. */
  redeem(key: string): GrantedWindow | undefined {
    if (this.isFull()) return undefined;
    const name = hash(key);
    const found = this.#keys.get(name);
    this.#keys.delete(name);
    if (found === undefined || found.expiresAt <= this.#now()) {
      this.#wrongKeys += 1;
      if (this.#wrongKeys >= MOST_WRONG_KEYS) {
        this.#keys.clear();
        this.#wrongKeys = 0;
      }
      return undefined;
    }
    this.#wrongKeys = 0;
    return this.grant();
  }

  /** Lets a window in that has shown another proof than a key. Not while {@link isFull}. */
  grant(): GrantedWindow {
    const path = `/w/${secret()}/`;
    const value = secret();
    const unused = this.#windows.size >= MOST_WINDOWS ? this.#longestUnused() : undefined;
    if (unused !== undefined) this.#windows.delete(unused);
    this.#windows.set(path, { cookieHash: hash(value), requests: 0, lastUsed: this.#now() });
    return { path, cookie: `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Strict` };
  }

  /** The window that a request belongs to, when its path and its cookie do belong together. */
  windowOf(pathname: string, cookies: string | undefined): string | undefined {
    const path = windowPath(pathname);
    if (path === undefined || cookies === undefined) return undefined;
    const expected = this.#windows.get(path)?.cookieHash;
    if (expected === undefined) return undefined;
    const given = cookies.split(';').map((cookie) => cookie.trim());
    return given.some((cookie) => cookie.startsWith(`${COOKIE}=`) && hash(cookie.slice(COOKIE.length + 1)) === expected)
      ? path
      : undefined;
  }

  /** Ends a window's session. */
  end(path: string): void {
    this.#windows.delete(path);
  }

  /** Whether a window has not given its place to another one. */
  isOpen(path: string): boolean {
    return this.#windows.has(path);
  }

  /** Marks a window as in use until the returned function is called. */
  use(path: string): () => void {
    const window = this.#windows.get(path);
    if (window === undefined) return () => undefined;
    window.requests += 1;
    window.lastUsed = this.#now();
    return () => {
      window.requests -= 1;
      window.lastUsed = this.#now();
    };
  }

  #longestUnused(): string | undefined {
    const limit = this.#now() - UNUSED_MILLISECONDS;
    let found: readonly [path: string, window: KnownWindow] | undefined;
    for (const entry of this.#windows) {
      const [, { requests, lastUsed }] = entry;
      if (requests === 0 && lastUsed <= limit && lastUsed < (found?.[1].lastUsed ?? Infinity)) found = entry;
    }
    return found?.[0];
  }
}

/** The part of an address that says which window it is of: `/w/<random>/`. */
export function windowPath(pathname: string): string | undefined {
  return /^\/w\/[A-Za-z0-9_-]{43}\//.exec(pathname)?.[0];
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const name of map.keys()) {
    if (map.size <= most) return;
    map.delete(name);
  }
}
