import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { writeDurably } from '../storage/durableFile.ts';
import { readSecretPlace, secretPlaceSchema, secretsFileSchema } from './secretPlace.ts';
import type { SecretsChoice } from './secretPlace.ts';
import type { SecureStore } from './secureStore.ts';

export const MOVE_FILE = 'secret-move.json';

const moveSchema = z.strictObject({
  version: z.literal(1),
  /** The choice before; null where it couldn't be read. */
  before: secretPlaceSchema.nullable(),
  after: secretPlaceSchema,
  /** The encrypted file that the move makes. */
  made: secretsFileSchema.nullable(),
  /** The encrypted file that is to go once the choice of the new place is saved; null where it stays. */
  replaced: secretsFileSchema.nullable(),
  /** The entries of the keyring that the move copied from there, or to there. They are to go where the keyring isn't the choice in the end. */
  inKeyring: z.array(z.string()).default([]),
});
export type SecretMove = Omit<z.output<typeof moveSchema>, 'version'>;

/** Writes down what a move makes and replaces, before it touches it. */
export async function beginSecretMove(homeFolder: string, move: SecretMove): Promise<void> {
  await writeDurably(join(homeFolder, MOVE_FILE), `${JSON.stringify({ version: 1, ...move })}\n`);
}

/** The entries of the keyring that a move before this one could not delete. */
export async function leftInKeyring(homeFolder: string): Promise<readonly string[]> {
  return (await readMove(join(homeFolder, MOVE_FILE)))?.inKeyring ?? [];
}

/**
 * Ends a move, also one that failed or whose process was killed, so that no copy of the secrets stays where it isn't used: deletes the file that was made
 * where the choice is the one before, the file that was replaced where it is the one after, and copies in a keyring that isn't the choice. Deletes
 * nothing where the choice is another one, can't be read, or names a file that is missing: any of them may then be the last copy.
 *
 * @param keyring - deletes entries; without it they wait for a call that has it
 * @throws the error of a keyring that can't delete now; what is left waits for the next call
 */
export async function finishSecretMove(
  homeFolder: string,
  keyring?: Pick<SecureStore, 'delete'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const file = join(homeFolder, MOVE_FILE);
  const move = await readMove(file);
  const choice = move === undefined ? undefined : await readSecretPlace(homeFolder).catch(() => undefined);
  if (move === undefined || choice === undefined || !(await isThere(homeFolder, choice))) return;
  const isAfter = isDeepStrictEqual(choice, move.after);
  if (!isAfter && !isDeepStrictEqual(choice, move.before)) return;
  const unused = isAfter ? move.replaced : move.made;
  if (unused !== null && !(choice.place === 'file' && choice.file === unused)) {
    await rm(join(homeFolder, unused), { force: true });
    await rm(join(homeFolder, `${unused}.new`), { force: true });
  }
  const copies = choice.place === 'keyring' ? [] : move.inKeyring;
  if (copies.length > 0 && keyring === undefined) return;
  for (const account of copies) {
    await keyring?.delete(account);
    // The directory may belong to another process from then on.
    if (signal.aborted) return;
  }
  await rm(file, { force: true });
}

/** Whether a move was written down that can't be read, so that nothing ends it. */
export async function isSecretMoveDamaged(homeFolder: string): Promise<boolean> {
  const file = join(homeFolder, MOVE_FILE);
  const isMissing = await access(file).then(
    () => false,
    () => true,
  );
  return !isMissing && (await readMove(file)) === undefined;
}

/** Undefined where there is none, or one that a newer version wrote. */
async function readMove(file: string): Promise<SecretMove | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : moveSchema.safeParse(toJson(text)).data;
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
