import { useSyncExternalStore } from 'react';

// Which connections had something done to a whole table: every tab of theirs may show rows that are gone, also under an alias.

const changes = new Map<string, number>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function announceTableChange(connectionId: string): void {
  changes.set(connectionId, (changes.get(connectionId) ?? 0) + 1);
  for (const listener of listeners) listener();
}

/** Grows with every such change of a connection. */
export function useTableChanges(connectionId: string): number {
  return useSyncExternalStore(subscribe, () => changes.get(connectionId) ?? 0);
}
