import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import { PACKAGE_LIMITS, PLATFORM_LIMITS } from '@tabularium/sdk/package';
import ssri from 'ssri';
import { codeOf } from './registryFaults.ts';

/** Where a download goes. A new one for each attempt. */
export interface ArchiveSink<Result> extends AsyncDisposable {
  readonly mostBytes: number;
  write(chunk: Buffer): Promise<void> | void;
  /** @param integrity - `sha512-…` @returns undefined where the bytes have another hash */
  finish(integrity: string): Promise<Result | undefined> | Result | undefined;
  /** Whether the bytes are an archive that merely ends early; anything else was changed. */
  endsEarly(): Promise<boolean> | boolean;
}

/** Keeps a driver's archive in memory. */
export class MemorySink implements ArchiveSink<Buffer> {
  readonly mostBytes = PACKAGE_LIMITS.archiveBytes;
  #chunks: Buffer[] = [];
  #archive = Buffer.alloc(0);

  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  finish(integrity: string): Buffer | undefined {
    this.#archive = Buffer.concat(this.#chunks);
    return ssri.checkData(this.#archive, integrity) === false ? undefined : this.#archive;
  }

  endsEarly(): boolean {
    try {
      gunzipSync(this.#archive, { maxOutputLength: PACKAGE_LIMITS.totalBytes * 2 });
      return false;
    } catch (error) {
      return codeOf(error) === 'Z_BUF_ERROR';
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#chunks = [];
  }
}

/** Writes the archive of a platform package into a file, because it may have more than a hundred megabytes. */
export class FileSink implements ArchiveSink<string> {
  readonly mostBytes = PLATFORM_LIMITS.archiveBytes;
  readonly #path: string;
  readonly #hash = createHash('sha512');
  #file: Promise<FileHandle> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    // An attempt before may have left a file.
    await (await (this.#file ??= open(this.#path, 'w', 0o600))).writeFile(chunk);
  }

  async finish(integrity: string): Promise<string | undefined> {
    await this[Symbol.asyncDispose]();
    return `sha512-${this.#hash.digest('base64')}` === integrity ? this.#path : undefined;
  }

  async endsEarly(): Promise<boolean> {
    let unpacked = 0;
    try {
      await pipeline(createReadStream(this.#path), createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          unpacked += piece.length;
          if (unpacked > PLATFORM_LIMITS.totalBytes * 2) throw new Error('A bomb does not end early');
        }
      });
      return false;
    } catch (error) {
      return codeOf(error) === 'Z_BUF_ERROR';
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await (await file)?.close();
  }
}
