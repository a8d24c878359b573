import { openRegularFile } from '../../storage/regularFile.ts';
import type { FileHandle } from 'node:fs/promises';
import { registryFileSchema } from '@tabularium/sdk/package';
import { normaliseRegistryUrl } from './registrySource.ts';
import { whileUnchanged } from './whileUnchanged.ts';
import { knownPublisher } from './knownPublisher.ts';
import type { KnownPublisher } from './knownPublisher.ts';
import { token } from '../../container/inject.ts';

/** Reads what the local registry says of itself, if there is one; asked at every use, because it comes and goes while the host runs. */
export const LOCAL_REGISTRY = token<() => Promise<LocalRegistry | undefined>>('LOCAL_REGISTRY');

/** For {@link LOCAL_REGISTRY}: the file that the environment names. */
export function localRegistryReader(env: NodeJS.ProcessEnv): () => Promise<LocalRegistry | undefined> {
  const file = env['TABULARIUM_LOCAL_REGISTRY'];
  return whileUnchanged(file ?? '', () => readLocalRegistry(file));
}

/** A registry on this machine, and the publisher that is trusted for what comes from it. */
export interface LocalRegistry {
  readonly url: string;
  readonly publisher: KnownPublisher;
  /** The first root of its signed catalogue, which is trusted because the file is this person's own. */
  readonly catalogueRoot?: string;
}

/** The file decides whose code runs, so no other user may be able to write it. Windows has no such bits; there the folder's ACL decides. */
async function isOwn(file: FileHandle): Promise<boolean> {
  const owner = process.getuid?.();
  if (owner === undefined) return true;
  const { uid, mode } = await file.stat();
  return uid === owner && (mode & 0o022) === 0;
}

/**
 * Reads the description of a local registry. Read again at each use: a registry may start after the host, and another key may follow.
 *
 * @returns undefined when there is no file, it is not this person's alone, or it is malformed: then there is no local registry
 */
export async function readLocalRegistry(path: string | undefined): Promise<LocalRegistry | undefined> {
  if (path === undefined || path === '') return undefined;
  let file: FileHandle | undefined;
  try {
    file = await openRegularFile(path);
    if (!(await isOwn(file))) return undefined;
    const { url, publisher, catalogueRoot } = registryFileSchema.parse(JSON.parse(await file.readFile('utf8')));
    return {
      url: normaliseRegistryUrl(url),
      publisher: await knownPublisher(publisher),
      ...(catalogueRoot === undefined ? {} : { catalogueRoot }),
    };
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
