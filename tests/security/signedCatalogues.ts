import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createCatalogueKeys, SignedCatalogue } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { integrityOf } from '@tabularium/sdk/package';

export const TINY_DRIVER = '@tabularium-test/driver-tiny';

export type CatalogueOptions = Partial<Parameters<typeof SignedCatalogue.open>[0]>;

/** A catalogue in a folder of its own, which lists both versions of the tiny driver. */
export async function createCatalogue(
  registry: RunningRegistry,
  folder: string,
  options: CatalogueOptions = {},
): Promise<SignedCatalogue> {
  const keys = await createCatalogueKeys();
  const made = await SignedCatalogue.open({ folder: await mkdtemp(join(folder, 'catalogue-')), keys, ...options });
  await made.add(await Promise.all(['1.0.0', '1.1.0'].map((version) => listedPackage(registry, version))));
  return made;
}

/** The entry of one version of the tiny driver in a catalogue. */
export async function listedPackage(registry: RunningRegistry, version: string) {
  const answer = await fetch(new URL(`${TINY_DRIVER}/-/driver-tiny-${version}.tgz`, registry.url));
  const bytes = await answer.bytes();
  return { packageName: TINY_DRIVER, version, integrity: await integrityOf(bytes), length: bytes.length };
}

/** The files of a catalogue as they are now. */
export function catalogueCopy(source: SignedCatalogue): (file: string) => string | undefined {
  const timestamp = source.file('timestamp.json');
  return (file) => (file === 'timestamp.json' ? timestamp : source.file(file));
}
