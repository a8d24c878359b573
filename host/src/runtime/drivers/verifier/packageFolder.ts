import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfFiles } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';

function changed(message: string): HostError {
  return new HostError('PACKAGE_SIGNATURE_INVALID', message);
}

/** Paths and sizes of all files below `folder`. Anything that is neither file nor folder is refused, not followed. */
async function measure(folder: string, below: string, sizes: Map<string, number>): Promise<void> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await measure(folder, path, sizes);
    else if (entry.isFile()) sizes.set(path, (await lstat(join(folder, path))).size);
    else throw changed(`${JSON.stringify(path)} is a link or a device; a package has files only.`);
    const fault = faultOfFiles(sizes);
    if (fault !== undefined) throw changed(fault);
  }
}

/**
 * Reads a package from disk, whole: what is verified is what was read.
 *
 * @throws HostError `PACKAGE_SIGNATURE_INVALID` for what no package has: links, devices, too much
 */
export async function readPackageFolder(folder: string): Promise<PackageFiles> {
  const sizes = new Map<string, number>();
  await measure(folder, '', sizes);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const path of sizes.keys()) {
    // Windows has no O_NOFOLLOW and needs a privilege to make links.
    const file = await open(join(folder, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      files.set(path, new Uint8Array(await file.readFile()));
    } finally {
      await file.close();
    }
  }
  return files;
}
