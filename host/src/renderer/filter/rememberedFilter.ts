import { EMPTY_DRAFT, filterDraftSchema } from './filterModel.ts';
import type { FilterDraft } from './filterModel.ts';

const PREFIX = 'tabularium-filter ';

/** The filter of a table as it was left, or an empty one where nothing usable was kept. */
export function recallFilter(text: string | null): FilterDraft {
  if (text === null) return EMPTY_DRAFT;
  try {
    return filterDraftSchema.parse(JSON.parse(text));
  } catch {
    return EMPTY_DRAFT;
  }
}

export function loadFilter(connectionId: string, tableKey: string): FilterDraft {
  return recallFilter(localStorage.getItem(`${PREFIX}${connectionId} ${tableKey}`));
}

/** A filter that cannot be kept, because the browser's store is full, is only not there the next time. */
export function keepFilter(connectionId: string, tableKey: string, draft: FilterDraft): void {
  const name = `${PREFIX}${connectionId} ${tableKey}`;
  try {
    if (draft.rows.length === 0 && draft.raw === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(draft));
  } catch {
    localStorage.removeItem(name);
  }
}
