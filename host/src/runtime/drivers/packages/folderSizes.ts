import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfFiles } from '@tabularium/sdk/package';
import type { FileLimits } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';

/**
 * Paths and sizes of all files below a folder of a package.
 *
 * @param below - a folder in it; its name is in the paths. Empty: all
 * @param except - folders directly in `folder` that are left out
 * @throws HostError `PACKAGE_SIGNATURE_INVALID` for links and devices, which are not followed, and for too much
 */
export async function folderSizes(
  folder: string,
  below: string,
  limits?: FileLimits,
  except: readonly string[] = [],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const measure = async (place: string): Promise<void> => {
    for (const entry of await readdir(join(folder, place), { withFileTypes: true })) {
      const path = place === '' ? entry.name : `${place}/${entry.name}`;
      if (entry.isDirectory() && except.includes(path)) continue;
      if (entry.isDirectory()) await measure(path);
      else if (entry.isFile()) sizes.set(path, (await lstat(join(folder, path))).size);
      else throw changed(`${JSON.stringify(path)} is a link or a device; a package has files only.`);
      const fault = limits === undefined ? faultOfFiles(sizes) : faultOfFiles(sizes, limits);
      if (fault !== undefined) throw changed(fault);
    }
  };
  await measure(below);
  return sizes;
}

function changed(message: string): HostError {
  return new HostError('PACKAGE_SIGNATURE_INVALID', message);
}
