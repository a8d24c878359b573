import 'reflect-metadata';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { container as rootContainer, instanceCachingFactory } from 'tsyringe';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import { Application } from './api/application.ts';
import { contextServices } from './api/context.ts';
import type { ApiContext } from './api/context.ts';
import { ConnectionImport } from './connections/connectionImport.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import { ConnectionService } from './connections/connectionService.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { SecretBindings } from './connections/secretBindings.ts';
import { QueryHistory } from './console/queryHistory.ts';
import { SavedRequests } from './console/savedRequests.ts';
import { Statements } from './console/statements.ts';
import { OsSecureStore } from './credentials/osSecureStore.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { ConnectionTest } from './data/connectionTest.ts';
import { Filtering } from './data/filtering.ts';
import { OpenConnections } from './data/openConnections.ts';
import { DriverCatalogue } from './drivers/catalogue/driverCatalogue.ts';
import { GrantingConnector } from './drivers/driverConnector.ts';
import { DriverDevelopment } from './drivers/install/driverDevelopment.ts';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { Drivers } from './drivers/drivers.ts';
import { DriverUse } from './drivers/driverUse.ts';
import { DriverInstaller } from './drivers/install/driverInstaller.ts';
import { DriverPolicy, readPolicy, systemPolicyFile } from './drivers/policy/driverPolicy.ts';
import { WiderGrants } from './drivers/policy/widerGrants.ts';
import { driverPaths } from './drivers/processes/driverPaths.ts';
import { DriverProcesses } from './drivers/processes/driverProcesses.ts';
import { DocumentCache } from './drivers/registry/documentCache.ts';
import { configuredRegistries } from './drivers/registry/configuredRegistries.ts';
import { Registries } from './drivers/registry/registries.ts';
import { RegistryClient } from './drivers/registry/registryClient.ts';
import { RegistryNetwork } from './drivers/registry/registryNetwork.ts';
import { RegistrySettings } from './drivers/registry/registrySettings.ts';
import { SignedCatalogues } from './drivers/registry/signedCatalogues.ts';
import { readBuiltInPublishers } from './drivers/trust/builtInPublishers.ts';
import { readLocalRegistry } from './drivers/trust/localRegistry.ts';
import { whileUnchanged } from './drivers/trust/whileUnchanged.ts';
import { PublisherTrust } from './drivers/trust/publisherTrust.ts';
import { TrustStore } from './drivers/trust/trustStore.ts';
import { DeveloperFolders } from './drivers/versions/developerFolders.ts';
import { DriverChoices } from './drivers/versions/driverChoices.ts';
import type { DriverFolders } from './drivers/packages/driverFolders.ts';
import { driverFolders } from './drivers/packages/driverFolders.ts';
import { DriverRecords } from './drivers/packages/driverRecords.ts';
import { InstalledDrivers } from './drivers/versions/installedDrivers.ts';
import { EditStore } from './editing/editStore.ts';
import { Editing } from './editing/editing.ts';
import type { Home } from './storage/home.ts';
import { ActivityLog } from './mcp/activity/activityLog.ts';
import { ApprovalQueue } from './mcp/approvals/approvalQueue.ts';
import { ApprovalGate } from './mcp/approvals/approvalGate.ts';
import { ApprovalTickets } from './mcp/approvals/approvalTickets.ts';
import { GrantStore } from './mcp/approvals/grantStore.ts';
import { NewSecrets } from './mcp/approvals/newSecrets.ts';
import { bridgeProgram } from './mcp/clients/bridgeProgram.ts';
import { ClientConnector } from './mcp/clients/clientConnector.ts';
import { HandshakeService } from './mcp/clients/handshakeService.ts';
import { Integrations } from './mcp/integrations.ts';
import { IntegrationSettingsStore } from './mcp/integrationSettings.ts';
import { historyReader } from './mcp/server/historyReader.ts';
import { PREFERRED_PORT } from './mcp/server/limits.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { TokenStore } from './mcp/access/tokenStore.ts';
import type { Logger } from './storage/logger.ts';
import { makeSignedCatalogues } from './makeSignedCatalogues.ts';
import { makeCatalogue } from './makeCatalogue.ts';
import { PreferencesStore } from './workspace/preferencesStore.ts';
import { Metrics } from './data/metrics.ts';
import { Principals } from './data/principals.ts';
import { TableOperations } from './data/tableOperations.ts';
import { FOLDERS, LOGGER, SECURE_STORE } from './serviceTokens.ts';
import { Sessions } from './data/sessions.ts';
import { Database } from './storage/database.ts';
import type { HomeDatabase } from './storage/homeDatabase.ts';
import { registerStorage } from './storage/registerStorage.ts';
import { Tables } from './data/tables.ts';
import { Transfers } from './transfer/transfers.ts';
import { UnfinishedFiles } from './transfer/unfinishedFiles.ts';
import { WorkspaceState } from './workspace/workspaceState.ts';

