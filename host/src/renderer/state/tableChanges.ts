import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';

/** Which connections had something done to a whole table: every tab of theirs may show rows that are gone, also under an alias. */
export interface TableChanges {
  /** By the connection's id. Grows with every such change. */
  readonly counts: ReadonlyMap<string, number>;
  readonly announceTableChange: (connectionId: string) => void;
}

export function createTableChangesStore(): StoreApi<TableChanges> {
  return createStore((set) => ({
    counts: new Map(),
    announceTableChange(connectionId) {
      set(({ counts }) => ({ counts: new Map(counts).set(connectionId, (counts.get(connectionId) ?? 0) + 1) }));
    },
  }));
}

const tableChanges = createTableChangesStore();

export const { announceTableChange } = tableChanges.getState();

/** How many changes a connection had. */
export function useTableChanges(connectionId: string): number {
  return useStore(tableChanges, ({ counts }) => counts.get(connectionId) ?? 0);
}
