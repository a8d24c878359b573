import { createStore, useStore } from 'zustand';

type Folded = ReadonlyMap<string, boolean>;

const NONE: Folded = new Map();
/** The groups of tables that were folded or unfolded, by connection. */
const store = createStore<ReadonlyMap<string, Folded>>(() => new Map());

/** Folds or unfolds a group of a connection's tables. */
export function foldGroup(connectionId: string, key: string, isFolded: boolean): void {
  const known = store.getState();
  store.setState(new Map(known).set(connectionId, new Map(known.get(connectionId)).set(key, isFolded)), true);
}

/** Whether a person has folded a group or unfolded it; undefined for neither. */
export function isGroupFolded(connectionId: string, key: string): boolean | undefined {
  return store.getState().get(connectionId)?.get(key);
}

/** The groups of a connection's tables that were folded or unfolded; the others are as the list has them. */
export function useFoldedGroups(connectionId: string): Folded {
  return useStore(store, (connections) => connections.get(connectionId) ?? NONE);
}
