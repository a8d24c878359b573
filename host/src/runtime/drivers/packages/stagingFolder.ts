import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A folder for one piece of work, such as an installation. What is left in it goes when the work is over, however it ended. */
export class StagingFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(staging: string): Promise<StagingFolder> {
    const path = join(staging, randomUUID());
    // Both at once: other work that ends may remove the folder above between two calls.
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new StagingFolder(await realpath(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
    await rmdir(dirname(this.path)).catch(() => undefined);
  }
}
