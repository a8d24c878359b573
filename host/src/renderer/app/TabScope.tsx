import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { TabPlaceContext } from '../state/TabPlaceContext.ts';
import type { TabPlace } from '../state/TabPlaceContext.ts';

interface Props extends Omit<TabPlace, 'key'> {
  readonly tabKey: string;
  readonly children: ReactNode;
}

/** Lets what is in a tab know which one it is. */
export function TabScope({ connectionId, tabKey, name, children }: Props): ReactNode {
  const place = useMemo(() => ({ connectionId, key: tabKey, name }), [connectionId, tabKey, name]);
  return <TabPlaceContext value={place}>{children}</TabPlaceContext>;
}
