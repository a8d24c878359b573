import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathInPlatformFolder, PACKAGE_LIMITS, PLATFORM_LIMITS } from '@tabularium/sdk/package';
import { streamArchive } from './streamArchive.ts';
import type { EntrySink } from './streamArchive.ts';

/** An archive with the files of a platform. */
export interface PlatformArchive {
  readonly file: string;
  /** `package`: it is a platform package. `bundle`: they lie in a folder beside the driver's own files. */
  readonly form: 'package' | 'bundle';
}

/**
 * Writes the files of a platform package into a folder that doesn't exist yet, below a staging folder: nothing loads them before they are verified
 * where they are.
 *
 * @throws HostError `PACKAGE_INVALID`, `PACKAGE_TRUNCATED`, `DISK_FULL`, `CANCELLED`
 */
export async function extractPlatformFiles(
  { file, form }: PlatformArchive,
  target: string,
  { packageText, signal }: { readonly packageText: string; readonly signal: AbortSignal },
): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  const beside = form === 'bundle' ? PACKAGE_LIMITS : { files: 0, totalBytes: 0 };
  const limits = {
    files: PLATFORM_LIMITS.files + beside.files,
    fileBytes: PLATFORM_LIMITS.fileBytes,
    totalBytes: PLATFORM_LIMITS.totalBytes + beside.totalBytes,
  };
  const sinkFor = (path: string): EntrySink | undefined => {
    const own = form === 'bundle' ? pathInPlatformFolder(path) : path;
    return own === undefined ? undefined : fileSink(join(target, ...own.split('/')));
  };
  await streamArchive(file, { packageText, limits, signal, sinkFor });
}

function fileSink(path: string): EntrySink {
  const opened = mkdir(dirname(path), { recursive: true, mode: 0o700 }).then(() => open(path, 'wx', 0o600));
  // Awaited below, with the next piece.
  opened.catch(() => undefined);
  return {
    write: async (chunk) => {
      const file = await opened;
      await file.writeFile(chunk);
    },
    close: async () => (await opened).close(),
  };
}
