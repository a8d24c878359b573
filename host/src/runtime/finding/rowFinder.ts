import { DriverError, isDriverError } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import type { FindRows, FindRowsEvent, TableOutcome } from '../../common/findingRows.ts';
import { progressStream } from '../../common/progressStream.ts';
import type { Inject } from '../container/inject.ts';
import { allTables } from '../data/namespaceLister.ts';
import type { RefusedNamespace } from '../data/namespaceLister.ts';
import { NamedTables } from '../data/namedTables.ts';
import { Sessions } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { AskedTable } from './askedTable.ts';
import type { TableAnswer, TableQuestion } from './askedTable.ts';
import { scopedTables } from './scopedTables.ts';
import type { ScopedTable } from './scopedTables.ts';

/** More of them would leave a server no time for those who work with it. */
const TABLES_AT_A_TIME = 2;

/** Errors that every table after this one would end with, too. */
const ENDS_ALL: ReadonlySet<string> = new Set([
  'HOST_NOT_FOUND',
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'CREDENTIALS_MISSING',
  'TLS_FAILED',
]);

/** Finds the rows of a connection's tables that hold a text. It reads only, by what every driver has: descriptions and filtered pages. */
export class RowFinder {
  static readonly inject: Inject<typeof RowFinder> = [Sessions, NamedTables];

  readonly #sessions: Pick<Sessions, 'use' | 'describe'>;
  readonly #namedTables: Pick<NamedTables, 'view'>;

  constructor(sessions: Pick<Sessions, 'use' | 'describe'>, namedTables: Pick<NamedTables, 'view'>) {
    this.#sessions = sessions;
    this.#namedTables = namedTables;
  }

  /**
   * Yields the tables, then how each of them answered, as soon as it did. A table that fails is one of these answers; what ends the work on all tables is
   * thrown after the answers that came before it.
   *
   * @throws DriverError `UNSUPPORTED` where the database can't be asked for a text in any of several columns, and what ended the work
   */
  find(input: FindRows, signal: AbortSignal): AsyncGenerator<FindRowsEvent> {
    const { connectionId, scope, ...options } = input;
    return progressStream<FindRowsEvent>(async (notify) => {
      const question: TableQuestion = { ...options, connectionId, filtering: await this.#filtering(input, signal) };
      const refused: RefusedNamespace[] = [];
      const within = scope.in === 'namespace' ? scope.namespace : [];
      const tables = await scopedTables(scope, {
        list: () =>
          this.#sessions.use(connectionId, ({ session }) => allTables(session, within, signal, (one) => refused.push(one)), {
            signal,
          }),
        named: async () => (await this.#namedTables.view(connectionId, signal)).tables,
      });
      notify({
        type: 'tables',
        tables: tables.map(({ ref }) => ref),
        ...(refused.length === 0
          ? {}
          : { refused: refused.map(({ namespace, error }) => ({ namespace: [...namespace], error: errorReport(error) })) }),
      });
      const failure = new AbortController();
      const either = AbortSignal.any([signal, failure.signal]);
      const waiting = tables.entries();
      const work = async (): Promise<void> => {
        for (const [place, { ref, ...sameRows }] of waiting) {
          either.throwIfAborted();
          const elsewhere = foundElsewhere(sameRows);
          const answer: TableAnswer = elsewhere === undefined ? await this.#ask(question, ref, either) : { outcome: elsewhere };
          notify({ type: 'table', place, ...answer });
          const { outcome } = answer;
          // Its driver is opened again, but not by this: the next table may crash it, too.
          if (outcome.outcome === 'failed' && outcome.error.code === 'DRIVER_CRASHED')
            throw new DriverError('DRIVER_CRASHED', outcome.error.message);
        }
      };
      try {
        await Promise.all(Array.from({ length: TABLES_AT_A_TIME }, work));
      } finally {
        failure.abort();
      }
    });
  }

  async #filtering({ connectionId, matchCase }: FindRows, signal: AbortSignal): Promise<TableQuestion['filtering']> {
    const { filtering, title } = await this.#sessions.use(connectionId, async ({ manifest }) => manifest, { signal });
    if (filtering?.match.includes('any') !== true)
      throw new DriverError('UNSUPPORTED', `${title} can't look for a text in any of several columns.`);
    if (matchCase && !filtering.caseControl.available)
      throw new DriverError('UNSUPPORTED', `${title} can't match letter case: ${filtering.caseControl.reason}`, {
        details: { field: 'matchCase', advice: 'Search without matching letter case.' },
      });
    return filtering;
  }

  async #ask(question: TableQuestion, table: TableRef, signal: AbortSignal): Promise<TableAnswer> {
    const limit = AbortSignal.timeout(question.secondsPerTable * 1_000);
    const either = AbortSignal.any([signal, limit]);
    try {
      // A driver that doesn't react to the signal holds up nothing.
      return await untilAborted(new AskedTable(this.#sessions, question, { table, signal: either }).answer(), either);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) return { outcome: { outcome: 'tooSlow', seconds: question.secondsPerTable } };
      if (isDriverError(error) && ENDS_ALL.has(error.code)) throw error;
      return { outcome: { outcome: 'failed', error: errorReport(error) } };
    }
  }
}

/** How a table answers whose rows are looked at under another name. */
function foundElsewhere({ aliasOf, partOf }: Omit<ScopedTable, 'ref'>): TableOutcome | undefined {
  if (aliasOf !== undefined) return { outcome: 'alias', of: aliasOf };
  return partOf === undefined ? undefined : { outcome: 'part', of: partOf };
}

async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
