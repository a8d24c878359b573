import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../storage/durableFile.ts';

/** In the data directory, for its owner alone. While it is there, the host gives its metrics to who shows what it says. */
export const METRICS_TOKEN_FILE = 'metrics-token';
const FORM = /^[\w-]{43,200}$/;
const LONGEST = 300;
const OTHERS = 0o077;

/** Makes a new token, with which the metrics are switched on. The one before is void. @returns the path of its file */
export async function writeMetricsToken(homeFolder: string): Promise<string> {
  const file = join(homeFolder, METRICS_TOKEN_FILE);
  await writeDurably(file, `${randomBytes(32).toString('base64url')}\n`);
  return file;
}

/** Switches the metrics off. */
export async function removeMetricsToken(homeFolder: string): Promise<void> {
  await rm(join(homeFolder, METRICS_TOKEN_FILE), { force: true });
}

/** The token; undefined where there is none, or its file is open to others or no token: then the metrics are off. */
export async function readMetricsToken(homeFolder: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(join(homeFolder, METRICS_TOKEN_FILE), flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile() || (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
    const token = buffer.toString('latin1', 0, bytesRead).trim();
    return FORM.test(token) ? token : undefined;
  } finally {
    await file.close();
  }
}

/** Whether a header `authorization` shows the token. Digests are compared, so that time says nothing about a guess. */
export function showsToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
