import { isDriverError, rowKeyText } from '@tabularium/sdk';
import type { SearchRequest } from '@tabularium/sdk';
import type { Searching } from '../data/searching.ts';

/** Searches of many queries that are made at a time: a server has other users. */
export const SEARCHES_AT_A_TIME = 4;

/** The hits of one query. */
export interface FoundKeys {
  /** Texts of the keys of the hits that are looked at, the best first. */
  readonly keys: readonly string[];
  readonly found: number;
  /** Why the search was refused. */
  readonly error?: string;
}

/** Searches one of many queries. A refusal that is about its words is a result; every other failure would meet the others, too, and is thrown. */
export async function findKeys(
  searching: Pick<Searching, 'search'>,
  connectionId: string,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<FoundKeys> {
  try {
    const {
      hits,
      found,
      foundRows = found,
    } = await searching.search(
      { connectionId, request: { ...request, fields: [...request.fields], facets: [], sorts: [] } },
      signal,
    );
    return { keys: hits.slice(0, request.limit).map(({ key }) => rowKeyText(key)), found: foundRows };
  } catch (error) {
    if (isDriverError(error) && (error.code === 'INVALID_INPUT' || error.code === 'UNSUPPORTED')) {
      return { keys: [], found: 0, error: error.message };
    }
    throw error;
  }
}
