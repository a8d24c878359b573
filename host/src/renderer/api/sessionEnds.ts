import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import type { Unsubscribable } from '@trpc/server/observable';
import { z } from 'zod';
import type { AppRouter } from '../../runtime/api/router.ts';

type Procedures = AppRouter['_def']['record'];
type Mutations<Area extends 'connections' | 'drivers'> = {
  [Name in keyof Procedures[Area]]: Procedures[Area][Name] extends { readonly _def: { readonly type: 'mutation' } }
    ? Name
    : never;
}[keyof Procedures[Area]];

/** The sessions that a call ends: those of the connection that it names, of all connections of the driver that it names, perhaps any, or none. */
type Ends = 'connection' | 'driver' | 'any' | 'none';

/**
 * Every call that changes a connection or a driver, with the console sessions that the host closes for it. A new procedure doesn't compile before it is
 * in here.
 */
const ENDS: {
  readonly connections: Readonly<Record<Mutations<'connections'>, Ends>>;
  readonly drivers: Readonly<Record<Mutations<'drivers'>, Ends>>;
} = {
  connections: {
    create: 'none',
    /** Not where `keepsSession` says so: the form asks itself. */
    update: 'connection',
    remove: 'connection',
    test: 'none',
    open: 'none',
    signIn: 'connection',
    signInForm: 'none',
    dropSignIn: 'none',
    signOut: 'connection',
    confirmSecrets: 'none',
    acceptHostKey: 'none',
    forgetHostKey: 'none',
    duplicate: 'none',
    rename: 'none',
    group: 'none',
    previewImport: 'none',
    /** Those of the connections that it replaces. */
    import: 'any',
    close: 'connection',
  },
  drivers: {
    refresh: 'none',
    // Open sessions stay with their version until it is applied to them.
    install: 'none',
    update: 'none',
    rollback: 'none',
    pin: 'none',
    unpin: 'none',
    enable: 'none',
    disable: 'driver',
    remove: 'driver',
    applyToOpen: 'driver',
    installFile: 'none',
    loadFolder: 'none',
    forgetFolder: 'driver',
    trust: 'none',
    /** Those of the drivers that the key has signed. */
    revoke: 'any',
    allowGrants: 'none',
    withdrawGrants: 'driver',
    saveRegistry: 'none',
    removeRegistry: 'none',
    setNetwork: 'none',
  },
};
const RULES = new Map<string, Ends>(
  Object.entries(ENDS).flatMap(([area, rules]) =>
    Object.entries(rules).map(([name, ends]) => [`${area}.${name}`, ends] as const),
  ),
);

/** Which console sessions a call ends. */
export type EndedSessions =
  | { readonly of: 'connection'; readonly connectionId: string }
  | { readonly of: 'driver'; readonly driver: string }
  | { readonly of: 'any' };

/** @returns whether they may be ended. The signal says that the call is wanted no longer. */
type Ask = (ended: EndedSessions, signal: AbortSignal) => Promise<boolean>;

/** The option of a call whose caller has asked already. */
export const SESSION_ENDS_AGREED = { context: { hasAgreedToSessionEnds: true } } as const;

const connectionInput = z.object({ connectionId: z.string() });
const driverInput = z.object({ driver: z.string() });

let ask: Ask = () => Promise.resolve(true);

/** Sets who is asked before a call ends sessions. */
export function askBeforeSessionsEnd(question: Ask): void {
  ask = question;
}

/** @returns undefined for a call that leaves all sessions as they are */
export function sessionsEndedBy(path: string, input: unknown): EndedSessions | undefined {
  switch (RULES.get(path) ?? 'none') {
    case 'none':
      return undefined;
    case 'any':
      return { of: 'any' };
    case 'connection':
      return { of: 'connection', ...connectionInput.parse(input) };
    case 'driver':
      return { of: 'driver', ...driverInput.parse(input) };
  }
}

/**
 * The one place that all calls pass which end console sessions: each is sent only when the person has agreed that open transactions are rolled back. One
 * that isn't sent fails as if its caller had aborted it.
 */
export function sessionEndsLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const isAgreed = op.context['hasAgreedToSessionEnds'] === true;
        const ended = op.type !== 'mutation' || isAgreed ? undefined : sessionsEndedBy(op.path, op.input);
        if (ended === undefined) return next(op).subscribe(observer);
        const over = new AbortController();
        let sent: Unsubscribable | undefined;
        void ask(ended, over.signal).then((agreed) => {
          if (over.signal.aborted) return;
          if (agreed) sent = next(op).subscribe(observer);
          else observer.error(TRPCClientError.from(new DOMException('The sessions are to stay open.', 'AbortError')));
        });
        return () => {
          over.abort();
          sent?.unsubscribe();
        };
      });
}
