import { createStore } from 'zustand/vanilla';

interface WaitingKind {
  readonly connectionId: string;
  readonly kind: string;
}

/** Kinds that other parts of the window want to show in a connection's objects, until that tab takes them. */
export const objectKinds = createStore<{ readonly waiting: readonly WaitingKind[] }>(() => ({ waiting: [] }));

/** Has the objects of a kind shown: now, or as soon as the tab is. */
export function showObjectKind(connectionId: string, kind: string): void {
  objectKinds.setState(({ waiting }) => ({
    waiting: [...waiting.filter((one) => one.connectionId !== connectionId), { connectionId, kind }],
  }));
}

/** Takes the kind that waits for a connection's objects. */
export function takeObjectKind(connectionId: string): string | undefined {
  const { waiting } = objectKinds.getState();
  const mine = waiting.find((one) => one.connectionId === connectionId);
  if (mine !== undefined) objectKinds.setState({ waiting: waiting.filter((one) => one !== mine) });
  return mine?.kind;
}
