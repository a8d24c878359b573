import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useCatalogue, useConnections, useForgetTables, useReloadConnections, useReloadDrivers } from '../api/queries.ts';
import { ConnectionSheet } from '../connections/ConnectionSheet.tsx';
import { RemoveConnectionDialog } from '../connections/RemoveConnectionDialog.tsx';
import { ApprovalDialog } from '../integrations/ApprovalDialog.tsx';
import { OpeningView } from '../opening/OpeningView.tsx';
import { SettingsDialog } from '../settings/SettingsDialog.tsx';
import { StartView } from '../start/StartView.tsx';
import { TransferWatch } from '../transfer/TransferWatch.tsx';
import { notify } from '../workspace/activity.ts';
import { useWorkspace } from '../workspace/WorkspaceContext.tsx';
import { ConnectionView } from './ConnectionView.tsx';
import styles from './shell.module.css';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';

/** Below this width the sidebar is folded until it is asked for. */
const NARROW = '(max-width: 899px)';

type Layer =
  | { readonly is: 'new' }
  | { readonly is: 'edit'; readonly connection: SavedConnection }
  | { readonly is: 'remove'; readonly connection: SavedConnection }
  | { readonly is: 'settings' };

/** The frame: title bar, what is open, status bar, and one layer over them at a time. */
export function App(): ReactNode {
  const { workspace, dispatch } = useWorkspace();
  const connections = useConnections();
  const catalogue = useCatalogue();
  const reloadConnections = useReloadConnections();
  const reloadDrivers = useReloadDrivers();
  const forgetTables = useForgetTables();
  const [layer, setLayer] = useState<Layer>();
  const [sidebar, setSidebar] = useState<'shown' | 'hidden'>();
  const filterInput = useRef<HTMLInputElement>(null);

  const saved = connections.data ?? [];
  const active = saved.find((connection) => connection.id === workspace.active);
  const shown = workspace.active === undefined ? undefined : workspace.connections[workspace.active];
  // Those in the background stay as they are: their rows, their place, their sorting.
  const open = saved.flatMap((connection) => {
    const kept = workspace.connections[connection.id];
    return kept?.info === undefined ? [] : [{ connection, info: kept.info, shown: kept }];
  });
  const narrow = typeof window.matchMedia === 'function' && window.matchMedia(NARROW).matches;
  const sidebarIsShown = sidebar === undefined ? !narrow : sidebar === 'shown';

  const show = (connectionId: string): void => {
    notify();
    dispatch({ type: 'show', connectionId });
  };
  const close = async (connectionId: string): Promise<void> => {
    dispatch({ type: 'closed', connectionId });
    forgetTables(connectionId);
    try {
      await api.connections.close.mutate({ connectionId });
    } catch (error) {
      notify({ tone: 'warning', text: problemOf(error).message });
    }
  };
  const onSaved = async (connection: SavedConnection, connect: boolean): Promise<void> => {
    setLayer(undefined);
    await reloadConnections();
    // An open connection goes on with its old settings until it is opened anew.
    if (workspace.connections[connection.id] !== undefined) await close(connection.id);
    if (connect) show(connection.id);
  };

  useHotkeys([
    [
      '/',
      () => {
        setSidebar((before) => (narrow ? 'shown' : before === 'hidden' ? 'shown' : before));
        requestAnimationFrame(() => filterInput.current?.focus());
      },
    ],
    ['mod+,', () => setLayer((before) => before ?? { is: 'settings' })],
    ['mod+b', () => setSidebar(sidebarIsShown ? 'hidden' : 'shown')],
  ]);

  return (
    <div className={styles.shell}>
      <TitleBar
        workspace={workspace}
        connections={saved}
        sidebarIsShown={sidebarIsShown}
        onShow={show}
        onShowList={() => dispatch({ type: 'showList' })}
        onNew={() => setLayer({ is: 'new' })}
        onClose={(connectionId) => void close(connectionId)}
        onToggleSidebar={() => setSidebar(sidebarIsShown ? 'hidden' : 'shown')}
        onSettings={() => setLayer({ is: 'settings' })}
      />
      <div className={styles.stage}>
        {open.map(({ connection, info, shown: kept }) => {
          const isActive = connection.id === workspace.active;
          return (
            <div key={connection.id} className={styles.panel} data-hidden={!isActive || undefined} inert={!isActive}>
              <ConnectionView
                name={connection.name}
                info={info}
                shown={kept}
                isActive={isActive}
                sidebar={sidebar}
                filterInput={isActive ? filterInput : undefined}
                onSidebarUsed={() => (narrow ? setSidebar(undefined) : undefined)}
              />
            </div>
          );
        })}
        {active !== undefined && shown !== undefined && shown.info === undefined ? (
          <div className={styles.panel}>
            <OpeningView
              key={active.id}
              connection={active}
              entry={catalogue.data?.entries.find((entry) => entry.id === active.driver)}
              onOpen={(info) => {
                dispatch({ type: 'opened', info });
                void reloadDrivers();
              }}
              onEdit={() => setLayer({ is: 'edit', connection: active })}
              onBack={() => dispatch({ type: 'closed', connectionId: active.id })}
            />
          </div>
        ) : null}
        {active === undefined ? (
          <div className={styles.panel}>
            <StartView
              workspace={workspace}
              onOpen={show}
              onNew={() => setLayer({ is: 'new' })}
              onEdit={(connection) => setLayer({ is: 'edit', connection })}
              onRemove={(connection) => setLayer({ is: 'remove', connection })}
            />
          </div>
        ) : null}
      </div>
      <TransferWatch />
      <StatusBar />
      {layer?.is === 'new' || layer?.is === 'edit' ? (
        <ConnectionSheet
          key={layer.is === 'edit' ? layer.connection.id : 'new'}
          saved={layer.is === 'edit' ? layer.connection : undefined}
          onSaved={(connection, connect) => void onSaved(connection, connect)}
          onClose={() => setLayer(undefined)}
        />
      ) : null}
      {layer?.is === 'remove' ? (
        <RemoveConnectionDialog
          connection={layer.connection}
          onRemoved={() => {
            setLayer(undefined);
            dispatch({ type: 'closed', connectionId: layer.connection.id });
            void reloadConnections();
          }}
          onClose={() => setLayer(undefined)}
        />
      ) : null}
      <ApprovalDialog />
      {layer?.is === 'settings' ? <SettingsDialog onClose={() => setLayer(undefined)} /> : null}
    </div>
  );
}
