import type { BigIntStats } from 'node:fs';
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HostError } from '../../common/errors.ts';
import { isPseudoFile } from './pseudoFile.ts';
import type { ReadStretch } from './readStretch.ts';
import type { FileState } from '../transfer/fileIdentity.ts';
import { YoungGarbage } from '../transfer/youngGarbage.ts';

/** The rows of a chunk are in memory while a part is sent, so it is a small one. */
const CHUNK = 64 * 1024;
/** Rows of documents that hardly differ become some forty times smaller. A stream that grows more than this was made to fill disks and time. */
const MOST_EXPANSION = 250;
/** Bytes that may expand as they like. */
const FREE_EXPANSION = 64 * 1024 * 1024;

/** A file to import. What isn't a regular file is refused: a pipe or a device may have no end. */
export class SourceFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly state: FileState;
  #isClosed = false;
  /** Of the bytes since {@link text} began. */
  #read: { readonly from: number; readonly hash: Hash } | undefined;
  /** Bytes of the file that were read so far. */
  bytesRead = 0;

  private constructor(path: string, handle: FileHandle, state: FileState) {
    this.#path = path;
    this.#handle = handle;
    this.state = state;
  }

  /** @throws HostError `INVALID_REQUEST` for a file that can't be read, with the reason */
  static async open(path: string): Promise<SourceFile> {
    let handle: FileHandle;
    try {
      // Without it, opening a named pipe waits for a writer.
      handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    } catch (cause) {
      throw unreadable(path, cause);
    }
    try {
      const entry = await handle.stat({ bigint: true });
      if (entry.isDirectory()) throw new HostError('INVALID_REQUEST', `${path} is a folder.`);
      if (!entry.isFile()) throw new HostError('INVALID_REQUEST', `${path} is not a file: it is a pipe or a device.`);
      if (await isPseudoFile(handle)) {
        throw new HostError('INVALID_REQUEST', `${path} is not a file of a disk: the operating system makes up its content.`, {
          details: { advice: 'Choose a file that was saved.' },
        });
      }
      return new SourceFile(path, handle, stateOf(entry));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The file as it is now: another program may have changed it since it was opened. */
  async current(): Promise<FileState> {
    return stateOf(await this.#handle.stat({ bigint: true }));
  }

  get bytes(): number {
    return Number(this.state.size);
  }

  /** The first bytes as they are in the file. */
  async head(bytes: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(bytes);
    const { bytesRead } = await this.#handle.read(buffer, 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** The bytes that {@link text} has read so far; undefined for none. */
  stretch(): ReadStretch | undefined {
    if (this.#read === undefined || this.bytesRead <= this.#read.from) return undefined;
    return { from: this.#read.from, to: this.bytesRead, sha256: this.#read.hash.copy().digest('hex') };
  }

  /** The bytes as they are in the file, chunk by chunk; a chunk's memory is used again for the next. */
  bytesFrom(offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#chunks(offset, signal);
  }

  /**
   * The text from a place, chunk by chunk; a chunk's memory is used again for the next.
   *
   * @param offset - in the text, after decompression
   * @throws HostError `INVALID_REQUEST` for a compressed file that is damaged or expands too much
   */
  async *text(gzip: boolean, offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const young = new YoungGarbage();
    if (!gzip) {
      for await (const chunk of this.#hashed(offset, signal)) {
        // Once to be cut into rows, once to be sent.
        young.passed(2 * chunk.length);
        yield chunk;
      }
      return;
    }
    let skip = offset;
    let length = 0;
    const gunzip = createGunzip({ chunkSize: CHUNK });
    // The error reaches the iteration below.
    pipeline(Readable.from(this.#copies(signal), { highWaterMark: 1 }), gunzip, () => undefined);
    try {
      for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
        signal.throwIfAborted();
        young.passed(chunk.length);
        length += chunk.length;
        if (length > FREE_EXPANSION && length > MOST_EXPANSION * this.bytesRead)
          throw new HostError('INVALID_REQUEST', `${this.#path} expands to more than ${MOST_EXPANSION} times its size.`, {
            details: { advice: 'Decompress it yourself if you trust it, and import the result.' },
          });
        const from = Math.min(skip, chunk.length);
        skip -= from;
        if (from < chunk.length) yield chunk.subarray(from);
      }
    } catch (error) {
      if (error instanceof HostError || signal.aborted) throw error;
      throw new HostError('INVALID_REQUEST', `${this.#path} can't be decompressed: it is damaged or cut off.`, { cause: error });
    } finally {
      gunzip.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#handle.close();
  }

  async *#hashed(offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    this.#read = { from: offset, hash };
    this.bytesRead = offset;
    for await (const chunk of this.#chunks(offset, signal)) {
      hash.update(chunk);
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }

  async *#chunks(offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(CHUNK);
    for (let position = offset; ;) {
      signal.throwIfAborted();
      let bytesRead: number;
      try {
        ({ bytesRead } = await this.#handle.read(buffer, 0, CHUNK, position));
      } catch (cause) {
        // A decompressor that was given up may still ask.
        if (this.#isClosed) return;
        throw unreadable(this.#path, cause);
      }
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async *#copies(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#hashed(0, signal)) yield chunk.slice();
  }
}

function stateOf(entry: BigIntStats): FileState {
  return {
    device: String(entry.dev),
    inode: String(entry.ino),
    born: String(entry.birthtimeNs),
    size: String(entry.size),
    modified: String(entry.mtimeNs),
  };
}

function unreadable(path: string, cause: unknown): HostError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const message =
    code === 'ENOENT'
      ? `${path} does not exist.`
      : code === 'EACCES' || code === 'EPERM'
        ? `You don't have permission to read ${path}.`
        : `${path} can't be read.`;
  return new HostError('INVALID_REQUEST', message, { cause });
}
