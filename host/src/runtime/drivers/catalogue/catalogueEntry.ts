import type { CatalogueEntry } from '../../../common/drivers.ts';
import semver from 'semver';
import type { InstalledDriver } from '../installedDriver.ts';
import type { RegistryVersion } from '../registryClient/registryDocument.ts';
import { manifestOf } from '../registryClient/registryDocument.ts';
import { contractFault, resolveVersion } from '../versions/resolveVersion.ts';
import type { SeedEntry } from './seedCatalogue.ts';

/** Everything that is known of one package. */
export interface KnownPackage {
  readonly packageName: string;
  readonly seed: SeedEntry | undefined;
  readonly installed: InstalledDriver | undefined;
  /** What the first registry that has the package offers; undefined when none was ever asked. */
  readonly offered: readonly RegistryVersion[] | undefined;
}

/** The package as one line of the chooser; undefined when nothing of it can be drawn. */
export function catalogueEntry(known: KnownPackage, contract: string | undefined): CatalogueEntry | undefined {
  const { packageName, installed, seed, offered = [] } = known;
  const { best, reason: passedOver } = resolveVersion(offered, { contract });
  // What new sessions use decides the form; else the newest that can run; else whatever can still be shown with the reason.
  const shown =
    installed?.manifest ?? best?.manifest ?? seed?.manifest ?? offered.map(manifestOf).find((read) => read.ok)?.manifest;
  if (shown === undefined) return undefined;
  const seedFault = seed === undefined ? undefined : contractFault(seed.manifest.sdk, contract);
  const reason = passedOver ?? (known.offered === undefined && seedFault !== undefined ? `The driver ${seedFault}.` : undefined);
  const newer = best !== undefined && installed !== undefined && semver.gt(best.version.version, installed.version);
  const canRun = best !== undefined || (offered.length === 0 && seedFault === undefined);
  return {
    id: shown.id,
    packageName,
    manifest: shown,
    state: newer ? 'updateAvailable' : installed !== undefined ? 'installed' : canRun ? 'notInstalled' : 'cannotRun',
    ...(installed === undefined ? {} : { installedVersion: installed.version, publisher: installed.publisher }),
    ...(best === undefined ? {} : { availableVersion: best.version.version }),
    ...(reason === undefined ? {} : { reason }),
  };
}
