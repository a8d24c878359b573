import { useLayoutEffect } from 'react';
import { isFiltering } from '../../filter/filterModel.ts';
import type { TableFilter } from '../../filter/useTableFilter.ts';
import type { TabRows } from './useTabRows.ts';

/** Faults of the filter itself. Anything else, such as a server that is away, would meet the filter before as well. */
const FILTER_FAULTS: ReadonlySet<string> = new Set(['INVALID_INPUT', 'UNSUPPORTED', 'STRUCTURE_CHANGED']);

/** Lets the filter know whether rows could be read with it, so that a refused one leaves the rows before on the screen. */
export function useFilterOutcome(filter: TableFilter, { cache, failure, nothingRead }: TabRows): void {
  const { applied, accept, refuse } = filter;
  const wasRead = cache.hasRows || cache.isEmpty;
  const problem = nothingRead ? failure?.problem : undefined;
  useLayoutEffect(() => {
    if (wasRead) accept();
    else if (problem !== undefined && isFiltering(applied) && FILTER_FAULTS.has(problem.code)) refuse(problem);
  }, [wasRead, problem, applied, accept, refuse]);
}
