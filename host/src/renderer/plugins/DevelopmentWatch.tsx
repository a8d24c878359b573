import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { DevelopedDriver } from '../../common/development.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useReloadDrivers } from '../api/queries.ts';
import { watch } from '../api/watches/watch.ts';
import { announceTableChange } from '../state/tableChanges.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { hasTrouble } from './trouble.ts';
import { onDemand } from '../ui/onDemand.tsx';

const DevelopmentPanel = onDemand(async () => (await import('./DevelopmentPanel.tsx')).DevelopmentPanel);

/**
 * Follows the drivers that are developed beside this window: with each build the open connections of such a driver show what it now says,
 * and what is wrong with it is on the screen.
 */
export function DevelopmentWatch(): ReactNode {
  const { workspace, dispatch } = useWorkspace();
  const client = useQueryClient();
  const reloadDrivers = useReloadDrivers();
  const [developed, setDeveloped] = useState<readonly DevelopedDriver[]>([]);
  const [dismissed, setDismissed] = useState<readonly DevelopedDriver[]>([]);

  const reopen = async (connectionId: string): Promise<void> => {
    const name = workspace.connections[connectionId]?.info?.server.product ?? connectionId;
    try {
      const steps = await api.connections.open.mutate({ connectionId, secrets: {} });
      for await (const progress of steps) if (progress.step === 'open') dispatch({ type: 'opened', info: progress.connection });
    } catch (error) {
      notify({ tab: 'none', tone: 'warning', text: strings.development.notReopened(name, problemOf(error).message) });
    }
    await client.invalidateQueries({ queryKey: ['tables', connectionId] });
    announceTableChange(connectionId);
  };
  const onLoaded = async ({ driver, title, version }: DevelopedDriver): Promise<void> => {
    const open = Object.values(workspace.connections).flatMap(({ info }) =>
      info === undefined || info.manifest.id !== driver ? [] : [info.connectionId],
    );
    notify({ tab: 'none', tone: 'plain', text: strings.development.loaded(title ?? driver ?? '', version ?? '') });
    await Promise.all([reloadDrivers(), ...open.map(reopen)]);
  };
  const handler = useRef(onLoaded);
  useEffect(() => {
    handler.current = onLoaded;
  });

  useEffect(() => {
    const loads = new Map<string, number>();
    let isFirst = true;
    return watch<'development'>(
      { is: 'development' },
      {
        onValue: (list) => {
          setDeveloped(list);
          for (const entry of list) {
            const isNew = (loads.get(entry.folder) ?? 0) < entry.loads;
            loads.set(entry.folder, entry.loads);
            // The window has no earlier state of a driver that was loaded before it looked.
            if (isNew && !isFirst) void handler.current(entry);
          }
          isFirst = false;
        },
        onBroken: () => {
          setDeveloped([]);
          // Another host counts from the beginning.
          loads.clear();
          isFirst = true;
        },
      },
    );
  }, []);

  const shown = developed.filter((entry) => hasTrouble(entry) && !dismissed.includes(entry));
  if (shown.length === 0) return null;
  return <DevelopmentPanel developed={shown} onDismiss={() => setDismissed(shown)} />;
}
