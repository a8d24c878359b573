import type { Manifest } from '@tabularium/sdk/manifest';
import type { InstallProgress } from '../../common/drivers.ts';
import type { DowngradeConsent } from '../../common/driversApi.ts';
import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import type { ManifestSource } from '../connections/connectionService.ts';
import type { SessionDrivers } from '../data/sessions.ts';
import type { SendingDriver } from './broker/serverDestination.ts';
import type { WantedDriver } from './catalogue/driverCatalogue.ts';
import type { InstalledDriver } from './packages/installedDriver.ts';
import { DriverCatalogue } from './catalogue/driverCatalogue.ts';
import { DriverInstaller } from './install/driverInstaller.ts';
import { InstalledDrivers } from './versions/installedDrivers.ts';
import type { Inject } from '../container/inject.ts';

/** Drivers as connections need them: the version to use now, installed on demand, and the manifest of a type before there is any. */
export class Drivers implements SessionDrivers, ManifestSource {
  static readonly inject: Inject<typeof Drivers> = {
    catalogue: DriverCatalogue,
    installed: InstalledDrivers,
    installer: DriverInstaller,
  };

  readonly #catalogue: DriverCatalogue;
  readonly #installed: InstalledDrivers;
  readonly #installer: DriverInstaller;
  readonly #known = new Map<string, Manifest>();

  constructor(services: { catalogue: DriverCatalogue; installed: InstalledDrivers; installer: DriverInstaller }) {
    this.#catalogue = services.catalogue;
    this.#installed = services.installed;
    this.#installer = services.installer;
  }

  /** Reads the manifests that are known without asking any registry, for {@link find}. */
  async learn(): Promise<void> {
    for (const { id, manifest } of (await this.#catalogue.list()).entries) this.#known.set(id, manifest);
  }

  /** The manifest of a type as it was last seen, without waiting. */
  find(driver: string): Manifest | undefined {
    return this.#known.get(driver);
  }

  /** @throws HostError `DRIVER_UNKNOWN` */
  async manifestOf(driver: string): Promise<Manifest> {
    const entry = await this.#catalogue.entry(driver);
    if (entry === undefined) throw new HostError('DRIVER_UNKNOWN', `No registry has a driver for the database type "${driver}".`);
    this.#known.set(driver, entry.manifest);
    return entry.manifest;
  }

  /** @throws HostError `DRIVER_UNKNOWN` */
  async senderOf(driver: string): Promise<SendingDriver> {
    const installed = await this.#installed.current(driver).catch(() => undefined);
    if (installed !== undefined) return installed;
    // Not installed, or not to be used now: what it would be is bound as far as it is known, and held to that when it is used.
    const publisher = this.#installed.currentInfo(driver)?.publisher;
    return { id: driver, manifest: await this.manifestOf(driver), ...(publisher === undefined ? {} : { publisher }) };
  }

  /** @throws HostError as the installer throws, and `PACKAGE_SIGNATURE_INVALID` for files that were changed since */
  async ensureInstalled(
    driver: string,
    options: { signal: AbortSignal; onProgress?: (progress: InstallProgress) => void },
  ): Promise<InstalledDriver> {
    const installed = await this.#installed.current(driver).catch((error: unknown) => {
      if (error instanceof HostError && error.code === 'DRIVER_NOT_INSTALLED') return undefined;
      throw error;
    });
    // A running one is waited for, whatever version it brings.
    const result =
      installed ?? (await this.#installer.joinRunning(driver, options)) ?? (await this.#installer.install(driver, options));
    this.#known.set(driver, result.manifest);
    return result;
  }

  /** Installs a driver and keeps its manifest from then on. @throws HostError as the installer throws, by the iteration */
  install(
    driver: string,
    wanted: WantedDriver & { readonly allowDowngrade?: DowngradeConsent | undefined },
    signal: AbortSignal,
  ): AsyncIterable<InstallProgress> {
    return progressStream<InstallProgress>(async (notify) => {
      await this.#installer.install(driver, { ...wanted, signal, onProgress: notify });
      await this.learn();
    });
  }
}
