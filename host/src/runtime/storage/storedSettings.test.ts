import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { preferencesSchema } from '../../common/api.ts';
import { driverNetworkSchema } from '../../common/driversApi.ts';
import { integrationSettingsSchema } from '../../common/integrations.ts';
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
      exportFolders: ['/exports'],
    },
  ],
  [
    'the network of drivers',
    driverNetworkSchema,
    { offline: true, proxy: 'http://proxy.example:8080', certificateAuthorityFile: '/ca.pem' },
  ],
  ['the window', preferencesSchema, { theme: 'dark', density: 'compact', language: 'de', pageSize: 200 }],
] as const satisfies readonly (readonly [string, z.ZodObject, Record<string, unknown>])[];

describe.each(STORED)('the stored settings of %s', (_of, schema, stored) => {
  it('are all there', () => {
    expect(storedSettings(schema, JSON.stringify(stored))).toEqual(stored);
    expect(Object.keys(stored)).toEqual(Object.keys(schema.shape));
  });

  it.each(Object.keys(stored))('keep the others when %s cannot be read', (name) => {
    const { [name]: _damaged, ...others } = stored as Record<string, unknown>;
    const byDefault = (schema.parse({}) as Record<string, unknown>)[name];
    const read = storedSettings(schema, JSON.stringify({ ...stored, [name]: { not: 'readable' } }));
    expect(read).toEqual({ ...others, ...(byDefault === undefined ? {} : { [name]: byDefault }) });
  });

  it.each(['', '{', 'null', '[]', '"text"', '{"__proto__":{"enabled":false}}'])('are the defaults for %j', (text) => {
    expect(storedSettings(schema, text)).toEqual(schema.parse({}));
    expect(storedSettings(schema, undefined)).toEqual(schema.parse({}));
  });
});
