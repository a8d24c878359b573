import { rowKeyText } from '@tabularium/sdk';
import type { HitPlacement, SearchRequest } from '@tabularium/sdk';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { copyOf } from './useSearchAnswer.ts';

const MOST_HITS = 250;

/**
 * Searches once more after a rule was saved, and says where the hit is not at its place: another rule may act on the same words, or the options of the search may
 * leave rules out. Undefined where it is, and where that can't be seen.
 */
export async function placementFault(
  connectionId: string,
  request: SearchRequest,
  hit: HitPlacement,
  ruleName: string,
): Promise<string | undefined> {
  if (hit.action === 'release') return undefined;
  const rank = hit.action === 'pin' ? hit.rank : 1;
  const limit = Math.min(MOST_HITS, Math.max(request.limit, rank));
  const answer = await api.search.search
    .mutate({ connectionId, request: copyOf({ ...request, offset: 0, limit, facets: [] }) })
    .catch(() => undefined);
  if (answer === undefined) return undefined;
  const key = rowKeyText(hit.key);
  const place = answer.hits.findIndex((one) => one.table === undefined && rowKeyText(one.key) === key);
  const words = strings.search.placing;
  if (hit.action === 'hide') return place === -1 ? undefined : words.stillFound(ruleName, await reasonOf(connectionId, hit));
  const isPinned = answer.hits[place]?.isPlaced === true;
  if (isPinned && (place === rank - 1 || rank > answer.hits.length || answer.foundRows !== undefined)) return undefined;
  return words.notMoved(ruleName, rank, await reasonOf(connectionId, hit));
}

/** The driver's reason: asked for the same place again, it says which rule gives it already, and which other one acts on these words. */
async function reasonOf(connectionId: string, hit: HitPlacement): Promise<string> {
  try {
    await api.objects.placeHit.mutate({ connectionId, hit });
    return '';
  } catch (error) {
    return problemOf(error).message;
  }
}
