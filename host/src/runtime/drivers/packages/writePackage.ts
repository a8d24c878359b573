import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PackageFiles } from '@tabularium/sdk/package';

/** Writes verified files into a folder that does not exist yet. Their paths were checked when they were verified. */
export async function writePackage(folder: string, files: PackageFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const [path, bytes] of files) {
    const file = join(folder, ...path.split('/'));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
  }
}
