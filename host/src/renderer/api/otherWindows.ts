import type { QueryClient } from '@tanstack/react-query';

// Windows of one address tell each other what they have changed at the host, so that none of them goes on with what is no longer so.

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tabularium-changes');

type Key = readonly string[];

/** Tells the other windows that what stands under this key is not what it was. */
export function notifyOtherWindows(key: Key): void {
  channel?.postMessage(key);
}

/** Asks anew for what another window has changed. */
export function followOtherWindows(client: QueryClient): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<Key>) => void client.invalidateQueries({ queryKey: data }));
}
