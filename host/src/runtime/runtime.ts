import { z } from 'zod';
import type { SavedConnection } from '../common/connection.ts';
import type { SampleConnection } from '../common/sampleConnection.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import type { HostShell } from './api/owner/hostShell.ts';
import { createOwnerHandler } from './api/owner/ownerHandler.ts';
import { contextServices } from './api/context.ts';
import type { ApiContext } from './api/context.ts';
import { createApiHandler } from './api/handler.ts';
import { adoptSecrets, adoptingServices } from './connections/adoptSecrets.ts';
import { loadBindingKey } from './connections/bindingKey.ts';
import type { BindingKey } from './connections/bindingKey.ts';
import { compose } from './composition.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import type { Container } from './container/container.ts';
import { openKeyring, openSecureStore } from './credentials/openSecureStore.ts';
import { finishSecretMove } from './credentials/secretMove.ts';
import { readSecretPlace } from './credentials/secretPlace.ts';
import { SECURE_STORE } from './credentials/secureStore.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import type { RuntimeOptions } from './runtimeOptions.ts';
import { HostMetrics } from './hostMetrics.ts';
import { readMetricsToken, showsToken } from './measures/metricsToken.ts';
import { QuerySets } from './relevance/querySets.ts';
import { ConnectionService } from './connections/connectionService.ts';
import { DriverCatalogue } from './drivers/catalogue/driverCatalogue.ts';
import { DriverDevelopment } from './drivers/install/driverDevelopment.ts';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { RegistryManagement } from './drivers/registry/registryManagement.ts';
import { Drivers } from './drivers/drivers.ts';
import { DriverInstaller } from './drivers/install/driverInstaller.ts';
import { DriverProcesses } from './drivers/processes/driverProcesses.ts';
import { InstalledDrivers } from './drivers/versions/installedDrivers.ts';
import { ActivityLog } from './mcp/activity/activityLog.ts';
import { HandshakeService } from './mcp/clients/handshakeService.ts';
import { ApplicationUpdates } from './checkup/applicationUpdates.ts';
import { McpIntegrations } from './mcp/integrations.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { TokenStore } from './mcp/access/tokenStore.ts';
import { FileLogger } from './storage/fileLogger.ts';
import { componentLogger } from './storage/logger.ts';
import { LogSettingsStore } from './storage/logSettingsStore.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { Sessions } from './data/sessions.ts';
import { SAMPLE_GUIDE } from '../common/sampleGuide.ts';
import { WorkspaceState } from './workspace/workspaceState.ts';
import { SignIns } from './data/signIns.ts';
import { BackupSchedule } from './storage/backupSchedule.ts';
import { BackupService } from './storage/backupService.ts';
import { openHomeDatabase } from './storage/homeDatabase.ts';
import { homeIdentity } from './storage/homeIdentity.ts';
import { OperationRuns } from './operations/operationRuns.ts';
import { Imports } from './importing/imports.ts';
import { Transfers } from './transfer/transfers.ts';
import { UnfinishedFiles } from './transfer/unfinishedFiles.ts';
import { environmentVariable } from './program/environmentVariable.ts';

/** How often registries are asked while the host runs, so that an update that waits is seen by who never looks. Milliseconds. */
const CATALOGUE_EVERY = 6 * 60 * 60_000;

/** `off`: the owner hasn't switched them on. */
export type MetricsAnswer = 'off' | 'refused' | { readonly text: string };

/** The whole application without a window. */
export class Runtime implements AsyncDisposable {
  readonly #container: Container;
  readonly #options: RuntimeOptions;
  readonly #database: Disposable;
  readonly #closing = new AbortController();
  #refreshed: Promise<void> = Promise.resolve();
  #refreshing: NodeJS.Timeout | undefined;
  /** The context of procedures. */
  readonly services: ApiContext;
  readonly handler: FetchHandler;

  private constructor(container: Container, options: RuntimeOptions, database: Disposable) {
    this.#container = container;
    this.#options = options;
    this.#database = database;
    // Whatever writes its last lines when it ends has these two until then.
    container.get(BackupSchedule);
    container.get(ActivityLog);
    container.get(HostMetrics);
    this.services = container.all(contextServices);
    this.handler = createApiHandler(this.services, componentLogger(options.logger, 'api'));
  }

  /** Opens the home's database, sweeps what a killed host left behind, and makes everything ready. No connection is opened. */
  static async start(options: RuntimeOptions): Promise<Runtime> {
    const { home, logger } = options;
    const secureStore = options.secureStore ?? (await chosenSecureStore(options));
    const opened = openHomeDatabase(home, MIGRATIONS, logger);
    let container: Container | undefined;
    let runtime: Runtime;
    let bindingKey: BindingKey;
    try {
      bindingKey = await loadBindingKey(home.folder);
      const services = compose(options, opened, bindingKey.key, secureStore);
      container = services;
      if (logger instanceof FileLogger) logger.redactWith((text) => services.get(ConnectionSecrets).redact(text));
      services.get(LogSettingsStore).apply();
      runtime = new Runtime(services, options, opened.database);
    } catch (error) {
      await container?.[Symbol.asyncDispose]();
      opened.database[Symbol.dispose]();
      throw error;
    }
    try {
      await runtime.#begin(bindingKey);
      return runtime;
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #begin(bindingKey: BindingKey): Promise<void> {
    const container = this.#container;
    await container.get(UnfinishedFiles).sweep();
    await container.get(Transfers).restore();
    container.get(OperationRuns).restore();
    await container.get(Imports).restore();
    await container.get(InstalledDrivers).sweep();
    await container.get(DriverProcesses).sweep();
    await adoptSecrets(container.all(adoptingServices), bindingKey);
    await container.get(Drivers).learn();
    container.get(BackupSchedule).start();
    container.get(ApplicationUpdates).start();
    this.#refreshCatalogue();
    void this.#deleteCopiedSecrets();
    this.#refreshing = setInterval(() => this.#refreshCatalogue(), CATALOGUE_EVERY).unref();
  }

  /** Those that a move of secrets left in the keyring. Beside everything else, because a keyring may wait for its password. */
  async #deleteCopiedSecrets(): Promise<void> {
    const { home, logger, secureStore } = this.#options;
    // A store that was given has no other place.
    if (secureStore !== undefined) return;
    await finishSecretMove(home.folder, openKeyring(home.folder), this.#closing.signal).catch((error: unknown) =>
      logger.warn(`copies of secrets stay in the keyring until the next start: ${String(error)}`),
    );
  }

