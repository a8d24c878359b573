import { describe, expect, it } from 'vitest';
import type { ConnectionInput, SavedConnection } from '../../common/connection.ts';
import { retainedView } from './retainedView.ts';

const before = {
  driver: 'search',
  settings: { host: '127.0.0.1', port: 8108 },
  secrets: {},
  access: { externalClients: 'readOnly', aiPolicy: 'never' },
} as unknown as SavedConnection;
const input = { ...before, secrets: {} } as unknown as ConnectionInput;

describe('an edited connection', () => {
  it.each([
    ['nothing of the server', {}, 'whole'],
    ['the name', { name: 'Other' }, 'whole'],
    ['the key', { secrets: { apiKey: { kind: 'session', value: 'x' } } }, 'typed'],
    ['the host', { settings: { host: 'localhost', port: 8108 } }, 'tabs'],
    ['host and key', { settings: { host: 'x', port: 8108 }, secrets: { apiKey: { kind: 'remove' } } }, 'tabs'],
    ['read-only mode', { access: { externalClients: 'readOnly', aiPolicy: 'never', readOnly: true } }, 'tabs'],
  ] as const)('with %s changed keeps %j', (_what, change, retained) => {
    expect(retainedView(before, { ...input, ...change })).toBe(retained);
  });
});
