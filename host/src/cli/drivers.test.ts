import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DriverOverview } from '../common/drivers.ts';
import { HostError } from '../common/errors.ts';
import { plainManifest } from '../common/plainManifest.test-helper.ts';
import type { DriverManagement } from '../runtime/drivers/install/driverManagement.ts';
import type { RegistryManagement } from '../runtime/drivers/registry/registryManagement.ts';
import { FakeMachine } from './cli.test-helper.ts';

const publisher = { id: 'p', name: 'Publisher', fingerprint: 'ab', origin: 'thirdParty' as const };
const installed = {
  id: 'fixture',
  packageName: '@fixture/driver',
  version: '1.0.0',
  current: true,
  installedAt: '2026-01-01T00:00:00.000Z',
  publisher,
};

const overviewOf = (id: string): DriverOverview => ({
  id,
  packageName: `@fixture/${id}`,
  manifest: plainManifest({ id }),
  state: 'installed',
  installedVersion: '1.0.0',
  availableVersion: '1.0.0',
  versions: [],
  allowedGrants: [],
  updateOffered: false,
  oldSessions: [],
});

let machine: FakeMachine;
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(() => machine[Symbol.asyncDispose]());

/** The calls of the commands to the runtime, in a test. */
function manageRegistries(services: Partial<RegistryManagement>): void {
  Object.assign(machine.registryManagement, services);
}

function manage(services: Partial<DriverManagement>): void {
  Object.assign(machine.management, services);
}

describe('tabularium drivers', () => {
  it('installs from a file by its path, where the command runs', async () => {
    const files: string[] = [];
    manage({
      installFile: async (file) => {
        files.push(file);
        return installed;
      },
    });
    expect(await machine.json(['drivers', 'install', '--file', 'fixture.tgz'])).toMatchObject({
      id: 'fixture',
      version: '1.0.0',
    });
    expect(files).toEqual(['/somewhere/here/fixture.tgz']);
  });

  it('takes a driver or a file, not both and not neither', async () => {
    for (const words of [
      ['drivers', 'install'],
      ['drivers', 'install', 'fixture', '--file', 'x.tgz'],
    ])
      expect(await machine.run(words)).toMatchObject({ code: 2 });
  });

  it('updates all, reports what keeps the old version, and fails when one failed', async () => {
    manage({
      updatable: async () => ['fixture', 'broken'],
      update: async function* (driver) {
        await Promise.resolve();
        if (driver === 'broken') throw new HostError('PACKAGE_TRUNCATED');
        yield { step: 'installed', version: '1.1.0', milliseconds: 1, publisher };
      },
    });
    const { code, out } = await machine.run(['drivers', 'update', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      updated: [{ id: 'fixture', version: '1.1.0', openSessions: [] }],
      passedOver: [],
      failed: [{ id: 'broken', code: 'PACKAGE_TRUNCATED', message: 'The package ends early, so nothing was installed.' }],
    });
  });

  it('says of which driver a newer version can’t run here', async () => {
    const reason = 'Version 2.0.0 has no files for this computer (linux-x64). It runs on: win32-x64.';
    const driver = { ...overviewOf('fixture'), reason };
    manage({
      updatable: async () => [],
      update: async function* () {
        await Promise.resolve();
        yield { step: 'installed', version: '1.0.0', milliseconds: 1, publisher };
      },
      overview: async () => ({
        drivers: [driver, { ...overviewOf('other'), reason, disabled: true }],
        offline: false,
        policy: [],
        policySentences: [],
      }),
    });
    for (const words of [['fixture'], []]) {
      const { code, err, out } = await machine.run(['drivers', 'update', ...words]);
      expect(code).toBe(0);
      expect(err).toContain(`fixture: ${reason}`);
      expect(err).not.toContain('other:');
      expect(out).not.toContain('Everything is up to date');
    }
  });

  it('takes a fingerprint as it is shown, in groups, and refuses what is none', async () => {
    const keys: string[] = [];
    manage({
      trustKey: async (keyId) => {
        keys.push(keyId);
        return publisher;
      },
    });
    const groups = Array.from({ length: 16 }, () => '0A1b');
    expect(await machine.run(['drivers', 'trust', ...groups])).toMatchObject({ code: 0 });
    expect(await machine.run(['drivers', 'trust', groups.join(' ')])).toMatchObject({ code: 0 });
    expect(keys).toEqual(['0a1b'.repeat(16), '0a1b'.repeat(16)]);
    expect(await machine.run(['drivers', 'trust', 'abc'])).toMatchObject({ code: 1 });
  });

  it('leaves of the network what is not named as it is', async () => {
    let network = { offline: true, proxy: 'http://proxy:1/', certificateAuthorityFile: '' };
    manageRegistries({
      network: () => network,
      setNetwork: (next) => {
        network = { ...next };
      },
    });
    expect(await machine.json(['drivers', 'network'])).toEqual(network);
    await machine.json(['drivers', 'network', '--ca-file', 'ca.pem']);
    expect(network).toEqual({ offline: true, proxy: 'http://proxy:1/', certificateAuthorityFile: '/somewhere/here/ca.pem' });
    await machine.json(['drivers', 'network', '--no-offline', '--proxy', '']);
    expect(network).toEqual({ offline: false, proxy: '', certificateAuthorityFile: '/somewhere/here/ca.pem' });
  });

  it('reads the token of a registry from standard input, and shows it nowhere', async () => {
    const saved: unknown[] = [];
    manageRegistries({
      saveRegistry: async (input) => {
        saved.push(input);
      },
      registries: async () => [
        {
          url: 'https://r.example/',
          name: 'R',
          scopes: ['@acme'],
          packages: [],
          downloadOrigins: [],
          catalogue: { state: 'unsigned' },
          hasCredential: true,
          from: 'settings',
        },
      ],
    });
    const words = ['drivers', 'registries', 'add', 'https://r.example/', '--scope', '@acme', '--token-stdin'];
    const { out, err } = await machine.run(words, { input: 'the token\n' });
    expect(saved).toMatchObject([{ url: 'https://r.example/', scopes: ['@acme'], token: 'the token' }]);
    expect(out + err).not.toContain('the token');
  });
});
