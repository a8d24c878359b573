import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LOG_SETTINGS_LIMITS } from '../../common/logs.ts';

/** How much of the disk a {@link RotatingFile} takes. */
export interface RotationLimits {
  /** Bytes of one file; no file is larger unless one piece is. */
  readonly bytes: number;
  /** `FILE.1` is the newest of them. */
  readonly olderFiles: number;
}

const [, MOST_OLDER_FILES] = LOG_SETTINGS_LIMITS.olderFiles;
const [, MOST_MEGABYTES] = LOG_SETTINGS_LIMITS.fileMegabytes;
/** Until the settings are read: a process that doesn't read them deletes no file that they keep. */
const UNTIL_SET: RotationLimits = { bytes: MOST_MEGABYTES * 1024 * 1024, olderFiles: MOST_OLDER_FILES };
/** No link is followed and no pipe waited for. Windows has neither flag. */
const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OTHERS = 0o077;
const END_OF_LINE = 0x0a;
/** Milliseconds. */
const LONGEST_ROTATION = 10_000;

/** A file of lines that is begun again when it is full. Other processes may append to it, too. */
export class RotatingFile {
  readonly #path: string;
  #limits = UNTIL_SET;
  /** Whether a line before may be torn: the last one of a host that was killed, or of a disk that was full. */
  #mayBeTorn = true;
  #isPruned = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Limits the files from here on. */
  limit(limits: RotationLimits): void {
    this.#limits = limits;
    this.#isPruned = false;
  }

  /**
   * Appends whole lines. Not while another call of this runs.
   *
   * @throws the error of the file system; some of the lines may have been written
   */
  async append(lines: string): Promise<void> {
    if (!this.#isPruned) await this.#prune();
    const bytes = Buffer.byteLength(lines);
    let file = await this.#open();
    try {
      if (this.#isFull(await file.stat(), bytes) && (await this.#rotate(bytes))) {
        await file.close();
        file = await this.#open();
      }
      const start = this.#mayBeTorn && !(await endsWithLine(file)) ? '\n' : '';
      this.#mayBeTorn = true;
      await file.appendFile(start + lines);
      this.#mayBeTorn = false;
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(this.#path, FLAGS, 0o600);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error(`${this.#path} is not a file.`);
      if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) await file.chmod(0o600);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #isFull({ size }: Stats, bytes: number): boolean {
    return size > 0 && size + bytes > this.#limits.bytes;
  }

  /**
   * Begins a new file, unless another process does so now or has just done so: a second rotation would make an older file of one that is nearly empty.
   *
   * @returns whether there is another file now
   */
  async #rotate(bytes: number): Promise<boolean> {
    const lock = `${this.#path}.lock`;
    if (!(await takeLock(lock))) return false;
    try {
      const found = await lstat(this.#path).catch(undefinedWhenMissing);
      if (found === undefined || !this.#isFull(found, bytes)) return true;
      const numbers = await this.#usableNumbers();
      for (const [index, number] of [...numbers.entries()].reverse())
        await renameFound(index === 0 ? this.#path : this.#older(numbers[index - 1] ?? 0), this.#older(number));
      if (numbers.length === 0) await rm(this.#path, { force: true });
      return true;
    } finally {
      await rm(lock, { force: true });
    }
  }

  /** The numbers of older files, without those whose name a folder has: it is somebody's own, and neither moved nor replaced. */
  async #usableNumbers(): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (let number = 1; number <= MOST_OLDER_FILES && numbers.length < this.#limits.olderFiles; number += 1) {
      const found = await lstat(this.#older(number)).catch(undefinedWhenMissing);
      if (found?.isDirectory() !== true) numbers.push(number);
    }
    return numbers;
  }

  /** Removes files beyond the limit, which was larger before. */
  async #prune(): Promise<void> {
    // A smaller limit that comes meanwhile needs another look.
    this.#isPruned = true;
    for (let number = this.#limits.olderFiles + 1; number <= MOST_OLDER_FILES; number += 1)
      // A folder of that name is somebody's own, and no reason to log nothing.
      await rm(this.#older(number), { force: true }).catch(() => undefined);
  }

  #older(number: number): string {
    return olderFile(this.#path, number);
  }
}

/** The name of an older file. @param number - 1 is the newest */
export function olderFile(path: string, number: number): string {
  return `${path}.${number}`;
}

async function endsWithLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === END_OF_LINE;
}

async function renameFound(from: string, to: string): Promise<void> {
  await rename(from, to).catch(undefinedWhenMissing);
}

/** @returns false while another process has it. One that was killed loses it after a time. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = await lstat(lock).catch(undefinedWhenMissing);
    // For the next call: two that find it old at the same time must not both take it.
    if (found !== undefined && Date.now() - found.mtimeMs > LONGEST_ROTATION) await rm(lock, { force: true, recursive: true });
    return false;
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
