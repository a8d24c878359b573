import { EMPTY_DRAFT, filterDraftSchema } from './filterModel.ts';
import type { FilterDraft } from './filterModel.ts';

export const filterName = (tableKey: string): string => `filter ${tableKey}`;

/** The filter of a table as it was left, or an empty one where nothing readable was kept. */
export function readFilter(stored: unknown): FilterDraft {
  const parsed = filterDraftSchema.safeParse(stored);
  return parsed.success ? parsed.data : EMPTY_DRAFT;
}
