import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { parseManifest } from '../../manifest.ts';
import { faultOfFiles } from '../../package/files.ts';
import type { PackageFiles } from '../../package/files.ts';
import { PLATFORM_LIMITS, platformPackageJson, PLATFORMS_FOLDER } from '../../package/platforms.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { CliError } from '../cliError.ts';

/** The files that the tool makes. */
const MADE = ['package.json', SIGNATURE_FILE];
const LICENSE = /^licen[cs]e(\.[a-z]+)?$/i;

const ADVICE = `Put the files of each platform of "platforms" in package.json into ${PLATFORMS_FOLDER}/<platform>/.`;

function invalid(message: string, advice = ADVICE): CliError {
  return new CliError('PROJECT_INVALID', message, advice);
}

/** The platforms of a driver's package.json; none where its manifest cannot be read. */
export function platformsIn(packageJson: Readonly<Record<string, unknown>>): readonly string[] {
  const parsed = parseManifest(packageJson['tabularium']);
  return parsed.ok ? (parsed.manifest.platforms ?? []) : [];
}

async function pathsBelow(folder: string, below: string): Promise<string[]> {
  const names = await readdir(join(folder, below));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = posix.join(below, name);
      return (await stat(join(folder, path))).isDirectory() ? pathsBelow(folder, path) : [path];
    }),
  );
  return found.flat().sort();
}

/**
 * The files that an author has for one platform, relative to its folder.
 *
 * @param folder - of the driver
 * @returns undefined where the folder doesn't exist
 * @throws CliError `PROJECT_INVALID` for files that no platform package may have
 */
export async function platformPaths(folder: string, platform: string): Promise<readonly string[] | undefined> {
  const place = join(folder, PLATFORMS_FOLDER, platform);
  if (
    !(await stat(place).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    return undefined;
  const paths = await pathsBelow(place, '');
  const own = await realpath(folder);
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const shown = `${PLATFORMS_FOLDER}/${platform}/${path}`;
    if (MADE.includes(path)) throw invalid(`${shown} would take the place of a file that pack makes.`, 'Give it another name.');
    const real = await realpath(join(place, path));
    // Publishing can't be undone: a link may lead to a credential.
    if (!real.startsWith(own.endsWith(sep) ? own : `${own}${sep}`))
      throw invalid(`${shown} leads out of the folder of the driver, to ${real}.`, 'Put a copy of the file in its place.');
    sizes.set(path, (await stat(real)).size);
  }
  const fault = faultOfFiles(sizes, PLATFORM_LIMITS);
  if (fault !== undefined) throw invalid(`${PLATFORMS_FOLDER}/${platform}: ${fault}`, 'Ship fewer or smaller files.');
  return paths;
}

/**
 * The platform packages of a driver: for each platform of its manifest what lies in `platforms/<platform>`, a package.json, and the driver's licence
 * where the platform has none of its own.
 *
 * @param main - the driver's own package
 * @throws CliError `PROJECT_INVALID`
 */
export async function collectPlatforms(folder: string, main: PackageFiles): Promise<ReadonlyMap<string, PackageFiles>> {
  const json = JSON.parse(new TextDecoder().decode(main.get('package.json'))) as Record<string, unknown> & {
    readonly name: string;
    readonly version: string;
  };
  const platforms = platformsIn(json);
  const packages = new Map<string, PackageFiles>();
  if (platforms.length === 0) return packages;
  const present = await readdir(join(folder, PLATFORMS_FOLDER)).catch(() => []);
  const undeclared = present.find((name) => !name.startsWith('.') && !platforms.includes(name));
  if (undeclared !== undefined)
    throw invalid(
      `The folder ${PLATFORMS_FOLDER}/${undeclared} belongs to no platform of "platforms" in package.json.`,
      'Add the platform to "platforms", or remove the folder.',
    );
  for (const platform of platforms) {
    const paths = await platformPaths(folder, platform);
    if (paths === undefined || paths.length === 0)
      throw invalid(`"platforms" in package.json has "${platform}", and ${PLATFORMS_FOLDER}/${platform} has no files.`);
    const files = new Map<string, Uint8Array<ArrayBuffer>>([
      ['package.json', new TextEncoder().encode(`${JSON.stringify(platformPackageJson(json, platform), null, 2)}\n`)],
    ]);
    for (const path of paths) files.set(path, new Uint8Array(await readFile(join(folder, PLATFORMS_FOLDER, platform, path))));
    const license = [...main].find(([path]) => LICENSE.test(path));
    if (license !== undefined && !paths.some((path) => LICENSE.test(path))) files.set(...license);
    packages.set(platform, files);
  }
  return packages;
}
