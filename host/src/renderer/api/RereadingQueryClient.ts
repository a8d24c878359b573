import { QueryClient } from '@tanstack/react-query';
import type { InvalidateOptions, InvalidateQueryFilters } from '@tanstack/react-query';

/**
 * The library's client, where "read this again" also holds for what is being read for the first time. The library leaves such a reading to its end and
 * takes its answer for new, although the host may have given it before the change that made it old.
 */
export class RereadingQueryClient extends QueryClient {
  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options: InvalidateOptions = {}): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    await super.invalidateQueries(filters, options);
    if (first.length > 0) await super.invalidateQueries({ predicate: (query) => first.includes(query) }, options);
  }
}
