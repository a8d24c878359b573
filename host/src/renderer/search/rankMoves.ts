import type { SearchHit } from '@tabularium/sdk';
import { hitKey } from './hitFields.ts';

/** The change of a hit's rank from one search to another. */
export interface RankMove {
  readonly kind: 'same' | 'moved' | 'gained' | 'lost';
  /** Places up; negative: down; 0 for every other kind. */
  readonly places: number;
}

/** Two lists of hits, one beside the other. */
export interface RankMoves {
  /** Of each hit of the first list, by its place there. */
  readonly first: readonly RankMove[];
  /** Of each hit of the second list. */
  readonly second: readonly RankMove[];
  /** Hits that both lists have. */
  readonly shared: number;
  readonly moved: number;
  readonly gained: number;
  readonly lost: number;
}

/** How the hits of two lists differ in rank. Hits are the same where their tables and keys are. */
export function rankMoves(first: readonly SearchHit[], second: readonly SearchHit[]): RankMoves {
  const places = (hits: readonly SearchHit[]): ReadonlyMap<string, number> =>
    new Map(hits.map((hit, place) => [hitKey(hit), place]));
  const [before, after] = [places(first), places(second)];
  const moveOf = (was: number | undefined, is: number | undefined): RankMove => {
    if (was === undefined) return { kind: 'gained', places: 0 };
    if (is === undefined) return { kind: 'lost', places: 0 };
    return was === is ? { kind: 'same', places: 0 } : { kind: 'moved', places: was - is };
  };
  const firstMoves = first.map((hit, place) => moveOf(place, after.get(hitKey(hit))));
  const secondMoves = second.map((hit, place) => moveOf(before.get(hitKey(hit)), place));
  const count = (moves: readonly RankMove[], kind: RankMove['kind']): number => moves.filter((move) => move.kind === kind).length;
  const gained = count(secondMoves, 'gained');
  return {
    first: firstMoves,
    second: secondMoves,
    shared: second.length - gained,
    moved: count(secondMoves, 'moved'),
    gained,
    lost: count(firstMoves, 'lost'),
  };
}
