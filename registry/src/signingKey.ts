import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createSigningKey } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { z } from 'zod';

const keyFileSchema = z.strictObject({ formatVersion: z.literal(1), privateKey: z.base64(), publicKey: z.base64() });

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The registry's own key pair: made when there is none, kept in the state folder and readable to its owner alone. */
export async function loadSigningKey(stateFolder: string): Promise<SigningKey> {
  const file = join(stateFolder, 'signing-key.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
    const key = await createSigningKey();
    await mkdir(stateFolder, { recursive: true, mode: 0o700 });
    // Written beside and renamed: a process that ends half-way leaves no half key.
    const temporary = `${file}.${randomUUID()}`;
    try {
      await writeFile(temporary, `${JSON.stringify({ formatVersion: 1, ...key }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    return key;
  }
  try {
    const { privateKey, publicKey } = keyFileSchema.parse(JSON.parse(text));
    return { privateKey, publicKey };
  } catch {
    // Without the cause, which could quote the key.
    throw new Error(
      `${file} doesn't hold the key of a registry. Bring it back from a copy, or remove it: a new key is made then.`,
    );
  }
}
