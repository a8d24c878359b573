import { Application } from './api/application.ts';
import { ApplicationUpdates } from './checkup/applicationUpdates.ts';
import { HostChecks } from './checkup/hostChecks.ts';
import { SupportReport } from './checkup/supportReport.ts';
import { BINDING_KEY } from './connections/bindingKey.ts';
import { ConnectionImport } from './connections/connectionImport.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import { HeldSignIns } from './connections/heldSignIns.ts';
import { ConnectionService, MANIFESTS, STAGED_EDITS } from './connections/connectionService.ts';
import { ConnectionTunnels } from './connections/connectionTunnels.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { SecretBindings } from './connections/secretBindings.ts';
import { TokenRevocations } from './connections/tokenRevocations.ts';
import { QueryHistory } from './console/queryHistory.ts';
import { SavedRequests } from './console/savedRequests.ts';
import { ConsoleSessions } from './console/consoleSessions.ts';
import { Explanations } from './console/explanations.ts';
import { Statements } from './console/statements.ts';
import { Container } from './container/container.ts';
import { from, later } from './container/inject.ts';
import { SECURE_STORE } from './credentials/secureStore.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { Activities } from './data/activities.ts';
import { ConnectionTest, PROBING_CONNECTOR } from './data/connectionTest.ts';
import { Filtering } from './data/filtering.ts';
import { Searching } from './data/searching.ts';
import { Metrics } from './data/metrics.ts';
import { NamedObjects } from './data/namedObjects.ts';
import { NamedTables } from './data/namedTables.ts';
import { ON_TABLES_CHANGED } from './data/onTablesChanged.ts';
import { OpenConnections } from './data/openConnections.ts';
import { Principals } from './data/principals.ts';
import { DRIVER_CONNECTOR, DRIVER_SOURCE, Sessions } from './data/sessions.ts';
import { SignIns } from './data/signIns.ts';
import { TableOperations } from './data/tableOperations.ts';
import { Tables } from './data/tables.ts';
import { GrantingConnector } from './drivers/driverConnector.ts';
import { driverLogSink } from './drivers/driverLogSink.ts';
import { Drivers } from './drivers/drivers.ts';
import { driverServices } from './drivers/driverServices.ts';
import { DriverUse } from './drivers/driverUse.ts';
import { DriverDevelopment } from './drivers/install/driverDevelopment.ts';
import { DRIVER_USAGE } from './drivers/install/driverInstaller.ts';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { onRevocation } from './drivers/install/onRevocation.ts';
import { DRIVER_FOLDERS, driverFolders } from './drivers/packages/driverFolders.ts';
import { POLICY_FILE, systemPolicyFile } from './drivers/policy/driverPolicy.ts';
import { DRIVER_LOG } from './drivers/processes/driverLog.ts';
import { DRIVER_NODE } from './drivers/processes/driverPaths.ts';
import { PROCESS_LIMIT_CHANGES } from './drivers/processes/processLimits.ts';
import { ON_REVOCATION } from './drivers/registry/signedCatalogues.ts';
import { localRegistryReader, LOCAL_REGISTRY } from './drivers/trust/localRegistry.ts';
import { KNOWN_HOSTS_FILES, usualKnownHostsFiles } from './drivers/tunnels/hostKeys.ts';
import { Editing } from './editing/editing.ts';
import { EditStore } from './editing/editStore.ts';
import { RowFinder } from './finding/rowFinder.ts';
import { MCP_URL } from './mcp/clients/clientConnector.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { mcpServices } from './mcp/mcpServices.ts';
import { OperationJournal } from './operations/operationJournal.ts';
import { OperationRuns } from './operations/operationRuns.ts';
import { Operations } from './operations/operations.ts';
import { ENVIRONMENT } from './program/environment.ts';
import { HOST_PACKAGE, hostPackage } from './program/hostPackage.ts';
import { QuerySets } from './relevance/querySets.ts';
import { RelevanceRuns } from './relevance/relevanceRuns.ts';
import { SearchConfigurations } from './relevance/searchConfigurations.ts';
import { SearchDifferences } from './relevance/searchDifferences.ts';
import type { RuntimeOptions } from './runtimeOptions.ts';
import { BackupSchedule } from './storage/backupSchedule.ts';
import { SavedChanges } from './storage/savedChanges.ts';
import { BackupService } from './storage/backupService.ts';
import { Database, DATABASE_CONNECTION } from './storage/database.ts';
import { HOME } from './storage/home.ts';
import { HOME_DATABASE } from './storage/homeDatabase.ts';
import { UNFINISHED_PARTS } from './storage/unfinishedParts.ts';
import type { HomeDatabase } from './storage/homeDatabase.ts';
import { LOGGER, loggerOf } from './storage/logger.ts';
import { LogSettingsStore } from './storage/logSettingsStore.ts';
import { HostCounters } from './measures/hostCounters.ts';
import { HostMetrics } from './hostMetrics.ts';
import { ImportJournal } from './importing/importJournal.ts';
import { Imports } from './importing/imports.ts';
import { Uploads } from './importing/uploads.ts';
import { Transfers } from './transfer/transfers.ts';
import { UndecidedFiles } from './transfer/undecidedFiles.ts';
import { UnfinishedFiles } from './transfer/unfinishedFiles.ts';
import { FirstRun } from './workspace/firstRun.ts';
import { PreferencesStore } from './workspace/preferencesStore.ts';
import { WorkspaceState } from './workspace/workspaceState.ts';

