import type { Filter } from '@tabularium/sdk';
import { createStore, useStore } from 'zustand';

/** A reference that a person followed: the values that the columns of the other table have to have. */
export interface FollowedReference {
  /** It was followed to the rows that refer to one. */
  readonly isReferring?: true;
  readonly conditions: readonly { readonly column: string; readonly text: string }[];
}

/** The filter that found rows of a table in a search of all tables. */
export interface FoundRowsFilter {
  readonly found: Filter;
}

/** The last reference that was followed to each table, or the filter that found rows in it, until its tab took it. The tab may not be open yet when it is followed. */
const followed = createStore<ReadonlyMap<string, FollowedReference | FoundRowsFilter>>(() => new Map());

const keyOf = (connectionId: string, tableKey: string): string => JSON.stringify([connectionId, tableKey]);

export function followReference(connectionId: string, tableKey: string, reference: FollowedReference | FoundRowsFilter): void {
  followed.setState((before) => new Map(before).set(keyOf(connectionId, tableKey), reference), true);
}

/** Takes the reference: another tab, or the same one opened again later, doesn't follow it once more. */
export function takeReference(connectionId: string, tableKey: string): void {
  followed.setState((before) => {
    const after = new Map(before);
    after.delete(keyOf(connectionId, tableKey));
    return after;
  }, true);
}

export function useFollowedReference(connectionId: string, tableKey: string): FollowedReference | FoundRowsFilter | undefined {
  return useStore(followed, (all) => all.get(keyOf(connectionId, tableKey)));
}
