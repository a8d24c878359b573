import { createStore, useStore } from 'zustand';

// Connections that are open in this window while the host, after a restart, lacks the credential that a person entered for one run only.
// Their tabs stay as they are, with everything that was typed in them, and a dialog asks for the credential.

const store = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));
const listeners = new Set<(connectionId: string) => void>();

export function noteSignedOut(connectionId: string): void {
  store.setState(({ ids }) => (ids.has(connectionId) ? { ids } : { ids: new Set([...ids, connectionId]) }));
}

/** A connection is open at the host. */
export function noteSignedIn(connectionId: string): void {
  const { ids } = store.getState();
  if (!ids.has(connectionId)) return;
  store.setState({ ids: new Set([...ids].filter((id) => id !== connectionId)) });
  for (const listener of listeners) listener(connectionId);
}

export function useIsSignedOut(connectionId: string | undefined): boolean {
  return useStore(store, ({ ids }) => connectionId !== undefined && ids.has(connectionId));
}

/** Calls back when a connection that was signed out is open again. @returns what ends it */
export function onSignedIn(listener: (connectionId: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resolves when a connection is no longer signed out, at once where it isn't. */
export async function whenSignedIn(connectionId: string): Promise<void> {
  if (!store.getState().ids.has(connectionId)) return;
  await new Promise<void>((resolve) => {
    const leave = onSignedIn((id) => {
      if (id !== connectionId) return;
      leave();
      resolve();
    });
  });
}
