import { z } from 'zod';
import { filterDraftSchema } from './filterModel.ts';
import type { FilterDraft } from './filterModel.ts';

const presetSchema = z.object({ id: z.string().max(100), name: z.string().trim().min(1).max(120), draft: filterDraftSchema });
/** A filter that was saved under a name. */
export type FilterPreset = z.output<typeof presetSchema>;

const presetsSchema = z.array(presetSchema).max(200);

export const presetsName = (tableKey: string): string => `filter-presets ${tableKey}`;

const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** The presets of a table by name; none where nothing readable was kept. */
export function readPresets(stored: unknown): readonly FilterPreset[] {
  const parsed = presetsSchema.safeParse(stored);
  return parsed.success ? parsed.data.toSorted((one, other) => byName.compare(one.name, other.name)) : [];
}

/** The presets with a filter under a name, in place of the one that had it. */
export function withPreset(presets: readonly FilterPreset[], name: string, draft: FilterDraft): readonly FilterPreset[] {
  const trimmed = name.trim();
  const before = presets.find((preset) => preset.name === trimmed);
  return [...presets.filter((preset) => preset !== before), { id: before?.id ?? crypto.randomUUID(), name: trimmed, draft }];
}

/** The presets with one renamed; undefined where the name is empty or taken. */
export function presetRenamed(presets: readonly FilterPreset[], id: string, name: string): readonly FilterPreset[] | undefined {
  const trimmed = name.trim();
  if (trimmed === '' || presets.some((preset) => preset.id !== id && preset.name === trimmed)) return undefined;
  return presets.map((preset) => (preset.id === id ? { ...preset, name: trimmed } : preset));
}
