import { DriverError } from '@tabularium/sdk';
import type { ConsoleFacet, ConsoleSession, Session } from '@tabularium/sdk';
import { ConsoleTurn } from './consoleTurn.ts';

/** The console sessions of each session, by the numbers that the host chose. */
const opened = new WeakMap<Session, Map<number, ConsoleTurn>>();

/** Opens one. A call that was given up meanwhile leaves none behind. */
export async function openConsoleSession(
  session: Session,
  console: ConsoleFacet,
  number: number,
  signal: AbortSignal,
): Promise<ConsoleSession> {
  const numbers = opened.get(session) ?? new Map<number, ConsoleTurn>();
  opened.set(session, numbers);
  if (console.openSession === undefined) throw new DriverError('UNSUPPORTED', 'The console of this session opens no sessions.');
  if (numbers.has(number)) throw new DriverError('DRIVER_FAULT', 'The driver received an unexpected request to open a session.');
  const own = await console.openSession({ signal });
  if (signal.aborted || opened.get(session) !== numbers) {
    await own.close();
    throw new DriverError('CANCELLED');
  }
  numbers.set(number, new ConsoleTurn(own));
  return own;
}

/** @throws DriverError `CONNECTION_LOST` for a number that was closed or never opened */
export function consoleTurn(session: Session, number: number): ConsoleTurn {
  const found = opened.get(session)?.get(number);
  if (found === undefined) throw new DriverError('CONNECTION_LOST', 'The session of this console is closed.');
  return found;
}

/** Closes one at once, also while a call of it runs, and does nothing where it is closed already. */
export async function closeConsoleSession(session: Session, number: number): Promise<void> {
  const numbers = opened.get(session);
  const found = numbers?.get(number);
  numbers?.delete(number);
  await found?.session.close();
}

/** Closes all of a session, which is about to be closed. */
export async function closeConsoleSessions(session: Session): Promise<void> {
  const numbers = opened.get(session);
  opened.delete(session);
  await Promise.allSettled([...(numbers?.values() ?? [])].map(async ({ session: own }) => own.close()));
}
