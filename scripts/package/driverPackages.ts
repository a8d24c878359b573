import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSigningKey, packDriver } from '@tabularium/registry';
import { archiveNameOf } from '@tabularium/sdk/cli';

/** Signs the drivers of a build that anybody may make. A release is signed again with the key of its publisher, by `tabularium-driver sign`. */
const PUBLISHER = { id: 'built-from-source', name: 'Tabularium, built from source' };

/**
 * Packs and signs drivers that are built. The key is this checkout's own, made for the first of them.
 *
 * @param folders - of the drivers
 * @param keyFolder - for the key, which git ignores
 * @returns the archives
 */
export async function packDrivers({
  folders,
  output,
  keyFolder,
}: {
  readonly folders: readonly string[];
  readonly output: string;
  readonly keyFolder: string;
}): Promise<string[]> {
  const key = await loadSigningKey(keyFolder);
  const archives: string[] = [];
  for (const folder of folders) {
    const { tarball, packageJson } = await packDriver(folder, { publisher: PUBLISHER, key });
    const archive = join(output, archiveNameOf(packageJson));
    await rm(archive, { force: true });
    await writeFile(archive, tarball);
    archives.push(archive);
  }
  return archives;
}
