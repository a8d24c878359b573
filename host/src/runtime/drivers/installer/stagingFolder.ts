import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A folder for one installation. Whatever is left in it goes when the installation is over, however it ended. */
export class StagingFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(staging: string): Promise<StagingFolder> {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const path = join(await realpath(staging), randomUUID());
    await mkdir(path, { mode: 0o700 });
    return new StagingFolder(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
    await rmdir(dirname(this.path)).catch(() => undefined);
  }
}
