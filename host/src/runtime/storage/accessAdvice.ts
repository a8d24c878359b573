import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { HostErrorCode } from '../../common/errors.ts';
import { typedWord } from '../../common/typedWord.ts';

const FILE_BITS = 0o600;
const FOLDER_BITS = 0o700;

/** Of these a file may be fault-free: its owner, its mode or its file system keep it from being used. */
const ABOUT_ACCESS: ReadonlySet<HostErrorCode> = new Set(['HOME_UNUSABLE', 'HOME_READ_ONLY']);

/**
 * The commands that let a file of the data directory be read and written again, for an error that is not about its content; undefined for another error
 * or where nothing is found.
 *
 * @param file - absolute; a folder is looked at as one
 */
export function accessAdvice(code: HostErrorCode, file: string, platform = process.platform): string | undefined {
  if (!ABOUT_ACCESS.has(code) || platform === 'win32') return undefined;
  // Above a data directory lie folders of others, which are as they are to be.
  const paths = lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true ? [file] : [dirname(file), file];
  const commands = [...new Set(paths.flatMap((path) => commandsFor(path, platform)))];
  if (commands.length === 0) return undefined;
  return `Nothing was changed. What is in it may be fault-free. Run: ${commands.join(' && ')}`;
}

function commandsFor(path: string, platform: NodeJS.Platform): readonly string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || (!entry.isFile() && !entry.isDirectory())) return [];
  const place = typedWord(path);
  const needed = entry.isDirectory() ? FOLDER_BITS : FILE_BITS;
  if (!isOurs(entry)) {
    // A system folder, or that of another person, isn't to be taken from them.
    if (!isOurs(statSync(dirname(path)))) return [];
    if (isOfSomethingElse(path) && isOfSomethingElse(dirname(path))) return [];
    return [
      `sudo chown ${typedWord(userInfo().username)} ${place}`,
      ...(hasBits(entry.mode, needed) ? [] : [modeCommand(needed, place)]),
    ];
  }
  if (!hasBits(entry.mode, needed)) return [modeCommand(needed, place)];
  if (!isOnReadOnlyFileSystem(path)) return [];
  const words = platform === 'darwin' ? 'mount -uw' : 'mount -o remount,rw';
  return [`sudo ${words} ${typedWord(mountPoint(path))}`];
}

const isOurs = ({ uid }: { readonly uid: number }): boolean => process.getuid === undefined || uid === process.getuid();

/** Whether a folder can be looked into, and has no database of ours. */
function isOfSomethingElse(path: string): boolean {
  try {
    return !readdirSync(path).includes('tabularium.db');
  } catch {
    return false;
  }
}

const hasBits = (mode: number, needed: number): boolean => (mode & needed) === needed;

function modeCommand(needed: number, place: string): string {
  return `chmod ${needed === FOLDER_BITS ? 'u+rwx' : 'u+rw'} ${place}`;
}

/** Whether the file system of a file or folder takes no change, whatever the mode says. */
export function isOnReadOnlyFileSystem(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

/** The folder at which the file system of a path begins. */
function mountPoint(path: string): string {
  let folder = realpathSync(path);
  const { dev } = statSync(folder);
  while (dirname(folder) !== folder && statSync(dirname(folder)).dev === dev) folder = dirname(folder);
  return folder;
}