/** What a runtime is started with. */
export interface RuntimeOptions {
  /** A home that this process owns (see `acquireHomeLock`). */
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** The pinned Node that runs driver processes; default: the one that runs this. */
  readonly node?: string;
  /** The administrator's policy. Default: where this system keeps it. */
  readonly policyFile?: string;
  /** Whether a process is kept ready for the next driver. Default: true. */
  readonly spareDriver?: boolean;
  /** Default: the operating system's. */
  readonly secureStore?: SecureStore;
}

/** The one place where services are wired together. Each is made when it is first needed, once. */
export function compose(
  options: RuntimeOptions,
  own: { readonly folder: string; readonly version: string },
  opened: HomeDatabase,
  bindingKey: Uint8Array,
): DependencyContainer {
  const { home, env, logger } = options;
  const container = rootContainer.createChildContainer();
  /** What the window does to tables is told to the clients that listen. */
  const tellClients = (connectionId: string): void => container.resolve(McpServer).connectionChanged(connectionId);
  const single = <T>(token: InjectionToken<T>, make: (services: DependencyContainer) => T): void => {
    container.register(token, { useFactory: instanceCachingFactory(make) });
  };
  const registryFile = env['TABULARIUM_LOCAL_REGISTRY'];
  const localRegistry = whileUnchanged(registryFile ?? '', () => readLocalRegistry(registryFile));
  const publishersFile = join(own.folder, 'catalogue', 'publishers.json');

  single(LOGGER, () => logger);
  single(FOLDERS, () => driverFolders(home.folder));
  single(SECURE_STORE, () => options.secureStore ?? new OsSecureStore());
  registerStorage(single, opened, logger);
  single(UnfinishedFiles, (c) => new UnfinishedFiles(c.resolve(Database).connection, logger, home.folder));
  single(WorkspaceState, (c) => new WorkspaceState(c.resolve(Database)));
  single(PreferencesStore, (c) => new PreferencesStore(c.resolve(Database)));
  single(ConnectionStore, (c) => new ConnectionStore(c.resolve(Database)));
  single(ConnectionSecrets, (c) => new ConnectionSecrets(c.resolve<SecureStore>(SECURE_STORE), env, c.resolve(SecretBindings)));
  single(SecretBindings, (c) => new SecretBindings(c.resolve(Database).connection, bindingKey));
  single(
    ConnectionService,
    (c) =>
      new ConnectionService({
        store: c.resolve(ConnectionStore),
        secrets: c.resolve(ConnectionSecrets),
        manifests: c.resolve(Drivers),
        installed: c.resolve(InstalledDrivers),
        database: c.resolve(Database),
        stagedTables: (connectionId) => c.resolve(EditStore).tables(connectionId).length,
        assertFiles: (manifest, files) => c.resolve(DriverProcesses).assertFilesAllowed(manifest, files),
      }),
  );

  single(
    ConnectionImport,
    (c) =>
      new ConnectionImport({
        store: c.resolve(ConnectionStore),
        service: c.resolve(ConnectionService),
        manifests: c.resolve(Drivers),
      }),
  );

  single(DocumentCache, (c) => new DocumentCache(c.resolve<DriverFolders>(FOLDERS).documents));
  single(RegistryClient, (c) => new RegistryClient({ cache: c.resolve(DocumentCache), network: c.resolve(RegistryNetwork) }));
  single(DriverPolicy, () => {
    const file = options.policyFile ?? systemPolicyFile(env);
    return new DriverPolicy(() => readPolicy(file));
  });
  single(
    RegistrySettings,
    (c) =>
      new RegistrySettings({ connection: c.resolve(Database).connection, secureStore: c.resolve<SecureStore>(SECURE_STORE) }),
  );
  single(SignedCatalogues, (c) => makeSignedCatalogues(c, localRegistry));
  single(RegistryNetwork, (c) => {
    const settings = c.resolve(RegistrySettings);
    return new RegistryNetwork({
      policy: c.resolve(DriverPolicy),
      settings: () => settings.network(),
      token: (url) => settings.token(url),
      places: settings.places,
      env,
    });
  });
  single(
    Registries,
    (c) =>
      new Registries({
        configured: () => [...c.resolve(RegistrySettings).sources(), ...configuredRegistries(env)],
        localRegistry,
      }),
  );
  single(WiderGrants, (c) => new WiderGrants({ connection: c.resolve(Database).connection, policy: c.resolve(DriverPolicy) }));
  single(DriverRecords, (c) => new DriverRecords(c.resolve(Database).connection));
  single(DriverChoices, (c) => new DriverChoices(c.resolve(Database).connection));
  single(
    DeveloperFolders,
    (c) =>
      new DeveloperFolders({
        folders: c.resolve<DriverFolders>(FOLDERS),
        connection: c.resolve(Database).connection,
        policy: c.resolve(DriverPolicy),
      }),
  );
  single(TrustStore, (c) => new TrustStore(c.resolve(Database).connection));
  single(
    PublisherTrust,
    (c) =>
      new PublisherTrust({
        builtIn: whileUnchanged(publishersFile, () => readBuiltInPublishers(publishersFile)),
        localRegistry,
        store: c.resolve(TrustStore),
      }),
  );
  single(
    InstalledDrivers,
    (c) =>
      new InstalledDrivers({
        folders: c.resolve<DriverFolders>(FOLDERS),
        records: c.resolve(DriverRecords),
        trust: c.resolve(PublisherTrust),
        policy: c.resolve(DriverPolicy),
        widerGrants: c.resolve(WiderGrants),
        choices: c.resolve(DriverChoices),
        developerFolders: c.resolve(DeveloperFolders),
        signedCatalogues: c.resolve(SignedCatalogues),
        logger,
      }),
  );
  single(DriverCatalogue, (c) => makeCatalogue(c, c.resolve(Registries)));
  single(
    DriverInstaller,
    (c) =>
      new DriverInstaller({
        folders: c.resolve<DriverFolders>(FOLDERS),
        catalogue: c.resolve(DriverCatalogue),
        installed: c.resolve(InstalledDrivers),
        trust: c.resolve(PublisherTrust),
        trialLoader: c.resolve(DriverProcesses),
        policy: c.resolve(DriverPolicy),
        widerGrants: c.resolve(WiderGrants),
        choices: c.resolve(DriverChoices),
        network: c.resolve(RegistryNetwork),
        signedCatalogues: c.resolve(SignedCatalogues),
        isInUse: (id, version) => c.resolve(DriverUse).isInUse(id, version),
        logger,
      }),
  );
  single(
    DriverUse,
    (c) =>
      new DriverUse({
        connector: c.resolve(GrantingConnector),
        installed: c.resolve(InstalledDrivers),
        records: c.resolve(DriverRecords),
        choices: c.resolve(DriverChoices),
        logger,
      }),
  );
  single(
    DriverManagement,
    (c) =>
      new DriverManagement({
        home: home.folder,
        catalogue: c.resolve(DriverCatalogue),
        installer: c.resolve(DriverInstaller),
        installed: c.resolve(InstalledDrivers),
        choices: c.resolve(DriverChoices),
        trust: c.resolve(PublisherTrust),
        policy: c.resolve(DriverPolicy),
        widerGrants: c.resolve(WiderGrants),
        developerFolders: c.resolve(DeveloperFolders),
        registries: c.resolve(Registries),
        settings: c.resolve(RegistrySettings),
        signedCatalogues: c.resolve(SignedCatalogues),
        network: c.resolve(RegistryNetwork),
        trialLoader: c.resolve(DriverProcesses),
        sessions: c.resolve(Sessions),
        processes: c.resolve(DriverProcesses),
      }),
  );
  single(
    DriverDevelopment,
    (c) =>
      new DriverDevelopment({
        loadFolder: (folder, signal) => c.resolve(DriverManagement).loadFolder(folder, signal),
        titleOf: async (driver) => (await c.resolve(Drivers).manifestOf(driver)).title,
        sessions: c.resolve(Sessions),
      }),
  );
  single(
    DriverProcesses,
    (c) =>
      new DriverProcesses({
        ...driverPaths(own.folder, home),
        ...(options.spareDriver === false ? { limits: { spareIdle: 0 } } : {}),
        onUnwalled: (reason) => c.resolve(DriverPolicy).assertKernelWall(reason),
        node: options.node ?? process.execPath,
        log: (line) => {
          const { driver, version, level, source, message } = line;
          logger[level === 'debug' ? 'info' : level](`${driver} ${version} (${source}): ${message}`);
          c.resolve(DriverDevelopment).log(line);
        },
      }),
  );
  single(GrantingConnector, (c) => new GrantingConnector(c.resolve(DriverProcesses)));
  single(
    Drivers,
    (c) =>
      new Drivers({
        catalogue: c.resolve(DriverCatalogue),
        installed: c.resolve(InstalledDrivers),
        installer: c.resolve(DriverInstaller),
      }),
  );
  single(
    Sessions,
    (c) =>
      new Sessions({
        connections: c.resolve(ConnectionStore),
        secrets: c.resolve(ConnectionSecrets),
        drivers: c.resolve(Drivers),
        connector: c.resolve(DriverUse),
        logger,
        assertPermitted: (manifest) => c.resolve(WiderGrants).assertPermitted(manifest),
      }),
  );
  single(
    ConnectionTest,
    (c) =>
      new ConnectionTest({
        connections: c.resolve(ConnectionStore),
        drivers: c.resolve(Drivers),
        connector: c.resolve(GrantingConnector),
        probe: c.resolve(GrantingConnector),
        secrets: c.resolve(ConnectionSecrets),
      }),
  );
  single(
    OpenConnections,
    (c) =>
      new OpenConnections({
        connections: c.resolve(ConnectionStore),
        secrets: c.resolve(ConnectionSecrets),
        sessions: c.resolve(Sessions),
      }),
  );
  single(
    Application,
    (c) =>
      new Application({
        version: own.version,
        home: home.folder,
        secureStore: c.resolve<SecureStore>(SECURE_STORE),
        server: c.resolve(McpServer),
      }),
  );
  single(Tables, (c) => new Tables(c.resolve(Sessions)));
  single(EditStore, (c) => new EditStore(c.resolve(Database)));
  single(
    Editing,
    (c) =>
      new Editing({
        sessions: c.resolve(Sessions),
        connections: c.resolve(ConnectionStore),
        store: c.resolve(EditStore),
        onSaved: tellClients,
      }),
  );
  single(Transfers, (c) => new Transfers(c.resolve(Sessions), logger, undefined, c.resolve(UnfinishedFiles)));
  single(
    Statements,
    (c) =>
      new Statements({
        sessions: c.resolve(Sessions),
        secretsOf: ({ connection }) => c.resolve(ConnectionSecrets).valuesToHide(connection),
        history: new QueryHistory(c.resolve(Database)),
        saved: new SavedRequests(c.resolve(Database)),
        logger,
        onWritten: tellClients,
      }),
  );
  single(Filtering, (c) => new Filtering(c.resolve(Sessions)));
  single(Principals, (c) => new Principals(c.resolve(Sessions)));
  single(Metrics, (c) => new Metrics(c.resolve(Sessions), c.resolve(ConnectionStore)));
  single(TableOperations, (c) => new TableOperations(c.resolve(Sessions), tellClients));

  single(TokenStore, (c) => new TokenStore(c.resolve(Database).connection));
  single(
    ClientConnector,
    (c) =>
      new ClientConnector({
        bridge: bridgeProgram(own.folder),
        home: home.folder,
        place: { platform: process.platform, userFolder: env['HOME'] ?? env['USERPROFILE'] ?? homedir(), env },
        url: () => c.resolve(McpServer).address?.url ?? `http://127.0.0.1:${PREFERRED_PORT}/mcp`,
      }),
  );
  single(HandshakeService, (c) => new HandshakeService({ folder: home.folder, tokens: c.resolve(TokenStore), logger }));
  single(IntegrationSettingsStore, (c) => new IntegrationSettingsStore(c.resolve(Database).connection));
  single(GrantStore, (c) => new GrantStore(c.resolve(Database).connection));
  single(NewSecrets, () => new NewSecrets());
  single(ApprovalQueue, (c) => new ApprovalQueue(c.resolve(GrantStore)));
  single(McpServer, (c) => {
    const settings = c.resolve(IntegrationSettingsStore);
    const store = c.resolve(ConnectionStore);
    return new McpServer(
      {
        connections: store,
        sessions: c.resolve(Sessions),
        manifests: c.resolve(Drivers),
        tokens: c.resolve(TokenStore),
        secrets: c.resolve(ConnectionSecrets),
        approvals: new ApprovalGate({
          tickets: new ApprovalTickets(),
          queue: c.resolve(ApprovalQueue),
          grants: c.resolve(GrantStore),
          clientsMayAsk: () => settings.get().approvals === 'client',
        }),
        newSecrets: c.resolve(NewSecrets),
        exportFolders: () => settings.get().exportFolders,
        unfinishedFiles: c.resolve(UnfinishedFiles),
        history: historyReader(c.resolve(Statements).history),
        onInternalError: (error) => logger.error('an MCP call failed unexpectedly', error),
      },
      {
        version: own.version,
        lifecycle: c.resolve(HandshakeService),
        requestsPerMinute: () => settings.get().requestsPerMinute,
        allowedOrigins: () => settings.get().allowedOrigins,
      },
    );
  });
  single(
    ActivityLog,
    (c) =>
      new ActivityLog(c.resolve(Database).connection, {
        keepStatements: () => c.resolve(IntegrationSettingsStore).get().logStatements,
        onProblem: (error) => logger.error('the activity of MCP clients could not be written', error),
      }),
  );
  single(
    Integrations,
    (c) =>
      new Integrations({
        settings: c.resolve(IntegrationSettingsStore),
        server: c.resolve(McpServer),
        turnedOff: () => c.resolve(HandshakeService).turnedOff(),
        tokens: c.resolve(TokenStore),
        queue: c.resolve(ApprovalQueue),
        newSecrets: c.resolve(NewSecrets),
        grants: c.resolve(GrantStore),
        log: c.resolve(ActivityLog),
        connections: c.resolve(ConnectionStore),
      }),
  );
  return container;
}

/** What procedures are called with. */
export function contextOf(container: DependencyContainer): ApiContext {
  // The names go with the classes, which the compiler does not follow through a list of entries.
  return Object.fromEntries(
    Object.entries(contextServices).map(([name, service]) => [name, container.resolve<object>(service)]),
  ) as unknown as ApiContext;
}
