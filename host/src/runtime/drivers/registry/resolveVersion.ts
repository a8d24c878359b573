import { SDK_CONTRACT } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import semver from 'semver';
import { manifestOfDocument } from './registryDocument.ts';
import type { RegistryVersion } from './registryDocument.ts';

/** What of a package this host can run. */
export interface Resolution {
  readonly best: { readonly version: RegistryVersion; readonly manifest: Manifest } | undefined;
  /** Why a newer version, or every version, cannot run here, and what to update; undefined when nothing was passed over. */
  readonly reason: string | undefined;
}

export interface ResolveOptions {
  /** Exactly this version. */
  readonly version?: string | undefined;
  readonly prerelease?: boolean | undefined;
  /** Default: the contract of this host. */
  readonly contract?: string | undefined;
}

/** Why a driver that needs `range` cannot run here; undefined when it can. */
export function contractFault(range: string, contract: string = SDK_CONTRACT): string | undefined {
  if (semver.validRange(range) === null) return `declares the contract "${range}", which isn't a version range`;
  if (semver.satisfies(contract, range)) return undefined;
  return semver.gtr(contract, range)
    ? `was made for an older Tabularium (contract ${range}; this one has ${contract}). Ask its author for a newer version`
    : `needs a newer Tabularium (contract ${range}; this one has ${contract}). Update Tabularium`;
}

/** The newest version that this host can run; pre-releases only when asked for. */
export function resolveVersion(versions: readonly RegistryVersion[], options: ResolveOptions = {}): Resolution {
  const wanted = versions
    .filter(({ version }) =>
      options.version === undefined
        ? options.prerelease === true || semver.prerelease(version) === null
        : version === options.version,
    )
    .toSorted((a, b) => semver.rcompare(a.version, b.version));
  let reason: string | undefined;
  for (const version of wanted) {
    const read = manifestOfDocument(version);
    const fault = read.ok
      ? contractFault(read.manifest.sdk, options.contract)
      : read.newer
        ? 'needs a newer Tabularium. Update Tabularium'
        : `has a manifest that cannot be read (${read.problems[0] ?? 'no reason given'})`;
    if (read.ok && fault === undefined) return { best: { version, manifest: read.manifest }, reason };
    reason ??= `Version ${version.version} ${fault}.`;
  }
  return { best: undefined, reason };
}
