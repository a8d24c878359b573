import { SDK_CONTRACT } from '@tabularium/sdk';
import { FACETS } from '@tabularium/sdk/protocol';
import type { DependencyContainer } from 'tsyringe';
import type { OpenProgress } from '../common/api.ts';
import type { InstallProgress } from '../common/drivers.ts';
import type { ApiServices } from './api/services.ts';
import { ConnectionImport } from './connections/connectionImport.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import { ConnectionService } from './connections/connectionService.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { SecretConfirmationError } from './connections/secretConfirmation.ts';
import { testConnection } from './data/connectionTest.ts';
import { Statements } from './console/statements.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { DriverCatalogue } from './drivers/catalogue/driverCatalogue.ts';
import { GrantingConnector } from './drivers/driverConnector.ts';
import { DriverDevelopment } from './drivers/install/driverDevelopment.ts';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { Drivers } from './drivers/driverSource.ts';
import type { InstalledDriver } from './drivers/packages/installedDriver.ts';
import { DriverInstaller } from './drivers/install/driverInstaller.ts';
import { InstalledDrivers } from './drivers/versions/installedDrivers.ts';
import { Editing } from './editing/editing.ts';
import { Filtering } from './data/filtering.ts';
import { ClientConnector } from './mcp/clients/clientConnector.ts';
import { Integrations } from './mcp/integrations.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { PreferencesStore } from './workspace/preferencesStore.ts';
import { Metrics } from './data/metrics.ts';
import { Principals } from './data/principals.ts';
import { TableOperations } from './data/tableOperations.ts';
import { Sessions } from './data/sessions.ts';
import { BackupService } from './storage/backupService.ts';
import { Tables } from './data/tables.ts';
import { progressStream } from '../common/progressStream.ts';
import { Transfers } from './transfer/transfers.ts';
import { SECURE_STORE } from './serviceTokens.ts';
import { WorkspaceState } from './workspace/workspaceState.ts';

/** What the window can ask, from the composed services. */
export function apiServices(container: DependencyContainer, home: string, version: string): ApiServices {
  const connections = container.resolve(ConnectionService);
  const store = container.resolve(ConnectionStore);
  const sessions = container.resolve(Sessions);
  const catalogue = container.resolve(DriverCatalogue);
  /** What is confirmed is what is installed, allowed and verified now, never what a catalogue says. */
  const current = (driver: string): Promise<InstalledDriver> => container.resolve(InstalledDrivers).current(driver);
  return {
    applicationInfo: async () => {
      const mcpUrl = container.resolve(McpServer).address?.url;
      return {
        version,
        home,
        sdkContract: SDK_CONTRACT,
        secureStore: await container.resolve<SecureStore>(SECURE_STORE).state(),
        ...(mcpUrl === undefined ? {} : { mcpUrl }),
      };
    },
    preferences: container.resolve(PreferencesStore),
    backups: container.resolve(BackupService),
    workspace: container.resolve(WorkspaceState),
    connections: {
      list: () => store.list(),
      create: (input) => connections.create(input),
      update: (id, input, code) => connections.update(id, input, code),
      secretQuestion: async (id) => {
        const connection = store.get(id);
        return container.resolve(ConnectionSecrets).question(connection, await current(connection.driver));
      },
      confirmSecrets: async (id, code) => {
        const connection = store.get(id);
        await container.resolve(ConnectionSecrets).confirm(connection, await current(connection.driver), code);
      },
      remove: (id) => connections.remove(id),
      duplicate: (id, name, withSecrets) => connections.duplicate(id, name, withSecrets),
      group: (ids, group) => connections.group(ids, group),
      export: (ids) => container.resolve(ConnectionImport).export(ids),
      previewImport: (text) => container.resolve(ConnectionImport).preview(text),
      import: (choices) => container.resolve(ConnectionImport).import(choices),
      test: (input, savedAs, signal, code) =>
        testConnection(
          {
            drivers: container.resolve(Drivers),
            connector: container.resolve(GrantingConnector),
            probe: container.resolve(GrantingConnector),
            secrets: container.resolve(ConnectionSecrets),
          },
          input,
          savedAs === undefined ? undefined : store.get(savedAs),
          signal,
          code,
        ),
      open: (connectionId, secrets, signal) => openConnection(container, connectionId, secrets, signal),
      close: (connectionId) => sessions.close(connectionId),
    },
    drivers: {
      catalogue: async (signal) => {
        const known = await catalogue.list();
        return known.refreshedAt === undefined ? catalogue.refresh(signal) : known;
      },
      refresh: (signal) => catalogue.refresh(signal),
      installed: () => container.resolve(InstalledDrivers).list(),
      install: (driver, wanted, signal) =>
        progressStream<InstallProgress>(async (tell) => {
          await container.resolve(DriverInstaller).install(driver, { ...wanted, signal, onProgress: tell });
          await container.resolve(Drivers).learn();
        }),
    },
    driverManagement: container.resolve(DriverManagement),
    driverDevelopment: container.resolve(DriverDevelopment),
    tables: container.resolve(Tables),
    integrations: container.resolve(Integrations),
    connectClients: container.resolve(ClientConnector),
    editing: container.resolve(Editing),
    exports: container.resolve(Transfers),
    console: container.resolve(Statements),
    filtering: container.resolve(Filtering),
    principals: container.resolve(Principals),
    metrics: container.resolve(Metrics),
    tableOperations: container.resolve(TableOperations),
  };
}

/**
 * Opens a connection. Values that a person has just entered are kept until the host stops, unless the server does not take them: then the next
 * opening asks again.
 */
function openConnection(
  container: DependencyContainer,
  connectionId: string,
  secrets: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncIterable<OpenProgress> {
  const kept = container.resolve(ConnectionSecrets);
  const forgetEntered = (): void => {
    for (const field of Object.keys(secrets)) kept.dropFromSession(connectionId, field);
  };
  return progressStream<OpenProgress>(async (tell) => {
    container.resolve(ConnectionStore).get(connectionId);
    for (const [field, value] of Object.entries(secrets)) kept.keepForSession(connectionId, field, value);
    try {
      await container.resolve(Sessions).use(
        connectionId,
        async ({ session, manifest, driverVersion }) => {
          const { server, findings } = session;
          if (findings.some(({ outcome }) => outcome === 'failed')) forgetEntered();
          const facets = FACETS.filter((name) => session[name] !== undefined);
          tell({ step: 'open', connection: { connectionId, server, findings, facets, manifest, driverVersion } });
        },
        { signal, onProgress: tell },
      );
    } catch (error) {
      // What a person has to confirm first is used once they have: the value stays for the next opening, bound to nothing.
      if (!(error instanceof SecretConfirmationError)) forgetEntered();
      throw error;
    } finally {
      kept.settleEntered(connectionId);
    }
  });
}
