import { createHash } from 'node:crypto';
import semver from 'semver';
import { z } from 'zod';

const revokedSchema = z.object({
  versions: z.array(z.object({ package: z.string().max(214), version: z.string().max(100), reason: z.string().max(500) })),
  keys: z.array(z.object({ keyId: z.string().regex(/^[0-9a-f]{64}$/), reason: z.string().max(500) })),
});

const targetsSchema = z.object({
  signed: z.object({
    version: z.number().int().positive(),
    expires: z.iso.datetime(),
    targets: z.record(
      z.string(),
      z.object({ length: z.number().int().positive(), hashes: z.object({ sha512: z.string().regex(/^[0-9a-f]{128}$/) }) }),
    ),
    /** Ours: TUF leaves fields that it does not know to applications, and signs them like all others. */
    tabularium: z.object({ formatVersion: z.literal(1), revoked: revokedSchema }),
  }),
});

const expiringSchema = z.object({ signed: z.object({ version: z.number(), expires: z.iso.datetime() }) });

/** An archive as the catalogue lists it. */
export interface ListedArchive {
  /** `sha512-…`, as registries announce it. */
  readonly integrity: string;
  readonly length: number;
}

/** The content of verified metadata. */
export interface CatalogueContent {
  /** Of the list of archives; counts up with each change. */
  readonly version: number;
  /** When the first of its signatures ends, ISO. */
  readonly expiresAt: string;
  readonly revoked: z.output<typeof revokedSchema>;
  archive(packageName: string, version: string): ListedArchive | undefined;
  /** The newest release of a package that is listed and not revoked. */
  newest(packageName: string): string | undefined;
}

/** @param files - texts that the TUF client has verified. @throws ZodError, SyntaxError for what is not a driver catalogue */
export function readCatalogue(files: {
  readonly timestamp: string;
  readonly snapshot: string;
  readonly targets: string;
}): CatalogueContent {
  const { signed } = targetsSchema.parse(JSON.parse(files.targets));
  const expiries = [files.timestamp, files.snapshot, files.targets].map((text) =>
    Date.parse(expiringSchema.parse(JSON.parse(text)).signed.expires),
  );
  const archives = new Map(Object.entries(signed.targets));
  const { revoked } = signed.tabularium;
  return {
    version: signed.version,
    expiresAt: new Date(Math.min(...expiries)).toISOString(),
    revoked,
    archive: (packageName, version) => {
      const found = archives.get(`${packageName}/${version}.tgz`);
      return found === undefined
        ? undefined
        : { integrity: `sha512-${Buffer.from(found.hashes.sha512, 'hex').toString('base64')}`, length: found.length };
    },
    newest: (packageName) =>
      [...archives.keys()]
        .filter((path) => path.startsWith(`${packageName}/`) && path.endsWith('.tgz'))
        .map((path) => path.slice(packageName.length + 1, -'.tgz'.length))
        .filter((version) => semver.valid(version) === version && semver.prerelease(version) === null)
        .filter((version) => !revoked.versions.some((other) => other.package === packageName && other.version === version))
        .sort(semver.rcompare)[0],
  };
}

/** How a catalogue is named for people to compare: SHA-256 of its first root, hexadecimal. */
export function catalogueFingerprint(firstRoot: string): string {
  return createHash('sha256').update(firstRoot).digest('hex');
}
