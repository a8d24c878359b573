import { activityBytesMigration } from './migrations/activityBytes.ts';
import { activityMigration } from './migrations/activity.ts';
import { approvalTargetsMigration } from './migrations/approvalTargets.ts';
import { approvalsMigration } from './migrations/approvals.ts';
import { confirmedOriginsMigration } from './migrations/confirmedOrigins.ts';
import { connectionGroupsMigration } from './migrations/connectionGroups.ts';
import { connectionsMigration } from './migrations/connections.ts';
import { consoleMigration } from './migrations/console.ts';
import { dataDirectoryMigration } from './migrations/dataDirectory.ts';
import { driverManagementMigration } from './migrations/driverManagement.ts';
import { driversMigration } from './migrations/drivers.ts';
import { editingMigration } from './migrations/editing.ts';
import { importsMigration } from './migrations/imports.ts';
import { mcpSessionsMigration } from './migrations/mcpSessions.ts';
import { namedTablesMigration } from './migrations/namedTables.ts';
import { oauthMigration } from './migrations/oauth.ts';
import { operationsMigration } from './migrations/operations.ts';
import { readOnlyConnectionsMigration } from './migrations/readOnlyConnections.ts';
import { registryTrustMigration } from './migrations/registryTrust.ts';
import { relevanceMigration } from './migrations/relevance.ts';
import { secretBindingsMigration } from './migrations/secretBindings.ts';
import { tokensMigration } from './migrations/tokens.ts';
import { tourMigration } from './migrations/tour.ts';
import { undecidedFilesMigration } from './migrations/undecidedFiles.ts';
import { widerGrantsMigration } from './migrations/widerGrants.ts';
import { workspaceMigration } from './migrations/workspace.ts';

/** The steps of the home's database, in order. */
export const MIGRATIONS = [
  connectionsMigration,
  driversMigration,
  tokensMigration,
  driverManagementMigration,
  editingMigration,
  consoleMigration,
  approvalsMigration,
  activityMigration,
  workspaceMigration,
  connectionGroupsMigration,
  widerGrantsMigration,
  registryTrustMigration,
  dataDirectoryMigration,
  secretBindingsMigration,
  namedTablesMigration,
  undecidedFilesMigration,
  readOnlyConnectionsMigration,
  mcpSessionsMigration,
  oauthMigration,
  relevanceMigration,
  operationsMigration,
  importsMigration,
  tourMigration,
  approvalTargetsMigration,
  activityBytesMigration,
  confirmedOriginsMigration,
];
