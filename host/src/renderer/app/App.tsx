import { visibleText } from '@tabularium/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { SavedConnection } from '../../common/connection.ts';
import type { TourEvent } from '../../common/firstRun.ts';
import { tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { useHostLink } from '../api/hostLink/hostLink.ts';
import { problemOf } from '../api/problem.ts';
import { SESSION_ENDS_AGREED } from '../api/sessionEnds.ts';
import { useRefreshedQueries } from '../api/useSavedChanges.ts';
import {
  useCatalogue,
  useConnections,
  useFirstRun,
  useForgetTables,
  useNoteTour,
  useReloadConnections,
  useReloadDrivers,
  useSignInState,
} from '../api/queries.ts';
import { useShortcuts } from '../commands/useShortcuts.ts';
import { noteOpened } from '../start/listState.ts';
import { DevelopmentWatch } from '../plugins/DevelopmentWatch.tsx';
import { ApprovalDialog } from '../integrations/ApprovalDialog.tsx';
import { ConsentDialog } from '../integrations/ConsentDialog.tsx';
import { NewSecretDialog } from '../integrations/NewSecretDialog.tsx';
import { OpeningView } from './OpeningView.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import { SignInEnded } from './SignInEnded.tsx';
import { signInCredentialOf } from '../connections/signInCredentialOf.ts';
import type { RetainedView } from '../connections/retainedView.ts';
import { StartView } from '../start/StartView.tsx';
import { strings } from '../i18n/index.ts';
import { StagedTablesWatch } from '../editing/StagedTablesWatch.tsx';
import { OperationWatch } from '../operations/OperationWatch.tsx';
import { ImportWatch } from '../importing/ImportWatch.tsx';
import { TransferWatch } from '../transfer/TransferWatch.tsx';
import { notify } from '../state/notify.ts';
import { noteSignedIn, noteSignedOut, useIsSignedOut } from '../state/signedOut.ts';
import { stagedCount, useStagedTables } from '../state/stagedTables.ts';
import { closeConnectionAsking } from '../state/closeAsking.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { dropScope } from '../state/workspaceStore.ts';
import { DiskFullBar } from './DiskFullBar.tsx';
import { HostLinkBar } from './HostLinkBar.tsx';
import { Layers } from './Layers.tsx';
import type { Layer } from '../state/layer.ts';
import { openNewWindow } from '../state/newWindow.ts';
import styles from './shell.module.css';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';
import { TransactionQuestion } from './TransactionQuestion.tsx';
import { TypedTextQuestion } from './TypedTextQuestion.tsx';
import { WaitingWork } from './WaitingWork.tsx';
import { focusWorkplaceSoon, giveFocusBack } from './regions.ts';
import { useAppCommands } from './useAppCommands.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { useClosedByPermission } from './useClosedByPermission.ts';
import { useHostReturn } from './useHostReturn.ts';
import { useNewerVersion } from './useNewerVersion.ts';
import { usePressesThatMove } from './usePressesThatMove.ts';
import { useSecondClicks } from './useSecondClicks.ts';
import { useLayout } from './useLayout.ts';
import { useDialogManners } from './useDialogManners.ts';
import { useLostFocus } from './useLostFocus.ts';
import { useNarrow } from './useNarrow.ts';

// The first window is the list of connections: the grid is not needed before one of them is open.
const ConnectionView = onDemand(async () => (await import('./ConnectionView.tsx')).ConnectionView, <div aria-busy />);
const CommandPalette = onDemand(async () => (await import('../commands/CommandPalette.tsx')).CommandPalette);
/** After the first screen, and before anybody reaches for the palette or a connection. */
const PRELOAD_MILLISECONDS = 500;
const Tour = onDemand(async () => (await import('./tour/Tour.tsx')).Tour);
const ShortcutList = onDemand(async () => (await import('../commands/ShortcutList.tsx')).ShortcutList);

type Finder = 'everything' | 'connections' | 'shortcuts';

/** The frame: title bar, what is open, status bar, and one layer over them at a time. */
export function App(): ReactNode {
  const { workspace, dispatch } = useWorkspace();
  const connections = useConnections();
  const catalogue = useCatalogue();
  const reloadConnections = useReloadConnections();
  const reloadDrivers = useReloadDrivers();
  const forgetTables = useForgetTables();
  const [layer, setLayer] = useState<Layer>();
  const [finder, setFinder] = useState<Finder>();
  const closeFinder = useCallback(() => setFinder(undefined), []);
  const [sidebar, setSidebar] = useState<'shown' | 'folded'>();
  const [isTouring, setTouring] = useState(false);
  const { samples = [] } = useFirstRun().data ?? {};
  const { mutate: noteTour } = useNoteTour();
  const filterInput = useRef<HTMLInputElement>(null);
  const link = useHostLink();
  useHostReturn(workspace, noteSignedOut);
  useNewerVersion();
  useRefreshedQueries();
  useLostFocus();
  useDialogManners();
  usePressesThatMove();
  useSecondClicks();
  useEffect(() => {
    // Letters typed while the palette still loads would be lost, and Enter would then take its first entry. One that is not there yet
    // is asked for again when it is opened.
    const timer = setTimeout(() => {
      CommandPalette.preload();
      ConnectionView.preload();
    }, PRELOAD_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  const layout = useLayout();
  const isNarrow = useNarrow();

  const saved = connections.data ?? [];
  useClosedByPermission(workspace, new Map(saved.map(({ id, name }) => [id, name])));
  const active = saved.find((connection) => connection.id === workspace.active);
  const shown = workspace.active === undefined ? undefined : workspace.connections[workspace.active];
  // Those in the background stay as they are: their rows, their place, their sorting.
  const open = saved.flatMap((connection) => {
    const view = workspace.connections[connection.id];
    return view?.info === undefined ? [] : [{ connection, info: view.info, shown: view }];
  });
  const sidebarIsShown = sidebar === undefined ? !isNarrow : sidebar === 'shown';

  const show = (connectionId: string): void => {
    notify();
    dispatch({ type: 'show', connectionId });
  };
  const closeNow = async (connectionId: string): Promise<void> => {
    dispatch({ type: 'closed', connectionId });
    forgetTables(connectionId);
    try {
      await api.connections.close.mutate({ connectionId }, SESSION_ENDS_AGREED);
    } catch (error) {
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
  };
  const close = (connectionId: string): void => closeConnectionAsking(connectionId, () => void closeNow(connectionId));
  const onSaved = async (connection: SavedConnection, connect: boolean, retained: RetainedView): Promise<void> => {
    setLayer(undefined);
    await reloadConnections();
    if (retained === 'typed' && workspace.connections[connection.id]?.info !== undefined) noteSignedOut(connection.id);
    else if (retained !== 'whole') {
      // The host has closed the session where it no longer fits. What is open of the connection comes back with the next one.
      forgetTables(connection.id);
      dispatch({ type: 'toBeOpened', connectionId: connection.id });
    }
    if (connect) show(connection.id);
  };
  const toggleSidebar = (): void => setSidebar(sidebarIsShown ? 'folded' : 'shown');
  const findInSidebar = (): void => {
    // At once: what is typed next is for the filter.
    flushSync(() => setSidebar((before) => (isNarrow || before === 'folded' ? 'shown' : before)));
    filterInput.current?.focus();
  };

  const onOpen = (info: OpenConnectionInfo): void => {
    dispatch({ type: 'opened', info });
    noteSignedIn(info.connectionId);
    noteOpened(info.connectionId);
    void reloadDrivers();
  };
  const isSignedOut = useIsSignedOut(active?.id) && shown?.info !== undefined;
  const entry = catalogue.data?.entries.find(({ id }) => id === active?.driver);
  const signsIn =
    shown?.info !== undefined && entry !== undefined && signInCredentialOf(entry.manifest, active?.settings ?? {}) !== undefined;
  const signIn = useSignInState(signsIn ? active?.id : undefined).data?.is;

  const tab = shown?.tabs.find(({ key }) => key === shown.activeTab);
  const staged = stagedCount(useStagedTables(active?.id));
  const title = strings.shell.windowTitle([
    ...(staged === 0 ? [] : [strings.editing.changes(staged)]),
    ...(tab !== undefined && 'table' in tab ? [tableName(tab.table)] : []),
    ...(active === undefined ? [] : [active.name]),
  ]);
  useEffect(() => {
    document.title = visibleText(title);
  }, [title]);

  const tourStep = (event: TourEvent): void =>
    noteTour(event, {
      onError: (error) => notify({ tab: 'none', tone: 'warning', text: `${strings.tour.notSaved} ${problemOf(error).message}` }),
    });
  const startTour = (): void => {
    setTouring(true);
    tourStep('started');
  };
  const endTour = (event: TourEvent, origin: Element | null): void => {
    setTouring(false);
    tourStep(event);
    giveFocusBack(origin);
  };

  useShortcuts();
  useAppCommands({
    shown: active,
    isOpen: shown?.info !== undefined,
    showPalette: setFinder,
    showShortcuts: () => setFinder('shortcuts'),
    showSettings: (section) => setLayer((before) => before ?? { is: 'settings', section }),
    showList: () => dispatch({ type: 'showList' }),
    tour: isTouring ? strings.tour.isShown : startTour,
    newConnection: () => setLayer({ is: 'new' }),
    editConnection: (connection) => setLayer({ is: 'edit', connection }),
    duplicateConnection: (connection) => setLayer({ is: 'duplicate', connection }),
    closeConnection: ({ id }) => close(id),
    importConnections: () => setLayer({ is: 'import' }),
    exportConnections: () => setLayer({ is: 'export' }),
    toggleSidebar,
    findInSidebar,
  });

  return (
    <div className={styles.shell}>
      <TitleBar
        workspace={workspace}
        connections={saved}
        sidebarIsShown={sidebarIsShown}
        commands={{
          show,
          showList: () => dispatch({ type: 'showList' }),
          newConnection: () => setLayer({ is: 'new' }),
          close: (connectionId) => close(connectionId),
          toggleSidebar,
          openPalette: () => setFinder('everything'),
          openSettings: () => setLayer({ is: 'settings', section: 'appearance' }),
        }}
      />
      {link.is === 'up' ? <DiskFullBar /> : <HostLinkBar />}
      {link.is === 'up' && isSignedOut && active !== undefined ? (
        <SignInAgain
          // A connection that was edited is tried again.
          key={`${active.id} ${active.updatedAt}`}
          connection={active}
          entry={entry}
          onOpen={onOpen}
          onEdit={() => setLayer({ is: 'edit', connection: active })}
        />
      ) : null}
      {link.is === 'up' && active !== undefined && (signIn === 'ended' || signIn === 'out') ? (
        <SignInEnded key={`${active.id} sign-in`} connection={active} entry={entry} is={signIn} />
      ) : null}
      <div className={styles.stage} data-dimmed={link.is !== 'up' || undefined}>
        {open.map(({ connection, info, shown: view }) => {
          const isActive = connection.id === workspace.active;
          return (
            <div key={connection.id} className={styles.panel} data-hidden={!isActive || undefined} inert={!isActive}>
              <ConnectionView
                name={connection.name}
                info={info}
                shown={view}
                isActive={isActive}
                sidebar={{ isShown: sidebarIsShown, isOver: isNarrow, layout, onToggle: toggleSidebar, onFind: findInSidebar }}
                filterInput={isActive ? filterInput : undefined}
                onSidebarUsed={() => (isNarrow ? setSidebar(undefined) : undefined)}
              />
            </div>
          );
        })}
        {active !== undefined && shown !== undefined && shown.info === undefined ? (
          <div className={styles.panel}>
            <OpeningView
              // A connection that was edited is tried again.
              key={`${active.id} ${active.updatedAt}`}
              connection={active}
              entry={entry}
              onOpen={onOpen}
              onEdit={() => setLayer({ is: 'edit', connection: active })}
              onBack={() => dispatch({ type: 'closed', connectionId: active.id })}
            />
          </div>
        ) : null}
        {active === undefined && (connections.data !== undefined || connections.error !== null) ? (
          <div className={styles.panel} data-region="list">
            <StartView
              workspace={workspace}
              onOpen={show}
              onOpenInNewWindow={(connection) => openNewWindow(connection.id)}
              onClose={({ id }) => close(id)}
              onNew={() => setLayer({ is: 'new' })}
              onLayer={setLayer}
            />
          </div>
        ) : null}
      </div>
      <StagedTablesWatch />
      <WaitingWork>
        <TransferWatch />
        <OperationWatch />
        <ImportWatch />
      </WaitingWork>
      <DevelopmentWatch />
      <StatusBar connectionId={active?.id} />
      <Layers
        layer={layer}
        onSaved={(connection, connect, retained) => void onSaved(connection, connect, retained)}
        onRemoved={(connection) => {
          setLayer(undefined);
          dropScope(connection.id);
          dispatch({ type: 'closed', connectionId: connection.id });
          void reloadConnections();
        }}
        onDuplicated={async (connection) => {
          await reloadConnections();
          setLayer({ is: 'edit', connection });
        }}
        onChanged={reloadConnections}
        onClose={() => setLayer(undefined)}
      />
      <TypedTextQuestion />
      <TransactionQuestion />
      <ApprovalDialog onAsked={closeFinder} />
      <ConsentDialog onAsked={closeFinder} />
      <NewSecretDialog onAsked={closeFinder} />
      {finder === 'everything' || finder === 'connections' ? (
        <CommandPalette scope={finder} onShow={show} onTable={focusWorkplaceSoon} onClose={closeFinder} />
      ) : null}
      {isTouring ? (
        <Tour
          sample={saved.find(({ id }) => id === samples.find((sample) => saved.some((one) => one.id === sample)))}
          shown={active}
          onOpen={show}
          onEnd={endTour}
        />
      ) : null}
      {finder === 'shortcuts' ? <ShortcutList onClose={closeFinder} /> : null}
    </div>
  );
}
