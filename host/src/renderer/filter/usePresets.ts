import { useMemo } from 'react';
import { remember, useRemembered } from '../state/workspaceStore.ts';
import { presetsName, readPresets } from './presets.ts';
import type { FilterPreset } from './presets.ts';

/** The presets of one table, also as another window changes them. */
export function usePresets(
  connectionId: string,
  tableKey: string,
): readonly [presets: readonly FilterPreset[], save: (presets: readonly FilterPreset[]) => void] {
  const name = presetsName(tableKey);
  const document = useRemembered(connectionId, name);
  const presets = useMemo(() => readPresets(document), [document]);
  const save = (next: readonly FilterPreset[]): void =>
    remember(connectionId, name, next.length === 0 ? undefined : structuredClone([...next]));
  return [presets, save];
}
