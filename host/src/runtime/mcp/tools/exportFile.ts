import { realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { HostError } from '../../../common/errors.ts';
import { PartFile } from '../../transfer/partFile.ts';
import type { UnfinishedFiles } from '../../transfer/unfinishedFiles.ts';
import { ToolFailure } from './tool.ts';

/** Names that a client may give a file: no path, nothing hidden, nothing that another system reads in another way. */
const FILE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .()-]{0,199}$/u;
/** Names that Windows takes for devices, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** How many names are tried when a file is there already. */
const MOST_ATTEMPTS = 1_000;

/**
 * Makes a new file in a granted folder. Never overwrites, and never leaves the folder: the folder's real path is granted, and a link in
 * the place of the file isn't a new file.
 *
 * @param path - an absolute path in a granted folder, or a mere name for the first one
 * @throws ToolFailure, HostError
 */
export async function createExportFile(
  path: string,
  extension: string,
  folders: readonly string[],
  unfinished?: UnfinishedFiles,
): Promise<{ readonly file: PartFile; readonly path: string }> {
  if (folders.length === 0) {
    throw new ToolFailure(
      'ACCESS_FORBIDDEN',
      'No folder is granted for exports.',
      'Ask the person to add one in Settings, Integrations, or to export in the window.',
      { refused: true },
    );
  }
  const name = basename(path);
  if (!FILE_NAME.test(name) || DEVICE.test(name) || extname(name).toLowerCase() !== extension) {
    throw new ToolFailure(
      'INVALID_INPUT',
      `"${name.slice(0, 80)}" isn't a valid name for this file.`,
      `Use letters, digits, spaces and _ . ( ) -, and end it with ${extension}.`,
    );
  }
  const isName = name === path;
  if (!isName && !isAbsolute(path)) throw outside(folders);
  const folder = isName ? (folders[0] ?? '') : dirname(resolve(path));
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !folders.some((granted) => isInside(real, granted))) throw outside(folders);
  const stem = name.slice(0, name.length - extension.length);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const candidate = join(real, attempt === 0 ? name : `${stem}-${attempt}${extension}`);
    // Also a link that leads nowhere: it is there.
    if ((await lstat(candidate).catch(() => undefined)) !== undefined) continue;
    try {
      return { file: await PartFile.open(candidate, false, unfinished), path: candidate };
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'FILE_EXISTS') throw withoutPath(error);
    }
  }
  throw new ToolFailure('INVALID_INPUT', `There are too many files named ${name}.`, 'Choose another name.');
}

/** The same error without the place of the folder, which is the owner's business. */
export function withoutPath(error: unknown): unknown {
  if (!(error instanceof HostError) || (error.code !== 'FILE_EXISTS' && error.code !== 'FILE_UNWRITABLE')) return error;
  return new ToolFailure(
    error.code,
    'The file could not be written.',
    'Choose another name, or ask the person to look at the folder.',
  );
}

function isInside(real: string, granted: string): boolean {
  let folder: string;
  try {
    folder = realpathSync(granted);
  } catch {
    return false;
  }
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function outside(folders: readonly string[]): ToolFailure {
  return new ToolFailure(
    'ACCESS_FORBIDDEN',
    'Files may be written to granted folders only.',
    `Give a mere name; the file goes to the first of ${folders.length}. Or ask the person to grant another folder in Settings, Integrations.`,
    { refused: true },
  );
}
