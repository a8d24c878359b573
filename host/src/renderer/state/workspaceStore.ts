import { useStore } from 'zustand';
import type { WorkspaceScope } from '../../common/workspaceState.ts';
import { api } from '../api/client.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { hostFetch } from '../api/hostLink/hostFetch.ts';
import { persistently } from '../api/hostLink/persistently.ts';
import { ROUTER_PATH } from '../../common/api.ts';
import { createDocumentStore } from './documentStore.ts';
import type { Written } from './documentStore.ts';

// The documents that outlive the window: small JSON, per connection or for the home, stored by the host. They are read without
// waiting, from memory: `loadScope` has fetched them (for a connection: before it is shown as open), and every writing goes to memory first.

/** A browser lets a page send this much while it goes: 64 kB for everything together. */
const LAST_WORDS_BYTES = 60_000;
const CHANNEL = 'tabularium-workspace';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
const remembered = createDocumentStore({
  load: (scope) => api.workspace.documents.query({ scope }),
  save: (input) => persistently(() => api.workspace.save.mutate(input)),
  announce: (written) => channel?.postMessage(written),
});
export const { loadScope, dropScope, recall, recallNames, remember, flush } = remembered.getState();
const { lastWords, takeOver } = remembered.getState();
const elsewhereListeners = new Set<(written: Written) => void>();
channel?.addEventListener('message', ({ data }: MessageEvent<Written>) => {
  takeOver(data);
  for (const hear of elsewhereListeners) hear(data);
});

/** Calls back after another window has written or forgotten a document, which `recall` gives then. @returns what ends it */
export function onWrittenElsewhere(listener: (written: Written) => void): () => void {
  elsewhereListeners.add(listener);
  return () => elsewhereListeners.delete(listener);
}

/** The document under a name, followed as it changes, also from other windows. */
export function useRemembered(scope: WorkspaceScope, name: string): unknown {
  return useStore(remembered, ({ scopes }) => scopes.get(scope)?.get(name));
}

/** A call that outlives the page which makes it. Nothing hears its answer. */
export function sendLastWords(procedure: string, input: unknown): void {
  const body = JSON.stringify(input);
  const keepalive = body.length <= LAST_WORDS_BYTES;
  void hostFetch(apiUrl(`${ROUTER_PATH}/${procedure}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive,
  }).catch(() => undefined);
}

const goingListeners = new Set<() => void>();

/**
 * Calls back when the page goes, while there is still time to remember something. (Listeners of the window's own `pagehide` come in the order in
 * which they were added, captured or not: this module's was there first.)
 */
export function onGoing(listener: () => void): () => void {
  goingListeners.add(listener);
  return () => goingListeners.delete(listener);
}

if (typeof window !== 'undefined') {
  // A page that is hidden may never be asked again, so this is the moment on every platform.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void flush();
  });
  window.addEventListener('pagehide', () => {
    for (const say of goingListeners) say();
    const input = lastWords();
    if (input !== undefined) sendLastWords('workspace.save', input);
  });
}
