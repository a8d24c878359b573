import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { preferencesSchema } from '../../common/api.ts';
import { HostError } from '../../common/errors.ts';
import { registrySource } from '../drivers/trust/registrySource.ts';
import type { RegistrySource } from '../drivers/trust/registrySource.ts';
import { ApplicationUpdates } from './applicationUpdates.ts';

const HOUR = 3_600_000;
const acme = registrySource('https://acme.example', { name: 'Acme' });
const other = registrySource('https://other.example', { name: 'Other' });

let connection: DatabaseSync;
let isOn: boolean;
let isOffline: boolean;
let now: number;
let asked: string[];
let warnings: string[];
let latest: (registry: RegistrySource) => Promise<string | undefined>;
let all: readonly RegistrySource[];

beforeEach(() => {
  connection = new DatabaseSync(':memory:');
  connection.exec('CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  isOn = true;
  isOffline = false;
  now = Date.UTC(2026, 5, 1);
  asked = [];
  warnings = [];
  latest = async () => '1.1.0';
  all = [acme, other];
});

const updates = (version = '1.0.0'): ApplicationUpdates =>
  new ApplicationUpdates({
    version,
    database: { connection },
    preferences: { get: () => preferencesSchema.parse({ lookForNewerVersions: isOn }) },
    registries: { list: async () => all },
    client: {
      latestVersion: (registry, name) => {
        asked.push(`${registry.name} ${name}`);
        return latest(registry);
      },
    },
    network: { isOffline: async () => isOffline },
    logger: { warn: (text) => void warnings.push(text) },
    now: () => now,
  });

describe('looking for newer versions', () => {
  it('is off until the owner switches it on, and asks no registry before', async () => {
    expect(preferencesSchema.parse({}).lookForNewerVersions).toBe(false);
    isOn = false;
    await updates().look();
    expect(asked).toEqual([]);
    expect(updates().state()).toEqual({ isOn: false, lookedAt: undefined });
    isOn = true;
    await updates().look();
    expect(asked).toEqual(['Acme @tabularium/host', 'Other @tabularium/host']);
    expect(updates().state()).toEqual({ isOn: true, lookedAt: new Date(now) });
  });

  it('takes the newest of all registries, and shows nothing once it is off again', async () => {
    latest = async ({ name }) => (name === 'Acme' ? '1.9.0' : '1.10.0');
    await updates().look();
    expect(updates().newer()).toEqual({ version: '1.10.0', registry: 'Other' });
    // After the update.
    expect(updates('1.10.0').newer()).toBeUndefined();
    isOn = false;
    expect(updates().newer()).toBeUndefined();
  });

  it('happens once a day, also over a restart', async () => {
    await updates().look();
    now += 23 * HOUR;
    await updates().look();
    expect(asked).toHaveLength(2);
    now += HOUR;
    await updates().look();
    expect(asked).toHaveLength(4);
    // The clock was set back.
    now -= 48 * HOUR;
    await updates().look();
    expect(asked).toHaveLength(6);
  });

  it('leaves offline mode alone, and looks after it', async () => {
    isOffline = true;
    await updates().look();
    expect(asked).toEqual([]);
    isOffline = false;
    await updates().look();
    expect(asked).toHaveLength(2);
  });

  it('asks the registry of the scope alone, where there is one', async () => {
    const own = registrySource('https://own.example', { name: 'Own', scopes: ['@tabularium'] });
    all = [acme, own];
    await updates().look();
    expect(asked).toEqual(['Own @tabularium/host']);
  });

  it('logs a registry that does not answer, and takes the others', async () => {
    latest = async ({ name }) => {
      if (name === 'Acme') throw new HostError('REGISTRY_UNREACHABLE', 'Acme does not answer.');
      return '2.0.0';
    };
    await updates().look();
    expect(updates().newer()).toEqual({ version: '2.0.0', registry: 'Other' });
    expect(warnings).toHaveLength(1);
  });

  it('does not count a look that no registry answered, and keeps what was found before', async () => {
    await updates().look();
    const before = updates().state();
    now += 25 * HOUR;
    latest = async () => {
      throw new HostError('REGISTRY_UNREACHABLE', 'No registry answers.');
    };
    await updates().look();
    expect(updates().newer()).toEqual({ version: '1.1.0', registry: 'Acme' });
    expect(updates().state()).toEqual(before);
    now += HOUR;
    await updates().look();
    expect(asked).toHaveLength(6);
  });

  it('keeps what a registry had that does not answer now, and drops it once the registry says otherwise', async () => {
    latest = async ({ name }) => (name === 'Acme' ? '1.9.0' : '1.1.0');
    await updates().look();
    now += 25 * HOUR;
    latest = async ({ name }) => {
      if (name === 'Acme') throw new HostError('REGISTRY_UNREACHABLE', 'Acme does not answer.');
      return '1.2.0';
    };
    await updates().look();
    expect(updates().newer()).toEqual({ version: '1.9.0', registry: 'Acme' });
    now += 25 * HOUR;
    latest = async () => '1.2.0';
    await updates().look();
    expect(updates().newer()).toEqual({ version: '1.2.0', registry: 'Acme' });
  });

  it('finds nothing where no registry has the application, or only an older one', async () => {
    latest = async () => undefined;
    await updates().look();
    expect(updates().newer()).toBeUndefined();
    now += 25 * HOUR;
    latest = async () => '0.9.0';
    await updates().look();
    expect(updates().newer()).toBeUndefined();
  });

  it('offers a pre-release to those who have one, and to no others', async () => {
    latest = async (registry) => (registry === acme ? '2.0.0-beta.1' : '1.2.0');
    await updates('1.0.0').look();
    expect(updates('1.0.0').newer()).toEqual({ version: '1.2.0', registry: 'Other' });
    connection.exec('DELETE FROM preferences');
    await updates('2.0.0-beta.0').look();
    expect(updates('2.0.0-beta.0').newer()).toEqual({ version: '2.0.0-beta.1', registry: 'Acme' });
    expect(updates('1.0.0').newer()).toBeUndefined();
  });

  it('has not looked where no registry answered, or there is none', async () => {
    all = [];
    await updates().look();
    expect(updates().state().lookedAt).toBeUndefined();
    all = [acme];
    latest = async () => Promise.reject(new HostError('REGISTRY_UNREACHABLE'));
    await updates().look();
    expect(updates().state().lookedAt).toBeUndefined();
  });
});
