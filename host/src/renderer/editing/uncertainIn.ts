import type { SaveState } from './useSave.ts';

/** How many changes may have been saved. Where the end of the save was not heard, that is every one without an outcome. */
export function uncertainIn({ rows, outcomes, end }: SaveState): number {
  if (end !== undefined) return end.unknown;
  return rows - [...outcomes.values()].filter(({ outcome }) => outcome !== 'unknown').length;
}
