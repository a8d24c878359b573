import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageFiles } from '../../package/files.ts';
import { platformPackageName } from '../../package/platforms.ts';
import { CliError } from '../cliError.ts';
import { platformsIn } from './collectPlatforms.ts';
import { archiveNameOf } from './packDriver.ts';
import { readArchive } from './readArchive.ts';

/**
 * The platform packages that lie beside a driver's archive, where `pack` writes them.
 *
 * @param file - the driver's archive
 * @param files - its content
 * @throws CliError `ARCHIVE_INVALID` where one is missing or damaged
 */
export async function readPlatformArchives(file: string, files: PackageFiles): Promise<ReadonlyMap<string, PackageFiles>> {
  const json = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as Record<string, unknown>;
  const packages = new Map<string, PackageFiles>();
  for (const platform of platformsIn(json)) {
    const name = platformPackageName(String(json['name']), platform);
    const beside = join(dirname(file), archiveNameOf({ name, version: String(json['version']) }));
    if (!existsSync(beside))
      throw new CliError(
        'ARCHIVE_INVALID',
        `${file} needs the package ${name}, and ${beside} does not exist.`,
        'Put the archives that pack wrote into one folder.',
      );
    packages.set(platform, await readArchive(beside));
  }
  return packages;
}
