import { faultOfFiles, PACKAGE_LIMITS, parseDriverPackageJson, travellingPackageJson } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { folderSizes } from './folderSizes.ts';
import { readFolderFile } from './readFolderFile.ts';

function changed(message: string): HostError {
  return new HostError('PACKAGE_SIGNATURE_INVALID', message);
}

/**
 * Reads a package from disk, whole: what is verified is what was read.
 *
 * @param except - folders directly in it that are left out
 * @throws HostError `PACKAGE_SIGNATURE_INVALID` for what no package has: links, devices, too much
 */
export async function readPackageFolder(folder: string, except: readonly string[] = []): Promise<PackageFiles> {
  const sizes = await folderSizes(folder, '', PACKAGE_LIMITS, except);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const path of sizes.keys()) {
    const bytes = await readFolderFile(folder, path).catch((error: unknown) => {
      throw error instanceof HostError ? changed(error.message) : error;
    });
    files.set(path, bytes);
  }
  return files;
}

const TEXTS = ['README.md', 'readme.md', 'CHANGELOG.md'];

/**
 * Reads a driver from a developer's folder: package.json as it would be packed, everything in the folder of the entry, the readme and the changelog.
 *
 * @throws HostError `PACKAGE_INVALID`, also for links, devices and too much
 */
export async function readSourceFolder(folder: string): Promise<PackageFiles> {
  const refused = (message: string, cause?: unknown): HostError =>
    new HostError('PACKAGE_INVALID', message, {
      cause,
      details: { advice: 'Choose the folder of a driver that has been built.' },
    });
  const read = async (path: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    try {
      return await readFolderFile(folder, path);
    } catch (cause) {
      if (cause instanceof HostError) throw refused(cause.message, cause);
      return undefined;
    }
  };
  let source: Record<string, unknown>;
  try {
    source = JSON.parse(new TextDecoder().decode(await read('package.json'))) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    throw refused(`${folder} has no readable package.json, so it isn't the folder of a driver.`, cause);
  }
  const travelling = travellingPackageJson(source);
  const files = new Map<string, Uint8Array<ArrayBuffer>>([
    ['package.json', new TextEncoder().encode(JSON.stringify(travelling, null, 2))],
  ]);
  const parsed = parseDriverPackageJson(travelling);
  if (!parsed.ok) return files;
  const { entry } = parsed.packageJson;
  const below = entry.split('/').slice(0, -1).join('/');
  let sizes = new Map([[entry, 0]]);
  try {
    if (below !== '') sizes = await folderSizes(folder, below);
  } catch (cause) {
    if (cause instanceof HostError) throw refused(cause.message, cause);
    return files;
  }
  for (const path of [...sizes.keys(), ...TEXTS]) {
    const bytes = await read(path);
    if (bytes !== undefined) files.set(path === 'readme.md' ? 'README.md' : path, bytes);
  }
  const fault = faultOfFiles(new Map([...files].map(([path, bytes]) => [path, bytes.length])));
  if (fault !== undefined) throw refused(fault);
  return files;
}
