import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { registryDocumentSchema } from './registryDocument.ts';
import { storageFailureCode } from '../../errors/storageFailure.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

const cachedSchema = z.object({
  formatVersion: z.literal(1),
  registryId: z.string(),
  etag: z.string().optional(),
  /** When the registry last said that this is so. */
  checkedAt: z.iso.datetime(),
  document: registryDocumentSchema,
});
/** A package's document as a registry gave it. */
export type CachedDocument = Omit<z.output<typeof cachedSchema>, 'formatVersion'>;

/** Registry documents on disk, so that the catalogue is there without a network. Losing them costs a request. */
export class DocumentCache {
  static readonly inject: Inject<typeof DocumentCache> = [from([DRIVER_FOLDERS], ({ documents }) => documents)];

  readonly #folder: string;
  #entries: Promise<Map<string, CachedDocument>> | undefined;

  /** @param folder - of its own; made when first written */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(registryId: string, name: string): Promise<CachedDocument | undefined> {
    return (await this.#loaded()).get(fileName(registryId, name));
  }

  async all(): Promise<readonly CachedDocument[]> {
    return [...(await this.#loaded()).values()];
  }

  async put(entry: CachedDocument): Promise<void> {
    const name = fileName(entry.registryId, entry.document.name);
    (await this.#loaded()).set(name, entry);
    try {
      await this.#write(name, entry);
    } catch (error) {
      // On a full disk it is asked for again after the next start.
      if (storageFailureCode(error) === undefined) throw error;
    }
  }

  async #write(name: string, entry: CachedDocument): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, JSON.stringify({ formatVersion: 1, ...entry }), { mode: 0o600 });
      await rename(temporary, join(this.#folder, name));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async remove(registryId: string, name: string): Promise<void> {
    if ((await this.#loaded()).delete(fileName(registryId, name)))
      await rm(join(this.#folder, fileName(registryId, name)), { force: true });
  }

  #loaded(): Promise<Map<string, CachedDocument>> {
    return (this.#entries ??= this.#load());
  }

  async #load(): Promise<Map<string, CachedDocument>> {
    const names = await readdir(this.#folder).catch(() => []);
    const entries = new Map<string, CachedDocument>();
    for (const name of names) {
      const file = join(this.#folder, name);
      const entry = await readFile(file, 'utf8')
        .then((text) => cachedSchema.parse(JSON.parse(text)))
        .catch(() => undefined);
      // Half written, of another version, or not ours: asked for again.
      if (entry === undefined || name !== fileName(entry.registryId, entry.document.name)) await rm(file, { force: true });
      else entries.set(name, entry);
    }
    return entries;
  }
}

function fileName(registryId: string, name: string): string {
  return `${createHash('sha256').update(`${registryId}\n${name}`).digest('hex')}.json`;
}
