import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import type { Manifest } from '@tabularium/sdk/manifest';
import semver from 'semver';
import { compatibilityFault } from './compatibilityFault.ts';
import type { HostTraits } from './compatibilityFault.ts';
import { manifestOfDocument } from './registryDocument.ts';
import type { RegistryVersion } from './registryDocument.ts';

/** The version of a package that this host can run. */
export interface Resolution {
  readonly best: { readonly version: RegistryVersion; readonly manifest: Manifest } | undefined;
  /** Why a newer version, or every version, cannot run here, and what to update; undefined when nothing was passed over. */
  readonly reason: HostSentence | undefined;
}

export interface ResolveOptions extends HostTraits {
  /** Exactly this version. */
  readonly version?: string | undefined;
  readonly prerelease?: boolean | undefined;
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
  let reason: HostSentence | undefined;
  for (const version of wanted) {
    const read = manifestOfDocument(version);
    // "Version" is the same word in English and German.
    const driver = `Version ${version.version}`;
    const fault = read.ok
      ? compatibilityFault(driver, read.manifest, options)
      : read.newer
        ? hostSentence('manifestNewer', { driver })
        : hostSentence('manifestUnreadable', { driver, problem: read.problems[0] ?? 'manifest' });
    if (read.ok && fault === undefined) return { best: { version, manifest: read.manifest }, reason };
    reason ??= fault;
  }
  return { best: undefined, reason };
}
