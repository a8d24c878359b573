import type { Sort } from '@tabularium/sdk';

/** The result of a click on a header. `limitReached`: one more column cannot be sorted by, and nothing changes. */
export interface SortChange {
  readonly sorts: readonly Sort[];
  readonly limitReached: boolean;
}

function nextDirection(direction: Sort['direction'] | undefined): Sort['direction'] | undefined {
  if (direction === undefined) return 'ascending';
  return direction === 'ascending' ? 'descending' : undefined;
}

/**
 * Ascending, descending, none. A plain click sorts by that column alone; an additive one keeps the others and their order.
 *
 * @param maxSorts - how many columns the driver sorts by at once
 */
export function cycleSort(sorts: readonly Sort[], column: string, additive: boolean, maxSorts: number): SortChange {
  const present = sorts.find((sort) => sort.column === column);
  const direction = nextDirection(present?.direction);
  if (!additive) {
    if (maxSorts < 1) return { sorts, limitReached: true };
    return { sorts: direction === undefined ? [] : [{ column, direction }], limitReached: false };
  }
  if (direction === undefined) return { sorts: sorts.filter((sort) => sort.column !== column), limitReached: false };
  if (present !== undefined) {
    return { sorts: sorts.map((sort) => (sort.column === column ? { column, direction } : sort)), limitReached: false };
  }
  if (sorts.length >= maxSorts) return { sorts, limitReached: true };
  return { sorts: [...sorts, { column, direction }], limitReached: false };
}
