import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const PERMISSIONS = 0o777;
const OF_GROUP = 0o070;

/**
 * Gives a file to those who could read the one that it replaces, as far as the system lets this user. No other user can read it: a group that the file
 * can't be given to would be another one. Never rejects; where the system refuses everything, the file stays as it was made.
 */
export async function keepReaders(
  handle: Pick<FileHandle, 'stat' | 'chown' | 'chmod'>,
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
): Promise<void> {
  const made = await handle.stat();
  const hasGroup = made.gid === gid || (await succeeds(handle.chown(made.uid, gid)));
  if (made.uid !== uid) await succeeds(handle.chown(uid, hasGroup ? gid : made.gid));
  const retained = mode & PERMISSIONS;
  await succeeds(handle.chmod(hasGroup ? retained : retained & ~OF_GROUP));
}

async function succeeds(attempt: Promise<void>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
