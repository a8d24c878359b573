import { useSyncExternalStore } from 'react';

/** Below this width the sidebar is folded until it is asked for. */
const query = typeof window === 'undefined' ? undefined : window.matchMedia('(max-width: 899px)');

const subscribe = (listener: () => void): (() => void) => {
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
};

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches ?? false);
}
