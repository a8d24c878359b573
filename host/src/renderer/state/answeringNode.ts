import { createStore, useStore } from 'zustand';

/** Which node of a cluster answered last, by connection. Connections with one node are not in it. */
const store = createStore<ReadonlyMap<string, string>>(() => new Map());

/** Call with what an answer says; undefined leaves nothing to show. */
export function noteNode(connectionId: string, node: string | undefined): void {
  const known = store.getState();
  if (known.get(connectionId) === node) return;
  const next = new Map(known);
  if (node === undefined) next.delete(connectionId);
  else next.set(connectionId, node);
  store.setState(next, true);
}

/** Host and port of the node that answered the last page of a connection; undefined where there is only one. */
export function useAnsweringNode(connectionId: string | undefined): string | undefined {
  return useStore(store, (nodes) => (connectionId === undefined ? undefined : nodes.get(connectionId)));
}
