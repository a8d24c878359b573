import { DriverError } from '@tabularium/sdk';
import { beforeEach, expect, it } from 'vitest';
import type { ConnectionInput, TestStep } from '../../common/connection.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';
import { ConnectionTest } from './connectionTest.ts';
import type { ConnectionTestParts } from './connectionTest.ts';

const manifest = plainManifest({
  sdk: '^1.1',
  connection: { fields: [{ id: 'host', label: 'Host', type: 'text' }] },
  permissions: {},
  reading: { maxSorts: 0 },
});
const input: ConnectionInput = {
  name: 'X',
  driver: 'x',
  settings: {},
  secrets: {},
  access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
  color: 'blue',
};

/** The part that fails. */
let failing: 'driver' | 'credentials' | 'probe' | 'server' | undefined;
beforeEach(() => {
  failing = undefined;
});

const failIf = (part: typeof failing): void => {
  if (failing === part) throw new DriverError('TIMEOUT');
};

const parts = {
  drivers: {
    ensureInstalled: async () => {
      failIf('driver');
      return { manifest, version: '1.0.0' };
    },
  },
  secrets: { resolveInput: async () => failIf('credentials') },
  probe: {
    async *probe(): AsyncGenerator<TestStep> {
      yield { id: 'tcp', label: 'TCP', outcome: failing === 'probe' ? 'failed' : 'ok', message: '' };
      if (failing === 'probe') yield { id: 'tls', label: 'TLS', outcome: 'skipped', message: '' };
    },
  },
  connector: {
    connect: async () => {
      failIf('server');
      return { server: { product: 'X', version: '1' }, findings: [], ping: async () => undefined, close: async () => undefined };
    },
  },
} as unknown as ConnectionTestParts;

/** The steps as they ended. */
async function stepsOf(): Promise<readonly TestStep[]> {
  const steps = new Map<string, TestStep>();
  for await (const step of new ConnectionTest(parts).run(input, undefined, new AbortController().signal))
    steps.set(step.id, step);
  return [...steps.values()];
}

it.each([
  ['driver', ['driver failed']],
  ['credentials', ['driver ok', 'credentials failed', 'server skipped']],
  ['probe', ['driver ok', 'tcp failed', 'tls skipped', 'server skipped']],
  ['server', ['driver ok', 'tcp ok', 'server failed']],
  [undefined, ['driver ok', 'tcp ok', 'server ok']],
] as const)('ends at what failed: %s', async (part, expected) => {
  failing = part;
  const steps = await stepsOf();
  expect(steps.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(expected);
  // The reason is the step that failed, which has an address.
  const server = steps.find(({ id, outcome }) => id === 'server' && outcome === 'skipped');
  if (server !== undefined) expect(server.message).toBe('Skipped because an earlier step failed.');
});
