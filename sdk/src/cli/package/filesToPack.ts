import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { CliError, systemCodeOf } from '../cliError.ts';
import type { FailedCheck } from '../cliError.ts';
import { kindOfEntry } from './regularFileContent.ts';

/** Far more than a package may have: the walk ends where a folder of installed packages was named by mistake. */
const MOST_FILES = 2_000;

/** A file that is to ship. */
export interface FileToPack {
  /** Relative to the folder of the driver, with forward slashes. */
  readonly path: string;
  readonly size: number;
}

/**
 * The regular files at or below a path, through links that stay in the folder of the driver. Somebody else may have filled the folder: a pipe, a device,
 * a socket, a link out of it and a link to a folder above itself are refused by name, before anything is opened.
 *
 * @param folder - of the driver
 * @param path - relative to it
 * @param check - the check that fails by what is found
 * @throws CliError `PROJECT_INVALID`; the error of the system where nothing is at `path`
 */
export async function filesToPack(folder: string, path: string, check: FailedCheck): Promise<readonly FileToPack[]> {
  const own = await realpath(folder);
  const inside = own.endsWith(sep) ? own : `${own}${sep}`;
  const found: FileToPack[] = [];
  const refuse = (message: string, advice: string, cause?: unknown): CliError =>
    new CliError('PROJECT_INVALID', message, advice, { cause, check });

  const look = async (at: string, above: readonly string[]): Promise<void> => {
    const place = join(folder, at);
    await lstat(place);
    let real: string;
    let entry: Stats;
    try {
      real = await realpath(place);
      entry = await stat(real);
    } catch (cause) {
      throw refuse(
        systemCodeOf(cause) === 'ENOENT'
          ? `"${at}" is a link that leads nowhere.`
          : `"${at}" cannot be read (${systemCodeOf(cause) ?? 'no reason given'}).`,
        'Put a copy of the file in its place, or remove it.',
        cause,
      );
    }
    // Publishing can't be undone: a link may lead to a credential.
    if (real !== own && !real.startsWith(inside))
      throw refuse(
        `"${at}" leads out of the folder of the driver, to ${real}.`,
        'Put a copy of the file in its place, or take it out of what ships.',
      );
    if (entry.isDirectory()) {
      if (above.includes(real)) throw refuse(`"${at}" is a link to a folder that it is in itself.`, 'Remove the link.');
      const names = await readdir(real).catch((cause: unknown) => {
        throw refuse(
          `The folder "${at}" cannot be read (${systemCodeOf(cause) ?? 'no reason given'}).`,
          'Check its permissions.',
          cause,
        );
      });
      for (const name of names.sort()) await look(posix.join(at, name), [...above, real]);
      return;
    }
    const kind = kindOfEntry(entry);
    if (kind !== undefined)
      throw refuse(`"${at}" is ${kind}; a package has files only.`, 'Remove it from the folder, or take it out of what ships.');
    found.push({ path: at, size: entry.size });
    if (found.length > MOST_FILES)
      throw refuse(
        `"${path}" has more than ${MOST_FILES} files.`,
        'Name the files of the driver alone, and not a folder of others.',
      );
  };
  await look(path, []);
  return found;
}
