import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { preferencesSchema } from '../../common/api.ts';
import { driverNetworkSchema } from '../../common/driversApi.ts';
import { integrationSettingsSchema } from '../../common/integrations.ts';
import { RegistrySettings } from '../drivers/registry/registrySettings.ts';
import { IntegrationSettingsStore } from '../mcp/access/integrationSettings.ts';
import { Database } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { storedSettings } from './storedSettings.ts';

const STORED = [
  [
    'external clients',
    integrationSettingsSchema,
    {
      enabled: false,
      port: 4_000,
      approvals: 'window',
      requestsPerMinute: 60,
      logStatements: true,
      allowedOrigins: ['https://client.example'],
      oauth: true,
      exportFolders: ['/exports'],
    },
    { enabled: false, approvals: 'window' },
  ],
  [
    'the network of drivers',
    driverNetworkSchema,
    { offline: true, proxy: 'http://proxy.example:8080', certificateAuthorityFile: '/ca.pem' },
    { offline: true },
  ],
  [
    'the window',
    preferencesSchema,
    { theme: 'dark', density: 'compact', language: 'de', pageSize: 200, lookForNewerVersions: true },
    {},
  ],
] as const satisfies readonly (readonly [string, z.ZodObject, Record<string, unknown>, Record<string, unknown>])[];

describe.each(STORED)('the stored settings of %s', (_of, schema, stored, closed) => {
  it('are all there', () => {
    expect(storedSettings(schema, JSON.stringify(stored), closed)).toEqual(stored);
    expect(Object.keys(stored)).toEqual(Object.keys(schema.shape));
  });

  it.each(Object.keys(stored))('keep the others when %s cannot be read', (name) => {
    const { [name]: _damaged, ...others } = stored as Record<string, unknown>;
    const byDefault = (schema.parse(closed) as Record<string, unknown>)[name];
    const read = storedSettings(schema, JSON.stringify({ ...stored, [name]: { not: 'readable' } }), closed);
    expect(read).toEqual({ ...others, ...(byDefault === undefined ? {} : { [name]: byDefault }) });
  });

  it.each(['', '{', 'null', '[]', '"text"'])('take the closed values, and defaults for the rest, for %j', (text) => {
    expect(storedSettings(schema, text, closed)).toEqual({ ...(schema.parse({}) as object), ...closed });
  });

  it.each(['{}', '{"__proto__":{"enabled":false}}', undefined])('are the defaults for %j', (text) => {
    expect(storedSettings(schema, text, closed)).toEqual(schema.parse({}));
  });
});

describe('damaged settings open nothing', () => {
  it.each(['{"enabled":"yes","approvals":"none","offline":1}', '{"enabled":fal'])('%s', (damaged) => {
    using database = new Database(':memory:', MIGRATIONS);
    const { connection } = database;
    connection.prepare('INSERT INTO integration_settings (id, value) VALUES (1, ?)').run(damaged);
    connection.prepare('INSERT INTO driver_network (id, value) VALUES (1, ?)').run(damaged);
    expect(new IntegrationSettingsStore(connection).get()).toMatchObject({ enabled: false, approvals: 'window' });
    const secureStore = { get: () => undefined, set: () => undefined, delete: () => undefined };
    expect(new RegistrySettings({ connection, secureStore: secureStore as never }).network()).toMatchObject({ offline: true });
  });
});
