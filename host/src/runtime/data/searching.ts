import { DriverError } from '@tabularium/sdk';
import type { SearchFacet } from '@tabularium/sdk';
import type {
  RankedSearchInput,
  ReadRecordedQueries,
  ReadSearchForm,
  RecordedQueries,
  SearchAnswer,
  SearchForm,
} from '../../common/searching.ts';
import { mustSearchTogether } from '../../common/mustSearchTogether.ts';
import type { Inject } from '../container/inject.ts';
import { Sessions } from './sessions.ts';

/** Ranked search of tables. It reads only, so it needs no permission to change data. */
export class Searching {
  static readonly inject: Inject<typeof Searching> = [Sessions];

  readonly #sessions: Pick<Sessions, 'use'>;

  constructor(sessions: Pick<Sessions, 'use'>) {
    this.#sessions = sessions;
  }

  /** The form of a table's search. @throws DriverError `UNSUPPORTED` where the driver has no ranked search, `NOT_FOUND` */
  form({ connectionId, table }: ReadSearchForm, signal: AbortSignal): Promise<SearchForm> {
    return this.#with(connectionId, (search) => search.form(table, { signal }), signal);
  }

  /** Searches one table. @throws DriverError `UNSUPPORTED` where the driver has no ranked search, and what {@link SearchFacet.search} throws */
  search({ connectionId, request }: RankedSearchInput, signal: AbortSignal): Promise<SearchAnswer> {
    return this.#with(
      connectionId,
      async (search) => {
        if ((request.alsoIn?.length ?? 0) > 0) mustSearchTogether(request, await search.form(request.table, { signal }));
        return search.search(request, { signal });
      },
      signal,
    );
  }

  /** Whether the database records queries of its own users. */
  recordsQueries(connectionId: string, signal: AbortSignal): Promise<boolean> {
    return this.#sessions.use(connectionId, async ({ session }) => session.search?.recordedQueries !== undefined, { signal });
  }

  /** Queries that the database has recorded. @throws DriverError `UNSUPPORTED` where it records none, and what {@link SearchFacet.recordedQueries} throws */
  recordedQueries({ connectionId, request }: ReadRecordedQueries, signal: AbortSignal): Promise<RecordedQueries> {
    return this.#with(
      connectionId,
      async (search, title) => {
        const queries = search.recordedQueries?.(request, { signal });
        if (queries === undefined) throw new DriverError('UNSUPPORTED', `${title} reads no recorded queries.`);
        return queries;
      },
      signal,
    );
  }

  #with<Answer>(
    connectionId: string,
    ask: (search: SearchFacet, title: string) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.search === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} has no ranked search.`);
        return ask(session.search, manifest.title);
      },
      { signal },
    );
  }
}
