import type { QueryClient } from '@tanstack/react-query';

// Windows of one address notify each other of their changes at the host, so that none of them shows outdated data.

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tabularium-changes');

type Key = readonly string[];

/** Notifies the other windows that the data under this key has changed. */
export function notifyOtherWindows(key: Key): void {
  channel?.postMessage(key);
}

/** Queries again what another window has changed. */
export function followOtherWindows(client: QueryClient): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<Key>) => void client.invalidateQueries({ queryKey: data }));
}
