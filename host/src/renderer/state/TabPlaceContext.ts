import { createContext } from 'react';

/** The tab that a part of the window is in. */
export interface TabPlace {
  readonly connectionId: string;
  readonly key: string;
  /** As the tab shows it. */
  readonly name: string;
}

export const TabPlaceContext = createContext<TabPlace | undefined>(undefined);
