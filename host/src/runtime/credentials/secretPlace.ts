import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { writeDurably } from '../storage/durableFile.ts';

/** In the data directory; without it secrets are in the keyring of the operating system. */
const SECRET_PLACE_FILE = 'secret-store.json';
/** The names of encrypted files. Each change of key or place makes a new one. */
export const secretsFileSchema = z.string().regex(/^secrets-[0-9a-f]{16}\.json$/);

/** Where the key of an encrypted file comes from: never from an argument or a variable, which other programs can read. */
const keySourceSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('keyFile'),
    path: z.string().min(1).max(4_096).refine(isAbsolute, 'A path from the root is needed.'),
  }),
  /** A file in `$CREDENTIALS_DIRECTORY`, which systemd fills. */
  z.strictObject({ from: z.literal('credential'), name: z.string().regex(/^[\w.-]{1,100}$/) }),
]);
export type SecretKeySource = z.output<typeof keySourceSchema>;

export const secretPlaceSchema = z.discriminatedUnion('place', [
  z.strictObject({ version: z.literal(1), place: z.literal('keyring') }),
  z.strictObject({ version: z.literal(1), place: z.literal('environment') }),
  z.strictObject({
    version: z.literal(1),
    place: z.literal('file'),
    file: secretsFileSchema,
    key: keySourceSchema,
  }),
]);
/** Where the secrets of a data directory are, as its administrator chose. */
export type SecretsChoice = z.output<typeof secretPlaceSchema>;

const KEYRING: SecretsChoice = { version: 1, place: 'keyring' };

/**
 * Reads the choice of a data directory. What can't be understood is an error and never the keyring: secrets would go where their administrator
 * didn't choose.
 *
 * @throws HostError `SECURE_STORE_UNAVAILABLE`
 */
export async function readSecretPlace(homeFolder: string): Promise<SecretsChoice> {
  const file = join(homeFolder, SECRET_PLACE_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return KEYRING;
    throw unusable(file);
  }
  const parsed = secretPlaceSchema.safeParse(toJson(text));
  if (!parsed.success) throw unusable(file);
  return parsed.data;
}

/** Saves the choice in one step. */
export async function writeSecretPlace(homeFolder: string, place: SecretsChoice): Promise<void> {
  await writeDurably(join(homeFolder, SECRET_PLACE_FILE), `${JSON.stringify(place)}\n`);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unusable(file: string): HostError {
  return new HostError('SECURE_STORE_UNAVAILABLE', `${file}, which says where secrets are, can't be read or understood.`, {
    details: {
      advice:
        'Restore the file, or update Tabularium if a newer version wrote it. If an encrypted file had them, stop the host: "tabularium secrets use file --key-file FILE" with its key file uses it again. Else stop it, and choose a place again and leave what is stored, such as "tabularium secrets use keyring --leave".',
    },
  });
}
