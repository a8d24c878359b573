import { activityMigration } from './integrations/activity/activityMigration.ts';
import { approvalsMigration } from './integrations/approvals/approvalsMigration.ts';
import { connectionGroupsMigration } from './connections/connectionGroupsMigration.ts';
import { connectionsMigration } from './connections/connectionsMigration.ts';
import { consoleMigration } from './console/consoleMigration.ts';
import { dataDirectoryMigration } from './storage/dataDirectoryMigration.ts';
import { driverManagementMigration } from './drivers/versions/driverManagementMigration.ts';
import { driversMigration } from './drivers/versions/driversMigration.ts';
import { editingMigration } from './editing/editingMigration.ts';
import { registryTrustMigration } from './drivers/registryClient/registryTrustMigration.ts';
import { secretBindingsMigration } from './connections/secretBindingsMigration.ts';
import { tokensMigration } from './integrations/tokens/tokensMigration.ts';
import { widerGrantsMigration } from './drivers/policy/widerGrantsMigration.ts';
import { workspaceMigration } from './workspace/workspaceMigration.ts';

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
];
