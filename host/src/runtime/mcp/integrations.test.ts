import { expect, it } from 'vitest';
import { FakeWork } from '../work.test-helper.ts';
import { McpIntegrations } from './integrations.ts';

it('forgets the standing approvals of a connection that leads elsewhere, and keeps them for one that is renamed', async () => {
  await using work = new FakeWork();
  const forgotten: unknown[] = [];
  const silent = () => undefined;
  const integrations = new McpIntegrations({
    server: { onCall: silent, onTurnedAway: silent },
    oauth: { onGranted: silent },
    tokens: { onRevoked: silent },
    grants: { forget: (whose: unknown) => forgotten.push(whose) },
    connections: work.connections,
  } as never);
  expect(integrations).toBeDefined();
  const { connectionId } = work;
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(connectionId);
  work.connections.update(connectionId, { ...connection, name: 'Renamed' });
  expect(forgotten).toEqual([]);
  work.connections.update(connectionId, { ...connection, settings: { host: 'other' } });
  expect(forgotten).toEqual([{ connectionId }]);
});
