import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Backups } from '../storage/backups.ts';
import { NEEDED_BYTES, diskSpace } from '../storage/diskSpace.ts';
import type { Home } from '../storage/home.ts';
import { MIGRATIONS } from '../storage/migrations.ts';
import type { CheckupFact } from './checked.ts';

/** Less than this is soon too little for a backup, an export and a driver. Bytes. */
const COMFORTABLE_BYTES = 200 * 1024 * 1024;
const KILOBYTE = 1024;
const MEGABYTE = 1024 * 1024;

/** The space on the disk of a data directory; where there is little: how much is missing, and what of ours may be deleted for it. */
export async function diskFinding(
  home: Pick<Home, 'folder' | 'backups' | 'logs' | 'cache'>,
  signal: AbortSignal,
): Promise<CheckupFact> {
  const { folder } = home;
  const { freeBytes, hasSpace } = await diskSpace(folder, signal);
  const { blocks, bsize, files, ffree } = await statfs(folder);
  const free = `${sizeText(freeBytes)} of ${sizeText(blocks * bsize)} are free on the disk of ${folder}`;
  if (hasSpace && freeBytes >= COMFORTABLE_BYTES) return { finding: `${free}.` };
  // A file system may have room for bytes, and none for another file; a quota shows in neither.
  const why =
    files > 0 && ffree === 0 ? ', and no more files fit on it' : freeBytes >= NEEDED_BYTES ? ', but a quota is used up' : '';
  const finding = hasSpace
    ? `${free}. Backups, exports and drivers need ${sizeText(COMFORTABLE_BYTES)}.`
    : `${free}${why}. Saving a change needs ${sizeText(NEEDED_BYTES)}; backups, exports and drivers need ${sizeText(COMFORTABLE_BYTES)}.`;
  const removable = await removableOf(home);
  const ours =
    removable.length === 0
      ? 'Tabularium itself has nothing there that can be deleted.'
      : `You can delete of Tabularium: ${removable.join('; ')}.`;
  const missing = Math.max(COMFORTABLE_BYTES - freeBytes, NEEDED_BYTES);
  const total = blocks * bsize;
  // No deleting makes a disk larger.
  if (total < COMFORTABLE_BYTES) {
    const now = hasSpace ? '' : ` Until then free ${sizeText(NEEDED_BYTES)} there for the next change. ${ours}`;
    return { finding, advice: `The disk is too small: set TABULARIUM_HOME to a folder on another disk.${now}` };
  }
  return {
    finding,
    advice: `Free ${sizeText(missing)} there. ${ours} Or set TABULARIUM_HOME to a folder on another disk.`,
  };
}

/** Files that a person may delete without losing work, with their size and folder, the largest first. */
async function removableOf({
  backups: backupsFolder,
  logs,
  cache,
}: Pick<Home, 'backups' | 'logs' | 'cache'>): Promise<readonly string[]> {
  const backups = new Backups({ folder: backupsFolder, migrations: MIGRATIONS.map(({ id }) => id) });
  const newestGood = backups.newestGood();
  const older = newestGood === undefined ? [] : backups.list().filter(({ name }) => name !== newestGood.name);
  const found = [
    {
      bytes: older.reduce((sum, { bytes }) => sum + bytes, 0),
      text: `the backups in ${backupsFolder} except ${newestGood?.name ?? ''}`,
    },
    { bytes: await bytesIn(logs), text: `the logs in ${logs}` },
    { bytes: await bytesIn(cache), text: `while no host runs, the downloads in ${cache}` },
  ];
  return found
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ bytes, text }) => `${text} (${sizeText(bytes)})`);
}

/** Of all files below a folder; those that are gone or unreadable meanwhile count for nothing. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    sum += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return sum;
}

function sizeText(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}
