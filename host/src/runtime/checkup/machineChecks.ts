import { access, constants, lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallationCheck } from '../../common/checkup.ts';
import { HOST_ERRORS, HostError } from '../../common/errors.ts';
import { Proxies } from '../drivers/registry/proxies.ts';
import { hostPackage } from '../program/hostPackage.ts';
import { pinnedNode } from '../program/pinnedNode.ts';
import { accessAdvice } from '../storage/accessAdvice.ts';
import { Backups } from '../storage/backups.ts';
import { checkDatabaseFile } from '../storage/databaseFile.ts';
import { openHome } from '../storage/home.ts';
import type { Home } from '../storage/home.ts';
import { acquireHomeLock } from '../storage/homeLock.ts';
import type { HomeLock } from '../storage/homeLock.ts';
import { DATABASE_FILE, RESTORABLE } from '../storage/homeDatabase.ts';
import { MIGRATIONS } from '../storage/migrations.ts';
import { checked } from './checked.ts';
import type { CheckupFact } from './checked.ts';
import { dataDirectoryFinding } from './dataDirectoryFinding.ts';
import { diskFinding } from './diskFinding.ts';
import { installationFinding } from './installationFinding.ts';
import { logFinding } from './logFinding.ts';
import { typedOr } from '../../common/typedOr.ts';

export interface MachineCheckOptions {
  /** The data directory; it is created where it is missing, as every command does. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Whether a host that runs owns the data directory: it has the database locked. */
  readonly hostRuns: (home: Home, signal: AbortSignal) => Promise<boolean>;
  /** For tests. Milliseconds. */
  readonly now?: () => number;
  /** The Node of driver processes. Default: the one that this package brings along. @throws Error where it is not installed */
  readonly driverNode?: () => string;
  /** The installed package. Default: the one that this program runs from; undefined where it runs from its sources. */
  readonly installation?: string | undefined;
}

/** A file system may keep time a little differently. Milliseconds. */
const CLOCK_TOLERANCE = 5 * 60_000;
/** This program didn't exist before. */
const FIRST_RELEASE = Date.UTC(2026, 0, 1);

/** Checks of all that a host needs before it can start. They need no host, change nothing, and ask no network. In the order in which they matter. */
export async function* machineChecks(options: MachineCheckOptions): AsyncGenerator<InstallationCheck, void, undefined> {
  const { folder, env, signal, hostRuns, now = Date.now, driverNode = pinnedNode, installation = builtPackage() } = options;
  yield await checked('node', signal, () => nodeFinding(driverNode));
  yield await checked('installation', signal, (within) =>
    installation === undefined ? { finding: 'Tabularium runs from its sources.' } : installationFinding(installation, within),
  );
  yield await checked('clock', signal, () => clockFinding(join(folder, DATABASE_FILE), now()));
  yield await checked('proxy', signal, () => proxyFinding(env));
  let home: Home | undefined;
  yield await checked('dataDirectory', signal, async () => {
    const before = await openTo(folder);
    home = await openHome(folder, signal);
    const fact = await dataDirectoryFinding(home);
    return before === undefined ? fact : { ...fact, finding: `${before} ${fact.finding}` };
  });
  if (home === undefined) return;
  const opened = home;
  yield await checked('disk', signal, () => diskFinding(opened, signal));
  yield await checked('log', signal, () => logFinding(opened));
  yield await checked('database', signal, (within) => databaseFinding(opened, () => hostRuns(opened, within)));
}

/** Every command closes a data directory to other users; one that was open may have been read. */
async function openTo(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const mode = await stat(folder).then(
    (entry) => entry.mode & 0o777,
    () => 0o700,
  );
  if ((mode & 0o077) === 0) return undefined;
  return `${folder} was open to other users (mode ${mode.toString(8)}), who may have read it, and was closed to them by this command.`;
}

function builtPackage(): string | undefined {
  const { folder } = hostPackage();
  return import.meta.dirname.startsWith(join(folder, 'dist')) ? folder : undefined;
}

async function nodeFinding(driverNode: () => string): Promise<CheckupFact> {
  const finding = `Node ${process.versions.node} on ${process.platform}-${process.arch}.`;
  try {
    await access(driverNode(), constants.X_OK);
    return { finding };
  } catch (error) {
    // Drivers run in this Node, too, where the program runs on its own.
    return {
      finding: `${finding} ${error instanceof Error ? error.message : String(error)}`,
      advice: 'Install Tabularium again.',
    };
  }
}

