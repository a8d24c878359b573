import type { FurtherOriginInput, ManifestInput } from '@tabularium/sdk/manifest';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { policySchema } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { errorReport } from '../../host/src/runtime/errors/errorReport.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

const API = 'https://api.example.com';
const COLLECTOR = 'https://collector.example';

let registry: RunningRegistry;
let host: PackageHost;
let policy: Policy | undefined;

const further = (id: string, origin: FurtherOriginInput['origin']): FurtherOriginInput => ({
  ...{ id, origin, label: `The ${id}` },
  reason: `It needs the ${id}.`,
});
const boards = further('boards', {
  host: { field: 'boards' },
  port: { field: 'port', whenEmpty: 1 },
  scheme: { field: 'tls', plainValues: ['false'] },
});

/** As many and as long as a manifest can have. */
const LONG = ['a', 'b', 'c'].map((id): FurtherOriginInput => ({
  ...{ id, label: id.repeat(40), reason: id.repeat(400) },
  origin: `https://${id.repeat(63)}.${id.repeat(63)}.${id.repeat(63)}.${id.repeat(40)}.example`,
}));

function cloudy(version: string, furtherOrigins: FurtherOriginInput[]) {
  const manifest: Partial<ManifestInput> = {
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'number' },
        { id: 'tls', label: 'TLS', type: 'toggle' },
        { id: 'boards', label: 'Boards', type: 'text' },
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: 'localhost' },
          port: { field: 'port', whenEmpty: 1 },
          scheme: { field: 'tls', plainValues: ['false'] },
        },
        furtherOrigins,
      },
    },
  };
  return tinyDriver({ id: 'cloudy', sdk: '^1.1', version, manifest });
}

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(cloudy('1.0.0', [boards]));
  await registry.publish(cloudy('2.0.0', [boards, further('cloud', API)]));
  await registry.publish(cloudy('3.0.0', [further('cloud', API), further('collector', COLLECTOR)]));
  await registry.publish(cloudy('5.0.0', LONG));
  await registry.publish(cloudy('4.0.0', [further('cloud', COLLECTOR)]));
});
afterAll(() => registry.close());
beforeEach(async () => {
  policy = undefined;
  host = await createPackageHost({ registryFile: registry.registryJsonPath, policy: async () => policy });
});
afterEach(() => host.close());

describe('a driver with a fixed address', () => {
  it('is neither run nor installed before a person has allowed that address', async () => {
    const error = await caught(host.install('cloudy', '2.0.0'));
    expect(error).toMatchObject({ code: 'GRANT_NEEDED', question: { grants: [API], missing: [API] } });
    const { message, advice } = errorReport(error);
    expect(message).toContain(
      `asks to reach other servers (${API}). It could then send requests to ${API}, and with them whatever it reads.`,
    );
    expect(message).toContain('The driver gives this reason: "The cloud: It needs the cloud."');
    expect(advice).toContain(`tabularium drivers allow cloudy ${API}`);
    expect(host.trialLoader.tried).toEqual([]);

    host.management.allowGrants('cloudy', [API]);
    expect(await host.install('cloudy', '2.0.0')).toMatchObject({ allowedGrants: [API] });
    expect(await host.installed.current('cloudy')).toMatchObject({ version: '2.0.0', allowedGrants: [API] });
    expect((await host.management.overview()).drivers[0]).toMatchObject({ allowedGrants: [API] });
  });

  it('names every address and every reason whole, however long they are', async () => {
    const { message } = errorReport(await caught(host.install('cloudy', '5.0.0')));
    for (const { origin, reason } of LONG) {
      expect(message).toContain(`send requests to ${origin as string}, and with them whatever it reads`);
      expect(message).toContain(reason);
    }
  });

  it('asks about nothing where a person enters the address', async () => {
    expect(await host.install('cloudy', '1.0.0')).toMatchObject({ version: '1.0.0' });
  });

  it.each(['3.0.0', '4.0.0'])('asks again when a version has another address: %s', async (version) => {
    await caught(host.install('cloudy', '2.0.0'));
    host.management.allowGrants('cloudy', [API]);
    await host.install('cloudy', '2.0.0');
    expect(await caught(host.install('cloudy', version))).toMatchObject({
      code: 'GRANT_NEEDED',
      question: { missing: [COLLECTOR] },
    });
    expect(await host.installed.current('cloudy')).toMatchObject({ version: '2.0.0' });
    // The answer about one address covers no other.
    expect(() => host.management.allowGrants('cloudy', ['https://other.example'])).toThrow(/hasn't requested/);
    host.management.allowGrants('cloudy', [COLLECTOR]);
    await host.install('cloudy', version);
    expect(await host.installed.current('cloudy')).toMatchObject({ version });
  });

  it('is used no more once a person has taken the permission back', async () => {
    await caught(host.install('cloudy', '2.0.0'));
    host.management.allowGrants('cloudy', [API]);
    await host.install('cloudy', '2.0.0');
    // A second answer changes nothing and fails at nothing; it covers no other address.
    host.management.allowGrants('cloudy', [API]);
    expect(() => host.management.allowGrants('cloudy', [API, COLLECTOR])).toThrow(
      `hasn't requested this permission: ${COLLECTOR}.`,
    );
    expect(await host.management.withdrawGrants('cloudy')).toEqual([API]);
    expect(await host.management.withdrawGrants('cloudy')).toEqual([]);
    expect(() => host.management.allowGrants('cloudy', [API])).toThrow(/hasn't requested/);
    await expect(host.installed.current('cloudy')).rejects.toMatchObject({ code: 'GRANT_NEEDED' });
  });

  it('needs the address in the list of the administrator, where there is one', async () => {
    const with_ = (widerGrants: unknown): Policy => policySchema.parse({ formatVersion: 1, widerGrants });
    for (const list of [false, [], ['network'], [COLLECTOR]]) {
      policy = with_(list);
      expect(await caught(host.install('cloudy', '2.0.0'))).toMatchObject({ code: 'POLICY_FORBIDS' });
    }
    policy = with_([API]);
    expect(await caught(host.install('cloudy', '2.0.0'))).toMatchObject({ code: 'GRANT_NEEDED' });
    expect(policySchema.safeParse({ formatVersion: 1, widerGrants: ['https://localhost'] }).success).toBe(false);
  });
});