  /** The list of drivers is brought up to date beside everything else; an error is in the catalogue. */
  #refreshCatalogue(): void {
    const { logger } = this.#options;
    this.#refreshed = this.#container
      .get(DriverCatalogue)
      .refresh(this.#closing.signal)
      .then(() => this.#container.get(Drivers).learn())
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) logger.warn(`the list of drivers was not refreshed: ${String(error)}`);
      });
  }

  /** The metrics for who shows their token. */
  async metrics(authorization: string | undefined, openWindows: number): Promise<MetricsAnswer> {
    const token = await readMetricsToken(this.#options.home.folder);
    if (token === undefined) {
      this.#container.get(HostMetrics).stopMeasuring();
      return 'off';
    }
    return showsToken(authorization, token) ? { text: this.#container.get(HostMetrics).text(openWindows) } : 'refused';
  }

  get driverDevelopment(): DriverDevelopment {
    return this.#container.get(DriverDevelopment);
  }

  get driverManagement(): DriverManagement {
    return this.#container.get(DriverManagement);
  }

  get registryManagement(): RegistryManagement {
    return this.#container.get(RegistryManagement);
  }

  get connections(): ConnectionService {
    return this.#container.get(ConnectionService);
  }

  get sessions(): Sessions {
    return this.#container.get(Sessions);
  }

  get exports(): Transfers {
    return this.#container.get(Transfers);
  }

  get imports(): Imports {
    return this.#container.get(Imports);
  }

  get backups(): BackupService {
    return this.#container.get(BackupService);
  }

  get tokens(): TokenStore {
    return this.#container.get(TokenStore);
  }

  get secureStore(): SecureStore {
    return this.#container.get(SECURE_STORE);
  }

  get catalogue(): DriverCatalogue {
    return this.#container.get(DriverCatalogue);
  }

  get installed(): InstalledDrivers {
    return this.#container.get(InstalledDrivers);
  }

  get installer(): DriverInstaller {
    return this.#container.get(DriverInstaller);
  }

  /** Saves the connection that comes with a sample server, once (see {@link ConnectionService.offerSample}), with its judged queries and its guide. */
  async offerSample({ querySets, guide, ...input }: SampleConnection): Promise<SavedConnection | undefined> {
    const offered = await this.#container.get(ConnectionService).offerSample(input);
    if (offered?.isNew === true) {
      const { id } = offered.connection;
      for (const set of querySets) this.#container.get(QuerySets).import({ connectionId: id, ...set });
      if (guide !== undefined)
        this.#container
          .get(WorkspaceState)
          .save({ documents: [{ scope: id, name: SAMPLE_GUIDE, value: z.json().parse(guide) }] });
    }
    return offered?.connection;
  }

  /** The API as the home's owner has it, for the owner's socket and for a command in this process. */
  ownerHandler(shell: HostShell): FetchHandler {
    const { env, logger } = this.#options;
    const hasVariable = (name: string): boolean => (environmentVariable(env, name) ?? '') !== '';
    return createOwnerHandler({ ...this.services, shell, secureStore: this.secureStore, hasVariable }, logger);
  }

  /** Whether a sign-in that runs now sends the person to this address. */
  sendsSignInTo(address: string): boolean {
    return this.#container.get(SignIns).sendsTo(address);
  }

  /** Starts the MCP server, at the preferred port or another one, unless its owner has switched it off. */
  async startMcp(port: number | undefined): Promise<string | undefined> {
    return this.integrations.start(port);
  }

  get integrations(): McpIntegrations {
    return this.#container.get(McpIntegrations);
  }

  /** Where the MCP server is; undefined while it does not run. */
  get mcpUrl(): string | undefined {
    return this.#container.get(McpServer).address?.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#refreshing);
    await this.#refreshed;
    // First the server's address is withdrawn; then each service ends before those that it depends on.
    try {
      await this.#container.get(HandshakeService).close();
      await this.#container[Symbol.asyncDispose]();
    } finally {
      this.#database[Symbol.dispose]();
    }
  }
}

async function chosenSecureStore({ home, env, logger }: RuntimeOptions): Promise<SecureStore> {
  // Of a move that was killed. A directory that can't be written to doesn't keep the host from starting.
  await finishSecretMove(home.folder).catch((error: unknown) => logger.warn(`a move of secrets wasn't ended: ${String(error)}`));
  const place = await readSecretPlace(home.folder);
  // Before the home has a database: an older home has one at its first start with this version.
  if (place.place === 'keyring')
    await homeIdentity(home.folder).catch((error: unknown) => logger.warn(`the data directory got no name: ${String(error)}`));
  return openSecureStore(place, { homeFolder: home.folder, env });
}
