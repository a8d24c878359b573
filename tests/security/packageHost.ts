import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '@tabularium/registry';
import type { LocalRegistry } from '@tabularium/registry';
import { DriverCatalogue } from '../../host/src/runtime/drivers/catalogue/driverCatalogue.ts';
import type { SeedEntry } from '../../host/src/runtime/drivers/catalogue/seedCatalogue.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/installedDriver.ts';
import { DriverInstaller } from '../../host/src/runtime/drivers/installer/driverInstaller.ts';
import type { TrialLoader } from '../../host/src/runtime/drivers/installer/trialLoader.ts';
import { DocumentCache } from '../../host/src/runtime/drivers/registryClient/documentCache.ts';
import { Registries } from '../../host/src/runtime/drivers/registryClient/registries.ts';
import { RegistryClient } from '../../host/src/runtime/drivers/registryClient/registryClient.ts';
import type { RegistrySource } from '../../host/src/runtime/drivers/registryClient/registrySource.ts';
import type { KnownPublisher } from '../../host/src/runtime/drivers/trust/knownPublisher.ts';
import { readLocalRegistry } from '../../host/src/runtime/drivers/trust/localRegistry.ts';
import { PublisherTrust } from '../../host/src/runtime/drivers/trust/publisherTrust.ts';
import { TrustStore } from '../../host/src/runtime/drivers/trust/trustStore.ts';
import { driverFolders } from '../../host/src/runtime/drivers/versions/driverFolders.ts';
import { DriverRecords } from '../../host/src/runtime/drivers/versions/driverRecords.ts';
import { driversMigration } from '../../host/src/runtime/drivers/versions/driversMigration.ts';
import { InstalledDrivers } from '../../host/src/runtime/drivers/versions/installedDrivers.ts';
import { silentLogger } from '../../host/src/runtime/logger.ts';
import { Database } from '../../host/src/runtime/storage/database.ts';

/** A trial loader that notes what it was given. */
export class FakeTrialLoader implements TrialLoader {
  readonly tried: InstalledDriver[] = [];
  /** What the next trials do beside being noted. */
  behaviour: (driver: InstalledDriver, signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  async tryOut(driver: InstalledDriver, signal: AbortSignal): Promise<void> {
    this.tried.push(driver);
    await this.behaviour(driver, signal);
  }
}

export interface PackageHostOptions {
  readonly registryFile?: string;
  readonly registries?: () => readonly RegistrySource[];
  readonly builtIn?: readonly KnownPublisher[];
  readonly seed?: readonly SeedEntry[];
  readonly contract?: string;
  /** An existing home: a second run of the host. */
  readonly home?: string;
  readonly trialLoader?: TrialLoader;
}

/** The driver services of a host, wired as the composition does, over a home of their own. */
export async function createPackageHost(options: PackageHostOptions = {}) {
  const home = options.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'tabularium-home-'))));
  const folders = driverFolders(home);
  const database = new Database(join(home, 'tabularium.db'), [driversMigration]);
  const localRegistry = () => readLocalRegistry(options.registryFile);
  const trust = new PublisherTrust({
    builtIn: async () => options.builtIn ?? [],
    localRegistry,
    store: new TrustStore(database.connection),
  });
  const contract = options.contract === undefined ? {} : { contract: options.contract };
  const records = new DriverRecords(database.connection);
  const installed = new InstalledDrivers({ folders, records, trust, logger: silentLogger, ...contract });
  await installed.sweep();
  const cache = new DocumentCache(folders.documents);
  const client = new RegistryClient({ cache });
  const registries = new Registries({ configured: options.registries ?? (() => []), localRegistry });
  const catalogue = new DriverCatalogue({
    seed: async () => options.seed ?? [],
    registries,
    client,
    cache,
    installed,
    logger: silentLogger,
    ...contract,
  });
  const trialLoader = new FakeTrialLoader();
  const installer = new DriverInstaller({
    folders,
    catalogue,
    installed,
    trust,
    trialLoader: options.trialLoader ?? trialLoader,
    logger: silentLogger,
    ...contract,
  });
  const stop = async (): Promise<void> => {
    await installer[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
    database[Symbol.dispose]();
  };
  return {
    home,
    folders,
    trust,
    records,
    installed,
    catalogue,
    installer,
    trialLoader,
    install: (id: string, version?: string) => installer.install(id, { version, signal: new AbortController().signal }),
    /** Every file below `drivers/`, staging included: what a refusal must leave empty. */
    files: async (): Promise<readonly string[]> => (await readdir(folders.drivers, { recursive: true }).catch(() => [])).sort(),
    /** Ends the services and keeps the home. */
    stop,
    close: async (): Promise<void> => {
      await stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type PackageHost = Awaited<ReturnType<typeof createPackageHost>>;

/** A local registry in a folder of its own, removed with it. */
export async function createRegistry(): Promise<LocalRegistry> {
  const stateFolder = await mkdtemp(join(tmpdir(), 'tabularium-registry-'));
  const registry = await startRegistry({ stateFolder });
  return {
    ...registry,
    close: async () => {
      await registry.close();
      await rm(stateFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
