import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activityMigration } from '../../storage/migrations/activity.ts';
import { IntegrationSettingsStore } from './integrationSettings.ts';

describe('IntegrationSettingsStore', () => {
  let database: DatabaseSync;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec(activityMigration.sql);
  });
  afterEach(() => database.close());

  it.each(['https://*', 'https://*.client.example', 'http://localhost:99999', 'https://a:b:c'])(
    'refuses the origin %s, which no page has, and changes nothing',
    (origin) => {
      const store = new IntegrationSettingsStore(database);
      const before = store.set({ ...store.get(), allowedOrigins: ['https://client.example', 'http://[::1]:3000'] });
      const after = { ...before, approvals: 'window' as const, allowedOrigins: ['https://client.example', origin] };
      expect(() => store.set(after)).toThrow(origin);
      expect(store.get()).toEqual(before);
      expect(new IntegrationSettingsStore(database).get()).toEqual(before);
    },
  );

  it('asks in the window alone, as chosen, although an origin of an earlier version cannot be read', () => {
    const store = new IntegrationSettingsStore(database);
    store.set({ ...store.get(), approvals: 'window' });
    database.exec(`UPDATE integration_settings SET value = json_set(value, '$.allowedOrigins', json('["ftp://old"]'))`);
    expect(new IntegrationSettingsStore(database).get()).toMatchObject({ approvals: 'window', allowedOrigins: [] });
  });
});
