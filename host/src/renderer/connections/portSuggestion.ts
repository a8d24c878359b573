import type { Manifest } from '@tabularium/sdk/manifest';
import type { FormDraft } from './formModel.ts';

/**
 * The form with the values that belong to a suggested port: 443 turns encryption on, also where it was typed. Fields that the person has
 * set, and those of a saved connection whose port stays, are left alone.
 *
 * @param touched - the fields that the person has changed in this form
 */
export function withPortSuggestion(manifest: Manifest, draft: FormDraft, touched: ReadonlySet<string>): FormDraft {
  const settings = { ...draft.settings };
  for (const field of manifest.connection.fields) {
    if (field.type !== 'number' || !touched.has(field.id)) continue;
    const text = draft.settings[field.id];
    const suggestion = field.suggestions?.find(({ value }) => typeof text === 'string' && text.trim() === String(value));
    for (const [id, value] of Object.entries(suggestion?.sets ?? {})) {
      if (!touched.has(id)) settings[id] = typeof value === 'number' ? String(value) : value;
    }
  }
  return { ...draft, settings };
}
