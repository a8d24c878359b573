import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { writeDurably } from '../storage/durableFile.ts';
import { readSecretPlace, secretPlaceSchema, secretsFileSchema } from './secretPlace.ts';
import type { SecretsChoice } from './secretPlace.ts';

const MOVE_FILE = 'secret-move.json';

const moveSchema = z.strictObject({
  version: z.literal(1),
  /** The choice before; null where it couldn't be read. */
  before: secretPlaceSchema.nullable(),
  after: secretPlaceSchema,
  /** The encrypted file that the move makes. */
  made: secretsFileSchema.nullable(),
  /** The encrypted file that is to go once the choice of the new place is saved; null where it stays. */
  replaced: secretsFileSchema.nullable(),
});
type SecretMove = Omit<z.output<typeof moveSchema>, 'version'>;

/** Writes down which files a move makes and replaces, before it touches them. */
export async function beginSecretMove(homeFolder: string, move: SecretMove): Promise<void> {
  await writeDurably(join(homeFolder, MOVE_FILE), `${JSON.stringify({ version: 1, ...move })}\n`);
}

/**
 * Ends a move, also one whose process was killed, so that no copy of the secrets stays under a key that was given up: deletes the file that was made
 * where the choice is the one before, and the file that was replaced where it is the one after. Deletes nothing where the choice is another one,
 * can't be read, or names a file that is missing: any of the files may then be the last copy.
 */
export async function finishSecretMove(homeFolder: string): Promise<void> {
  const file = join(homeFolder, MOVE_FILE);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { data: move } = moveSchema.safeParse(toJson(text));
  const choice = await readSecretPlace(homeFolder).catch(() => undefined);
  if (move === undefined || choice === undefined || !(await isThere(homeFolder, choice))) return;
  const isAfter = isDeepStrictEqual(choice, move.after);
  if (!isAfter && !isDeepStrictEqual(choice, move.before)) return;
  const unused = isAfter ? move.replaced : move.made;
  if (unused !== null && !(choice.place === 'file' && choice.file === unused)) {
    await rm(join(homeFolder, unused), { force: true });
    await rm(join(homeFolder, `${unused}.new`), { force: true });
  }
  await rm(file, { force: true });
}

/** Whether the file that a choice names exists; true for other places. */
async function isThere(homeFolder: string, choice: SecretsChoice): Promise<boolean> {
  if (choice.place !== 'file') return true;
  return access(join(homeFolder, choice.file)).then(
    () => true,
    () => false,
  );
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
