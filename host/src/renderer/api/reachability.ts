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
}

/** A request of a connection failed, perhaps because its server is away. */
export function noteFailure(connectionId: string, code: string): void {
  if (!AWAY.has(code) || store.getState().has(connectionId)) return;
  store.setState(new Set(store.getState()).add(connectionId), true);
}

function connectionIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('connectionId' in input)) return undefined;
  return typeof input.connectionId === 'string' ? input.connectionId : undefined;
}

/** Notes of every call whether the server of its connection answered. The caller gets the error as ever. */
export function reachabilityLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const connectionId = connectionIn(op.input);
        return next(op).subscribe({
          next(value) {
            if (connectionId !== undefined && ASKS_SERVER.has(op.path)) noteAnswer(connectionId);
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
