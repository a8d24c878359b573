import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { Database } from '../storage/database.ts';
import { workspaceMigration } from '../storage/migrations/workspace.ts';
import { WorkspaceState } from './workspaceState.ts';

const open = () => {
  const database = new Database(':memory:', [
    connectionsMigration,
    connectionGroupsMigration,
    readOnlyConnectionsMigration,
    workspaceMigration,
  ]);
  const connections = new ConnectionStore(database);
  return { database, connections, state: new WorkspaceState(database) };
};
const saveOne = (connections: ConnectionStore, name = 'One'): string =>
  connections.create({
    name,
    driver: 'x',
    settings: {},
    secrets: {},
    access: { externalClients: 'readOnly', aiPolicy: 'never' },
    color: 'gray',
  }).id;

describe('documents', () => {
  it('are kept per connection and for the home, replaced and forgotten', () => {
    const { connections, state } = open();
    const scope = saveOne(connections);
    state.save({
      documents: [
        { scope, name: 'draft', value: 'GET /' },
        { scope: 'home', name: 'draft', value: { a: [1, null] } },
      ],
    });
    expect(state.documents(scope)).toEqual({ draft: 'GET /' });
    expect(state.documents('home')).toEqual({ draft: { a: [1, null] } });
    state.save({
      documents: [
        { scope, name: 'draft', value: 'GET /2' },
        { scope: 'home', name: 'draft' },
      ],
    });
    expect(state.documents(scope)).toEqual({ draft: 'GET /2' });
    expect(state.documents('home')).toEqual({});
  });

  it('go with their connection, and are not taken for one that is gone', () => {
    const { database, connections, state } = open();
    const scope = saveOne(connections);
    state.save({ documents: [{ scope, name: 'a', value: 1 }] });
    connections.remove(scope);
    state.save({ documents: [{ scope, name: 'b', value: 1 }] });
    expect(database.connection.prepare('SELECT count(*) AS n FROM workspace_documents').get()).toEqual({ n: 0 });
  });

  it('are bounded: what was written longest ago goes, and what is too large is refused with everything beside it', () => {
    const { state } = open();
    const large = 'x'.repeat(1_000_000);
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e']) state.save({ documents: [{ scope: 'home', name, value: large }] });
    expect(Object.keys(state.documents('home')).sort()).toEqual(['a', 'c', 'd', 'e']);
    const tooLarge = { scope: 'home', name: 'f', value: large.repeat(2) } as const;
    expect(() => state.save({ documents: [{ scope: 'home', name: 'g', value: 1 }, tooLarge] })).toThrow(/larger than 1 MB/);
    expect(Object.keys(state.documents('home'))).not.toContain('g');
  });
});

describe('windows', () => {
  it('never share a place', () => {
    const { state } = open();
    const first = state.claimWindow({ fresh: false });
    state.saveWindow(first.windowId, { tabs: 1 });
    const second = state.claimWindow({ fresh: false });
    expect(second.windowId).not.toBe(first.windowId);
    expect(second.workspace).toBeUndefined();
  });

  it('are taken up where they were left, the last one first, by a host that was restarted', () => {
    const { database, state } = open();
    const windows = [state.claimWindow({ fresh: false }), state.claimWindow({ fresh: false })];
    windows.forEach(({ windowId }, place) => state.saveWindow(windowId, { place }));
    const restarted = new WorkspaceState(database);
    expect(restarted.claimWindow({ fresh: false })).toMatchObject({ windowId: windows[1]?.windowId, workspace: { place: 1 } });
    expect(restarted.claimWindow({ fresh: false })).toMatchObject({ windowId: windows[0]?.windowId, workspace: { place: 0 } });
    expect(restarted.claimWindow({ fresh: false }).workspace).toBeUndefined();
  });

  it('are taken up after they were closed, by their own page after a reload, and not by one that asks for a fresh one', () => {
    const { state } = open();
    const { windowId, lease: old } = state.claimWindow({ fresh: true });
    state.saveWindow(windowId, { tabs: 1 });
    const { lease, workspace } = state.claimWindow({ windowId, fresh: false });
    expect(workspace).toEqual({ tabs: 1 });
    // The last message of the page before the reload comes after its successor has claimed the place.
    state.releaseWindow(windowId, old);
    expect(state.claimWindow({ fresh: false }).windowId).not.toBe(windowId);
    state.releaseWindow(windowId, lease);
    expect(state.claimWindow({ fresh: true }).workspace).toBeUndefined();
    expect(state.claimWindow({ fresh: false })).toMatchObject({ windowId, workspace: { tabs: 1 } });
  });

  it('with nothing open are not taken up again', () => {
    const { state } = open();
    const [first, second] = [randomUUID(), randomUUID()];
    state.saveWindow(first, { tabs: 1 });
    state.saveWindow(second, { tabs: 2 });
    state.saveWindow(second, null);
    expect(state.claimWindow({ fresh: false }).windowId).toBe(first);
  });

  it('are remembered up to a dozen', () => {
    const { state } = open();
    const ids = Array.from({ length: 14 }, () => randomUUID());
    for (const id of ids) state.saveWindow(id, {});
    const back = new Set(ids.map(() => state.claimWindow({ fresh: false }).windowId));
    expect(ids.filter((id) => back.has(id))).toEqual(ids.slice(2));
  });
});
