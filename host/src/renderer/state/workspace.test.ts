import type { TableRef } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { fromRemembered, toRemembered } from './remembered.ts';
import { EMPTY_WORKSPACE, workspaceTableKey, toolKey, workspaceReducer } from './workspace.ts';
import type { Workspace, WorkspaceAction } from './workspace.ts';

const info = (connectionId: string): OpenConnectionInfo => ({ connectionId }) as OpenConnectionInfo;
const table = (name: string, ...namespace: string[]): TableRef => ({ namespace, name });
const after = (...actions: WorkspaceAction[]): Workspace => actions.reduce(workspaceReducer, EMPTY_WORKSPACE);
const openedA: readonly WorkspaceAction[] = [
  { type: 'show', connectionId: 'a' },
  { type: 'opened', info: info('a') },
];
const open = (name: string): WorkspaceAction => ({ type: 'openTable', connectionId: 'a', table: table(name) });
const key = (name: string): string => workspaceTableKey(table(name));

describe('tableKey', () => {
  it('distinguishes tables by all their names', () => {
    expect(workspaceTableKey(table('c', 'a', 'b'))).not.toBe(workspaceTableKey(table('b","c', 'a')));
    expect(workspaceTableKey(table('c', 'a'))).not.toBe(workspaceTableKey(table('c')));
  });
});

describe('what a reload keeps', () => {
  it('is what was open, without what it held', () => {
    const state = after(...openedA, open('t'), { type: 'setView', connectionId: 'a', key: key('t'), view: 'structure' });
    const back = fromRemembered(JSON.parse(JSON.stringify(toRemembered(state))));
    expect(back.active).toBe('a');
    expect(back.connections['a']?.info).toBeUndefined();
    expect(back.connections['a']?.tabs).toEqual(state.connections['a']?.tabs);
    expect(back.connections['a']?.activeTab).toBe(key('t'));
  });

  it.each([undefined, null, '', [], { connections: { a: {} } }])('is nothing when %j was kept', (value) => {
    expect(fromRemembered(value)).toEqual(EMPTY_WORKSPACE);
  });

  it('shows the list when what was shown is not among what was kept', () => {
    expect(fromRemembered({ active: 'gone', connections: {} })).toEqual({ connections: {} });
  });
});

