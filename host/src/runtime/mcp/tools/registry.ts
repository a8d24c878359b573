import { browseTable } from './browseTable.ts';
import { connectionStatus } from './connectionStatus.ts';
import { countRows } from './countRows.ts';
import { describeTable } from './describeTable.ts';
import { confirmDestructiveOperation, executeQuery } from './executeQuery.ts';
import { explainQuery } from './explainQuery.ts';
import { explainFilter } from './explainFilter.ts';
import { exportTable } from './exportTable.ts';
import { getDashboard } from './getDashboard.ts';
import { importRows } from './importRows.ts';
import { listConnections } from './listConnections.ts';
import { listPrincipals } from './listPrincipals.ts';
import { listTables } from './listTables.ts';
import { profileTable } from './profileTable.ts';
import { ROW_TOOLS } from './rowChanges.ts';
import { rankedSearch } from './rankedSearch.ts';
import { runSavedRequest } from './runSavedRequest.ts';
import { searchQueryHistory } from './searchQueryHistory.ts';
import { searchSchema } from './searchSchema.ts';
import { tableDefinition } from './tableDefinition.ts';
import type { Tool } from './tool.ts';

/**
 * Every tool, in the order in which clients list them: always the same, beginning with one that does nothing, since programs that try a
 * server out call the first.
 */
export const TOOLS: readonly Tool[] = [
  listConnections,
  connectionStatus,
  listTables,
  describeTable,
  searchSchema,
  tableDefinition,
  browseTable,
  countRows,
  rankedSearch,
  profileTable,
  explainFilter,
  explainQuery,
  executeQuery,
  runSavedRequest,
  ...ROW_TOOLS,
  importRows,
  confirmDestructiveOperation,
  exportTable,
  listPrincipals,
  getDashboard,
  searchQueryHistory,
];
