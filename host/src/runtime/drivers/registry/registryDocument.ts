import { hiddenCharacter } from '@tabularium/sdk';
import { parseManifest } from '@tabularium/sdk/manifest';
import type { ManifestResult } from '@tabularium/sdk/manifest';
import semver from 'semver';
import { z } from 'zod';
import { sourceAddress } from '../../../common/sourceAddress.ts';

const authorName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => hiddenCharacter(text, 'name') === undefined);
/** A name, as text or as npm writes it. */
const authorSchema = z.union([authorName, z.object({ name: authorName }).transform(({ name }) => name)]);

/** A registry's entry for one version. */
const versionSchema = z.object({
  version: z.string().max(100),
  description: z
    .string()
    .max(1_000)
    .refine((text) => hiddenCharacter(text, 'data') === undefined)
    .optional()
    .catch(undefined),
  author: authorSchema.optional().catch(undefined),
  /** Where its files can be read on the web; made of `repository` when the document is read. */
  source: z.string().max(1_000).optional().catch(undefined),
  tabularium: z.unknown(),
  dist: z.object({
    tarball: z.url({ protocol: /^https?$/ }),
    integrity: z.string().max(1_000).optional(),
    unpackedSize: z.number().int().nonnegative().optional().catch(undefined),
  }),
});

/** The parts of a package's full document that are read. A version that is malformed does not spoil the others. */
const documentSchema = z.object({
  name: z.string().max(214),
  versions: z.record(z.string(), z.unknown()),
  readme: z.string().optional().catch(undefined),
});

/** A longer readme is cut. */
const README_CHARACTERS = 100_000;

/** The most versions of one package that are looked at, newest first. */
const MOST_VERSIONS = 200;
/** The most that is kept of all manifests of one package, in characters of JSON, newest first. */
const MOST_MANIFEST_CHARACTERS = 1024 * 1024;

/** A package as a registry describes it: the versions that are drivers. Kept on disk in this form. */
export const registryDocumentSchema = z.object({
  name: z.string(),
  versions: z.array(versionSchema),
  readme: z.string().optional(),
});
export type RegistryDocument = z.output<typeof registryDocumentSchema>;
export type RegistryVersion = RegistryDocument['versions'][number];

/** Reads a registry's document. @returns undefined for what is none, or of another package */
export function readRegistryDocument(value: unknown, name: string): RegistryDocument | undefined {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success || parsed.data.name !== name) return undefined;
  const newestFirst = Object.keys(parsed.data.versions)
    .filter((version) => semver.valid(version) === version)
    .sort(semver.rcompare)
    .slice(0, MOST_VERSIONS);
  const versions: RegistryVersion[] = [];
  let left = MOST_MANIFEST_CHARACTERS;
  for (const version of newestFirst) {
    const own = parsed.data.versions[version];
    const read = versionSchema.safeParse(own);
    if (!read.success || read.data.version !== version || read.data.tabularium === undefined) continue;
    left -= JSON.stringify(read.data.tabularium).length;
    if (left < 0) break;
    const source = sourceAddress(typeof own === 'object' && own !== null && 'repository' in own ? own.repository : undefined);
    // An address that the registry gives under this name isn't trusted.
    const { source: _given, ...rest } = read.data;
    versions.push({ ...rest, ...(source === undefined ? {} : { source }) });
  }
  const readme = parsed.data.readme?.slice(0, README_CHARACTERS);
  return { name, versions, ...(readme === undefined || readme === '' ? {} : { readme }) };
}

/** One version of a registry's document, whether it is a driver's or not. @returns undefined where it is missing or malformed */
export function readRegistryVersion(value: unknown, name: string, version: string): RegistryVersion | undefined {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success || parsed.data.name !== name) return undefined;
  const own = Object.hasOwn(parsed.data.versions, version) ? parsed.data.versions[version] : undefined;
  const read = versionSchema.partial({ tabularium: true }).safeParse(own);
  return read.success && read.data.version === version ? { ...read.data, tabularium: undefined } : undefined;
}

/** By the version that they were read from. Nothing changes a version or a manifest once it is read. */
const manifests = new WeakMap<RegistryVersion, ManifestResult>();

/** The manifest of a version. It is read once: the chooser, the resolver and the installation all ask for it. */
export function manifestOfDocument(version: RegistryVersion): ManifestResult {
  const known = manifests.get(version);
  if (known !== undefined) return known;
  const read = parseManifest(version.tabularium);
  manifests.set(version, read);
  return read;
}
