import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconTable, IconX } from '@tabler/icons-react';
import type { Operation, TableRef } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { CSSProperties, ReactNode, RefObject, SyntheticEvent } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { isInitial } from '../../common/namespaces.ts';
import { opensByName } from '../api/namedTables.ts';
import { beginTree } from '../api/namespaceTree.ts';
import { useTables } from '../api/queries.ts';
import { closeImport, useWantedImport } from '../importing/openImport.ts';
import { DropImport } from '../importing/DropImport.tsx';
import { onDemand } from '../ui/onDemand.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { strings } from '../i18n/index.ts';
import { useServerOperations } from '../operations/useServerOperations.ts';
import { activateTab } from '../state/notify.ts';
import { noteRecent } from '../state/recent.ts';
import { stagedCounts, useStagedTables } from '../state/stagedTables.ts';
import { closeTabsAsking } from '../state/closeAsking.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import type { TabView, WorkspaceTool } from '../../common/views.ts';
import type { ShownConnection, Tab } from '../state/workspace.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { OpenByNameDialog } from './OpenByNameDialog.tsx';
import { ResizeHandle } from './ResizeHandle.tsx';
import findingsStyles from './findings.module.css';
import styles from './shell.module.css';
import { SampleGuideBar } from './SampleGuideBar.tsx';
import { Sidebar } from './Sidebar.tsx';
import { SidebarStrip } from './SidebarStrip.tsx';
import { TabBar } from './TabBar.tsx';
import { TabScope } from './TabScope.tsx';
import { TableTabView } from './TableTabView.tsx';
import { tabNames } from './tabNames.ts';
import type { TabName } from './tabNames.ts';
import { useToolNames } from './tools.tsx';
import { ToolTabView } from './ToolTabView.tsx';
import { useServerReturn } from './useServerReturn.ts';
import { useConnectionCommands } from './useConnectionCommands.ts';
import type { Layout } from './useLayout.ts';

const OperationFormDialog = onDemand(async () => (await import('../operations/OperationFormDialog.tsx')).OperationFormDialog);

const CopyDialog = onDemand(async () => (await import('../importing/CopyDialog.tsx')).CopyDialog);
const ImportDialog = onDemand(async () => (await import('../importing/ImportDialog.tsx')).ImportDialog);

/** The state of the sidebar. */
export interface SidebarState {
  readonly isShown: boolean;
  /** There is no room beside it, so it lies over the tab. */
  readonly isOver: boolean;
  readonly layout: Layout;
  readonly onToggle: () => void;
  readonly onFind: () => void;
}

interface Props {
  readonly name: string;
  readonly info: OpenConnectionInfo;
  readonly shown: ShownConnection;
  readonly isActive: boolean;
  readonly sidebar: SidebarState;
  /** Given to the connection on the screen. */
  readonly filterInput: RefObject<HTMLInputElement | null> | undefined;
  readonly onSidebarUsed: () => void;
}

/** Not in a dialog or menu, whose events React passes on to here. */
const isWithin = ({ currentTarget, target }: SyntheticEvent): boolean => target instanceof Node && currentTarget.contains(target);

