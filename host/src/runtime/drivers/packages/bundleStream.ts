import { join } from 'node:path';
import { create } from 'tar';
import { PLATFORM_FOLDER, PLATFORM_LIMITS } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { folderSizes } from './folderSizes.ts';

/**
 * An archive of a driver with the files of its platform, read and packed piece by piece.
 *
 * @param folder - of the installed driver, which has been verified
 * @param files - its own, without those of the platform
 */
export async function* bundleStream(folder: string, files: PackageFiles): AsyncGenerator<Uint8Array> {
  const platform = await folderSizes(join(folder, PLATFORM_FOLDER), '', PLATFORM_LIMITS);
  const paths = [...files.keys(), ...Array.from(platform.keys(), (path) => `${PLATFORM_FOLDER}/${path}`)].sort();
  // Portable: neither owner nor date of this machine's files; a link is packed as a link, which no host installs.
  yield* create({ cwd: folder, gzip: true, portable: true, prefix: 'package', strict: true }, paths) as AsyncIterable<Buffer>;
}
