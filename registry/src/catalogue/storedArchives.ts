import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { CatalogueTarget } from './signedCatalogue.ts';

const documentSchema = z.object({
  name: z.string(),
  versions: z.record(
    z.string(),
    z.object({ dist: z.object({ integrity: z.string().startsWith('sha512-'), tarball: z.string() }) }),
  ),
});

/** Every archive in verdaccio's storage folder. */
export async function storedArchives(storageFolder: string): Promise<readonly CatalogueTarget[]> {
  const names = await readdir(storageFolder, { recursive: true }).catch(() => []);
  const found: CatalogueTarget[] = [];
  for (const name of names.filter((path) => basename(path) === 'package.json')) {
    const file = join(storageFolder, name);
    const read = documentSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    if (!read.success) continue;
    for (const [version, { dist }] of Object.entries(read.data.versions)) {
      const archive = await stat(join(file, '..', basename(new URL(dist.tarball).pathname))).catch(() => undefined);
      if (archive === undefined) continue;
      found.push({ packageName: read.data.name, version, integrity: dist.integrity, length: archive.size });
    }
  }
  return found;
}
