import type { TableRef } from '@tabularium/sdk';
import { useEffect, useRef } from 'react';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';

/** A tab that is closed while changes are staged says that they are still there, and offers the way back to them. */
export function useClosedNotice(connectionId: string, table: TableRef, count: number): void {
  const { dispatch, drawn } = useWorkspace();
  const latest = useRef({ connectionId, table, count, dispatch });
  useEffect(() => {
    latest.current = { connectionId, table, count, dispatch };
  });
  useEffect(
    () => () => {
      const now = latest.current;
      // A connection that is opened again, after it was edited for example, draws its tabs again.
      const { tabs = [] } = drawn.current.connections[now.connectionId] ?? {};
      if (now.count === 0 || tabs.some(({ key }) => key === workspaceTableKey(now.table))) return;
      notify({
        tab: 'none',
        tone: 'warning',
        text: strings.editing.closedStaged(now.table.name, now.count),
        action: {
          label: strings.editing.openAgain,
          run: () => {
            notify();
            now.dispatch({ type: 'openTable', connectionId: now.connectionId, table: now.table });
          },
        },
      });
    },
    [drawn],
  );
}
