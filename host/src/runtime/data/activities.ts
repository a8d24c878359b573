import type { ActivityFacet, EndOutcome, EndRequest, RunningEntry, SlowStatements } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { englishOf } from '../../common/hostSentences.ts';
import type { ServerActivity } from '../../common/serverActivity.ts';
import { readOnlyReason, requireWritable } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { Sessions } from './sessions.ts';

/** Sessions and statements at a server, each time as they are now: what was read before is never ended by its place or its number. */
export class Activities {
  static readonly inject: Inject<typeof Activities> = [Sessions];

  readonly #sessions: Pick<Sessions, 'use'>;

  constructor(sessions: Pick<Sessions, 'use'>) {
    this.#sessions = sessions;
  }

  async list(connectionId: string, signal: AbortSignal): Promise<ServerActivity> {
    return this.#use(connectionId, signal, async (facet, connection) => {
      const list = await facet.list({ signal });
      const reason = readOnlyReason(connection);
      return {
        list:
          reason === undefined ? list : { ...list, entries: list.entries.map((entry) => withoutWays(entry, englishOf(reason))) },
        hasStatistics: facet.slow !== undefined,
        ...(reason === undefined ? {} : { readOnly: { reason: englishOf(reason), sentence: reason } }),
      };
    });
  }

  /**
   * Ends the entry of the request, which the driver compares with what runs now.
   *
   * @throws HostError `CONNECTION_READ_ONLY` in read-only mode, and what the driver throws
   */
  async end(connectionId: string, request: EndRequest, signal: AbortSignal): Promise<EndOutcome> {
    return this.#use(connectionId, signal, (facet, connection) => {
      // Also the end of an own statement: its transaction is lost, and another session may have taken the place of the entry.
      requireWritable(connection, 'destructive');
      return facet.end(request, { signal });
    });
  }

  async slow(connectionId: string, signal: AbortSignal): Promise<SlowStatements> {
    return this.#use(connectionId, signal, (facet) => {
      const statistics = facet.slow?.({ signal });
      if (statistics !== undefined) return statistics;
      throw new DriverError('UNSUPPORTED', 'This database records no statistics of statements.');
    });
  }

  async #use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: ActivityFacet, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        if (session.activity !== undefined) return work(session.activity, connection);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver doesn't list sessions.`);
      },
      { signal },
    );
  }
}

function withoutWays({ texts: _texts, ...entry }: RunningEntry, reason: string): RunningEntry {
  return { ...entry, ways: [], reason };
}
