import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../common/errors.ts';
import { LOG_SETTINGS_LIMITS } from '../../common/logs.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { LOG_FILE } from './fileLogger.ts';
import { olderFile } from './rotatingFile.ts';

const PIECE_BYTES = 64 * 1024;
/** No line of the log is longer; what is, was written by another program and is left out. Bytes. */
const LONGEST_LINE = 1024 * 1024;
const LOOK_AGAIN_MILLISECONDS = 250;
const [, MOST_OLDER_FILES] = LOG_SETTINGS_LIMITS.olderFiles;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const END_OF_LINE = 0x0a;
const NEVER = new AbortController().signal;

/** Reads the log of a data directory, whether a host runs or not. */
export class LogReader implements AsyncDisposable {
  readonly #path: string;
  readonly #signal: AbortSignal;
  #newest: FileHandle | undefined;
  /** Where {@link following} begins. */
  #end = 0;

  /**
   * @param folder - of the log
   * @param signal - ends every reading with its reason
   * @throws HostError `HOME_UNUSABLE` where something else than a file has the name of the log, or it can't be read
   */
  static async open(folder: string, signal: AbortSignal = NEVER): Promise<LogReader> {
    signal.throwIfAborted();
    const reader = new LogReader(join(folder, LOG_FILE), signal);
    reader.#newest = await openFound(reader.#path);
    reader.#end = (await reader.#newest?.stat())?.size ?? 0;
    return reader;
  }

  private constructor(path: string, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#newest?.close();
  }

  /** The lines up to now, the newest first, from all files. An older one that can't be read is left out. */
  async *newestFirst(): AsyncGenerator<string, void, undefined> {
    if (this.#newest !== undefined) yield* linesBackwards(this.#newest, this.#end, this.#signal);
    for (let number = 1; number <= MOST_OLDER_FILES; number += 1) {
      await using stack = new AsyncDisposableStack();
      const file = await openFound(olderFile(this.#path, number)).catch(undefinedWhenUnusable);
      if (file === undefined) continue;
      stack.defer(() => file.close());
      yield* linesBackwards(file, (await file.stat()).size, this.#signal);
    }
  }

  /** The lines that are written from now on, also after a new file began, until the signal is aborted. */
  async *following(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let rest = '';
    let decoder = new StringDecoder('utf8');
    const buffer = Buffer.alloc(PIECE_BYTES);
    while (!signal.aborted) {
      this.#newest ??= await openFound(this.#path);
      // Asked before the reading: what is written between the two is read by the next round.
      const isOver = this.#newest !== undefined && (await this.#isReplaced(this.#newest));
      while (this.#newest !== undefined) {
        const { bytesRead } = await this.#newest.read(buffer, 0, buffer.length, this.#end);
        if (bytesRead === 0) break;
        this.#end += bytesRead;
        const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > LONGEST_LINE) rest = '';
        yield* lines.filter((line) => line !== '');
      }
      if (isOver) {
        this.#newest = await this.#next(this.#newest);
        this.#end = 0;
        rest = '';
        decoder = new StringDecoder('utf8');
      } else await delay(LOOK_AGAIN_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The file that was begun after this one, which is closed: several may have been while this one was read. */
  async #next(file: FileHandle | undefined): Promise<FileHandle | undefined> {
    let newer: FileHandle | undefined;
    for (let number = 0; number <= MOST_OLDER_FILES; number += 1) {
      const path = number === 0 ? this.#path : olderFile(this.#path, number);
      const found = await openFound(path).catch(undefinedWhenUnusable);
      if (found === undefined) continue;
      if (file !== undefined && (await isSameFile(file, found))) {
        await found.close();
        await file.close();
        return newer;
      }
      await newer?.close();
      newer = found;
    }
    // It is gone from the disk: so is what was between it and the oldest.
    await file?.close();
    return newer;
  }

  /** Whether the path leads to another file, or the file was cut. */
  async #isReplaced(file: FileHandle): Promise<boolean> {
    const now = await openFound(this.#path);
    if (now === undefined) return true;
    try {
      return !(await isSameFile(file, now)) || (await now.stat()).size < this.#end;
    } finally {
      await now.close();
    }
  }
}

async function isSameFile(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [first, second] = await Promise.all([one.stat({ bigint: true }), other.stat({ bigint: true })]);
  return first.ino === second.ino && first.dev === second.dev;
}

/**
 * Opens a file that may be missing. No link is followed.
 *
 * @throws HostError `HOME_UNUSABLE` for what isn't a file, or can't be read
 */
async function openFound(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, FLAGS);
    if ((await file.stat()).isFile()) return file;
  } catch (cause) {
    await file?.close();
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw wrongKind(path, 'a symbolic link');
    throw (
      storageFailure(cause, `${path} cannot be read.`) ?? new HostError('HOME_UNUSABLE', `${path} cannot be read.`, { cause })
    );
  }
  await file.close();
  throw wrongKind(path, 'not a file');
}

function wrongKind(path: string, found: string): HostError {
  return new HostError('HOME_UNUSABLE', `${path} is ${found}. Tabularium needs a file there.`, {
    details: { advice: 'Move it elsewhere and try again. Nothing was changed.' },
  });
}

function undefinedWhenUnusable(error: unknown): undefined {
  if (!(error instanceof HostError)) throw error;
}

async function* linesBackwards(file: FileHandle, end: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for (let place = end; place > 0;) {
    signal.throwIfAborted();
    const length = Math.min(PIECE_BYTES, place);
    place -= length;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, place);
    const piece = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
    const first = place === 0 ? -1 : piece.indexOf(END_OF_LINE);
    // Whole lines alone: the beginning of the first one is in the piece before.
    const whole = place === 0 ? piece : first < 0 ? Buffer.alloc(0) : piece.subarray(first + 1);
    rest = place === 0 ? Buffer.alloc(0) : first < 0 ? piece : piece.subarray(0, first);
    if (rest.length > LONGEST_LINE) rest = Buffer.alloc(0);
    yield* whole
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .reverse();
  }
}