/** Every service of a runtime, of a home whose database is open. The dependencies of each are beside its class. */
export function compose(
  options: RuntimeOptions,
  opened: HomeDatabase,
  bindingKey: Uint8Array,
  secureStore: SecureStore,
): Container {
  const { home, env, logger } = options;
  return (
    new Container()
      .value(HOST_PACKAGE, hostPackage())
      .value(HOME, home)
      .value(ENVIRONMENT, env)
      .value(KNOWN_HOSTS_FILES, usualKnownHostsFiles(env))
      .value(LOGGER, logger)
      .value(HOME_DATABASE, opened)
      .value(Database, opened.database)
      .value(DATABASE_CONNECTION, opened.database.connection)
      .value(BINDING_KEY, bindingKey)
      .value(SECURE_STORE, secureStore)
      .value(DRIVER_FOLDERS, driverFolders(home.folder))
      .value(LOCAL_REGISTRY, localRegistryReader(env))
      .value(POLICY_FILE, options.policyFile ?? systemPolicyFile(env))
      .value(DRIVER_NODE, options.node ?? process.execPath)
      .value(PROCESS_LIMIT_CHANGES, options.spareDriver === false ? { spareIdle: 0 } : {})
      .add(BackupSchedule, BackupService, SavedChanges, LogSettingsStore, WorkspaceState, PreferencesStore, FirstRun)
      .add(ConnectionStore, ConnectionSecrets, HeldSignIns, TokenRevocations, SecretBindings, ConnectionService)
      .add(ConnectionImport, ConnectionTest, OpenConnections, SignIns)
      .add(...driverServices)
      .add(Sessions, ConnectionTunnels)
      .add(Tables, NamedTables, NamedObjects, Filtering, Searching, Principals, Metrics, Activities, TableOperations, RowFinder)
      .add(EditStore, Editing)
      .add(UnfinishedFiles, UndecidedFiles, Transfers)
      .add(Operations, OperationJournal, OperationRuns)
      .add(ImportJournal, Uploads, Imports)
      .add(QueryHistory, SavedRequests, ConsoleSessions, Statements, Explanations)
      .add(SearchConfigurations, QuerySets, RelevanceRuns, SearchDifferences)
      .add(...mcpServices, Application)
      .add(ApplicationUpdates, HostChecks, SupportReport, HostCounters, HostMetrics)
      .bind(UNFINISHED_PARTS, UnfinishedFiles)
      .bind(MANIFESTS, Drivers)
      .bind(DRIVER_SOURCE, Drivers)
      .bind(DRIVER_CONNECTOR, DriverUse)
      .bind(PROBING_CONNECTOR, GrantingConnector)
      .bind(STAGED_EDITS, EditStore)
      .bind(DRIVER_USAGE, DriverUse)
      .bind(DRIVER_LOG, from([loggerOf('driver'), later(DriverDevelopment)], driverLogSink))
      // These three go against the direction in which the services depend on each other.
      .bind(ON_REVOCATION, from([loggerOf('drivers'), later(DriverManagement)], onRevocation))
      .bind(
        ON_TABLES_CHANGED,
        from([later(McpServer)], (server) => (connectionId) => server().connectionChanged(connectionId)),
      )
      .bind(
        MCP_URL,
        from([later(McpServer)], (server) => () => server().address?.url),
      )
  );
}
