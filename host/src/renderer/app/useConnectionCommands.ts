import type { Operation } from '@tabularium/sdk';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { opensByName } from '../api/namedTables.ts';
import { hasUnread, readRest, useNamespaceTree } from '../api/namespaceTree.ts';
import { useTables } from '../api/queries.ts';
import { useCommands } from '../commands/registry.ts';
import type { WindowCommand } from '../commands/registry.ts';
import { openImport } from '../importing/openImport.ts';
import { useImportRefusal } from '../importing/useImportRefusal.ts';
import { strings } from '../i18n/index.ts';
import { TAB_VIEWS } from '../../common/views.ts';
import type { TabView } from '../../common/views.ts';
import type { ShownConnection } from '../state/workspace.ts';
import { wantFind } from '../state/wantedFinds.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { toolsOf, useToolNames } from './tools.tsx';

interface ConnectionActions {
  readonly isActive: boolean;
  readonly closeTab: (key: string) => void;
  /** All of them, or all but one. */
  readonly closeTabs: (keep?: string) => void;
  readonly openByName: () => void;
  /** Of the server itself. */
  readonly operations: readonly Operation[];
  readonly openOperation: (operation: Operation) => void;
}

/** The commands of an open connection: its tabs, its tools, its tables. */
export function useConnectionCommands(
  info: OpenConnectionInfo,
  shown: ShownConnection,
  { isActive, closeTab, closeTabs, openByName, operations, openOperation }: ConnectionActions,
): void {
  const { dispatch } = useWorkspace();
  const { connectionId, manifest } = info;
  const hasSearch = info.facets.includes('search');
  const tables = useTables(connectionId);
  const tree = useNamespaceTree(connectionId);
  const importRefusal = useImportRefusal(info);
  const names = useToolNames(info);
  const tools = toolsOf(info);
  const words = strings.shell;
  const tab = shown.tabs.find(({ key }) => key === shown.activeTab);
  const noTab = tab === undefined ? words.noTab : undefined;
  const onlyTab = noTab ?? (shown.tabs.length === 1 ? words.onlyTab : undefined);
  const view = tab === undefined || !('table' in tab) ? undefined : tab.view;
  const viewRefusal = (wanted: TabView): string | undefined => {
    if (view === undefined) return words.noTable;
    if ((wanted === 'rankedSearch' || wanted === 'relevance') && !hasSearch) return words.noSearch;
    return view === wanted ? words.isShown : undefined;
  };
  const withTab = (act: (key: string) => void) => (): void => (tab === undefined ? undefined : act(tab.key));
  const commands: WindowCommand[] = [
    { id: 'tabs.next', disabled: onlyTab, run: () => dispatch({ type: 'stepTab', connectionId, step: 1 }) },
    { id: 'tabs.previous', disabled: onlyTab, run: () => dispatch({ type: 'stepTab', connectionId, step: -1 }) },
    { id: 'tabs.close', disabled: noTab, run: withTab(closeTab) },
    {
      id: 'tabs.reopen',
      disabled: (shown.closed ?? []).length === 0 ? words.noClosedTab : undefined,
      run: () => dispatch({ type: 'reopenTab', connectionId }),
    },
    {
      id: 'tabs.closeOthers',
      group: 'tabs',
      title: words.closeOthers,
      disabled: onlyTab,
      run: withTab(closeTabs),
    },
    {
      id: 'tabs.closeAll',
      group: 'tabs',
      title: words.closeAll,
      disabled: noTab,
      run: () => closeTabs(),
    },
    ...TAB_VIEWS.map<WindowCommand>((wanted) => ({
      id: `table.${wanted}`,
      group: 'table',
      title: {
        data: words.showData,
        rankedSearch: words.showSearch,
        relevance: words.showRelevance,
        structure: words.showStructure,
      }[wanted],
      disabled: viewRefusal(wanted),
      run: withTab((key) => dispatch({ type: 'setView', connectionId, key, view: wanted })),
    })),
    {
      id: 'table.import',
      group: 'table',
      title: strings.importing.open,
      disabled: importRefusal ?? (tab === undefined || !('table' in tab) ? words.noTable : undefined),
      run: () => (tab !== undefined && 'table' in tab ? openImport({ connectionId, table: tab.table }) : undefined),
    },
    {
      id: 'connection.import',
      group: 'connection',
      title: strings.importing.openNew(manifest.terms.table.one),
      disabled: importRefusal,
      run: () => openImport({ connectionId }),
    },
    {
      id: 'table.refreshAll',
      group: 'table',
      title: words.refreshTables(strings.sidebar.label(manifest.terms.table)),
      run: () => void tables.refetch(),
    },
    ...(tree !== undefined && hasUnread(tree)
      ? [
          {
            id: 'connection.readAll',
            group: 'connection',
            title: strings.sidebar.searchRest(manifest.terms.container ?? strings.sidebar.namespaceTerm),
            // A person who looks for tables finds it, too.
            aliases: manifest.terms.table.other,
            run: () => void readRest(connectionId),
          } satisfies WindowCommand,
        ]
      : []),
    ...(opensByName(info)
      ? [
          {
            id: 'connection.openByName',
            group: 'connection',
            title: strings.sidebar.openByName(manifest.terms.table),
            run: openByName,
          } satisfies WindowCommand,
        ]
      : []),
    ...operations.map<WindowCommand>((operation) => ({
      id: `operation.${operation.id}`,
      group: 'connection',
      title: strings.operations.server(operation.label),
      disabled: operation.ability.allowed ? undefined : operation.ability.reason,
      run: () => openOperation(operation),
    })),
    {
      id: 'connection.find',
      aliases: strings.finding.aliases,
      disabled: tools.some(({ tool }) => tool === 'find') ? undefined : words.noFind,
      run: () => {
        wantFind(connectionId, {});
        dispatch({ type: 'openTool', connectionId, tool: 'find' });
      },
    },
    ...tools
      .filter(({ tool }) => tool !== 'find')
      .map<WindowCommand>(({ tool }) => ({
        id: `tool.${tool}`,
        group: 'connection',
        title: words.openTool(names[tool]),
        run: () => dispatch({ type: 'openTool', connectionId, tool }),
      })),
  ];
  useCommands(commands, isActive);
}
