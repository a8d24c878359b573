import { describeTable } from './describeTable.ts';
import { listConnections } from './listConnections.ts';
import { listTables } from './listTables.ts';
import type { Tool } from './tool.ts';

/**
 * Every tool, in the order in which clients list them: always the same, beginning with one that does nothing, since programs that try a
 * server out call the first.
 */
export const TOOLS: readonly Tool[] = [listConnections, listTables, describeTable];
