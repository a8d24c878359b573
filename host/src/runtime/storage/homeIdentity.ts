import { randomBytes } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { writeDurably } from './durableFile.ts';

const FILE = 'home-identity.json';
/** As many copies of copies are followed. */
const MOST_ORIGINALS = 16;
/** Of homes of versions without this file: their entries in the keyring have no name of a home. */
const WITHOUT_NAME = '';

const nameSchema = z.string().regex(/^home-[0-9a-f]{16}$/);
const identitySchema = z.strictObject({
  version: z.literal(1),
  name: nameSchema,
  originals: z.array(z.union([nameSchema, z.literal(WITHOUT_NAME)])).max(MOST_ORIGINALS),
  /** Where the folder was, to notice a copy. */
  place: z.strictObject({ path: z.string(), device: z.string(), inode: z.string() }),
});
type Place = z.output<typeof identitySchema>['place'];

/** Distinguishes a data directory from its copies, where both keep something at one place outside, such as the keyring. */
export interface HomeIdentity {
  /** Of this folder alone. */
  readonly name: string;
  /** The names of the folders that this one is a copy of, the newest first. What is theirs may be read, and never changed. */
  readonly originals: readonly string[];
}

/**
 * The identity of a data directory that this process owns. A folder that is not where its file says is a copy, and gets a name of its own: one that
 * was renamed has the same inode still. One that was moved to another file system looks like a copy.
 *
 * @param folder - its real path
 * @throws HostError `HOME_UNUSABLE`, `DISK_FULL`, `HOME_READ_ONLY`
 */
export async function homeIdentity(folder: string): Promise<HomeIdentity> {
  const file = join(folder, FILE);
  const place = await placeOf(folder);
  const known = await read(file);
  if (known !== undefined && isSamePlace(known.place, place)) {
    if (known.place.path !== place.path || known.place.device !== place.device) await write(file, known, place);
    return known;
  }
  const originals = known === undefined ? await originalsBefore(folder) : [known.name, ...known.originals];
  const made = { name: `home-${randomBytes(8).toString('hex')}`, originals: originals.slice(0, MOST_ORIGINALS) };
  await write(file, made, place);
  return made;
}

/** Reads the identity and changes nothing; a folder without one is fine. @throws HostError `HOME_UNUSABLE` for one that can't be used */
export async function assertHomeIdentity(folder: string): Promise<void> {
  await read(join(folder, FILE));
}

/** The numbers of devices change at some starts of a computer, so the path counts as well. */
function isSamePlace(before: Place, now: Place): boolean {
  return before.inode === now.inode && (before.path === now.path || before.device === now.device);
}

async function placeOf(folder: string): Promise<Place> {
  const { dev, ino } = await attempt(folder, () => stat(folder, { bigint: true }));
  return { path: folder, device: String(dev), inode: String(ino) };
}

async function originalsBefore(folder: string): Promise<readonly string[]> {
  const hasDatabase = await lstat(join(folder, 'tabularium.db')).then(
    () => true,
    () => false,
  );
  return hasDatabase ? [WITHOUT_NAME] : [];
}

async function read(file: string): Promise<z.output<typeof identitySchema> | undefined> {
  const text = await attempt(file, () =>
    readFile(file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }),
  );
  if (text === undefined) return undefined;
  const parsed = identitySchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new HostError('HOME_UNUSABLE', `${file}, which says whose credentials are in the keyring, can't be understood.`, {
    details: {
      advice:
        'Restore the file, or update Tabularium if a newer version wrote it. Or move the file elsewhere: connections then ask for their credentials again.',
    },
  });
}

async function write(file: string, { name, originals }: HomeIdentity, place: Place): Promise<void> {
  await attempt(file, () => writeDurably(file, `${JSON.stringify({ version: 1, name, originals, place })}\n`));
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const subject = `${path} cannot be read or written.`;
    throw storageFailure(cause, subject) ?? new HostError('HOME_UNUSABLE', subject, { cause });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
