import { useRef } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useSavedChanges } from '../api/useSavedChanges.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import type { Workspace } from '../state/workspace.ts';

/** Why the host has closed the sessions of a driver: a permission was taken back, by a person or by the administrator. */
const TAKEN_BACK: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['GRANT_NEEDED', 'POLICY_FORBIDS']);

/** Says at once that connections of this window were closed because their driver has lost a permission, wherever it was taken back. */
export function useClosedByPermission(workspace: Workspace, names: ReadonlyMap<string, string>): void {
  const said = useRef(new Set<string>());
  useSavedChanges((kind) => {
    if (kind !== 'drivers') return;
    for (const [connectionId, { info }] of Object.entries(workspace.connections)) {
      if (info === undefined) continue;
      api.connections.secretQuestion.query({ connectionId }).then(
        () => said.current.delete(connectionId),
        (error: unknown) => {
          if (!TAKEN_BACK.has(problemOf(error).code) || said.current.has(connectionId)) return;
          said.current.add(connectionId);
          notify({ tab: 'none', tone: 'warning', text: strings.grants.closed(names.get(connectionId) ?? '') });
        },
      );
    }
  });
}
