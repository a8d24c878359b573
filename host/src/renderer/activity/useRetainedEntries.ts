import { useState } from 'react';

interface Retained {
  readonly ids: ReadonlySet<string>;
  /** When the list was read that they were in. */
  readonly from: number;
  /** When the first list after it was read. */
  readonly next?: number;
}

export interface RetainedEntries {
  readonly retained: ReadonlySet<string> | undefined;
  readonly retain: (ids: ReadonlySet<string>) => void;
}

/**
 * Entries that stay on the screen for the list that is read at once after a person ended another one: where they waited for it, they are idle for that
 * moment, and the page would say that nothing runs. The list after that one shows them as any other.
 *
 * @param readAt - when the present list was read
 */
export function useRetainedEntries(readAt: number): RetainedEntries {
  const [retained, setRetained] = useState<Retained>();
  if (retained !== undefined && readAt !== retained.from) {
    if (retained.next === undefined) setRetained({ ...retained, next: readAt });
    else if (retained.next !== readAt) setRetained(undefined);
  }
  return { retained: retained?.ids, retain: (ids) => setRetained({ ids, from: readAt }) };
}
