import { visibleText } from '@tabularium/sdk';
import type { ConsoleContext, ConsolePlace } from '@tabularium/sdk';
import type { OpenedConsoleSession } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { windowProblem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { runConsoleStatement } from './runConsoleStatement.ts';

/** Whether a namespace is in a place. */
export function isIn(namespace: readonly string[], place: ConsolePlace): boolean {
  return place.namespace.every((name, level) => namespace[level] === name);
}

/**
 * Moves a session that has just begun to the place of a namespace, such as the database of the session before.
 *
 * @returns the context of the session
 * @throws ReportedProblem `NOT_FOUND` where that place is gone, and what the place's statement throws
 */
export async function goBackTo(
  namespace: readonly string[] | undefined,
  { connectionId, session }: { readonly connectionId: string; readonly session: OpenedConsoleSession },
  signal: AbortSignal,
): Promise<ConsoleContext> {
  let { context } = session;
  if (namespace === undefined || JSON.stringify(namespace) === JSON.stringify(context.namespace)) return context;
  const places = await api.console.places.query({ connectionId }, { signal });
  const place = places.find((one) => isIn(namespace, one));
  const here = context.namespace ?? [];
  if (place === undefined) {
    // A place that the list leaves out may be where the session has begun.
    if (places.length === 0 || here[0] === namespace[0]) return context;
    const levels = Math.max(1, places[0]?.namespace.length ?? 1);
    const nameOf = (path: readonly string[]): string => visibleText(path.slice(0, levels).join('.'));
    const words = strings.consoleSession;
    throw windowProblem('NOT_FOUND', words.placeGone(nameOf(namespace)), words.placeGoneAdvice(nameOf(here)));
  }
  if (isIn(here, place)) return context;
  const { sessionId } = session;
  for await (const line of runConsoleStatement({ connectionId, sessionId, statement: place.statement, maxRows: 1 }, signal))
    if (line.type === 'context') ({ context } = line);
  return context;
}
