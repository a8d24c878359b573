import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseBackupName } from './backupName.ts';
import { SIDE_FILES } from './database.ts';

const SIDE = '(?:-wal|-shm|-journal)?';
/** Names under which this application writes before it renames, and nothing else. */
const IN_HOME = new RegExp(
  `^(?:host\\.json(?:\\.\\d+)?\\.new|mcp-(?:handshake|off)\\.json\\.new|tabularium\\.db\\.(?:new|restoring)${SIDE})$`,
);
const IN_BACKUPS = new RegExp(`^(?:restore\\.json\\.new|(tabularium-.+\\.db)\\.part${SIDE})$`);
const IN_CACHE = /^(?:driver-processes\.json\.new|open-window(?:-[-0-9a-f]{36})?\.html(?:\.new)?)$/;

/**
 * Deletes what a process that was killed has left half written in the data directory. Only the owner of the directory's lock may call this:
 * then no process is writing these files.
 *
 * @returns the paths that were deleted
 */
export function removeLeftovers(home: {
  readonly folder: string;
  readonly backups: string;
  readonly cache: string;
}): readonly string[] {
  const removed = [
    ...matching(home.folder, (name) => IN_HOME.test(name)),
    ...matching(home.backups, (name) => {
      const match = IN_BACKUPS.exec(name);
      return match !== null && (match[1] === undefined || parseBackupName(match[1]) !== undefined);
    }),
    ...matching(home.cache, (name) => IN_CACHE.test(name)),
    ...unfinishedAsides(home),
  ];
  return removed.filter((path) => {
    try {
      rmSync(path, { force: true });
      return true;
    } catch {
      return false;
    }
  });
}

function matching(folder: string, isLeftover: (name: string) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isLeftover(entry.name))
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** A restore that was killed before it replaced the database leaves the database under two names: the second one is not a copy. */
function unfinishedAsides(home: { readonly folder: string; readonly backups: string }): string[] {
  const database = lstatSync(join(home.folder, 'tabularium.db'), { throwIfNoEntry: false });
  if (database === undefined || database.nlink < 2) return [];
  return matching(home.backups, (name) => {
    if (parseBackupName(name) === undefined) return false;
    const entry = lstatSync(join(home.backups, name), { throwIfNoEntry: false });
    // A log was moved beside it: that pair is what is left of a damaged database.
    const hasLog = SIDE_FILES.some((suffix) => lstatSync(join(home.backups, `${name}${suffix}`), { throwIfNoEntry: false }));
    return entry?.ino === database.ino && entry.dev === database.dev && !hasLog;
  });
}
