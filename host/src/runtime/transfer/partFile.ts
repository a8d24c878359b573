import { lstat, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { HostError } from '../../common/errors.ts';
import type { ExportFile } from './exportFile.ts';
import { systemCode, exists, unwritable } from './fileErrors.ts';
import { fileState } from './fileIdentity.ts';
import type { FileState } from './fileIdentity.ts';
import { keepReaders } from './keepReaders.ts';
import { partOf, renamePart } from './partName.ts';
import type { UnfinishedFiles } from './unfinishedFiles.ts';
import { YoungGarbage } from './youngGarbage.ts';

/** Bytes after which the disk starts to write: at the end it would have all of them to write, and the person to wait for it. */
const SYNC_EVERY = 8 * 1024 * 1024;

/** Rows are for the person who exports them, whatever the umask is. */
const OWNER_ONLY = 0o600;

/**
 * A file that is there whole or not at all: it is written under its name and `.part`, and renamed at the end. A file that exists is replaced
 * only where that was agreed to, also when it appears while this one is being written.
 */
export class PartFile implements ExportFile {
  readonly #file: string;
  readonly #overwrite: boolean;
  readonly #handle: FileHandle;
  readonly #young = new YoungGarbage();
  #bytes = 0;
  #unsynced = 0;
  #syncing: Promise<void> | undefined;
  #syncFailure: Error | undefined;

  readonly #unfinished: UnfinishedFiles | undefined;

  private constructor(file: string, overwrite: boolean, handle: FileHandle, unfinished: UnfinishedFiles | undefined) {
    this.#unfinished = unfinished;
    this.#file = file;
    this.#overwrite = overwrite;
    this.#handle = handle;
  }

  /**
   * @param unfinished - records the unfinished file, so that the next start removes what a killed process leaves
   * @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`, `INVALID_REQUEST`
   */
  static async open(file: string, overwrite: boolean, unfinished?: UnfinishedFiles): Promise<PartFile> {
    if (!isAbsolute(file)) throw new HostError('INVALID_REQUEST', `"${file}" is not an absolute path.`);
    unfinished?.assertOutside(file);
    const there = await lstat(file).catch(() => undefined);
    if (there?.isDirectory() === true) throw new HostError('FILE_UNWRITABLE', `${file} is a folder.`);
    if (there !== undefined && !overwrite) throw exists(file);
    // The rename would put a file in the place of a link, and leave what it leads to as it was.
    if (there?.isFile() === false)
      throw new HostError(
        'FILE_UNWRITABLE',
        `${file} is ${there.isSymbolicLink() ? 'a symbolic link' : 'a pipe or a device'}, which isn't replaced.`,
        { details: { advice: 'Name a file. Of a link, name the file that it leads to.' } },
      );
    const isAnnounced = unfinished?.announce(partOf(file)) === true;
    let handle: FileHandle | undefined;
    try {
      handle = await open(partOf(file), 'wx', OWNER_ONLY);
      if (there !== undefined) await keepReaders(handle, there);
      await unfinished?.begin(partOf(file));
      return new PartFile(file, overwrite, handle, unfinished);
    } catch (error) {
      // Its own file alone: where it could not be made, the one that is there is another program's.
      if (handle !== undefined) await discard(handle, partOf(file));
      if (isAnnounced) unfinished?.end(partOf(file));
      if (systemCode(error) !== 'EEXIST') throw unwritable(file, error);
      // Consent to replace FILE is none for FILE.part, which may be another program's. The next start deletes those of killed exports.
      throw new HostError('FILE_EXISTS', `${partOf(file)} exists: another export or program writes it, or was interrupted.`, {
        cause: error,
        details: { advice: 'Choose another name, or delete that file if nothing writes it.' },
      });
    }
  }

  /** Written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the operating system has them. @throws HostError `FILE_UNWRITABLE` */
  async write(data: Uint8Array): Promise<void> {
    let rest = data;
    try {
      if (this.#syncFailure !== undefined) throw this.#syncFailure;
      while (rest.length > 0) {
        const { bytesWritten } = await this.#handle.write(rest);
        rest = rest.subarray(bytesWritten);
      }
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    this.#bytes += data.length;
    this.#young.passed(data.length);
    this.#beginSync(data.length);
  }

  /** Puts the whole file on disk, under its name. @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE` */
  async finish(): Promise<void> {
    await this.#close();
    await renamePart(this.#file, this.#overwrite);
    this.#unfinished?.end(partOf(this.#file));
  }

  /**
   * Puts the whole file on disk, and leaves it under its name and `.part` until it is decided about. It stays recorded as unfinished, so the next
   * start removes it unless the record says that a person is asked.
   *
   * @throws HostError `FILE_UNWRITABLE`
   */
  async hold(): Promise<FileState> {
    await this.#close();
    try {
      return await fileState(partOf(this.#file));
    } catch (error) {
      throw unwritable(this.#file, error);
    }
  }

  /** Removes what was written. @returns a sentence that says so */
  async abandon(): Promise<string> {
    const part = partOf(this.#file);
    await this.#syncing;
    await this.#handle.close().catch(() => undefined);
    return rm(part, { force: true }).then(
      () => {
        this.#unfinished?.end(part);
        return 'The unfinished file was removed.';
      },
      () => `The unfinished file ${part} could not be removed.`,
    );
  }

  async #close(): Promise<void> {
    try {
      await this.#syncing;
      if (this.#syncFailure !== undefined) throw this.#syncFailure;
      await this.#handle.sync();
      await this.#handle.close();
    } catch (error) {
      throw unwritable(this.#file, error);
    }
  }

  /** One at a time, while more is written. One caller only gets an error, so it is kept. */
  #beginSync(bytes: number): void {
    this.#unsynced += bytes;
    if (this.#unsynced < SYNC_EVERY || this.#syncing !== undefined) return;
    this.#unsynced = 0;
    this.#syncing = this.#handle
      .datasync()
      .catch((error: unknown) => {
        this.#syncFailure ??= unwritable(this.#file, error);
      })
      .finally(() => {
        this.#syncing = undefined;
      });
  }
}

async function discard(handle: FileHandle, file: string): Promise<void> {
  await handle.close().catch(() => undefined);
  await rm(file, { force: true }).catch(() => undefined);
}
