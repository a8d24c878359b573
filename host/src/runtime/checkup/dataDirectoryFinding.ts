import { access, constants, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_ERRORS } from '../../common/errors.ts';
import { BINDING_KEY_FILE, isBindingKeyDamaged } from '../connections/bindingKey.ts';
import { MOVE_FILE, isSecretMoveDamaged } from '../credentials/secretMove.ts';
import { METRICS_TOKEN_FILE, readMetricsToken } from '../measures/metricsToken.ts';
import { accessAdvice, isOnReadOnlyFileSystem } from '../storage/accessAdvice.ts';
import type { Home } from '../storage/home.ts';
import { HOME_FILES } from '../storage/homeEntries.ts';
import { assertHomeIdentity } from '../storage/homeIdentity.ts';
import { PendingRestore } from '../storage/pendingRestore.ts';
import type { CheckupFact } from './checked.ts';

/** Folders whose entries are ours, too. The log and the backups have checks of their own. */
const FOLDERS = ['cache', 'trust', 'drivers'] as const;

/** Whether the data directory, and what is in it beside the database, can be used. @throws HostError `HOME_UNUSABLE` */
export async function dataDirectoryFinding({ folder }: Pick<Home, 'folder'>): Promise<CheckupFact> {
  if (isOnReadOnlyFileSystem(folder)) {
    const { advice } = HOST_ERRORS.HOME_READ_ONLY;
    return { finding: `${folder} is on a read-only file system.`, advice: accessAdvice('HOME_READ_ONLY', folder) ?? advice };
  }
  for (const file of [folder, ...(await entriesOf(folder))]) {
    const fault = await accessFault(file);
    if (fault === undefined) continue;
    const advice = accessAdvice('HOME_UNUSABLE', file) ?? 'Make it yours, with read and write permission.';
    return { finding: `${file} ${fault}.`, advice };
  }
  await assertHomeIdentity(folder);
  const token = join(folder, METRICS_TOKEN_FILE);
  if ((await lstat(token).catch(() => undefined)) !== undefined && (await readMetricsToken(folder)) === undefined)
    return {
      finding: `${token} has no token that can be used, so the metrics are off.`,
      advice: 'Make a new one with "tabularium metrics on", or switch them off with "tabularium metrics off".',
    };
  const fault = await contentFault(folder);
  if (fault !== undefined) return fault;
  return { finding: `${folder} belongs to you, and no other user can read it.` };
}

/** A file beside the database with something else in it than it should have. */
async function contentFault(folder: string): Promise<CheckupFact | undefined> {
  if (await isBindingKeyDamaged(folder))
    return {
      finding: `${join(folder, BINDING_KEY_FILE)} is damaged, so each connection asks where its credentials go before it uses them.`,
      advice: 'Put the file back from a backup of the directory, or delete it and answer the questions.',
    };
  if (await isSecretMoveDamaged(folder))
    return {
      finding: `${join(folder, MOVE_FILE)} can't be read, so copies of secrets that a move left behind may stay.`,
      advice:
        'Delete the file. Then look for secrets that are no longer used: encrypted files that "tabularium secrets show" doesn’t name, and entries of Tabularium in the keyring.',
    };
  const restore = new PendingRestore(join(folder, 'backups')).fault();
  return restore === undefined
    ? undefined
    : {
        finding: restore,
        advice: `Restore a backup of ${join(folder, 'backups')} with "tabularium restore FILE", or start Tabularium: it uses the database that is there.`,
      };
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  const files = [...HOME_FILES].map((name) => join(folder, name));
  for (const name of FOLDERS)
    files.push(...(await readdir(join(folder, name)).catch(() => [])).map((each) => join(folder, name, each)));
  return files;
}

async function accessFault(file: string): Promise<string | undefined> {
  const entry = await lstat(file).catch(() => undefined);
  if (entry === undefined || entry.isSymbolicLink()) return undefined;
  // Root may use what belongs to another user, who may then change it.
  if (process.getuid !== undefined && entry.uid !== process.getuid()) return 'belongs to another user of this machine';
  return access(file, constants.R_OK | constants.W_OK).then(
    () => undefined,
    () => "can't be read and written",
  );
}
