import type { DriverTexts } from './driverText.ts';

/** One column to order by. Earlier sorts weigh more. */
export interface Sort {
  /** The name of a column; one that is not there is dropped and reported. */
  readonly column: string;
  /** Where missing values come is the database's own; they come together. */
  readonly direction: 'ascending' | 'descending';
}

/** A sort that was not sent, and why: shown to people unchanged, or by its translation. A sort is never dropped in silence. */
export interface DroppedSort {
  /** As it was asked for. */
  readonly column: string;
  /** One sentence. */
  readonly reason: string;
  /** The reason in other languages. */
  readonly texts?: DriverTexts;
}
