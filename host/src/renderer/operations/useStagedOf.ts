import type { AffectedTable } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { EditedTable } from '../../common/editing.ts';
import { api } from '../api/client.ts';
import { stagedCount } from '../state/stagedTables.ts';
import { workspaceTableKey } from '../state/workspace.ts';

interface StagedOf {
  readonly tables: readonly EditedTable[];
  /** Whether some of them can't be saved any more after the operation. */
  readonly isLost: boolean;
}

const NONE: StagedOf = { tables: [], isLost: false };

/** The staged changes of the tables that an operation affects. @param affected - undefined while they are not known */
export function useStagedOf(connectionId: string, affected: readonly AffectedTable[] | undefined): StagedOf {
  const [staged, setStaged] = useState(NONE);
  useEffect(() => {
    if (affected === undefined || affected.length === 0) return undefined;
    const controller = new AbortController();
    const becomes = new Map(affected.map((one) => [workspaceTableKey(one.table), one.becomes]));
    api.editing.tables
      .query({ connectionId }, { signal: controller.signal })
      .then((tables) => {
        const found = tables.filter((one) => becomes.has(workspaceTableKey(one.table)) && stagedCount([one]) > 0);
        const lost = found.map(({ table }) => becomes.get(workspaceTableKey(table)));
        setStaged({ tables: found, isLost: lost.some((one) => one === 'emptied' || one === 'gone') });
      })
      // Without an answer nothing is discarded, and nothing said to be.
      .catch(() => undefined);
    return () => controller.abort();
  }, [connectionId, affected]);
  return staged;
}
