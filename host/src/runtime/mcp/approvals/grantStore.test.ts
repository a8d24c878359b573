import { expect, it } from 'vitest';
import { Database } from '../../storage/database.ts';
import { MIGRATIONS } from '../../storage/migrations.ts';
import { approvalTargetsMigration } from '../../storage/migrations/approvalTargets.ts';
import { GrantStore } from './grantStore.ts';

const writer = { id: 'token', name: 'Writer' };

it('a standing approval holds for the server that the connection led to, until one for another server takes its place', () => {
  using database = new Database(':memory:', MIGRATIONS);
  const grants = new GrantStore(database.connection, () => Date.parse('2026-01-01T00:00:00Z'));
  grants.grant(writer, { id: 'c', target: 'staging' });
  const [first] = grants.list();
  expect(grants.use('token', { id: 'c', target: 'production' })).toBe(false);
  expect(grants.use('token', { id: 'c', target: 'staging' })).toBe(true);
  grants.grant(writer, { id: 'c', target: 'staging' });
  expect(grants.list()).toEqual([{ ...first, lastUsedAt: '2026-01-01T00:00:00.000Z' }]);

  grants.grant(writer, { id: 'c', target: 'production' });
  expect(grants.use('token', { id: 'c', target: 'staging' })).toBe(false);
  const [second] = grants.list();
  expect(grants.list()).toHaveLength(1);
  expect(second).not.toHaveProperty('lastUsedAt');
  expect(second?.id).not.toBe(first?.id);
});

it('standing approvals of a data directory of an earlier version are asked for once more', () => {
  using database = new Database(
    ':memory:',
    MIGRATIONS.filter((migration) => migration !== approvalTargetsMigration),
  );
  database.connection.exec(
    "INSERT INTO approval_grants (id, principal_id, principal_name, connection_id, created_at) VALUES ('1', 'token', 'Writer', 'c', '2026-01-01T00:00:00Z')",
  );
  database.connection.exec(approvalTargetsMigration.sql);
  const grants = new GrantStore(database.connection);
  expect(grants.list()).toEqual([]);
  expect(grants.use('token', { id: 'c', target: '' })).toBe(false);
  grants.grant(writer, { id: 'c', target: 'staging' });
  expect(grants.use('token', { id: 'c', target: 'staging' })).toBe(true);
});
