import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIELDS, HTTP, SECRET, SecretBench, driverFiles } from './secretBench.ts';
import { FORBIDDEN, caught, expectNothingSent } from './sendingPaths.ts';

// An update that a registry brings, as most do; and the administrator's policy, which no answer of a person opens.

const { signal } = new AbortController();

let bench: SecretBench;
beforeEach(async () => {
  bench = await SecretBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const ping = (): Promise<unknown> =>
  bench.runtime.sessions.use(bench.connectionId, ({ session }) => session.ping({ signal }), { signal });

const elsewhere = () =>
  driverFiles({
    version: '2.0.0',
    fields: [...FIELDS, { id: 'gate', label: 'Gate', type: 'number', default: bench.evil.port }],
    http: { origin: { ...HTTP.origin, port: { field: 'gate', whenEmpty: 1 } } },
  });
const otherHeader = () => driverFiles({ version: '2.0.0', http: { credentials: [{ field: 'key', headers: ['x-trace-id'] }] } });

async function codeOfQuestion(): Promise<string> {
  const question = await bench.runtime.connections.secretQuestion(bench.connectionId);
  if (question === undefined) throw new Error('Nothing is asked.');
  return question.code;
}

const versionInUse = async (): Promise<string | undefined> =>
  (await bench.runtime.driverManagement.overview()).drivers.find(({ id }) => id === 'tiny')?.installedVersion;

describe.each([
  ['that leads elsewhere', elsewhere],
  ['that sends the secret in another header', otherHeader],
] as const)('an update from a registry %s', (_how, files) => {
  it('sends nothing by any path before a person has confirmed it, and works afterwards', async () => {
    await ping();
    expect(bench.good.received).toContain(SECRET);
    await bench.publish(files());
    await bench.update();
    expect(await versionInUse()).toBe('2.0.0');
    await expectNothingSent(bench);
    await bench.runtime.connections.confirmSecrets(bench.connectionId, await codeOfQuestion());
    await ping();
    expect(bench.good.received + bench.evil.received).toContain(SECRET);
  });
});

describe('an update from a registry by another publisher', () => {
  it('sends nothing either', async () => {
    await bench.publish(driverFiles({ version: '2.0.0' }), 'other');
    await bench.update();
    expect(await versionInUse()).toBe('2.0.0');
    await expectNothingSent(bench);
  });
});

describe("the administrator's policy", () => {
  const forbid = (rules: object): Promise<void> => writeFile(bench.policyFile, JSON.stringify({ formatVersion: 1, ...rules }));

  it.each([
    ['the driver', { drivers: ['another'] }],
    ['the publisher', { publishers: ['firstParty'] }],
    ['everything, by a file that cannot be understood', { driver: ['tiny'] }],
  ])(
    'that forbids %s is not opened by a confirmation, neither one before nor one after',
    async (_what, rules) => {
      await bench.publish(elsewhere());
      await bench.update();
      const code = await codeOfQuestion();
      await forbid(rules);
      await expectNothingSent(bench, FORBIDDEN);
      // Whether the question can still be answered is all one: the answer opens nothing.
      await caught(bench.runtime.connections.confirmSecrets(bench.connectionId, code));
      await expectNothingSent(bench, FORBIDDEN);
      await caught(bench.update());
      await expectNothingSent(bench, FORBIDDEN);
    },
    120_000,
  );

  it.each([
    ['the registry', { registries: ['https://allowed.example/'] }],
    ['every registry', { offline: true }],
  ])('that forbids %s keeps the update away, and a confirmation fetches nothing', async (_what, rules) => {
    await bench.publish(elsewhere());
    await forbid(rules);
    await expect(bench.update()).rejects.toMatchObject({
      code: expect.stringMatching(/POLICY_FORBIDS|OFFLINE|UNREACHABLE/) as string,
    });
    expect(await versionInUse()).toBe('1.0.0');
    expect(await bench.runtime.connections.secretQuestion(bench.connectionId)).toBeUndefined();
    await expect(bench.runtime.connections.confirmSecrets(bench.connectionId, '0'.repeat(32))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await ping();
    expect(bench.good.received).toContain(SECRET);
    expect(bench.evil.connections).toBe(0);
    expect(await versionInUse()).toBe('1.0.0');
  });

  it('that forbids the publisher of an update leaves the version in use as it is', async () => {
    const { acme } = bench.keys;
    await bench.publish(driverFiles({ version: '2.0.0' }), 'other');
    const { keyIdOf } = await import('@tabularium/sdk/package');
    await forbid({ publishers: [await keyIdOf(acme.publicKey)] });
    await expect(bench.update()).rejects.toMatchObject({ code: FORBIDDEN });
    expect(await versionInUse()).toBe('1.0.0');
    await ping();
    expect(bench.good.received).toContain(SECRET);
  });
});
