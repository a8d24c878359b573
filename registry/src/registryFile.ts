import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { registryFileSchema } from '@tabularium/sdk/package';
import type { RegistryFile } from '@tabularium/sdk/package';

/** How long a registry that the file names may take to show that it still runs. */
const PING_MILLISECONDS = 1_000;

/** @returns undefined when there is none, or none that can be read */
export async function readRegistryFile(path: string): Promise<RegistryFile | undefined> {
  try {
    return registryFileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a host never reads half of it. */
export async function writeRegistryFile(path: string, content: RegistryFile): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

/** Removes the file unless another registry has written it since. */
export async function removeRegistryFile(path: string, own: RegistryFile): Promise<void> {
  const present = await readRegistryFile(path);
  if (present?.pid === own.pid && present.url === own.url) await rm(path, { force: true });
}

/** The registry that the file names, if it still answers. A process that was killed leaves its file behind. */
export async function findRunningRegistry(path: string): Promise<RegistryFile | undefined> {
  const file = await readRegistryFile(path);
  if (file === undefined) return undefined;
  try {
    const response = await fetch(new URL('-/ping', file.url), { signal: AbortSignal.timeout(PING_MILLISECONDS) });
    await response.body?.cancel();
    return response.ok ? file : undefined;
  } catch {
    return undefined;
  }
}
