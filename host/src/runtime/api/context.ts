import { ApplicationUpdates } from '../checkup/applicationUpdates.ts';
import { HostChecks } from '../checkup/hostChecks.ts';
import { SupportReport } from '../checkup/supportReport.ts';
import { ConnectionImport } from '../connections/connectionImport.ts';
import { ConnectionService } from '../connections/connectionService.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { ConsoleSessions } from '../console/consoleSessions.ts';
import { Explanations } from '../console/explanations.ts';
import { Statements } from '../console/statements.ts';
import { Activities } from '../data/activities.ts';
import { ConnectionTest } from '../data/connectionTest.ts';
import { Filtering } from '../data/filtering.ts';
import { Searching } from '../data/searching.ts';
import { Metrics } from '../data/metrics.ts';
import { NamedObjects } from '../data/namedObjects.ts';
import { NamedTables } from '../data/namedTables.ts';
import { OpenConnections } from '../data/openConnections.ts';
import { Principals } from '../data/principals.ts';
import { Sessions } from '../data/sessions.ts';
import { SignIns } from '../data/signIns.ts';
import { TableOperations } from '../data/tableOperations.ts';
import { Tables } from '../data/tables.ts';
import { DriverCatalogue } from '../drivers/catalogue/driverCatalogue.ts';
import { Drivers } from '../drivers/drivers.ts';
import { DriverDevelopment } from '../drivers/install/driverDevelopment.ts';
import { DriverManagement } from '../drivers/install/driverManagement.ts';
import { RegistryManagement } from '../drivers/registry/registryManagement.ts';
import { InstalledDrivers } from '../drivers/versions/installedDrivers.ts';
import { Editing } from '../editing/editing.ts';
import { RowFinder } from '../finding/rowFinder.ts';
import { Imports } from '../importing/imports.ts';
import { Uploads } from '../importing/uploads.ts';
import { ClientConnector } from '../mcp/clients/clientConnector.ts';
import { McpIntegrations } from '../mcp/integrations.ts';
import { OperationRuns } from '../operations/operationRuns.ts';
import { Operations } from '../operations/operations.ts';
import { QuerySets } from '../relevance/querySets.ts';
import { RelevanceRuns } from '../relevance/relevanceRuns.ts';
import { SearchConfigurations } from '../relevance/searchConfigurations.ts';
import { SearchDifferences } from '../relevance/searchDifferences.ts';
import type { AllProvided } from '../container/inject.ts';
import { BackupService } from '../storage/backupService.ts';
import { LogSettingsStore } from '../storage/logSettingsStore.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { Transfers } from '../transfer/transfers.ts';
import { ConnectionTunnels } from '../connections/connectionTunnels.ts';
import { HostKeys } from '../drivers/tunnels/hostKeys.ts';
import { FirstRun } from '../workspace/firstRun.ts';
import { PreferencesStore } from '../workspace/preferencesStore.ts';
import { WorkspaceState } from '../workspace/workspaceState.ts';
import { Application } from './application.ts';

/** The services that procedures call, by the names under which they find them. */
export const contextServices = {
  activities: Activities,
  application: Application,
  applicationUpdates: ApplicationUpdates,
  backups: BackupService,
  catalogue: DriverCatalogue,
  clientConnector: ClientConnector,
  connectionImport: ConnectionImport,
  connectionService: ConnectionService,
  connectionStore: ConnectionStore,
  connectionTest: ConnectionTest,
  consoleSessions: ConsoleSessions,
  driverDevelopment: DriverDevelopment,
  driverManagement: DriverManagement,
  drivers: Drivers,
  editing: Editing,
  explanations: Explanations,
  filtering: Filtering,
  firstRun: FirstRun,
  hostChecks: HostChecks,
  hostKeys: HostKeys,
  connectionTunnels: ConnectionTunnels,
  searching: Searching,
  imports: Imports,
  uploads: Uploads,
  installed: InstalledDrivers,
  integrations: McpIntegrations,
  logSettings: LogSettingsStore,
  metrics: Metrics,
  namedObjects: NamedObjects,
  namedTables: NamedTables,
  openConnections: OpenConnections,
  operationRuns: OperationRuns,
  operations: Operations,
  preferences: PreferencesStore,
  principals: Principals,
  querySets: QuerySets,
  registryManagement: RegistryManagement,
  relevanceRuns: RelevanceRuns,
  rowFinder: RowFinder,
  searchDifferences: SearchDifferences,
  searchConfigurations: SearchConfigurations,
  savedChanges: SavedChanges,
  sessions: Sessions,
  signIns: SignIns,
  statements: Statements,
  supportReport: SupportReport,
  tableOperations: TableOperations,
  tables: Tables,
  transfers: Transfers,
  workspace: WorkspaceState,
} as const;

type AllServices = AllProvided<typeof contextServices>;

/**
 * The context of every procedure: the services themselves. Each stops what it does when its signal is aborted. An interface has a name, which the
 * type of a router repeats for each of its parts instead of all members.
 */
export interface ApiContext extends AllServices {
  readonly application: Application;
}
