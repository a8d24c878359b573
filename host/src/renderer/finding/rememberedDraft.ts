import { z } from 'zod';
import { LONGEST_FIND_TEXT, findRowsSchema } from '../../common/findingRows.ts';
import type { FindDraft } from './FindForm.tsx';

/** The form as filled in, which may not be complete. */
const draftSchema = findRowsSchema.omit({ connectionId: true, text: true }).extend({ text: z.string().max(LONGEST_FIND_TEXT) });

const keyOf = (connectionId: string): string => `tabularium-find ${connectionId}`;

/** The form of a connection's search in this window, for as long as the window is open. */
export function rememberedDraft(connectionId: string, empty: FindDraft): FindDraft {
  try {
    const parsed = draftSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(connectionId)) ?? 'null'));
    return parsed.success ? parsed.data : empty;
  } catch {
    return empty;
  }
}

export function rememberDraft(connectionId: string, draft: FindDraft): void {
  try {
    sessionStorage.setItem(keyOf(connectionId), JSON.stringify(draft));
  } catch {
    // A browser may refuse to store anything; the form is then empty after a reload.
  }
}
