import type { HeldSession } from '../state/heldSessions.ts';

/** Another window of this address, with sessions of consoles. */
export interface OtherWindow {
  /** Notifies this window of them. */
  readonly announce: (sessions: readonly HeldSession[]) => void;
  /** The sessions that it was asked to end, by their tabs. */
  readonly asked: readonly string[];
  /** Goes as a window that crashed: it notifies no other one. */
  readonly crash: () => void;
}

export async function openOtherWindow(): Promise<OtherWindow> {
  const id = crypto.randomUUID();
  const channel = new BroadcastChannel('tabularium-sessions');
  const asked: string[] = [];
  channel.addEventListener('message', ({ data }: MessageEvent<{ is: string; window?: string; id?: string }>) => {
    if (data.is === 'end' && data.window === id && data.id !== undefined) asked.push(data.id);
  });
  const life = Promise.withResolvers<void>();
  await new Promise<void>((resolve) => {
    void navigator.locks.request(`tabularium-sessions ${id}`, () => {
      resolve();
      return life.promise;
    });
  });
  return {
    announce: (sessions) => channel.postMessage({ is: 'sessions', window: id, sessions }),
    asked,
    crash: () => {
      channel.close();
      life.resolve();
    },
  };
}
