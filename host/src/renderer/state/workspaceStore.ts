import type { KeepDocuments, WorkspaceScope } from '../../common/workspaceState.ts';
import { LARGEST_DOCUMENT } from '../../common/workspaceState.ts';
import { api } from '../api/client.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { ROUTER_PATH } from '../../common/api.ts';

// What the window remembers beyond itself: small documents of JSON, per connection or for the home, kept by the host. They are read without
// waiting, from memory: `loadScope` has fetched them (for a connection: before it is shown as open), and every writing goes to memory first.

/** Writings are sent together, so that typing does not become a request per letter. */
const DELAY_MILLISECONDS = 400;
/** What a browser lets a page send while it goes: 64 kB for everything together. */
const LAST_WORDS_BYTES = 60_000;
const CHANNEL = 'tabularium-workspace';

/** What can be remembered. */
export type Json = NonNullable<KeepDocuments['documents'][number]['value']>;
type Documents = Map<string, unknown>;

const scopes = new Map<WorkspaceScope, Documents>();
const loading = new Map<WorkspaceScope, Promise<void>>();
const unsent = new Map<string, KeepDocuments['documents'][number]>();
const listeners = new Set<(scope: WorkspaceScope, name: string) => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
channel?.addEventListener('message', ({ data }: MessageEvent<{ scope: WorkspaceScope; name: string; value?: unknown }>) => {
  put(data.scope, data.name, data.value);
});

function put(scope: WorkspaceScope, name: string, value: unknown): void {
  const documents = scopes.get(scope);
  if (documents === undefined) return;
  if (value === undefined) documents.delete(name);
  else documents.set(name, value);
  for (const listener of listeners) listener(scope, name);
}

/** Fetches what a scope remembers, once. A host that does not answer leaves it empty: nothing here is worth an error. */
export function loadScope(scope: WorkspaceScope): Promise<void> {
  const already = loading.get(scope);
  if (already !== undefined) return already;
  const load = api.workspace.documents.query({ scope }).then(
    (documents) => {
      // What was written while the answer was on its way is newer than the answer.
      const written = scopes.get(scope) ?? new Map<string, unknown>();
      scopes.set(scope, new Map([...Object.entries(documents), ...written]));
      for (const name of Object.keys(documents)) for (const listener of listeners) listener(scope, name);
    },
    () => void loading.delete(scope),
  );
  loading.set(scope, load);
  return load;
}

/** Forgets what was fetched for a connection that is gone. The host forgets by itself. */
export function dropScope(scope: WorkspaceScope): void {
  scopes.delete(scope);
  loading.delete(scope);
  for (const [key, document] of unsent) if (document.scope === scope) unsent.delete(key);
}

/** What is remembered under a name, as it was written; to be parsed by whoever reads it. Undefined when nothing is. */
export function recall(scope: WorkspaceScope, name: string): unknown {
  return scopes.get(scope)?.get(name);
}

/** Remembers JSON under a name; undefined forgets it. Never fails: what is too large lives as long as the window does. */
export function remember(scope: WorkspaceScope, name: string, value: Json | undefined): void {
  if (!scopes.has(scope)) scopes.set(scope, new Map());
  put(scope, name, value);
  channel?.postMessage({ scope, name, value });
  const fits = value === undefined || JSON.stringify(value).length <= LARGEST_DOCUMENT;
  unsent.set(`${scope} ${name}`, fits && value !== undefined ? { scope, name, value } : { scope, name });
  timer ??= setTimeout(() => void flush(), DELAY_MILLISECONDS);
}

/** Calls back for every change, also from other windows. */
export function onRemembered(listener: (scope: WorkspaceScope, name: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function takeUnsent(): KeepDocuments | undefined {
  clearTimeout(timer);
  timer = undefined;
  const documents = [...unsent.values()].slice(0, 200);
  for (const { scope, name } of documents) unsent.delete(`${scope} ${name}`);
  return documents.length === 0 ? undefined : { documents };
}

/** What is on its way to the host. A page that goes takes its requests with it, so this is said once more then. */
const onTheWay = new Set<KeepDocuments>();

/** Sends what has not been sent. */
async function flush(): Promise<void> {
  for (let input = takeUnsent(); input !== undefined; input = takeUnsent()) {
    onTheWay.add(input);
    await api.workspace.keep.mutate(input).catch(() => undefined);
    onTheWay.delete(input);
  }
}

/** Everything that the host may not have yet, each document as it is now. */
function lastWords(): KeepDocuments | undefined {
  const documents = new Map<string, KeepDocuments['documents'][number]>();
  for (const input of [...onTheWay, takeUnsent()]) {
    for (const document of input?.documents ?? []) documents.set(`${document.scope} ${document.name}`, document);
  }
  return documents.size === 0 ? undefined : { documents: [...documents.values()].slice(0, 200) };
}

/** A call that outlives the page which makes it. Nothing hears its answer. */
export function sendLastWords(procedure: string, input: unknown): void {
  const body = JSON.stringify(input);
  const keepalive = body.length <= LAST_WORDS_BYTES;
  void fetch(apiUrl(`${ROUTER_PATH}/${procedure}`), {
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
    if (input !== undefined) sendLastWords('workspace.keep', input);
  });
}
