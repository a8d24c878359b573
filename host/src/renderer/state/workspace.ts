import type { TableRef } from '@tabularium/sdk';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { TabView, WorkspaceTool } from '../../common/views.ts';

/** One open table. */
export interface TableTab {
  readonly key: string;
  readonly table: TableRef;
  readonly view: TabView;
}

/** One open tool. */
export interface ToolTab {
  readonly key: string;
  readonly tool: WorkspaceTool;
}

export type Tab = TableTab | ToolTab;

/** A connection that is shown: opening while `info` is absent. */
export interface ShownConnection {
  readonly info?: OpenConnectionInfo;
  readonly tabs: readonly Tab[];
  readonly activeTab?: string;
  /** Tabs that were closed in this window, the last one first. */
  readonly closed?: readonly Tab[];
}

/** How many closed tabs can be had again. */
const CLOSED = 10;

/** The open connections of the window. Each connection keeps its tabs while another one is shown. */
export interface Workspace {
  readonly connections: Readonly<Record<string, ShownConnection>>;
  /** The connection on the screen; absent while the list of connections is. */
  readonly active?: string;
}

export const EMPTY_WORKSPACE: Workspace = { connections: {} };

export type WorkspaceAction =
  | { readonly type: 'show'; readonly connectionId: string }
  | { readonly type: 'showList' }
  | { readonly type: 'opened'; readonly info: OpenConnectionInfo }
  | { readonly type: 'closed'; readonly connectionId: string }
  /** Keeps its tabs, and is opened again. */
  | { readonly type: 'toBeOpened'; readonly connectionId: string }
  | { readonly type: 'openTable'; readonly connectionId: string; readonly table: TableRef; readonly view?: TabView }
  | { readonly type: 'openTool'; readonly connectionId: string; readonly tool: WorkspaceTool }
  | { readonly type: 'closeTab'; readonly connectionId: string; readonly key: string }
  | { readonly type: 'closeTabs'; readonly connectionId: string; readonly keep?: string }
  | { readonly type: 'reopenTab'; readonly connectionId: string }
  | { readonly type: 'moveTab'; readonly connectionId: string; readonly key: string; readonly to: number }
  | { readonly type: 'stepTab'; readonly connectionId: string; readonly step: 1 | -1 }
  | { readonly type: 'selectTab'; readonly connectionId: string; readonly key: string }
  | { readonly type: 'setView'; readonly connectionId: string; readonly key: string; readonly view: TabView };

/** One text for one table. */
export function workspaceTableKey(table: TableRef): string {
  return JSON.stringify([...table.namespace, table.name]);
}

/** A tool's key; a table's is a JSON array, so the two never meet. */
export function toolKey(tool: WorkspaceTool): string {
  return `tool:${tool}`;
}

function withConnection(state: Workspace, id: string, change: (connection: ShownConnection) => ShownConnection): Workspace {
  const connection = state.connections[id];
  if (connection === undefined) return state;
  return { ...state, connections: { ...state.connections, [id]: change(connection) } };
}

function withView(tabs: readonly Tab[], key: string, view: TabView): readonly Tab[] {
  return tabs.map((tab) => ('table' in tab && tab.key === key ? { ...tab, view } : tab));
}

function withClosed(connection: ShownConnection, tabs: readonly Tab[]): ShownConnection {
  const earlier = (connection.closed ?? []).filter(({ key }) => tabs.every((tab) => tab.key !== key));
  return { ...connection, closed: [...tabs.toReversed(), ...earlier].slice(0, CLOSED) };
}

function withoutTab(connection: ShownConnection, key: string): ShownConnection {
  const place = connection.tabs.findIndex((tab) => tab.key === key);
  if (place === -1) return connection;
  const tabs = connection.tabs.filter((tab) => tab.key !== key);
  const closed = withClosed(connection, connection.tabs.slice(place, place + 1));
  if (connection.activeTab !== key) return { ...closed, tabs };
  const { activeTab: _closed, ...rest } = closed;
  const neighbour = tabs[Math.min(place, tabs.length - 1)];
  return neighbour === undefined ? { ...rest, tabs } : { ...rest, tabs, activeTab: neighbour.key };
}

export function workspaceReducer(state: Workspace, action: WorkspaceAction): Workspace {
  switch (action.type) {
    case 'show':
      return {
        connections: { ...state.connections, [action.connectionId]: state.connections[action.connectionId] ?? { tabs: [] } },
        active: action.connectionId,
      };
    case 'showList':
      return { connections: state.connections };
    case 'opened':
      return withConnection(state, action.info.connectionId, (connection) => ({ ...connection, info: action.info }));
    case 'toBeOpened':
      return withConnection(state, action.connectionId, ({ info: _closed, ...connection }) => connection);
    case 'closed': {
      const { [action.connectionId]: _closed, ...connections } = state.connections;
      return state.active === action.connectionId ? { connections } : { ...state, connections };
    }
    case 'openTable':
      return withConnection(state, action.connectionId, (connection) => {
        const key = workspaceTableKey(action.table);
        const isOpen = connection.tabs.some((tab) => tab.key === key);
        const view = action.view ?? 'data';
        const tabs = isOpen ? connection.tabs : [...connection.tabs, { key, table: action.table, view }];
        const turned = action.view === undefined ? tabs : withView(tabs, key, view);
        return { ...connection, tabs: turned, activeTab: key };
      });
    case 'openTool':
      return withConnection(state, action.connectionId, (connection) => {
        const key = toolKey(action.tool);
        const isOpen = connection.tabs.some((tab) => tab.key === key);
        return {
          ...connection,
          tabs: isOpen ? connection.tabs : [...connection.tabs, { key, tool: action.tool }],
          activeTab: key,
        };
      });
    case 'closeTab':
      return withConnection(state, action.connectionId, (connection) => withoutTab(connection, action.key));
    case 'selectTab':
      return withConnection(state, action.connectionId, (connection) => ({ ...connection, activeTab: action.key }));
    case 'setView':
      return withConnection(state, action.connectionId, (connection) => ({
        ...connection,
        tabs: withView(connection.tabs, action.key, action.view),
      }));
    case 'closeTabs':
      return withConnection(state, action.connectionId, (before) => {
        const gone = before.tabs.filter((tab) => tab.key !== action.keep);
        const { activeTab: _active, ...connection } = withClosed(before, gone);
        const left = connection.tabs.find((tab) => tab.key === action.keep);
        return left === undefined ? { ...connection, tabs: [] } : { ...connection, tabs: [left], activeTab: left.key };
      });
    case 'reopenTab':
      return withConnection(state, action.connectionId, (connection) => {
        const [tab, ...closed] = connection.closed ?? [];
        if (tab === undefined) return connection;
        const isOpen = connection.tabs.some(({ key }) => key === tab.key);
        return { ...connection, closed, tabs: isOpen ? connection.tabs : [...connection.tabs, tab], activeTab: tab.key };
      });
    case 'moveTab':
      return withConnection(state, action.connectionId, (connection) => {
        const moved = connection.tabs.find((tab) => tab.key === action.key);
        if (moved === undefined) return connection;
        return { ...connection, tabs: connection.tabs.filter((tab) => tab !== moved).toSpliced(action.to, 0, moved) };
      });
    case 'stepTab':
      return withConnection(state, action.connectionId, (connection) => {
        const { tabs } = connection;
        const place = tabs.findIndex((tab) => tab.key === connection.activeTab);
        const next = tabs[(place + action.step + tabs.length) % tabs.length];
        return next === undefined ? connection : { ...connection, activeTab: next.key };
      });
  }
}
