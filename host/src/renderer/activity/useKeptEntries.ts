import { useState } from 'react';

interface Kept {
  readonly ids: ReadonlySet<string>;
  /** When the list was read that they were in. */
  readonly from: number;
  /** When the first list after it was read. */
  readonly next?: number;
}

export interface KeptEntries {
  readonly kept: ReadonlySet<string> | undefined;
  readonly keep: (ids: ReadonlySet<string>) => void;
}

/**
 * Entries that stay on the screen for the list that is read at once after a person ended another one: where they waited for it, they are idle for that
 * moment, and the page would say that nothing runs. The list after that one shows them as any other.
 *
 * @param readAt - when the present list was read
 */
export function useKeptEntries(readAt: number): KeptEntries {
  const [kept, setKept] = useState<Kept>();
  if (kept !== undefined && readAt !== kept.from) {
    if (kept.next === undefined) setKept({ ...kept, next: readAt });
    else if (kept.next !== readAt) setKept(undefined);
  }
  return { kept: kept?.ids, keep: (ids) => setKept({ ids, from: readAt }) };
}
