import { loadPart } from '../runtime/errors/loadPart.ts';
import { join } from 'node:path';
import { HostError } from '../common/errors.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { Restored } from '../runtime/storage/restoreDatabase.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/**
 * Replaces the database of a data directory that no host owns. The runtime is not started: it could not open the database that is to be
 * replaced.
 *
 * @param source - absolute
 * @throws HostError `HOME_IN_USE` where a host runs, and as `restoreDatabase` does
 */
export async function restoreHome(home: Home, source: string, signal: AbortSignal): Promise<Restored> {
  const found = await takeHomeOrFindHost(home, { signal, accepts: (lifetime) => lifetime === 'host' });
  if ('host' in found) {
    throw new HostError('HOME_IN_USE', `A host is running in ${home.folder}, and it has the database open.`, {
      details: { advice: 'Stop the host and run the command again, or restore in its window: Settings, Data.' },
    });
  }
  using lock = found.lock;
  // Loaded when it is needed: most commands only speak to a host that runs.
  const [{ MIGRATIONS }, { Backups }, DATABASE_FILE, { PendingRestore }, { removeLeftovers }, { restoreDatabase }] =
    await loadPart(() =>
      Promise.all([
        import('../runtime/storage/migrations.ts'),
        import('../runtime/storage/backups.ts'),
        import('../runtime/storage/homeDatabase.ts').then((part) => part.DATABASE_FILE),
        import('../runtime/storage/pendingRestore.ts'),
        import('../runtime/storage/leftovers.ts'),
        import('../runtime/storage/restoreDatabase.ts'),
      ]),
    );
  const migrations = MIGRATIONS.map(({ id }) => id);
  const { folder, backups: backupsFolder } = lock.home;
  removeLeftovers(lock.home);
  const backups = new Backups({ folder: backupsFolder, migrations });
  const restored = restoreDatabase({ file: join(folder, DATABASE_FILE), source, backups, migrations });
  // An earlier request of the window would replace what was restored just now.
  new PendingRestore(backupsFolder).clear();
  return restored;
}
