import { constants } from 'node:fs';
import { access, chown, lstat, open } from 'node:fs/promises';
import { DriverError } from '@tabularium/sdk';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import type { FileGrant } from '../driverFolder.ts';
import type { GrantedFile } from './landlockPolicy.ts';

/** SQLite keeps these beside a database file. */
const ROLLBACK = ['-journal'] as const;
const WRITE_AHEAD = ['-wal', '-shm'] as const;
/** The place in a database file that says whether it uses a write-ahead log, and the value that says so. */
const VERSION_OFFSET = 18;
const WRITE_AHEAD_VERSION = 2;

/**
 * The files of a process, by identity. The kernel gives rights to a whole hierarchy or to single files that exist: a folder may hold
 * anything beside a database, so SQLite gets single files, and the ones that it would create are created here, empty, as its TRUNCATE
 * journal mode leaves them.
 *
 * @throws DriverError `INVALID_INPUT` when one of them is a link: it would grant another file
 */
export async function grantedFiles(grants: readonly FileGrant[], wider: readonly WiderGrant[]): Promise<readonly GrantedFile[]> {
  const all: GrantedFile[] = [];
  for (const { path, access: asked, field } of grants) {
    const file = await identified(path, 'read', field);
    if (file === undefined) throw new DriverError('NOT_FOUND', `The file ${path} does not exist.`);
    const right = asked === 'readWrite' && (await isWritable(path)) ? 'readWrite' : 'read';
    all.push({ ...file, right });
    if (wider.includes('sqlite')) all.push(...(await companionsOf(path, right, field)));
  }
  return all;
}

/** Whether every granted file is still the one that was granted: another program may have removed and created it. */
export async function areUnchanged(files: readonly GrantedFile[]): Promise<boolean> {
  const found = await Promise.all(files.map(({ path }) => lstat(path, { bigint: true }).catch(() => undefined)));
  return files.every(({ device, inode }, index) => String(found[index]?.dev) === device && String(found[index]?.ino) === inode);
}

async function companionsOf(path: string, right: 'read' | 'readWrite', field: string): Promise<readonly GrantedFile[]> {
  if (right === 'readWrite') for (const suffix of await neededBy(path)) await createEmpty(`${path}${suffix}`, path);
  const found = await Promise.all(
    [...ROLLBACK, ...WRITE_AHEAD].map((suffix) => identified(`${path}${suffix}`, right, field, true)),
  );
  return found.filter((file) => file !== undefined);
}

async function neededBy(path: string): Promise<readonly string[]> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, VERSION_OFFSET);
    return bytesRead === 2 && buffer.includes(WRITE_AHEAD_VERSION) ? WRITE_AHEAD : ROLLBACK;
  } finally {
    await file.close();
  }
}

/** With the owner and mode of the database, as SQLite does it. Where none may be created, the database can only be read. */
async function createEmpty(path: string, like: string): Promise<void> {
  try {
    const { mode, uid, gid } = await lstat(like);
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
    const file = await open(path, flags, mode & 0o666);
    try {
      await file.chmod(mode & 0o666);
    } finally {
      await file.close();
    }
    if (process.geteuid?.() === 0) await chown(path, uid, gid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(String(error.code))) return;
    throw error;
  }
}

async function identified(
  path: string,
  right: 'read' | 'readWrite',
  field: string,
  isCompanion = false,
): Promise<GrantedFile | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile() || (isCompanion && found.nlink > 1n)) {
    throw new DriverError(
      'INVALID_INPUT',
      `${path} is a link, so the driver would reach another file through it. Remove it or open a copy of the database.`,
      { details: { field } },
    );
  }
  return { path, right, device: String(found.dev), inode: String(found.ino) };
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}
