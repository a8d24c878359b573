import type { TableRef } from '@tabularium/sdk';
import { createStore, useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { StoreApi } from 'zustand';
import type { EditedTable } from '../../common/editing.ts';
import { workspaceTableKey } from './workspace.ts';

/** The tables with staged changes, as the host says. */
interface StagedTables {
  readonly tables: readonly EditedTable[];
  readonly setStagedTables: (tables: readonly EditedTable[]) => void;
}

function createStagedTablesStore(): StoreApi<StagedTables> {
  return createStore((set) => ({ tables: [], setStagedTables: (tables) => set({ tables }) }));
}

const stagedTables = createStagedTablesStore();

export const { setStagedTables } = stagedTables.getState();

/** Names what is staged of a table, for notices that describe it. */
export function stageSubject(connectionId: string, table: TableRef): string {
  return `stage ${connectionId} ${workspaceTableKey(table)}`;
}

/** How many rows are staged in some tables. */
export function stagedCount(tables: readonly EditedTable[]): number {
  return tables.reduce((sum, { state }) => sum + state.inserts + state.updates + state.deletes, 0);
}

const hasChanges = (one: EditedTable): boolean => stagedCount([one]) > 0;

/** The tables of a connection with staged changes. */
export function useStagedTables(connectionId: string | undefined): readonly EditedTable[] {
  return useStore(
    stagedTables,
    useShallow(({ tables }) => tables.filter((one) => one.connectionId === connectionId && hasChanges(one))),
  );
}

/** How many rows of each table of a connection are staged. */
export function stagedCounts(tables: readonly EditedTable[]): (table: TableRef) => number {
  const counts = new Map(tables.map((one) => [workspaceTableKey(one.table), stagedCount([one])]));
  return (table) => counts.get(workspaceTableKey(table)) ?? 0;
}
