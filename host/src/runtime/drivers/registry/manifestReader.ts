import { isDeepStrictEqual } from 'node:util';
import { parseManifest } from '@tabularium/sdk/manifest';
import type { ManifestResult } from '@tabularium/sdk/manifest';
import { manifestOfDocument } from './registryDocument.ts';
import type { RegistryVersion } from './registryDocument.ts';

/**
 * Reads the manifest of a package. Where it is the one that the registry announced, it isn't read twice: that would be a third of the time of a verification.
 *
 * @param announced - the registry's version of the package; absent where it comes from elsewhere
 */
export function manifestReader(announced: RegistryVersion | undefined): (manifest: unknown) => ManifestResult {
  if (announced === undefined) return parseManifest;
  return (manifest) =>
    isDeepStrictEqual(manifest, announced.tabularium) ? manifestOfDocument(announced) : parseManifest(manifest);
}
