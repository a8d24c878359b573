import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../storage/durableFile.ts';
import { readSecretPlace, secretsFileSchema } from './secretPlace.ts';

const MOVE_FILE = 'secret-move.json';

const moveSchema = z.strictObject({
  version: z.literal(1),
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
 * Ends a move, also one whose process was killed: deletes its file that the choice doesn't name, so that no copy of the secrets stays under a key
 * that was given up. Does nothing where no move was begun, and while the choice can't be read.
 */
export async function finishSecretMove(homeFolder: string): Promise<void> {
  const file = join(homeFolder, MOVE_FILE);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const move = moveSchema.safeParse(toJson(text));
  if (move.success) {
    const choice = await readSecretPlace(homeFolder).catch(() => undefined);
    if (choice === undefined) return;
    const used = choice.place === 'file' ? choice.file : undefined;
    for (const name of [move.data.made, move.data.replaced]) {
      if (name === null || name === used) continue;
      await rm(join(homeFolder, name), { force: true });
      await rm(join(homeFolder, `${name}.new`), { force: true });
    }
  }
  await rm(file, { force: true });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
