import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { accessAdvice } from './accessAdvice.ts';
import { assertHomeEntries, assertHomeOrEmpty } from './homeEntries.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { token } from '../container/inject.ts';
import { userFolder } from './userFolder.ts';

/** The home that this process owns. */
export const HOME = token<Home>('HOME');

/** The support directory: everything that Tabularium keeps. */
export interface Home {
  readonly folder: string;
  readonly drivers: string;
  readonly logs: string;
  readonly cache: string;
  readonly backups: string;
}

/** Where the home is: `TABULARIUM_HOME`, else the platform's own place for an application's data. Nothing is created. */
export function resolveHome(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  personFolder = userFolder(),
): string {
  const chosen = env['TABULARIUM_HOME'];
  // The configuration of an AI client passes on what a shell would expand; a folder named ~ would be a second home in every working directory.
  if (chosen !== undefined && chosen !== '') return resolve(chosen.replace(/^~(?=[/\\]|$)/, () => personFolder));
  switch (platform) {
    case 'darwin':
      return join(personFolder, 'Library', 'Application Support', 'Tabularium');
    case 'win32':
      return join(env['APPDATA'] ?? join(personFolder, 'AppData', 'Roaming'), 'Tabularium');
    default: {
      const data = env['XDG_DATA_HOME'];
      // A relative XDG_DATA_HOME is to be ignored, says the specification.
      return join(data?.startsWith('/') === true ? data : join(personFolder, '.local', 'share'), 'tabularium');
    }
  }
}

/**
 * Creates the home and its folders where they are missing, and makes sure that no other user can read them: a mode that is too wide is
 * tightened. (On Windows the folder inherits the access rights of the user's profile.)
 *
 * @throws HostError `HOME_UNUSABLE` when it isn't a folder, has files of something else, belongs to another user, is where others may replace it, or has an
 *   entry of the wrong kind
 */
export async function openHome(folder: string, signal?: AbortSignal): Promise<Home> {
  const real = await ownFolder(folder, signal, assertHomeOrEmpty);
  await refuseReplaceable(dirname(real), real);
  await assertHomeEntries(real);
  const home = {
    folder: real,
    drivers: join(real, 'drivers'),
    logs: join(real, 'logs'),
    cache: join(real, 'cache'),
    backups: join(real, 'backups'),
  };
  await Promise.all([home.drivers, home.logs, home.cache, home.backups].map((each) => ownFolder(each, signal)));
  return home;
}

/**
 * The real path of a folder that is ours and ours alone from here on.
 *
 * @param assert - throws for one that is to stay as it is
 */
async function ownFolder(
  folder: string,
  signal: AbortSignal | undefined,
  assert: (real: string) => Promise<void> = async () => undefined,
): Promise<string> {
  await createFolder(folder, signal);
  const real = await attempt(`The folder ${folder} cannot be created`, () => realpath(folder));
  if (process.getuid === undefined) {
    await assert(real);
    return real;
  }
  const entry = await attempt(`The folder ${real} cannot be read`, () => lstat(real));
  if (entry.uid !== process.getuid()) {
    const advice = accessAdvice('HOME_UNUSABLE', real);
    throw new HostError('HOME_UNUSABLE', `The folder ${real} belongs to another user of this machine.`, {
      ...(advice === undefined ? {} : { details: { advice } }),
    });
  }
  await assert(real);
  if ((entry.mode & 0o777) !== 0o700) {
    await attempt(`The folder ${real} is open to other users and cannot be closed to them`, () => chmod(real, 0o700));
  }
  return real;
}

/**
 * Creates a folder and those above it, one by one: the recursive form of Node's own mkdir never ends where the system refuses with ENOENT, as
 * `/proc` does.
 */
async function createFolder(folder: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const found = await attempt(`The folder ${folder} cannot be read`, () => stat(folder).catch(undefinedWhenMissing));
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new HostError('HOME_UNUSABLE', `${folder} isn't a folder.`);
  if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink() === true)
    throw new HostError('HOME_UNUSABLE', `${folder} is a symbolic link that leads nowhere.`);
  if (dirname(folder) !== folder) await createFolder(dirname(folder), signal);
  signal?.throwIfAborted();
  await attempt(`The folder ${folder} cannot be created`, () => mkdir(folder, { mode: 0o700 }).catch(acceptExisting));
}

function undefinedWhenMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** Another process may have created it meanwhile. */
function acceptExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

/** A user who may rename the entries of a folder may replace our home with another one. The sticky bit (as on /tmp) forbids that. */
async function refuseReplaceable(parent: string, home: string): Promise<void> {
  if (process.getuid === undefined) return;
  const entry = await attempt(`The folder ${parent} cannot be read`, () => lstat(parent));
  const anyoneMayWrite = (entry.mode & 0o002) !== 0;
  const sticky = (entry.mode & 0o1000) !== 0;
  if (anyoneMayWrite && !sticky) {
    throw new HostError('HOME_UNUSABLE', `Every user of this machine may replace ${home}, because ${parent} is open to them.`);
  }
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw storageFailure(cause, `${what}.`) ?? new HostError('HOME_UNUSABLE', `${what} (${codeOf(cause)}).`, { cause });
  }
}
