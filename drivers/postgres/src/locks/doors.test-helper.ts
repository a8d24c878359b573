import type { ConsoleFacet, ConsoleSession, PermittedStatement, ResultEvent, Session, SessionEvent } from '@tabularium/sdk';
import { consoleOf, sessionOf, signal } from '../session.test-helper.ts';

/** A way to run a statement of a person's. */
export type Door = Pick<ConsoleFacet | ConsoleSession, 'classify' | 'run'>;

/** All that runs statements, by what it is. Close each with {@link closed}. */
export function doorsOf(session: () => Session): Readonly<Record<string, () => Promise<Door>>> {
  return {
    'the console': async () => consoleOf(session()),
    'a console session': () => sessionOf(session()),
    'an open transaction of a console session': async () => {
      const own = await sessionOf(session());
      await collect(own, 'BEGIN');
      return own;
    },
    'an open transaction that sees what was there when it began': async () => {
      const own = await sessionOf(session());
      await collect(own, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
      await collect(own, 'SELECT count(*) FROM pg_catalog.pg_class');
      return own;
    },
  };
}

export async function closed(door: object): Promise<void> {
  if ('close' in door) await (door as ConsoleSession).close();
}

/** All events of a statement. */
export async function collect(
  runner: Pick<Door, 'run'>,
  statement: string,
  permitted?: PermittedStatement,
  own: AbortSignal = signal,
): Promise<readonly (ResultEvent | SessionEvent)[]> {
  const options = { maxRows: 10, signal: own, ...(permitted === undefined ? {} : { permitted }) };
  return await Array.fromAsync<ResultEvent | SessionEvent>(runner.run(statement, options));
}

/** The rows of a statement. */
export function rowsIn(events: readonly (ResultEvent | SessionEvent)[]): readonly (readonly unknown[])[] {
  return events.flatMap((event) => (event.type === 'rows' ? [...event.rows] : []));
}
