import { visibleText } from '@tabularium/sdk';
import semver from 'semver';
import ssri from 'ssri';
import { HostError } from '../../../common/errors.ts';
import type { RegistryVersion } from './registryDocument.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import type { CatalogueState } from './signedCatalogues.ts';

/** The versions of a package that may be installed: all of an unsigned registry, else those that its signed catalogue lists with the same hash. */
export function offeredVersions(
  packageName: string,
  versions: readonly RegistryVersion[],
  signed: CatalogueState,
): readonly RegistryVersion[] {
  if (signed.kind === 'unsigned') return versions;
  return versions.filter((version) => listedFault(packageName, version, signed) === undefined);
}

/** A registry that offers less than its catalogue lists holds the newest version back. @returns undefined when it does not */
export function hiddenVersion(
  registry: RegistrySource,
  packageName: string,
  versions: readonly RegistryVersion[],
  signed: CatalogueState,
): HostError | undefined {
  const newest = signed.kind === 'signed' ? signed.content?.newest(packageName) : undefined;
  if (newest === undefined || versions.some(({ version }) => semver.gte(version, newest))) return undefined;
  return new HostError(
    'CATALOGUE_INVALID',
    `The registry "${registry.name}" (${registry.url}) does not offer ${packageName} ${newest}, which its signed catalogue lists.`,
  );
}

/** Why a version that is offered, the one asked for or the newest, is left out by the signed catalogue. */
export function unlistedFault(
  registry: RegistrySource,
  packageName: string,
  versions: readonly RegistryVersion[],
  wanted: string | undefined,
  signed: CatalogueState,
): HostError | undefined {
  if (signed.kind === 'unsigned') return undefined;
  const version = versions.find((candidate) => wanted === undefined || candidate.version === wanted);
  const fault = version === undefined ? undefined : listedFault(packageName, version, signed);
  if (version === undefined || fault === undefined) return undefined;
  const text = `${packageName} ${version.version}`;
  if (fault.code === 'DRIVER_REVOKED')
    return new HostError(fault.code, `The registry "${registry.name}" has revoked ${text}. It says: ${fault.why}`);
  return new HostError(
    fault.code,
    `The signed catalogue of the registry "${registry.name}" (${registry.url}) ${fault.why} ${text}.`,
  );
}

function listedFault(
  packageName: string,
  { version, dist }: RegistryVersion,
  signed: CatalogueState & { readonly kind: 'signed' },
): { readonly code: 'CATALOGUE_INVALID' | 'PACKAGE_TAMPERED' | 'DRIVER_REVOKED'; readonly why: string } | undefined {
  const { content } = signed;
  const revoked = content?.revoked.versions.find((other) => other.package === packageName && other.version === version);
  if (revoked !== undefined) return { code: 'DRIVER_REVOKED', why: visibleText(revoked.reason) };
  const listed = content?.archive(packageName, version);
  if (listed === undefined) return { code: 'CATALOGUE_INVALID', why: 'does not list' };
  // A version without an SHA-512 is rejected by name when it is installed.
  const announced = ssri.parse(dist.integrity ?? '')?.['sha512']?.[0]?.digest;
  if (announced !== undefined && `sha512-${announced}` !== listed.integrity)
    return { code: 'PACKAGE_TAMPERED', why: 'lists another archive as' };
  return undefined;
}
