import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PLATFORM_LIMITS } from '@tabularium/sdk/package';
import type { HashedFile } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { folderSizes } from './folderSizes.ts';
import { hashFolderFile } from './hashFolderFile.ts';

/**
 * The files of a platform in a developer's folder, hashed piece by piece.
 *
 * @throws HostError `PACKAGE_INVALID` for links, devices and too much; the error of the system where there is no folder
 */
export async function hashPlatformFiles(folder: string): Promise<ReadonlyMap<string, HashedFile>> {
  const sizes = await folderSizes(folder, '', PLATFORM_LIMITS).catch((cause: unknown) => {
    throw cause instanceof HostError ? new HostError('PACKAGE_INVALID', cause.message, { cause }) : cause;
  });
  const files = new Map<string, HashedFile>();
  for (const path of sizes.keys()) files.set(path, await hashFolderFile(folder, path));
  return files;
}

/** Copies them into a folder that doesn't exist yet. @throws HostError `PACKAGE_INVALID` for a file that has changed since it was hashed */
export async function copyPlatformFiles(folder: string, files: ReadonlyMap<string, HashedFile>, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  for (const [path, { integrity }] of files) {
    const place = join(target, ...path.split('/'));
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const copy = await open(place, 'wx', 0o600);
    try {
      const copied = await hashFolderFile(folder, path, (piece) => copy.writeFile(piece));
      if (copied.integrity !== integrity)
        throw new HostError('PACKAGE_INVALID', `${JSON.stringify(path)} was changed while it was copied. Load the folder again.`);
    } finally {
      await copy.close();
    }
  }
}