/** Signed lists of drivers end at a moment, and tokens do. */
async function clockFinding(database: string, now: number): Promise<CheckupFact> {
  const written = await lstat(database).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const shown = new Date(now).toISOString();
  const advice = "Set the computer's clock. Until then signatures and tokens may count as expired, or as not yet valid.";
  if (now < FIRST_RELEASE) return { finding: `The clock says ${shown}, which is before this program was made.`, advice };
  if (written > now + CLOCK_TOLERANCE)
    return { finding: `The clock says ${shown}, but the database was written at ${new Date(written).toISOString()}.`, advice };
  return { finding: `The clock says ${shown}.` };
}

async function proxyFinding(env: MachineCheckOptions['env']): Promise<CheckupFact> {
  const authority = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (authority !== '') {
    const isReadable = await access(authority, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isReadable)
      return {
        finding: `NODE_EXTRA_CA_CERTS names ${authority}, which can't be read.`,
        advice: 'Correct the variable, or remove it.',
      };
  }
  // Throws for one that isn't an address.
  const proxy = new Proxies('', env).for(new URL('https://registry.invalid/'));
  const trusted = authority === '' ? '' : ` Certificates of ${authority} are trusted beside the usual ones.`;
  return {
    finding: `${proxy === undefined ? 'The environment names no proxy.' : `The environment names the proxy ${proxy.host}.`}${trusted}`,
  };
}

/** As the owner of the data directory: a host that starts meanwhile waits, where the look at its database would refuse it. */
async function databaseFinding(home: Home, hostRuns: () => Promise<boolean>): Promise<CheckupFact> {
  const owned = await ownership(home);
  if (owned === 'taken')
    return {
      finding: (await hostRuns())
        ? 'The database is in use by the host that runs.'
        : 'The database is being used by a host that starts or ends, or by another command.',
    };
  try {
    return await ownedDatabaseFinding(home, hostRuns);
  } finally {
    owned?.[Symbol.dispose]();
  }
}

/** @returns undefined where nothing can own it, such as on a read-only file system */
async function ownership(home: Home): Promise<HomeLock | 'taken' | undefined> {
  try {
    return await acquireHomeLock(home);
  } catch (error) {
    return error instanceof HostError && error.code === 'HOME_IN_USE' ? 'taken' : undefined;
  }
}

async function ownedDatabaseFinding(
  { folder, backups: backupsFolder }: Home,
  hostRuns: () => Promise<boolean>,
): Promise<CheckupFact> {
  const file = join(folder, DATABASE_FILE);
  const known = MIGRATIONS.map(({ id }) => id);
  const backups = new Backups({ folder: backupsFolder, migrations: known });
  const found = checkDatabaseFile(file, known);
  if (found.state === 'faulty' && found.code === 'DATABASE_LOCKED' && (await hostRuns()))
    return { finding: 'The database is in use by the host that runs.' };
  const saved = backups.list().length;
  if (found.state === 'sound') return backupsFinding(backups, saved);
  if (found.state === 'missing' && saved === 0) return { finding: 'There is no database yet. The first start makes one.' };
  // A backup would replace a database whose content may be sound.
  if (found.state === 'faulty' && !RESTORABLE.has(found.code)) {
    const { advice: usual } = HOST_ERRORS[found.code];
    return { finding: `The database ${file} ${found.sentence}`, advice: accessAdvice(found.code, file) ?? usual };
  }
  const good = backups.newestGood();
  const wayBack =
    good === undefined
      ? `There is no usable backup in ${backupsFolder}. Restore one from elsewhere with "tabularium restore FILE".`
      : `Stop the host, and run: tabularium restore ${typedOr(good.file, 'FILE')}`;
  if (found.state === 'missing')
    return { finding: `The database ${file} is missing, but there are backups of it.`, advice: wayBack };
  const advice =
    found.code === 'DATABASE_NEWER' ? `Update Tabularium. Or go back to what this version can read. ${wayBack}` : wayBack;
  return { finding: `The database ${file} ${found.sentence}`, advice };
}

/** A backup was checked when it was made; what came over its disk since shows only when it is needed. */
function backupsFinding(backups: Backups, saved: number): CheckupFact {
  const newest = backups.list().find(({ kind }) => kind !== 'damaged');
  const fault = newest === undefined ? undefined : backups.fault(newest.file);
  if (newest === undefined || fault === undefined)
    return { finding: `The database is sound; ${saved === 1 ? '1 backup is' : `${saved} backups are`} kept.` };
  const good = backups.newestGood();
  const last = good === undefined ? 'No backup can be restored.' : `The newest that can be restored is ${good.name}.`;
  return {
    finding: `The database is sound, but the newest backup ${newest.file} ${fault} ${last}`,
    advice: 'Make another one: "tabularium backup".',
  };
}
