import semver from 'semver';
import type { CatalogueEntry, DriverState } from '../../../common/drivers.ts';
import { originOf } from '../../../common/errors.ts';
import { englishOf } from '../../../common/hostSentences.ts';
import type { RegistryVersion } from '../registry/registryDocument.ts';
import { manifestOfDocument } from '../registry/registryDocument.ts';
import type { CurrentDriver } from '../versions/installedDrivers.ts';
import { compatibilityFault } from '../registry/compatibilityFault.ts';
import type { HostTraits } from '../registry/compatibilityFault.ts';
import { resolveVersion } from '../registry/resolveVersion.ts';
import type { SeedEntry } from './seedCatalogue.ts';

/** Everything that is known of one package. */
export interface KnownPackage {
  readonly packageName: string;
  readonly seed: SeedEntry | undefined;
  readonly installed: CurrentDriver | undefined;
  /** The versions of the first registry that has the package; undefined when none was ever asked. */
  readonly offered: readonly RegistryVersion[] | undefined;
}

interface Standing {
  readonly installed: CurrentDriver | undefined;
  readonly best: string | undefined;
  /** Whether a version may be there that runs: one is offered, or none was asked for yet. */
  readonly canRun: boolean;
}

function stateOf({ installed, best, canRun }: Standing): DriverState {
  if (installed === undefined) return canRun ? 'notInstalled' : 'cannotRun';
  // It is complete, and a person is asked when it is used.
  if (installed.fault?.code === 'GRANT_NEEDED') return 'installed';
  // A registry can't update a developer's folder.
  if (installed.info.developerFolder !== undefined) return installed.driver === undefined ? 'cannotRun' : 'installed';
  const isOff = installed.fault?.code === 'DRIVER_DISABLED' || installed.fault?.code === 'POLICY_FORBIDS';
  if (!isOff && best !== undefined && semver.gt(best, installed.info.version)) return 'updateAvailable';
  if (installed.driver !== undefined) return 'installed';
  // Installing a damaged driver again repairs it; a revoked key or a contract of another time stays what it is.
  return canRun && installed.fault?.code === 'PACKAGE_SIGNATURE_INVALID' ? 'notInstalled' : 'cannotRun';
}

/** The package as one line of the chooser; undefined when nothing of it can be drawn. */
export function catalogueEntry(known: KnownPackage, host: HostTraits): CatalogueEntry | undefined {
  const { packageName, installed, seed, offered = [] } = known;
  const { best, reason: passedOver } = resolveVersion(offered, host);
  // The version that new sessions use decides the form; else the newest that can run; else any that can be shown with the reason.
  const shown =
    installed?.driver?.manifest ??
    best?.manifest ??
    seed?.manifest ??
    offered.map((version) => manifestOfDocument(version)).find((read) => read.ok)?.manifest;
  if (shown === undefined) return undefined;
  const seedFault =
    seed === undefined || known.offered !== undefined ? undefined : compatibilityFault(seed.manifest.title, seed.manifest, host);
  const canRun = best !== undefined || (offered.length === 0 && seedFault === undefined);
  const needsGrant = installed?.fault?.code === 'GRANT_NEEDED';
  const fault = needsGrant ? undefined : installed?.fault;
  const sentence = passedOver ?? seedFault;
  return {
    id: shown.id,
    packageName,
    manifest: shown,
    state: stateOf({ installed, best: best?.version.version, canRun }),
    ...(installed === undefined ? {} : { installedVersion: installed.info.version, publisher: installed.info.publisher }),
    ...(best === undefined ? {} : { availableVersion: best.version.version }),
    ...(fault !== undefined
      ? { reason: fault.message, reasonOrigin: originOf(fault) }
      : sentence !== undefined
        ? { reason: englishOf(sentence), reasonOrigin: { sentence } }
        : {}),
    ...(installed?.fault?.code === 'DRIVER_DISABLED' ? { disabled: true } : {}),
    ...(installed?.info.developerFolder === undefined ? {} : { developerFolder: installed.info.developerFolder }),
  };
}
