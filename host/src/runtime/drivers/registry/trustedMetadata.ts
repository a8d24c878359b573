import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** TUF's names for the metadata that a client keeps. */
export const METADATA_ROLES = ['root', 'timestamp', 'snapshot', 'targets'] as const;

const trustedSchema = z.object({
  formatVersion: z.literal(1),
  registryId: z.string(),
  /** Where the registry was last; the local one moves from port to port. */
  registryUrl: z.string(),
  /** See `catalogueFingerprint`. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** A person removed the registry. What came from there is still held to the revocations. */
  removed: z.literal(true).optional(),
  files: z.object({
    root: z.string(),
    timestamp: z.string().optional(),
    snapshot: z.string().optional(),
    targets: z.string().optional(),
  }),
});

/** The verified state of one registry's signed catalogue. Losing it would let the registry go back to an older state unseen. */
export type TrustedMetadata = Omit<z.output<typeof trustedSchema>, 'formatVersion'>;

/** Trusted metadata in the data directory: one file for each registry, written whole or not at all. */
export class TrustedMetadataFiles {
  static readonly inject: Inject<typeof TrustedMetadataFiles> = [from([DRIVER_FOLDERS], ({ trust }) => trust)];

  readonly #folder: string;

  /** @param folder - of its own; made when first written */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws HostError `CATALOGUE_INVALID` for a file that is there and cannot be read: forgetting it would be a rollback */
  async get(registryId: string): Promise<TrustedMetadata | undefined> {
    return this.#read(fileName(registryId));
  }

  async all(): Promise<readonly TrustedMetadata[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    // One damaged file must not hide what the others say.
    const found = await Promise.all(names.map((name) => this.#read(name).catch(() => undefined)));
    return found.filter((entry) => entry !== undefined);
  }

  async put(entry: TrustedMetadata): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, JSON.stringify({ formatVersion: 1, ...entry }), { mode: 0o600, flag: 'wx' });
      await rename(temporary, join(this.#folder, fileName(entry.registryId)));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async remove(registryId: string): Promise<void> {
    await rm(join(this.#folder, fileName(registryId)), { force: true });
  }

  async #read(name: string): Promise<TrustedMetadata | undefined> {
    const file = join(this.#folder, name);
    try {
      return trustedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
      throw new HostError('CATALOGUE_INVALID', `The trusted state of a signed catalogue cannot be read (${file}).`, {
        cause,
        details: { advice: 'Restore the file from a backup, or delete it; the catalogue is then trusted as if it were new.' },
      });
    }
  }
}

function fileName(registryId: string): string {
  return `${createHash('sha256').update(registryId).digest('hex')}.json`;
}
