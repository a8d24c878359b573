import { lstat, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { HostError } from '../../../common/errors.ts';

const ROOT = 0;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const CHOOSE = 'Choose a folder that belongs to you and that only you may write.';
const CHOOSE_OR_CHANGE = 'Choose a folder that only you may write, or take the right to write from the others: chmod go-w.';

/** The users whose folders count as one's own. */
export interface FolderOwner {
  readonly uid: number;
  /** The group that has the person's name and no other member, which many systems make for each person; undefined where there is none. */
  readonly ownGroup: number | undefined;
}

/** The person of this process; undefined on Windows, where a folder's list of rights decides. */
export async function folderOwner(): Promise<FolderOwner | undefined> {
  if (process.getuid === undefined) return undefined;
  const { username, gid } = userInfo();
  const [groups, people] = await Promise.all(['/etc/group', '/etc/passwd'].map((path) => readFile(path, 'utf8').catch(() => '')));
  return { uid: process.getuid(), ownGroup: isOwnGroup(username, gid, groups ?? '', people ?? '') ? gid : undefined };
}

/**
 * Whether a group has the person's name and no other member.
 *
 * @param groups - the text of /etc/group, which names the members that a group has besides those whose first group it is
 * @param people - the text of /etc/passwd, which names the first group of each person
 */
export function isOwnGroup(username: string, gid: number, groups: string, people: string): boolean {
  const isNamed = groups.split('\n').some((line) => {
    const [name, , number, members = ''] = line.split(':');
    return name === username && Number(number) === gid && (members === '' || members === username);
  });
  const isShared = people.split('\n').some((line) => {
    const [name, , , number = ''] = line.split(':');
    return name !== username && number !== '' && Number(number) === gid;
  });
  return isNamed && !isShared;
}

/**
 * Rejects a folder whose code another user of this machine may change: its code runs for this person. The folder, what is
 * read in it and all folders above belong to the person or to root, and no other user may write them. A folder above with the sticky bit (as
 * /tmp) may be everybody's: only the owner of an entry can replace it.
 *
 * @param folder - a real path
 * @param paths - what is read below it
 * @throws HostError `INVALID_REQUEST` naming the path
 */
export async function refuseForeignFolder(
  folder: string,
  paths: Iterable<string>,
  owner: FolderOwner | undefined,
): Promise<void> {
  if (owner === undefined) return;
  const below = new Set<string>();
  for (const path of paths) for (let each = path; each !== '.'; each = dirname(each)) below.add(join(folder, each));
  for (const path of [folder, ...below]) await refuseForeign(path, owner);
  for (let path = dirname(folder); ; path = dirname(path)) {
    await refuseForeign(path, owner, true);
    if (path === dirname(path)) return;
  }
}

async function refuseForeign(path: string, { uid, ownGroup }: FolderOwner, isAbove = false): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  // A readme is read under either of two names.
  if (found === undefined) return;
  if (found.uid !== uid && found.uid !== ROOT)
    throw refused(`${path} belongs to another user of this machine, who could change the driver's code.`, CHOOSE);
  if (isAbove && (found.mode & STICKY) !== 0) return;
  if ((found.mode & OTHERS_WRITE) !== 0) throw refused(`Every user of this machine may write ${path}.`);
  if ((found.mode & GROUP_WRITES) !== 0 && found.gid !== ownGroup)
    throw refused(`Other users of this machine may write ${path}.`);
}

function refused(message: string, advice = CHOOSE_OR_CHANGE): HostError {
  return new HostError('INVALID_REQUEST', `${message} No driver is loaded from there.`, { details: { advice } });
}
