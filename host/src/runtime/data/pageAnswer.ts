import type { PageAnswerHead, RowsAnswerHead } from '../../common/api.ts';

/** One page as the window gets it: what is said of it, and the batch as the driver encoded it. */
export interface PageAnswer {
  readonly head: PageAnswerHead;
  readonly batch: Uint8Array;
}

/** Rows by their keys as the window gets them. */
export interface RowsAnswer {
  readonly head: RowsAnswerHead;
  readonly batch: Uint8Array;
}
