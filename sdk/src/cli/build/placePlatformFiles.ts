import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PLATFORM_FOLDER, PLATFORMS_FOLDER } from '../../package/platforms.ts';
import { CliError } from '../cliError.ts';
import { platformPaths, platformsIn } from '../package/collectPlatforms.ts';
import { ownPlatform } from '../package/ownPlatform.ts';
import { regularFileText } from '../package/regularFileContent.ts';

/** Says that the folder was made here, and of what: it may be replaced, and need not be while nothing has changed. */
const MARK = '.made-by-tabularium-driver';

/**
 * Copies the files of this machine's platform to where an installed driver has them, so that tests and `check` find them there too.
 *
 * @returns the files that were copied from, absolute: what to watch
 * @throws CliError `PROJECT_INVALID` for a folder of that name that wasn't made here
 */
export async function placePlatformFiles(
  folder: string,
  packageJson: Readonly<Record<string, unknown>>,
  platform = ownPlatform(),
): Promise<readonly string[]> {
  if (platformsIn(packageJson).length === 0) return [];
  const target = join(folder, PLATFORM_FOLDER);
  const mark = join(target, MARK);
  const before = await regularFileText(mark).catch(() => undefined);
  if (before === undefined && (await stat(target).catch(() => undefined)) !== undefined)
    throw new CliError(
      'PROJECT_INVALID',
      `The build puts the files of this platform into ${target}, and the folder exists already.`,
      `Rename or remove it. Files of a platform belong into ${PLATFORMS_FOLDER}/<platform>/.`,
    );
  const paths = (await platformPaths(folder, platform)) ?? [];
  const source = join(folder, PLATFORMS_FOLDER, platform);
  const found = await Promise.all(
    paths.map(async (path) => {
      const { size, mtimeMs } = await stat(join(source, path));
      return [path, size, mtimeMs];
    }),
  );
  const content = `${JSON.stringify({ platform, files: found })}\n`;
  if (before !== content) {
    await rm(target, { recursive: true, force: true });
    await mkdir(target);
    await writeFile(mark, '');
    for (const path of paths) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await copyFile(join(source, path), join(target, path));
    }
    await writeFile(mark, content);
  }
  return paths.map((path) => join(source, path));
}
