/** One page of a list, and the cursor of the next one. */
export interface ListPage<T> {
  readonly entries: readonly T[];
  readonly nextCursor?: string;
}

/**
 * A page of a sorted list. The cursor names the last entry that was handed out, so that it stays right while entries come and go behind
 * it, and the list that it belongs to.
 *
 * @returns undefined for a cursor that this server did not hand out
 */
export function pageOf<T>(
  list: string,
  entries: readonly T[],
  idOf: (entry: T) => string,
  cursor: string | undefined,
  size: number,
): ListPage<T> | undefined {
  let begin = 0;
  if (cursor !== undefined) {
    const index = entries.findIndex((entry) => cursorAfter(list, idOf(entry)) === cursor);
    if (index === -1) return undefined;
    begin = index + 1;
  }
  const page = entries.slice(begin, begin + size);
  const last = page.at(-1);
  return last === undefined || begin + size >= entries.length
    ? { entries: page }
    : { entries: page, nextCursor: cursorAfter(list, idOf(last)) };
}

function cursorAfter(list: string, id: string): string {
  return Buffer.from(JSON.stringify([list, id])).toString('base64url');
}
