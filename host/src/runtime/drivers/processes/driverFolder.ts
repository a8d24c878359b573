import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { DriverError } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { hostSentence } from '../../../common/hostSentences.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import { refuseProtected } from './walls/protectedFolder.ts';

/** A file that the person chose and the process may use. */
export interface FileGrant {
  readonly field: string;
  readonly path: string;
  readonly access: 'read' | 'readWrite';
}

/** A driver package has two or three files; one with more than this is none. */
const MOST_FILES = 1_000;

/**
 * The real path of a driver's folder. Node follows symbolic links out of what it granted, so a folder that holds one is refused, although
 * the installer refuses them too.
 */
export async function realDriverFolder(folder: string): Promise<string> {
  return (await driverFolderFiles(folder)).folder;
}

/**
 * The same, with the paths of the files in it, relative to the folder.
 *
 * @throws DriverError `DRIVER_FAULT` as above
 */
export async function driverFolderFiles(
  folder: string,
): Promise<{ readonly folder: string; readonly files: ReadonlySet<string> }> {
  const real = await realpath(folder);
  refuseWildcard(real);
  const entries = await readdir(real, { recursive: true, withFileTypes: true });
  if (entries.length > MOST_FILES)
    throw new DriverError('DRIVER_FAULT', `The driver's folder ${real} has more than ${MOST_FILES} files.`);
  for (const entry of entries) {
    if (entry.isFile() || entry.isDirectory()) continue;
    throw new DriverError(
      'DRIVER_FAULT',
      `The driver's folder holds "${relative(real, join(entry.parentPath, entry.name))}", which is neither a file nor a folder. Install the driver again.`,
    );
  }
  const files = entries.filter((entry) => entry.isFile()).map((entry) => relative(real, join(entry.parentPath, entry.name)));
  return { folder: real, files: new Set(files) };
}

/** The entry's path, inside the folder. */
export async function entryPath(folder: string, entry: string): Promise<string> {
  const path = join(folder, entry);
  const below = relative(folder, path);
  if (below === '' || below.startsWith('..') || isAbsolute(below)) {
    throw new DriverError('DRIVER_FAULT', `The driver's entry "${entry}" is outside its folder.`);
  }
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new DriverError('DRIVER_FAULT', `The driver's entry "${entry}" does not exist. Install the driver again.`);
  return path;
}

/**
 * The files to grant, by the manifest's word; what is chosen in any other field is not granted.
 *
 * @param protectedFolder - the data directory, of which no file is granted
 */
export async function fileGrants(
  manifest: Manifest,
  files: Readonly<Record<string, string>>,
  protectedFolder?: string,
): Promise<readonly FileGrant[]> {
  const grants: FileGrant[] = [];
  for (const { field, access } of manifest.permissions.files) {
    const chosen = Object.hasOwn(files, field) ? files[field] : undefined;
    if (chosen === undefined || chosen === '') continue;
    const path = await realpath(chosen).catch((cause: unknown) => {
      throw hostDriverError('NOT_FOUND', hostSentence('fileMissing', { path: chosen }), { details: { field }, cause });
    });
    refuseWildcard(path);
    if (!(await stat(path)).isFile())
      throw hostDriverError('INVALID_INPUT', hostSentence('fileNoFile', { path: chosen }), { details: { field } });
    if (protectedFolder !== undefined) await refuseProtected(protectedFolder, path, field);
    grants.push({ field, path, access });
  }
  return grants.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Of the files that a driver would open, those that are there and belong to the data directory. */
export async function refuseProtectedFiles(
  manifest: Manifest,
  files: Readonly<Record<string, string>>,
  protectedFolder: string | undefined,
): Promise<void> {
  if (protectedFolder === undefined) return;
  for (const { field } of manifest.permissions.files) {
    const chosen = Object.hasOwn(files, field) ? files[field] : undefined;
    const path = chosen === undefined || chosen === '' ? undefined : await realpath(chosen).catch(() => undefined);
    if (path !== undefined) await refuseProtected(protectedFolder, path, field);
  }
}

/** In a grant a `*` stands for everything with that beginning, so a path that contains one would grant its neighbours too. */
function refuseWildcard(path: string): void {
  if (path.includes('*')) {
    throw hostDriverError('INVALID_INPUT', hostSentence('fileWildcard', { path }));
  }
}
