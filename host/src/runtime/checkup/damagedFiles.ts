import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The list of a built folder's files, in that folder: the build writes it (`writeFileList.ts`). */
const FILE_LIST = 'files.json';

/** By their names, `/` between folders: the hashes of their content. */
const fileListSchema = z.record(z.string(), z.string());

/**
 * The files of a built folder that are missing, can't be read or have another content than they were built with; the list itself among them, where it
 * can't be used.
 *
 * @returns their names in the folder
 */
export async function damagedFiles(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const list = await readFile(join(folder, FILE_LIST), 'utf8')
    .then((text) => fileListSchema.parse(JSON.parse(text)))
    .catch(() => undefined);
  if (list === undefined) return [FILE_LIST];
  const damaged: string[] = [];
  // One after the other: a command works with a few descriptors.
  for (const [name, hash] of Object.entries(list)) {
    signal.throwIfAborted();
    if ((await hashOf(join(folder, name)).catch(() => undefined)) !== hash) damaged.push(name);
  }
  return damaged;
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('base64url');
}
