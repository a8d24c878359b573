import type { TableRef } from '@tabularium/sdk';
import { readSearchSettings, searchSettingsName } from '../search/searchSettings.ts';
import type { SearchSettings } from '../search/searchSettings.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { recall, remember } from '../state/workspaceStore.ts';

/** Changes how the search of a table is set, for when it is shown the next time. A member that is undefined is taken out. */
export function showInSearch(connectionId: string, table: TableRef, change: Partial<SearchSettings>): void {
  const name = searchSettingsName(workspaceTableKey(table));
  remember(connectionId, name, structuredClone({ ...readSearchSettings(recall(connectionId, name)), ...change }));
}
