import type { DependencyContainer } from 'tsyringe';
import type { ConnectionInput, SavedConnection } from '../common/connection.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { createApiHandler } from './api/handler.ts';
import type { ApiContext } from './api/context.ts';
import { adoptSecrets } from './connections/adoptSecrets.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import { ConnectionService } from './connections/connectionService.ts';
import { loadBindingKey } from './connections/bindingKey.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { DriverCatalogue } from './drivers/catalogue/driverCatalogue.ts';
import { DriverDevelopment } from './drivers/install/driverDevelopment.ts';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { Drivers } from './drivers/drivers.ts';
import { DriverInstaller } from './drivers/install/driverInstaller.ts';
import { DriverProcesses } from './drivers/processes/driverProcesses.ts';
import { Registries } from './drivers/registry/registries.ts';
import { RegistryClient } from './drivers/registry/registryClient.ts';
import { InstalledDrivers } from './drivers/versions/installedDrivers.ts';
import { Editing } from './editing/editing.ts';
import { hostPackage } from './program/hostPackage.ts';
import { ActivityLog } from './mcp/activity/activityLog.ts';
import { HandshakeService } from './mcp/clients/handshakeService.ts';
import { Integrations } from './mcp/integrations.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { TokenStore } from './mcp/access/tokenStore.ts';
import { makeCatalogue } from './makeCatalogue.ts';
import { FileLogger } from './storage/logger.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { SECURE_STORE } from './serviceTokens.ts';
import { Sessions } from './data/sessions.ts';
import { BackupSchedule } from './storage/backupSchedule.ts';
import { BackupService } from './storage/backupService.ts';
import { Database } from './storage/database.ts';
import { openHomeDatabase } from './storage/homeDatabase.ts';
import { Transfers } from './transfer/transfers.ts';
import { UnfinishedFiles } from './transfer/unfinishedFiles.ts';
import { compose, contextOf } from './composition.ts';
import type { RuntimeOptions } from './composition.ts';

/** How often registries are asked while the host runs, so that an update that waits is seen by who never looks. Milliseconds. */
const CATALOGUE_EVERY = 6 * 60 * 60_000;

/** The whole application without a window. */
export class Runtime implements AsyncDisposable {
  readonly #container: DependencyContainer;
  readonly #options: RuntimeOptions;
  readonly #closing = new AbortController();
  #refreshed: Promise<void> = Promise.resolve();
  #refreshing: NodeJS.Timeout | undefined;
  /** What procedures are called with. */
  readonly services: ApiContext;
  readonly handler: FetchHandler;

  private constructor(container: DependencyContainer, options: RuntimeOptions) {
    this.#container = container;
    this.#options = options;
    this.services = contextOf(container);
    this.handler = createApiHandler(this.services, options.logger);
  }

  /** Opens the home's database, sweeps what a killed host left behind, and makes everything ready. No connection is opened. */
  static async start(options: RuntimeOptions): Promise<Runtime> {
    const own = hostPackage();
    const { logger } = options;
    const opened = openHomeDatabase(options.home, MIGRATIONS, logger);
    const bindingKey = await loadBindingKey(options.home.folder).catch((error: unknown) => {
      opened.database[Symbol.dispose]();
      throw error;
    });
    const container = compose(options, own, opened, bindingKey.key);
    if (logger instanceof FileLogger) logger.redactWith((text) => container.resolve(ConnectionSecrets).redact(text));
    let runtime: Runtime;
    try {
      runtime = new Runtime(container, options);
    } catch (error) {
      opened.database[Symbol.dispose]();
      throw error;
    }
    try {
      await container.resolve(UnfinishedFiles).sweep();
      await container.resolve(InstalledDrivers).sweep();
      await container.resolve(DriverProcesses).sweep();
      await adoptSecrets(container, bindingKey);
      await container.resolve(Drivers).learn();
      container.resolve(BackupSchedule).start();
      runtime.#refreshCatalogue();
      runtime.#refreshing = setInterval(() => runtime.#refreshCatalogue(), CATALOGUE_EVERY).unref();
      return runtime;
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The list of drivers is brought up to date beside everything else; what went wrong stands in the catalogue. */
  #refreshCatalogue(): void {
    const { logger } = this.#options;
    this.#refreshed = this.#container
      .resolve(DriverCatalogue)
      .refresh(this.#closing.signal)
      .then(() => this.#container.resolve(Drivers).learn())
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) logger.warn(`the list of drivers was not refreshed: ${String(error)}`);
      });
  }

  get driverDevelopment(): DriverDevelopment {
    return this.#container.resolve(DriverDevelopment);
  }

  get driverManagement(): DriverManagement {
    return this.#container.resolve(DriverManagement);
  }

  get connections(): ConnectionService {
    return this.#container.resolve(ConnectionService);
  }

  get sessions(): Sessions {
    return this.#container.resolve(Sessions);
  }

  get exports(): Transfers {
    return this.#container.resolve(Transfers);
  }

  get backups(): BackupService {
    return this.#container.resolve(BackupService);
  }

  get tokens(): TokenStore {
    return this.#container.resolve(TokenStore);
  }

  get secureStore(): SecureStore {
    return this.#container.resolve<SecureStore>(SECURE_STORE);
  }

  get catalogue(): DriverCatalogue {
    return this.#container.resolve(DriverCatalogue);
  }

  get installed(): InstalledDrivers {
    return this.#container.resolve(InstalledDrivers);
  }

  get installer(): DriverInstaller {
    return this.#container.resolve(DriverInstaller);
  }

  /** Saves the connection that comes with a sample server, once (see {@link ConnectionService.offerSample}). */
  async offerSample(input: ConnectionInput): Promise<SavedConnection | undefined> {
    return this.#container.resolve(ConnectionService).offerSample(input);
  }

  /** The catalogue of one registry alone, asked anew. */
  catalogueOf(registryUrl: string): DriverCatalogue {
    const registries = this.#container.resolve(Registries);
    return makeCatalogue(this.#container, {
      list: async () => [await registries.byUrl(registryUrl)],
      byUrl: (url) => registries.byUrl(url),
    });
  }

  /** Starts the MCP server, at the preferred port or another one, unless its owner has switched it off. */
  async startMcp(port: number | undefined): Promise<string | undefined> {
    return this.integrations.start(port);
  }

  get integrations(): Integrations {
    return this.#container.resolve(Integrations);
  }

  /** Where the MCP server is; undefined while it does not run. */
  get mcpUrl(): string | undefined {
    return this.#container.resolve(McpServer).address?.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const container = this.#container;
    // From the outside in: nobody asks any more, then what they asked for ends, then what it stood on.
    this.#closing.abort();
    clearInterval(this.#refreshing);
    await this.#refreshed;
    await container.resolve(HandshakeService).close();
    await container.resolve(McpServer).stop();
    await container.resolve(DriverInstaller)[Symbol.asyncDispose]();
    await container.resolve(Editing)[Symbol.asyncDispose]();
    await container.resolve(Transfers)[Symbol.asyncDispose]();
    await container.resolve(Sessions).closeAll();
    await container.resolve(DriverProcesses).close();
    await container.resolve(RegistryClient)[Symbol.asyncDispose]();
    container.resolve(ActivityLog)[Symbol.dispose]();
    await container.resolve(BackupSchedule)[Symbol.asyncDispose]();
    container.resolve(Database)[Symbol.dispose]();
  }
}
