import { createHash, randomBytes } from 'node:crypto';

const LATER_KEY_MILLISECONDS = 10 * 60_000;
const MOST_KEYS = 16;
const MOST_WINDOWS = 64;
const MOST_WRONG_KEYS = 20;
const COOKIE = 'tabularium';

/** A browser that has shown a key: where it finds the window, and what it proves itself with. */
export interface GrantedWindow {
  /** `/w/<random>/`. */
  readonly path: string;
  readonly cookie: string;
}

/**
 * Who may use the window: one-time keys, and what they are exchanged for.
 *
 * A browser sends the cookies of 127.0.0.1 to every port of 127.0.0.1, also to the one on which another user of this machine listens. So a
 * cookie is good only for a path that cannot be guessed: a browser sends it nowhere else, and without it the path is worth nothing.
 * Keys and cookies are kept as hashes and found by hash, so that no comparison tells how much of a guess was right.
 */
export class WindowAccess {
  readonly #keys = new Map<string, { readonly expiresAt: number }>();
  readonly #windows = new Map<string, string>();
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

  /** Exchanges a key, once. After twenty wrong ones every key that waits is void. */
  redeem(key: string): GrantedWindow | undefined {
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
    const path = `/w/${secret()}/`;
    const value = secret();
    this.#windows.set(path, hash(value));
    dropOldest(this.#windows, MOST_WINDOWS);
    return { path, cookie: `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Strict` };
  }

  /** The window that a request belongs to, when its path and its cookie do belong together. */
  windowOf(pathname: string, cookies: string | undefined): string | undefined {
    const path = /^\/w\/[A-Za-z0-9_-]{43}\//.exec(pathname)?.[0];
    if (path === undefined || cookies === undefined) return undefined;
    const expected = this.#windows.get(path);
    if (expected === undefined) return undefined;
    const given = cookies.split(';').map((cookie) => cookie.trim());
    return given.some((cookie) => cookie.startsWith(`${COOKIE}=`) && hash(cookie.slice(COOKIE.length + 1)) === expected)
      ? path
      : undefined;
  }
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
