import type { ConsoleContext, ConsolePlace } from '@tabularium/sdk';
import type { OpenedConsoleSession } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { runConsoleStatement } from './runConsoleStatement.ts';

/** Whether a namespace is in a place. */
export function isIn(namespace: readonly string[], place: ConsolePlace): boolean {
  return place.namespace.every((name, level) => namespace[level] === name);
}

/**
 * Moves a session that has just begun to the place of a namespace, such as the database of the session before.
 *
 * @returns the context of the session
 * @throws what the place's statement throws
 */
export async function goBackTo(
  namespace: readonly string[] | undefined,
  { connectionId, session }: { readonly connectionId: string; readonly session: OpenedConsoleSession },
  signal: AbortSignal,
): Promise<ConsoleContext> {
  let { context } = session;
  if (namespace === undefined || JSON.stringify(namespace) === JSON.stringify(context.namespace)) return context;
  const place = (await api.console.places.query({ connectionId }, { signal })).find((one) => isIn(namespace, one));
  if (place === undefined || isIn(context.namespace ?? [], place)) return context;
  const { sessionId } = session;
  for await (const line of runConsoleStatement({ connectionId, sessionId, statement: place.statement, maxRows: 1 }, signal))
    if (line.type === 'context') ({ context } = line);
  return context;
}
