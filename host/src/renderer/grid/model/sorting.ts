import type { Sort } from '@tabularium/sdk';

/** The order of the rows. */
export interface Sorting {
  /** The first one weighs most. */
  readonly sorts: readonly Sort[];
  /** How many columns the driver sorts by at once. */
  readonly maxSorts: number;
}
