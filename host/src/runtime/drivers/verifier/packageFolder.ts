import { constants } from 'node:fs';
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfFiles, parseDriverPackageJson, travellingPackageJson } from '@tabularium/sdk/package';
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

const READMES = ['README.md', 'readme.md'];

/**
 * Reads a driver from a developer's folder: package.json as it would be packed, everything in the folder of the entry, and the readme.
 *
 * @throws HostError `PACKAGE_INVALID`
 */
export async function readSourceFolder(folder: string): Promise<PackageFiles> {
  const refused = (message: string, cause?: unknown): HostError =>
    new HostError('PACKAGE_INVALID', message, {
      cause,
      details: { advice: 'Choose the folder of a driver that has been built.' },
    });
  let source: Record<string, unknown>;
  try {
    source = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  } catch (cause) {
    throw refused(`${folder} has no package.json that can be read, so it is no driver's folder.`, cause);
  }
  const travelling = travellingPackageJson(source);
  const files = new Map<string, Uint8Array<ArrayBuffer>>([
    ['package.json', new TextEncoder().encode(JSON.stringify(travelling, null, 2))],
  ]);
  const read = parseDriverPackageJson(travelling);
  if (!read.ok) return files;
  const { entry } = read.packageJson;
  const below = entry.split('/').slice(0, -1).join('/');
  const sizes = new Map<string, number>();
  try {
    if (below === '') sizes.set(entry, (await lstat(join(folder, entry))).size);
    else await measure(folder, below, sizes);
  } catch (cause) {
    if (cause instanceof HostError) throw refused(cause.message, cause);
    return files;
  }
  for (const path of sizes.keys()) files.set(path, new Uint8Array(await readFile(join(folder, path))));
  for (const name of READMES) {
    const readme = await readFile(join(folder, name)).catch(() => undefined);
    if (readme !== undefined) files.set('README.md', new Uint8Array(readme));
  }
  return files;
}
