import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PackageFiles } from '@tabularium/sdk/package';

/**
 * Writes verified files into a folder that does not exist yet. Their paths were checked when they were verified.
 *
 * All at once: one after the other took half as long again, most of it between two files. When one can't be written, the others are finished before the error is thrown.
 */
export async function writePackage(folder: string, files: PackageFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const paths = Array.from(files, ([path, bytes]) => ({ file: join(folder, ...path.split('/')), bytes }));
  for (const parent of new Set(paths.map(({ file }) => dirname(file)))) await mkdir(parent, { recursive: true, mode: 0o700 });
  const written = await Promise.allSettled(paths.map(({ file, bytes }) => writeFile(file, bytes, { mode: 0o600, flag: 'wx' })));
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
}
