/** One column to order by. Earlier sorts weigh more. */
export interface Sort {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** A sort that was not sent, and why: shown to people as it stands. A sort is never dropped in silence. */
export interface DroppedSort {
  readonly column: string;
  readonly reason: string;
}
