import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createSigningKey } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { z } from 'zod';

const keySchema = z.strictObject({ privateKey: z.base64(), publicKey: z.base64() });
const keysSchema = z.strictObject({
  formatVersion: z.literal(1),
  root: keySchema,
  targets: keySchema,
  snapshot: keySchema,
  timestamp: keySchema,
});

/** One key for each role. An operator keeps `root` and `targets` off the server; `snapshot` and `timestamp` sign while it runs. */
export type CatalogueKeys = Readonly<Record<'root' | 'targets' | 'snapshot' | 'timestamp', SigningKey>>;

/** New keys, kept nowhere. */
export async function createCatalogueKeys(): Promise<CatalogueKeys> {
  const [root, targets, snapshot, timestamp] = await Promise.all([
    createSigningKey(),
    createSigningKey(),
    createSigningKey(),
    createSigningKey(),
  ]);
  return { root, targets, snapshot, timestamp };
}

/** Writes a file whole or not at all, by default readable to its owner alone. */
export async function writeWhole(file: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { mode, flag: 'wx' });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

export async function writeCatalogueKeys(file: string, keys: CatalogueKeys): Promise<void> {
  const text = (key: SigningKey): SigningKey => ({ privateKey: key.privateKey, publicKey: key.publicKey });
  const { root, targets, snapshot, timestamp } = keys;
  const content = { root: text(root), targets: text(targets), snapshot: text(snapshot), timestamp: text(timestamp) };
  await writeWhole(file, `${JSON.stringify({ formatVersion: 1, ...content }, null, 2)}\n`);
}

function readKeys(file: string, text: string): CatalogueKeys {
  try {
    return keysSchema.parse(JSON.parse(text));
  } catch {
    // Without the cause, which could quote a key.
    throw new Error(`${file} doesn't hold the keys of a catalogue. Name another file, or bring it back from a copy.`);
  }
}

/** The keys of a catalogue: made when the file is missing. */
export async function loadCatalogueKeys(file: string): Promise<CatalogueKeys> {
  const found = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  // Opening a pipe waits for a writer, for ever.
  if (found?.isFile() === false) throw new Error(`${file} is not a file. Name the file of the catalogue's keys.`);
  if (found !== undefined) return readKeys(file, await readFile(file, 'utf8'));
  const keys = await createCatalogueKeys();
  await writeCatalogueKeys(file, keys);
  return keys;
}
