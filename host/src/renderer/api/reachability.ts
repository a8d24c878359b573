import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { createStore, useStore } from 'zustand';
import { problemOf } from './problem.ts';

/** The connections whose server didn't answer their last request to it. */
const store = createStore<ReadonlySet<string>>(() => new Set());

const AWAY: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'CONNECTION_REFUSED', 'HOST_NOT_FOUND', 'SERVER_NOT_READY']);
/** Calls whose answer comes from the server itself, and not from what the host has of it. */
const ASKS_SERVER: ReadonlySet<string> = new Set(['tables.list', 'tables.count', 'console.classify', 'connections.open']);

/** Calls that ask it only when they say so; otherwise the host may answer with what it has. */
const ASKS_WITH_RELOAD: ReadonlySet<string> = new Set(['tables.describe']);
const listeners = new Set<(connectionId: string) => void>();

/** Whether the last request of a connection failed because its server can't be reached. */
export function useIsAway(connectionId: string | undefined): boolean {
  return useStore(store, (away) => connectionId !== undefined && away.has(connectionId));
}

/** The server of a connection answered. */
export function noteAnswer(connectionId: string): void {
  if (!store.getState().has(connectionId)) return;
  const next = new Set(store.getState());
  next.delete(connectionId);
  store.setState(next, true);
  for (const listener of listeners) listener(connectionId);
}

/** Calls back when a server that was away answers again. @returns what ends it */
export function onServerReturn(listener: (connectionId: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a failure with this code says that the server can't be reached now. */
export const meansAway = (code: string): boolean => AWAY.has(code);

/** A request of a connection failed, perhaps because its server is away. */
export function noteFailure(connectionId: string, code: string): void {
  if (!meansAway(code) || store.getState().has(connectionId)) return;
  store.setState(new Set(store.getState()).add(connectionId), true);
}

function connectionIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('connectionId' in input)) return undefined;
  return typeof input.connectionId === 'string' ? input.connectionId : undefined;
}

const asksServer = (path: string, input: unknown): boolean =>
  ASKS_SERVER.has(path) ||
  (ASKS_WITH_RELOAD.has(path) && typeof input === 'object' && input !== null && 'reload' in input && input.reload === true);

/** Notes of every call whether the server of its connection answered. The caller gets the error as ever. */
export function reachabilityLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const connectionId = connectionIn(op.input);
        return next(op).subscribe({
          next(value) {
            if (connectionId !== undefined && asksServer(op.path, op.input)) noteAnswer(connectionId);
            observer.next(value);
          },
          error(error) {
            if (connectionId !== undefined) noteFailure(connectionId, problemOf(error).code);
            observer.error(error);
          },
          complete: () => observer.complete(),
        });
      });
}
