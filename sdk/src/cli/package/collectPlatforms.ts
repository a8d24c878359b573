import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseManifest } from '../../manifest.ts';
import { faultInFiles } from '../../package/files.ts';
import type { PackageFiles } from '../../package/files.ts';
import { PLATFORM_LIMITS, platformPackageJson, PLATFORMS_FOLDER } from '../../package/platforms.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { CliError } from '../cliError.ts';
import type { FailedCheck } from '../cliError.ts';
import { adviceForFiles } from './adviceForFiles.ts';
import { filesToPack } from './filesToPack.ts';
import { regularFileContent } from './regularFileContent.ts';

/** The files that the tool makes. */
const MADE = ['package.json', SIGNATURE_FILE];
const LICENSE = /^licen[cs]e(\.[a-z]+)?$/i;

const ADVICE = `Put the files of each platform of "platforms" in package.json into ${PLATFORMS_FOLDER}/<platform>/.`;

const COMPLETE = { id: 'platforms', title: 'The platform packages are complete' };
const FILES = { id: 'platformFiles', title: 'Only what belongs into a platform package ships in it' };

function invalid(message: string, advice: string, check: FailedCheck): CliError {
  return new CliError('PROJECT_INVALID', message, advice, { check });
}

/** The platforms of a driver's package.json; none where its manifest cannot be read. */
export function platformsIn(packageJson: Readonly<Record<string, unknown>>): readonly string[] {
  const parsed = parseManifest(packageJson['tabularium']);
  return parsed.ok ? (parsed.manifest.platforms ?? []) : [];
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
  const top = `${PLATFORMS_FOLDER}/${platform}`;
  const sizes = new Map<string, number>();
  for (const { path, size } of await filesToPack(folder, top, FILES)) {
    const own = path.slice(top.length + 1);
    if (MADE.includes(own))
      throw invalid(`${path} would take the place of a file that pack makes.`, 'Give it another name.', FILES);
    sizes.set(own, size);
  }
  const fault = faultInFiles(sizes, PLATFORM_LIMITS);
  if (fault !== undefined) throw invalid(`${top}: ${fault.message}`, adviceForFiles(fault), FILES);
  return [...sizes.keys()];
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
      COMPLETE,
    );
  for (const platform of platforms) {
    const paths = await platformPaths(folder, platform);
    if (paths === undefined || paths.length === 0)
      throw invalid(
        `"platforms" in package.json has "${platform}", and ${PLATFORMS_FOLDER}/${platform} has no files.`,
        ADVICE,
        COMPLETE,
      );
    const files = new Map<string, Uint8Array<ArrayBuffer>>([
      ['package.json', new TextEncoder().encode(`${JSON.stringify(platformPackageJson(json, platform), null, 2)}\n`)],
    ]);
    for (const path of paths)
      files.set(path, new Uint8Array(await regularFileContent(join(folder, PLATFORMS_FOLDER, platform, path))));
    const license = [...main].find(([path]) => LICENSE.test(path));
    if (license !== undefined && !paths.some((path) => LICENSE.test(path))) files.set(...license);
    packages.set(platform, files);
  }
  return packages;
}
