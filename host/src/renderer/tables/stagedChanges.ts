import type { TableRef } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { EditedTable } from '../../common/editing.ts';
import { api } from '../api/client.ts';
import { stagedCount } from '../state/stagedTables.ts';
import { workspaceTableKey } from '../state/workspace.ts';

/**
 * The staged changes of a table, under its own name and that of the table behind an alias.
 *
 * @param target - undefined while it is not known, and where the staged changes stay what they are
 */
export function useStagedChanges(connectionId: string, table: TableRef, target: TableRef | undefined): readonly EditedTable[] {
  const [staged, setStaged] = useState<readonly EditedTable[]>([]);
  useEffect(() => {
    if (target === undefined) return undefined;
    const controller = new AbortController();
    const keys = [workspaceTableKey(table), workspaceTableKey(target)];
    api.editing.tables
      .query({ connectionId }, { signal: controller.signal })
      .then((tables) => setStaged(tables.filter((one) => keys.includes(workspaceTableKey(one.table)) && stagedCount([one]) > 0)))
      // Without an answer nothing is discarded, and nothing said to be.
      .catch(() => undefined);
    return () => controller.abort();
  }, [connectionId, table, target]);
  return staged;
}

/** Takes all of it off the stage. A step that can be undone, like every other. */
export async function discardStaged(connectionId: string, tables: readonly EditedTable[]): Promise<void> {
  await Promise.all(tables.map(({ table }) => api.editing.discard.mutate({ connectionId, table })));
}
