import { createStore, useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { z } from 'zod';

// The sessions of the console's tabs, in this window and in the others of this address. The host lists them to no window, so windows notify each other.

const CHANNEL = 'tabularium-sessions';
const LOCK = 'tabularium-sessions ';
/** How long another window has to end a session that it was asked to end. */
const END_MILLISECONDS = 10_000;

const tabSessionSchema = z.object({
  /** The tab of the console, its title, and the tab of the connection that it is in. */
  id: z.string().max(100),
  title: z.string().max(1_000),
  tabKey: z.string().max(1_000),
  connectionId: z.string().max(100),
  connection: z.string().max(1_000),
  driver: z.string().max(100),
  driverVersion: z.string().max(100),
  transaction: z.enum(['none', 'open', 'failed']),
  /** The requests that changed something in its transaction, each as it was written, in their order. */
  changes: z.array(z.string().max(5_000)).max(200).readonly(),
  /** Whether a request runs, or the transaction is being ended. */
  isRunning: z.boolean(),
});
/** A session of a tab of a console. */
export type HeldSession = Readonly<z.output<typeof tabSessionSchema>>;

/** A session as this window lists it. */
export interface ListedSession extends HeldSession {
  /** The other window that it belongs to; absent: this one. */
  readonly otherWindow?: string;
}

const messageSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('sessions'), window: z.uuid(), sessions: z.array(tabSessionSchema).max(1_000) }),
  /** A window that was just opened has heard of none. */
  z.object({ is: z.literal('asked') }),
  z.object({ is: z.literal('end'), window: z.uuid(), id: z.string().max(100) }),
]);
type SessionMessage = z.input<typeof messageSchema>;

interface Sessions {
  readonly own: readonly { readonly session: HeldSession; readonly end: () => Promise<void> }[];
  readonly others: ReadonlyMap<string, readonly HeldSession[]>;
}

const held = createStore<Sessions>(() => ({ own: [], others: new Map() }));
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
const ownWindow = crypto.randomUUID();
/** Windows whose end is awaited. */
const awaited = new Set<string>();

function listed({ own, others }: Sessions): readonly ListedSession[] {
  return [
    ...own.map(({ session }) => session),
    ...[...others].flatMap(([otherWindow, sessions]) => sessions.map((session) => ({ ...session, otherWindow }))),
  ];
}

function setOthers(otherWindow: string, sessions: readonly HeldSession[]): void {
  held.setState(({ others }) => {
    const rest = [...others].filter(([id]) => id !== otherWindow);
    return { others: new Map(sessions.length === 0 ? rest : [...rest, [otherWindow, sessions]]) };
  });
}

/** Forgets the sessions of another window when it is gone: its lock is free then, also where it crashed. */
function awaitEnd(otherWindow: string): void {
  if (awaited.has(otherWindow) || !('locks' in navigator)) return;
  awaited.add(otherWindow);
  void navigator.locks.request(`${LOCK}${otherWindow}`, () => {
    awaited.delete(otherWindow);
    setOthers(otherWindow, []);
  });
}

let holding: Promise<void> | undefined;
/** Others ask for this window's lock as soon as they hear of it, so it has it before. */
function hold(): Promise<void> {
  holding ??=
    'locks' in navigator
      ? new Promise((resolve) => {
          void navigator.locks.request(`${LOCK}${ownWindow}`, () => {
            resolve();
            return new Promise(() => undefined);
          });
        })
      : Promise.resolve();
  return holding;
}

function send(message: SessionMessage): void {
  channel?.postMessage(message);
}

let isAnnouncing = false;
/** Once for all changes of one turn. */
async function announce(): Promise<void> {
  if (isAnnouncing || channel === undefined) return;
  isAnnouncing = true;
  await hold();
  isAnnouncing = false;
  send({ is: 'sessions', window: ownWindow, sessions: held.getState().own.map(({ session }) => session) });
}

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = messageSchema.safeParse(data).data;
  if (message === undefined) return;
  if (message.is === 'asked') {
    if (held.getState().own.length > 0) void announce();
  } else if (message.is === 'sessions') {
    setOthers(message.window, message.sessions);
    awaitEnd(message.window);
  } else if (message.window === ownWindow) {
    void held
      .getState()
      .own.find(({ session }) => session.id === message.id)
      ?.end();
  }
});
send({ is: 'asked' });

/**
 * Notes a session of this window as it is now.
 *
 * @param end - closes it
 * @returns takes it out again
 */
export function noteSession(session: HeldSession, end: () => Promise<void>): () => void {
  const entry = { session, end };
  held.setState(({ own }) => ({ own: [...own, entry] }));
  void announce();
  return () => {
    held.setState(({ own }) => ({ own: own.filter((one) => one !== entry) }));
    void announce();
  };
}

/** All sessions of consoles now, those of this window first. */
export function heldSessions(): readonly ListedSession[] {
  return listed(held.getState());
}

/** The sessions of a connection, those of this window first. */
export function useHeldSessions(connectionId: string): readonly ListedSession[] {
  const all = useStore(
    held,
    useShallow(({ own, others }) => [own, others] as const),
  );
  return listed({ own: all[0], others: all[1] }).filter((session) => session.connectionId === connectionId);
}

/** Whether a transaction is open in a tab of a console of this window. */
export function useHasTransaction(id: string): boolean {
  return useStore(held, ({ own }) => own.some(({ session }) => session.id === id && session.transaction !== 'none'));
}

/** Ends a session, also one of another window. @returns whether it has ended; another window may not answer */
export async function endHeldSession({ id, otherWindow }: ListedSession): Promise<boolean> {
  const isThere = (): boolean => heldSessions().some((session) => session.id === id && session.otherWindow === otherWindow);
  if (otherWindow === undefined) {
    await held
      .getState()
      .own.find(({ session }) => session.id === id)
      ?.end();
    return true;
  }
  const gone = Promise.withResolvers<boolean>();
  const ignore = held.subscribe(() => (isThere() ? undefined : gone.resolve(true)));
  const timer = setTimeout(() => gone.resolve(!isThere()), END_MILLISECONDS);
  send({ is: 'end', window: otherWindow, id });
  try {
    return await gone.promise;
  } finally {
    clearTimeout(timer);
    ignore();
  }
}