/** An open connection: its tables at the left, what is open of them at the right. */
export function ConnectionView({ name, info, shown, isActive, sidebar, filterInput, onSidebarUsed }: Props): ReactNode {
  const { dispatch } = useWorkspace();
  const { connectionId, manifest } = info;
  const tables = useTables(connectionId);
  useEffect(() => beginTree(connectionId, info.initialNamespaces), [connectionId, info]);
  useServerReturn(connectionId);
  const toolNames = useToolNames(info);
  const staged = useStagedTables(connectionId);
  const [filter, setFilter] = useState('');
  const [isNaming, setNaming] = useState(false);
  const wanted = useWantedImport();
  const openByName = (): void => setNaming(true);
  const operations = useServerOperations(info);
  const [operation, setOperation] = useState<Operation>();
  const closeTab = (key: string): void =>
    closeTabsAsking(
      connectionId,
      () => dispatch({ type: 'closeTab', connectionId, key }),
      (closed) => closed === key,
    );
  const closeTabs = (keep?: string): void =>
    closeTabsAsking(
      connectionId,
      () => dispatch({ type: 'closeTabs', connectionId, ...(keep === undefined ? {} : { keep }) }),
      (closed) => closed !== keep,
    );
  useConnectionCommands(info, shown, { isActive, closeTab, closeTabs, openByName, operations, openOperation: setOperation });
  const openTable = (table: TableRef, view?: TabView): void => {
    dispatch({ type: 'openTable', connectionId, table, ...(view === undefined ? {} : { view }) });
    noteRecent({ connectionId, table });
    onSidebarUsed();
  };
  const openTool = (tool: WorkspaceTool): void => {
    dispatch({ type: 'openTool', connectionId, tool });
    onSidebarUsed();
  };
  const { initialNamespaces } = info;
  const hasDatabases = initialNamespaces !== undefined && !isInitial({ initial: initialNamespaces }, []);
  const nameOfTable = tabNames(
    shown.tabs.flatMap((tab) => ('table' in tab ? tab.table : [])),
    hasDatabases,
  );
  const tabNameOf = (tab: Tab): TabName => ('table' in tab ? nameOfTable(tab.table) : { name: toolNames[tab.tool] });
  const nameOf = (tab: Tab): string => {
    const { name: own, place } = tabNameOf(tab);
    return place === undefined ? own : strings.tabs.inDatabase(own, place);
  };
  const current = shown.tabs.find(({ key }) => key === shown.activeTab);
  const currentKey = isActive && current !== undefined ? `${connectionId} ${current.key}` : undefined;
  const currentName = current === undefined ? '' : nameOf(current);
  useEffect(
    () => (currentKey === undefined ? undefined : activateTab({ key: currentKey, name: currentName, connectionId })),
    [currentKey, currentName, connectionId],
  );
  // The sidebar covers a part of the tab until the person continues in it.
  const isCovered = sidebar.isShown && sidebar.isOver;
  return (
    <div
      className={styles.work}
      data-sidebar={sidebar.isShown ? (sidebar.isOver ? 'over' : 'beside') : 'folded'}
      data-connection={name}
      style={{ '--tb-sidebar-width': `${sidebar.layout.sidebarWidth}px` } as CSSProperties}
    >
      {sidebar.isShown && !sidebar.isOver ? null : (
        <SidebarStrip
          connection={info}
          openTab={shown.activeTab}
          onUnfold={sidebar.onToggle}
          onFind={sidebar.onFind}
          onOpenTool={openTool}
        />
      )}
      {sidebar.isShown ? (
        <DropImport connection={info}>
          <Sidebar
            connection={info}
            openTable={shown.activeTab}
            filterInput={filterInput}
            filter={filter}
            onFilter={setFilter}
            onOpen={openTable}
            onOpenTool={openTool}
            onOpenByName={openByName}
            operations={operations}
            onOperation={setOperation}
            onLeave={sidebar.isOver ? onSidebarUsed : undefined}
          />
        </DropImport>
      ) : null}
      <main
        className={styles.content}
        onPointerDownCapture={(event) => (isCovered && isWithin(event) ? onSidebarUsed() : undefined)}
        onKeyDown={(event) => (isCovered && event.key === 'Escape' && isWithin(event) ? onSidebarUsed() : undefined)}
      >
        {sidebar.isShown && !sidebar.isOver ? (
          <ResizeHandle width={sidebar.layout.sidebarWidth} onWidth={sidebar.layout.setSidebarWidth} />
        ) : null}
        <h1 className="tb-visually-hidden">{name}</h1>
        <Findings name={name} info={info} />
        <SampleGuideBar name={name} connection={info} onOpen={openTable} onOpenTool={openTool} />
        {shown.tabs.length === 0 ? (
          <EmptyState
            icon={<IconTable size={40} stroke={1.25} />}
            title={strings.tabs.emptyTitle(manifest.terms.table)}
            text={
              opensByName(info)
                ? strings.sidebar.openByNameText(manifest.terms.table)
                : strings.tabs.emptyText(manifest.terms.table)
            }
            action={
              opensByName(info) ? (
                <Button onClick={openByName}>{strings.sidebar.openByName(manifest.terms.table)}</Button>
              ) : undefined
            }
          />
        ) : (
          <TabBar
            tabs={shown.tabs}
            nameOf={nameOf}
            tabNameOf={tabNameOf}
            stagedOf={stagedCounts(staged)}
            activeTab={shown.activeTab}
            onSelect={(key) => dispatch({ type: 'selectTab', connectionId, key })}
            onClose={closeTab}
            onCloseOthers={closeTabs}
            onCloseAll={() => closeTabs()}
            onMove={(key, to) => dispatch({ type: 'moveTab', connectionId, key, to })}
          />
        )}
        <div className={styles.panels} data-region="content" hidden={shown.tabs.length === 0}>
          {shown.tabs.map((tab) => {
            const isShown = tab.key === shown.activeTab;
            return (
              <div
                key={tab.key}
                className={styles.panel}
                role="tabpanel"
                aria-label={nameOf(tab)}
                data-hidden={!isShown || undefined}
                inert={!isShown}
              >
                <TabScope connectionId={connectionId} tabKey={tab.key} name={nameOf(tab)}>
                  <ErrorBoundary part>
                    {'table' in tab ? (
                      <DropImport connection={info} table={tab.table}>
                        <TableTabView
                          connection={info}
                          tab={tab}
                          summary={tables.data?.find((table) => workspaceTableKey(table.ref) === tab.key)}
                          isShown={isShown && isActive}
                          onView={(view) => dispatch({ type: 'setView', connectionId, key: tab.key, view })}
                        />
                      </DropImport>
                    ) : (
                      <ToolTabView tool={tab.tool} name={name} connection={info} isShown={isShown && isActive} />
                    )}
                  </ErrorBoundary>
                </TabScope>
              </div>
            );
          })}
        </div>
      </main>
      {operation === undefined ? null : (
        <OperationFormDialog
          connectionId={connectionId}
          place={{ on: 'server' }}
          operation={operation}
          onClose={() => setOperation(undefined)}
        />
      )}
      {isActive && wanted?.connectionId === connectionId ? (
        wanted.copies === true && wanted.table !== undefined ? (
          <CopyDialog connection={info} table={wanted.table} onClose={closeImport} />
        ) : (
          <ImportDialog connection={info} wanted={wanted} onClose={closeImport} />
        )
      ) : null}
      {isNaming ? <OpenByNameDialog connection={info} onOpen={openTable} onClose={() => setNaming(false)} /> : null}
    </div>
  );
}

/** The notices from connecting. */
function Findings({ name, info }: { readonly name: string; readonly info: OpenConnectionInfo }): ReactNode {
  const [dismissed, setDismissed] = useState(false);
  const findings = info.findings.filter((finding) => finding.outcome !== 'ok');
  if (dismissed || findings.length === 0) return null;
  return (
    <section
      className={findingsStyles.findings}
      data-failed={findings.some((finding) => finding.outcome === 'failed') || undefined}
      aria-label={strings.opening.findings(name)}
    >
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <ul>
        {findings.map((finding) => (
          <li key={finding.label}>
            <strong>{finding.label}</strong> {finding.message}
          </li>
        ))}
      </ul>
      <ActionIcon size={22} aria-label={strings.common.dismiss} onClick={() => setDismissed(true)}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </section>
  );
}
