import { createStore } from 'zustand/vanilla';
import type { FindScope } from '../../common/findingRows.ts';

/** Values that another part of the window puts into a connection's search for rows. */
export interface WantedFind {
  readonly scope?: FindScope;
  /** Is looked for at once. */
  readonly text?: string;
}

/** By connection, until its tab takes it: the tab may not be open yet. */
export const wantedFinds = createStore<ReadonlyMap<string, WantedFind>>(() => new Map());

/** Has a search for rows begun with these values: now, or as soon as its tab is shown. */
export function wantFind(connectionId: string, wanted: WantedFind): void {
  wantedFinds.setState((before) => new Map(before).set(connectionId, wanted), true);
}

/** Takes what waits for a connection's search. */
export function takeWantedFind(connectionId: string): WantedFind | undefined {
  const wanted = wantedFinds.getState().get(connectionId);
  if (wanted !== undefined) {
    wantedFinds.setState((before) => {
      const after = new Map(before);
      after.delete(connectionId);
      return after;
    }, true);
  }
  return wanted;
}
