import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DriverError } from '@tabularium/sdk';
import { hostSentence } from '../../../../common/hostSentences.ts';
import { hostDriverError } from '../../../errors/hostDriverError.ts';

/** More files than a data directory ever holds beside its drivers. */
const MOST_FILES = 20_000;

/**
 * Refuses a file of the data directory: a driver that could write there could write connections and answers of its own. By identity and not
 * by name, so that another spelling, a symbolic link, a bind mount and a hard link do not help.
 *
 * @param folder - the data directory
 * @param path - the real path of a chosen file
 * @param field - the field it was chosen in
 * @throws DriverError `INVALID_INPUT`
 */
export async function refuseProtected(folder: string, path: string, field: string): Promise<void> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return;
  const file = await stat(path, { bigint: true });
  const identity = (found: { readonly dev: bigint; readonly ino: bigint }): string => `${found.dev}:${found.ino}`;
  const forbidden = identity(await stat(root, { bigint: true }));
  for (let above = dirname(path); ; above = dirname(above)) {
    const found = await stat(above, { bigint: true }).catch(() => undefined);
    if (found !== undefined && identity(found) === forbidden) throw refusal(path, field);
    if (above === dirname(above)) break;
  }
  if (file.nlink < 2n) return;
  const wanted = identity(file);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.slice(0, MOST_FILES)) {
    if (!entry.isFile()) continue;
    const found = await lstat(join(entry.parentPath, entry.name), { bigint: true }).catch(() => undefined);
    if (found !== undefined && identity(found) === wanted) throw refusal(path, field);
  }
}

function refusal(path: string, field: string): DriverError {
  return hostDriverError('INVALID_INPUT', hostSentence('fileProtected', { path }), { details: { field } });
}
