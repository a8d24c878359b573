import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { DriverCatalogue } from '../../host/src/runtime/drivers/catalogue/driverCatalogue.ts';
import type { SeedEntry } from '../../host/src/runtime/drivers/catalogue/seedCatalogue.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { PlatformFiles } from '../../host/src/runtime/drivers/install/platformFiles.ts';
import { DriverInstaller } from '../../host/src/runtime/drivers/install/driverInstaller.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { DocumentCache } from '../../host/src/runtime/drivers/registry/documentCache.ts';
import { DriverPolicy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import type { Policy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { WiderGrants } from '../../host/src/runtime/drivers/policy/widerGrants.ts';
import { widerGrantsMigration } from '../../host/src/runtime/storage/migrations/widerGrants.ts';
import { Registries } from '../../host/src/runtime/drivers/registry/registries.ts';
import { RegistryClient } from '../../host/src/runtime/drivers/registry/registryClient.ts';
import { RegistryNetwork } from '../../host/src/runtime/drivers/registry/registryNetwork.ts';
import type { RegistryTimes } from '../../host/src/runtime/drivers/registry/registryNetwork.ts';
import { RegistrySettings } from '../../host/src/runtime/drivers/registry/registrySettings.ts';
import { registryTrustMigration } from '../../host/src/runtime/storage/migrations/registryTrust.ts';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import type { RegistrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { SignedCatalogues } from '../../host/src/runtime/drivers/registry/signedCatalogues.ts';
import { TrustedMetadataFiles } from '../../host/src/runtime/drivers/registry/trustedMetadata.ts';
import type { KnownPublisher } from '../../host/src/runtime/drivers/trust/knownPublisher.ts';
import { readLocalRegistry } from '../../host/src/runtime/drivers/trust/localRegistry.ts';
import { PublisherTrust } from '../../host/src/runtime/drivers/trust/publisherTrust.ts';
import { TrustStore } from '../../host/src/runtime/drivers/trust/trustStore.ts';
import { RegistryManagement } from '../../host/src/runtime/drivers/registry/registryManagement.ts';
import { DriverManagement } from '../../host/src/runtime/drivers/install/driverManagement.ts';
import { DeveloperFolders } from '../../host/src/runtime/drivers/versions/developerFolders.ts';
import { DriverChoices } from '../../host/src/runtime/drivers/versions/driverChoices.ts';
import { driverFolders } from '../../host/src/runtime/drivers/packages/driverFolders.ts';
import { driverManagementMigration } from '../../host/src/runtime/storage/migrations/driverManagement.ts';
import { DriverRecords } from '../../host/src/runtime/drivers/packages/driverRecords.ts';
import { driversMigration } from '../../host/src/runtime/storage/migrations/drivers.ts';
import { InstalledDrivers } from '../../host/src/runtime/drivers/versions/installedDrivers.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import type { OpenSession } from '../../host/src/runtime/data/sessions.ts';
import { dataDirectoryMigration } from '../../host/src/runtime/storage/migrations/dataDirectory.ts';
import { Database } from '../../host/src/runtime/storage/database.ts';
import { MemoryStore } from './memoryStore.ts';

/** A trial loader that notes what it was given. */
class FakeTrialLoader implements Pick<DriverProcesses, 'tryOut'> {
  readonly tried: InstalledDriver[] = [];
  /** Extra work of the next trials, besides the note of them. */
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
  /** Default: the platform of this machine. */
  readonly platform?: string;
  /** An existing home: a second run of the host. */
  readonly home?: string;
  readonly trialLoader?: Pick<DriverProcesses, 'tryOut'>;
  readonly policy?: () => Promise<Policy | undefined>;
  readonly env?: NodeJS.ProcessEnv;
  readonly times?: Partial<RegistryTimes>;
  /** A name server of the test's own. */
  readonly lookup?: LookupFunction;
}

/** The driver services of a host, wired as the composition does, over a home of their own. */
export async function createPackageHost(options: PackageHostOptions = {}) {
  const home = options.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'tabularium-home-'))));
  const folders = driverFolders(home);
  const database = new Database(join(home, 'tabularium.db'), [
    driversMigration,
    driverManagementMigration,
    widerGrantsMigration,
    registryTrustMigration,
    dataDirectoryMigration,
  ]);
  const localRegistry = () => readLocalRegistry(options.registryFile);
  const trust = new PublisherTrust({
    builtIn: async () => options.builtIn ?? [],
    localRegistry,
    store: new TrustStore(database.connection),
  });
  const platform = options.platform === undefined ? {} : { platform: options.platform };
  const contract = { ...(options.contract === undefined ? {} : { contract: options.contract }), ...platform };
  const records = new DriverRecords(database.connection);
  const policy = new DriverPolicy(options.policy);
  const widerGrants = new WiderGrants({ connection: database.connection, policy });
  const choices = new DriverChoices(database.connection);
  const developerFolders = new DeveloperFolders({ folders, connection: database.connection, policy, ...contract });
  const secureStore = new MemoryStore();
  const settings = new RegistrySettings({ connection: database.connection, secureStore });
  const network = new RegistryNetwork({
    policy,
    settings: () => settings.network(),
    token: (url) => settings.token(url),
    places: settings.places,
    env: options.env ?? {},
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    ...(options.times === undefined ? {} : { times: options.times }),
  });
  let revocations = 0;
  const signedCatalogues = new SignedCatalogues({
    files: new TrustedMetadataFiles(folders.trust),
    folder: folders.catalogues,
    network,
    localRegistry,
    logger: silentLogger,
    onRevocation: () => {
      revocations += 1;
    },
  });
  const installed = new InstalledDrivers({
    folders,
    records,
    trust,
    policy,
    widerGrants,
    choices,
    developerFolders,
    signedCatalogues,
    logger: silentLogger,
    ...contract,
  });
  await installed.sweep();
  const cache = new DocumentCache(folders.documents);
  const client = new RegistryClient({ cache, network });
  const registries = new Registries({
    configured: () => [
      ...settings.list().map((setting) => registrySource(setting.url, setting)),
      ...(options.registries?.() ?? []),
    ],
    localRegistry,
  });
  const catalogue = new DriverCatalogue({
    seed: async () => options.seed ?? [],
    registries,
    client,
    cache,
    installed,
    policy,
    signedCatalogues,
    logger: silentLogger,
    ...contract,
  });
  const trialLoader = new FakeTrialLoader();
  /** The connections that the host lists as open. */
  const sessions: OpenSession[] = [];
  /** The drivers whose processes were ended. */
  const stopped: string[] = [];
  const platformFiles = new PlatformFiles({ client, network, signedCatalogues, ...platform });
  const installer = new DriverInstaller({
    platformFiles,
    folders,
    catalogue,
    installed,
    trust,
    trialLoader: options.trialLoader ?? trialLoader,
    policy,
    widerGrants,
    choices,
    network,
    signedCatalogues,
    isInUse: (id, version) =>
      sessions.some(({ connection, driverVersion }) => connection.driver === id && driverVersion === version),
    logger: silentLogger,
    ...contract,
  });
  const management = new DriverManagement({
    home,
    catalogue,
    installer,
    installed,
    choices,
    trust,
    policy,
    widerGrants,
    developerFolders,
    network,
    trialLoader: options.trialLoader ?? trialLoader,
    sessions: {
      openSessions: () => sessions,
      closeDriver: async (id) => {
        sessions.splice(0, sessions.length, ...sessions.filter(({ connection }) => connection.driver !== id));
      },
      close: async (connectionId) => {
        sessions.splice(0, sessions.length, ...sessions.filter(({ connection }) => connection.id !== connectionId));
      },
    },
    processes: { stopDriver: async (id, version) => void stopped.push(`${id} ${version}`) },
  });
  const registryManagement = new RegistryManagement({ policy, registries, settings, signedCatalogues });
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
    choices,
    installed,
    catalogue,
    installer,
    management,
    registryManagement,
    settings,
    secureStore,
    signedCatalogues,
    /** How often a registry has revoked something. */
    revocations: () => revocations,
    sessions,
    stopped,
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
export async function createRegistry(): Promise<RunningRegistry> {
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
