import { isDriverError } from '@tabularium/sdk';
import { EmbeddedPageSize, TooManySearches } from './embeddedLimits.ts';
import { TOO_MANY_HITS } from './errorRules/searchRules.ts';
import { LIMITS, limitFor } from './limits.ts';

/** Limits that the searches of a session keep to: those of the server, or lower ones that its answers have shown. */
export interface SearchLimits {
  /** The hits that one search may ask for. */
  readonly hits: number;
  /** Whether each search gives so many hits whatever it asks for, because the key says so. */
  readonly isFixed: boolean;
  /** The searches that one request may have. */
  readonly searches: number;
}

export const USUAL_LIMITS: SearchLimits = {
  hits: limitFor(LIMITS.hitsPerSearch),
  isFixed: false,
  searches: limitFor(LIMITS.searchesPerRequest),
};

/**
 * The limits that an error teaches; undefined where it teaches none.
 *
 * @param limits - those that the failed searches kept to
 */
export function narrowedBy(error: unknown, limits: SearchLimits): SearchLimits | undefined {
  if (!isDriverError(error)) return undefined;
  if (error instanceof EmbeddedPageSize)
    return error.size === 0 || limits.isFixed ? undefined : { ...limits, hits: error.size, isFixed: true };
  if (error instanceof TooManySearches)
    return error.sent > 1 ? { ...limits, searches: Math.min(limits.searches, error.sent >> 1) } : undefined;
  const most = Number(TOO_MANY_HITS.exec(error.details.serverMessage ?? '')?.[1]);
  return most >= 1 && most < limits.hits && !limits.isFixed ? { ...limits, hits: most } : undefined;
}
