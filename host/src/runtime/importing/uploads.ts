import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';
import { HOME } from '../storage/home.ts';

/** Files that windows send at the same time. */
const MOST_UPLOADS = 20;
/** Milliseconds after which a file that no dialog asks about any more is removed: its window may have been closed. */
export const UPLOAD_STAYS = 4 * 60 * 60 * 1_000;
/** Bytes of the disk that stay free. */
export const DISK_RESERVE = 256 * 1024 * 1024;

interface Upload {
  readonly name: string;
  readonly bytes: number;
  received: number;
  /** Removes it. */
  timer: NodeJS.Timeout;
}

/**
 * Files that a window sends, piece by piece, into the data directory: a browser gives no path. Each piece is an ordinary request, with the bounds and
 * guards of every other.
 */
export class Uploads {
  static readonly inject: Inject<typeof Uploads> = [from([HOME], ({ folder }) => folder)];

  readonly #folder: string;
  readonly #uploads = new Map<string, Upload>();

  constructor(home: string) {
    this.#folder = join(home, 'imports');
  }

  /** The folder of files that imports keep. */
  get folder(): string {
    return this.#folder;
  }

  /** @throws HostError `INVALID_REQUEST` where the disk has no room for it */
  async open(name: string, bytes: number): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#folder);
    if (bytes + DISK_RESERVE > bavail * bsize) {
      throw noRoom(name);
    }
    if (this.#uploads.size >= MOST_UPLOADS) {
      const [oldest] = this.#uploads.keys();
      if (oldest !== undefined) await this.remove(oldest);
    }
    const id = randomUUID();
    await (await open(this.#path(id), 'wx', 0o600)).close();
    this.#uploads.set(id, { name, bytes, received: 0, timer: this.#removeLater(id) });
    return id;
  }

  /** Takes the next piece; one that was received already is taken again. @throws HostError `INVALID_REQUEST` */
  async add(id: string, offset: number, piece: Uint8Array): Promise<void> {
    const upload = this.#get(id);
    if (offset > upload.received || offset + piece.length > upload.bytes)
      throw new HostError('INVALID_REQUEST', `The piece of “${upload.name}” is at the wrong place.`);
    const handle = await open(this.#path(id), 'r+');
    try {
      for (let done = 0; done < piece.length;) {
        const { bytesWritten } = await handle.write(piece, done, piece.length - done, offset + done);
        if (bytesWritten === 0) throw noRoom(upload.name);
        done += bytesWritten;
      }
    } finally {
      await handle.close();
    }
    upload.received = Math.max(upload.received, offset + piece.length);
  }

  /** The file of a whole upload. @throws HostError `INVALID_REQUEST` for one that isn't there or isn't whole */
  async whole(id: string): Promise<{ readonly name: string; readonly path: string }> {
    const { name, bytes, received } = this.#get(id);
    // A full disk may have cut it.
    const { size } = await stat(this.#path(id));
    if (received < bytes || size !== bytes) throw new HostError('INVALID_REQUEST', `“${name}” has not been sent whole.`);
    return { name, path: this.#path(id) };
  }

  /** An import has taken the file over, and removes it. */
  release(id: string): void {
    clearTimeout(this.#uploads.get(id)?.timer);
    this.#uploads.delete(id);
  }

  async remove(id: string): Promise<void> {
    clearTimeout(this.#uploads.get(id)?.timer);
    if (!this.#uploads.delete(id)) return;
    await rm(this.#path(id), { force: true });
  }

  /** Called once at start. @param needed - paths that imports of the journal need */
  async sweep(needed: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      if (!needed.has(path)) await rm(path, { force: true, recursive: true });
    }
  }

  #get(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw new HostError('INVALID_REQUEST', 'This file is not on the list any more. Choose it again.');
    clearTimeout(upload.timer);
    upload.timer = this.#removeLater(id);
    return upload;
  }

  #removeLater(id: string): NodeJS.Timeout {
    return setTimeout(() => void this.remove(id).catch(() => undefined), UPLOAD_STAYS).unref();
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.source`);
  }
}

function noRoom(name: string): HostError {
  return new HostError('INVALID_REQUEST', `The disk of the data directory has no room for “${name}”.`, {
    details: { advice: 'Free some space, or import the file with "tabularium import", which copies nothing.' },
  });
}
