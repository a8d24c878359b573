import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { PageCache } from '../model/pageCache.ts';

/** Rows that are shown because those that were asked for could not be read. */
export interface FormerRows {
  readonly cache: PageCache;
  /** Why the rows are not the present ones. It stays until they are, also while they are read again. */
  readonly trouble: Problem | undefined;
}

interface Former {
  readonly content: object;
  /** The last rows of this content that were read. */
  readonly rows: PageCache | undefined;
  readonly trouble: Problem | undefined;
}

const EVERY_PAGE = Number.MAX_SAFE_INTEGER;

/**
 * A reload that fails leaves the rows that were there: they stay until other ones are read.
 *
 * @param newest - the rows that were asked for last
 * @param content - the same object as long as only a reload makes other rows of them
 */
export function useFormerRows(newest: PageCache, content: object): FormerRows {
  const [former, setFormer] = useState<Former>({ content, rows: undefined, trouble: undefined });
  const failed = newest.hasRows ? undefined : newest.failureAmong(0, EVERY_PAGE)?.problem;
  let now = former.content === content ? former : { content, rows: undefined, trouble: undefined };
  if (newest.hasRows || newest.isEmpty) {
    // Of an empty table nothing stays that would be worth seeing.
    const rows = newest.isEmpty ? undefined : newest;
    if (now.rows !== rows || now.trouble !== undefined) now = { content, rows, trouble: undefined };
  } else if (failed !== undefined && failed !== now.trouble && now.rows !== undefined) now = { ...now, trouble: failed };
  if (now !== former) setFormer(now);

  const cache = now.trouble === undefined || now.rows === undefined ? newest : now.rows;
  const held = useRef(new Set<PageCache>());
  useEffect(() => {
    const caches = held.current;
    caches.add(newest);
    for (const each of caches) {
      if (each === newest || each === now.rows) continue;
      each.dispose();
      caches.delete(each);
    }
  }, [newest, now.rows]);
  useEffect(() => {
    const caches = held.current;
    return () => {
      for (const each of caches) each.dispose();
      caches.clear();
    };
  }, []);
  return { cache, trouble: now.trouble };
}
