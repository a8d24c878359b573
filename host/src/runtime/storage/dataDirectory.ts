import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { HostError } from '../../common/errors.ts';

/**
 * Refuses a file that a person or a client chose to write, where it would be in the data directory: replacing the open database there loses
 * every change from then on, and a new file there can be one that the next start obeys.
 *
 * @param file - absolute or relative to the working directory; it and folders above it need not exist
 * @param dataDirectory - absolute
 * @throws HostError `INVALID_REQUEST`
 */
export function refuseInDataDirectory(file: string, dataDirectory: string): void {
  const own = realPlace(resolve(dataDirectory));
  const chosen = resolve(file);
  // The place of the name, and where a link of that name leads: writing may follow it.
  for (const place of [join(realPlace(dirname(chosen)), basename(chosen)), realPlace(chosen)]) {
    if (!isInside(place, own)) continue;
    throw new HostError('INVALID_REQUEST', `${file} is in the data directory of Tabularium.`, {
      details: { advice: 'Choose a file in another folder.' },
    });
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** The real path of a file, or of the nearest folder above it that exists, with the rest behind it. */
function realPlace(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    const target = linkTarget(path);
    if (target !== undefined && links < MOST_LINKS) return realPlace(resolve(above, target), links + 1);
    return above === path ? path : join(realPlace(above, links), basename(path));
  }
}

/** Where a link leads that leads to nothing yet. A chain of links that never ends isn't a place, and opening it fails. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** File systems that ignore letter case are common on macOS and Windows; refusing a little more there costs nothing. */
function isInside(path: string, folder: string): boolean {
  const same = process.platform === 'linux' ? (text: string): string => text : (text: string): string => text.toLowerCase();
  const below = relative(same(folder), same(path));
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
