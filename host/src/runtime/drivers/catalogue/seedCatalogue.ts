import { readFile } from 'node:fs/promises';
import { parseManifest } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';

const seedSchema = z.object({
  formatVersion: z.literal(1),
  drivers: z.array(z.object({ name: z.string(), version: z.string(), description: z.string(), tabularium: z.unknown() })),
});

/** A database type that is known without any registry. */
export interface SeedEntry {
  readonly packageName: string;
  readonly manifest: Manifest;
}

/** The first-party types that came with this host. */
export async function readSeedCatalogue(file: string): Promise<readonly SeedEntry[]> {
  const { drivers } = seedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  return drivers.flatMap(({ name, tabularium }) => {
    const read = parseManifest(tabularium);
    return read.ok ? [{ packageName: name, manifest: read.manifest }] : [];
  });
}
