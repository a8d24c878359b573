import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { publicKeySchema } from '../common/windowSession.ts';
import type { PublicKey } from '../common/windowSession.ts';
import { writeDurably } from '../runtime/storage/durableFile.ts';

const HOUR = 3_600_000;
/** A window that was unused for so long does not come back after a restart. */
export const IDLE_MILLISECONDS = 24 * HOUR;
/** Since the one-time address was opened, however often the window came back since. */
export const LONGEST_MILLISECONDS = 7 * 24 * HOUR;
const MOST_SESSIONS = 128;
/** A use that is not on disk yet may be this old. */
const SAVE_MILLISECONDS = 5 * 60_000;

const sessionSchema = z.object({
  /** SHA-256 of the window's path. */
  id: z.string(),
  publicKey: publicKeySchema,
  /** Shown to the window after a restart. It proves the host and opens nothing. */
  proof: z.string(),
  createdAt: z.number(),
  usedAt: z.number(),
});
const fileSchema = z.object({ version: z.literal(1), port: z.int().min(1).max(65_535), sessions: z.array(sessionSchema) });

/** A window that may come back after a restart of the host. */
export type WindowSession = z.infer<typeof sessionSchema>;

/**
 * The windows that may come back after a restart: their public keys, in a file of the data directory. Nothing in it opens a window. They belong to
 * one port, because a page can't follow a host to another one; a host on another port forgets them.
 */
export class SessionStore implements AsyncDisposable {
  readonly #file: string | undefined;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #sessions = new Map<string, WindowSession>();
  #port = 0;
  #saving: Promise<void> = Promise.resolve();
  #savedAt = 0;

  /** @param file - absent: sessions end with this process */
  static async open(
    file: string | undefined,
    onError: (error: unknown) => void = () => undefined,
    now: () => number = Date.now,
  ): Promise<SessionStore> {
    const store = new SessionStore(file, onError, now);
    await store.#load();
    return store;
  }

  private constructor(file: string | undefined, onError: (error: unknown) => void, now: () => number) {
    this.#file = file;
    this.#onError = onError;
    this.#now = now;
  }

  /** The port of the host before this one; 0 without any. */
  get lastPort(): number {
    return this.#port;
  }

  /** Call when the host listens. Windows of another port can't come back. */
  settle(port: number): void {
    if (this.#port === port) return;
    this.#port = port;
    this.#sessions.clear();
    this.#save();
  }

  /** Takes the key of a window. A window that has one already gets the new one. */
  keep(path: string, publicKey: PublicKey, createdAt = this.#now()): WindowSession {
    const id = sessionId(path);
    const now = this.#now();
    const known = this.find(id);
    // Several tabs of one window send the key that they share, and know the host by the same proof.
    const isSame = known?.publicKey.x === publicKey.x && known.publicKey.y === publicKey.y;
    const proof = isSame ? known.proof : randomBytes(32).toString('base64url');
    const session = { id, publicKey, proof, createdAt: known?.createdAt ?? createdAt, usedAt: now };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    this.#save();
    return session;
  }

  /** The session with an id, unless it has ended. */
  find(id: string): WindowSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    const now = this.#now();
    if (now - session.usedAt <= IDLE_MILLISECONDS && now - session.createdAt <= LONGEST_MILLISECONDS) return session;
    this.#sessions.delete(id);
    return undefined;
  }

  /** Whether a path is that of a window which may come back. */
  knows(path: string): boolean {
    return this.find(sessionId(path)) !== undefined;
  }

  /** Notes that a window is in use. */
  touch(path: string): void {
    const session = this.find(sessionId(path));
    if (session === undefined) return;
    const now = this.#now();
    // A page that came back still loads its scripts by the path that it was opened with.
    for (const each of this.#sessions.values()) if (each.publicKey.x === session.publicKey.x) each.usedAt = now;
    if (now - this.#savedAt >= SAVE_MILLISECONDS) this.#save();
  }

  /** Forgets every session of the same browser window, under whichever path. */
  end(path: string): void {
    const ended = this.#sessions.get(sessionId(path));
    if (ended === undefined) return;
    for (const [id, { publicKey }] of this.#sessions) if (publicKey.x === ended.publicKey.x) this.#sessions.delete(id);
    this.#save();
  }

  /** Resolves when everything is on disk, as far as it can be. */
  saved(): Promise<void> {
    return this.#saving;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#sessions.size > 0) this.#save();
    await this.#saving;
  }

  async #load(): Promise<void> {
    if (this.#file === undefined) return;
    try {
      const { port, sessions } = fileSchema.parse(JSON.parse(await readFile(this.#file, 'utf8')));
      this.#port = port;
      for (const session of sessions.slice(-MOST_SESSIONS)) this.#sessions.set(session.id, session);
    } catch {
      // Missing or damaged: windows sign in by a new address.
    }
  }

  #save(): void {
    const file = this.#file;
    this.#savedAt = this.#now();
    if (file === undefined || this.#port === 0) return;
    this.#saving = this.#saving
      .then(() => {
        const content = { version: 1, port: this.#port, sessions: [...this.#sessions.values()] };
        return writeDurably(file, `${JSON.stringify(content)}\n`);
      })
      // A full disk costs the windows their way back, and nothing else.
      .catch(this.#onError);
  }
}

/** @param path - `/w/<random>/` */
function sessionId(path: string): string {
  return hashed(path);
}

/** SHA-256, as base64url. */
export function hashed(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