describe('workspaceReducer', () => {
  it('keeps the tabs of a connection while another one is shown', () => {
    const state = after(...openedA, open('t'), { type: 'show', connectionId: 'b' }, { type: 'show', connectionId: 'a' });
    expect(state.active).toBe('a');
    expect(state.connections['a']?.tabs.map((tab) => tab.key)).toEqual([key('t')]);
    expect(state.connections['a']?.info?.connectionId).toBe('a');
    expect(state.connections['b']?.info).toBeUndefined();
  });

  it('opens a table once', () => {
    const state = after(...openedA, open('t'), open('u'), open('t'));
    expect(state.connections['a']?.tabs).toHaveLength(2);
    expect(state.connections['a']?.activeTab).toBe(key('t'));
  });

  it('shows the neighbour of a tab that is closed', () => {
    const three = [...openedA, open('t'), open('u'), open('v')];
    const close = (name: string): WorkspaceAction => ({ type: 'closeTab', connectionId: 'a', key: key(name) });
    expect(after(...three, close('v')).connections['a']?.activeTab).toBe(key('u'));
    expect(after(...three, open('t'), close('t')).connections['a']?.activeTab).toBe(key('u'));
    expect(after(...three, close('t')).connections['a']?.activeTab).toBe(key('v'));
    const none = after(...openedA, open('t'), close('t')).connections['a'];
    expect(none?.tabs).toEqual([]);
    expect(none?.activeTab).toBeUndefined();
  });

  it('steps along the tabs and around their ends, moves one, and closes others or all', () => {
    const three = [...openedA, open('t'), open('u'), open('v')];
    const step = (by: 1 | -1): WorkspaceAction => ({ type: 'stepTab', connectionId: 'a', step: by });
    expect(after(...three, step(1)).connections['a']?.activeTab).toBe(key('t'));
    expect(after(...three, step(-1)).connections['a']?.activeTab).toBe(key('u'));
    expect(after(...openedA, step(1)).connections['a']?.activeTab).toBeUndefined();
    const moved = after(...three, { type: 'moveTab', connectionId: 'a', key: key('v'), to: 0 }).connections['a'];
    expect(moved?.tabs.map((tab) => tab.key)).toEqual([key('v'), key('t'), key('u')]);
    const one = after(...three, { type: 'closeTabs', connectionId: 'a', keep: key('t') }).connections['a'];
    expect([one?.tabs.map((tab) => tab.key), one?.activeTab]).toEqual([[key('t')], key('t')]);
    const none = after(...three, { type: 'closeTabs', connectionId: 'a' }).connections['a'];
    expect(none?.tabs).toEqual([]);
    expect(none?.activeTab).toBeUndefined();
  });

  it('has closed tabs again, the last one first, as they were', () => {
    const reopen: WorkspaceAction = { type: 'reopenTab', connectionId: 'a' };
    const turned: WorkspaceAction = { type: 'setView', connectionId: 'a', key: key('u'), view: 'structure' };
    const two = [...openedA, open('t'), open('u'), turned];
    const closedU = after(...two, { type: 'closeTab', connectionId: 'a', key: key('u') }, reopen).connections['a'];
    expect(closedU?.tabs.map((tab) => [tab.key, 'view' in tab ? tab.view : undefined])).toEqual([
      [key('t'), 'data'],
      [key('u'), 'structure'],
    ]);
    expect(closedU?.activeTab).toBe(key('u'));
    const all = after(...two, { type: 'closeTabs', connectionId: 'a' }, reopen, reopen, reopen).connections['a'];
    expect(all?.tabs.map((tab) => tab.key)).toEqual([key('u'), key('t')]);
    expect(all?.closed).toEqual([]);
  });

  it('opens a table at its structure, also where it is open already', () => {
    const structure: WorkspaceAction = { type: 'openTable', connectionId: 'a', table: table('t'), view: 'structure' };
    const viewOf = (state: Workspace) => state.connections['a']?.tabs.map((tab) => ('view' in tab ? tab.view : undefined));
    expect(viewOf(after(...openedA, structure))).toEqual(['structure']);
    expect(viewOf(after(...openedA, open('t'), structure))).toEqual(['structure']);
    expect(viewOf(after(...openedA, structure, open('t')))).toEqual(['structure']);
  });

  it('changes the view of one tab', () => {
    const state = after(...openedA, open('t'), open('u'), {
      type: 'setView',
      connectionId: 'a',
      key: key('t'),
      view: 'structure',
    });
    expect(state.connections['a']?.tabs.map((tab) => ('view' in tab ? tab.view : undefined))).toEqual(['structure', 'data']);
  });

  it('opens a tool once, beside the tables, and a reload keeps it', () => {
    const tool: WorkspaceAction = { type: 'openTool', connectionId: 'a', tool: 'console' };
    const state = after(...openedA, tool, open('tool:console'), tool);
    expect(state.connections['a']?.tabs.map((tab) => tab.key)).toEqual([toolKey('console'), key('tool:console')]);
    expect(state.connections['a']?.activeTab).toBe(toolKey('console'));
    expect(fromRemembered(toRemembered(state)).connections['a']?.tabs).toEqual(state.connections['a']?.tabs);
  });

  it('goes back to the list when what is shown is closed, and only then', () => {
    expect(after(...openedA, { type: 'closed', connectionId: 'a' })).toEqual({ connections: {} });
    expect(after(...openedA, { type: 'closed', connectionId: 'b' }).active).toBe('a');
    expect(after(...openedA, { type: 'showList' }).connections['a']).toBeDefined();
    expect(after(...openedA, { type: 'showList' }).active).toBeUndefined();
  });

  it('pays no heed to what comes for a connection that is closed', () => {
    expect(after({ type: 'opened', info: info('gone') })).toEqual(EMPTY_WORKSPACE);
    expect(after(open('t'))).toEqual(EMPTY_WORKSPACE);
  });
});
