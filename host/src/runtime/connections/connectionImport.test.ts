import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OnConflict } from '../../common/connectionFile.ts';
import { HostError } from '../../common/errors.ts';
import { Database } from '../storage/database.ts';
import { readConnectionFile } from './connectionFile.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { ConnectionImport } from './connectionImport.ts';
import { manifestWith } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import { testBindings, valuesSent } from './bindings.test-helper.ts';
import { ConnectionSecrets } from './connectionSecrets.ts';
import { ConnectionService } from './connectionService.ts';
import { ConnectionStore } from './connectionStore.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { BOX_TERMS, plainManifest } from '../../common/plainManifest.test-helper.ts';

const manifest = plainManifest({
  terms: BOX_TERMS,
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'tls', label: 'TLS', type: 'toggle' },
      { id: 'mode', label: 'Mode', type: 'select', options: [{ value: 'identity', label: 'Identity' }] },
      { id: 'trustAny', label: 'Trust Any', type: 'toggle' },
      { id: 'key', label: 'Access Key', type: 'secret', required: true },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 80 },
        scheme: { field: 'tls', plainValues: ['false'] },
      },
      credentials: [{ field: 'key', headers: ['x-key'] }],
      tls: { mode: { field: 'mode', verifyIdentity: ['identity'] }, skipVerification: 'trustAny' },
    },
  },
  reading: { maxSorts: 0 },
});

let database: Database;
const stored = new Map<string, string>();
let store: ConnectionStore;
let secrets: ConnectionSecrets;
let service: ConnectionService;
let transfer: ConnectionImport;
beforeEach(() => {
  stored.clear();
  database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration]);
  store = new ConnectionStore(database);
  const secureStore = {
    state: async () => ({ available: true, name: 'memory' }) as const,
    get: async (account: string) => stored.get(account),
    set: async (account: string, secret: string) => void stored.set(account, secret),
    delete: async (account: string) => void stored.delete(account),
  };
  secrets = new ConnectionSecrets(secureStore, { OWN: 'from-environment' }, testBindings());
  const manifests = {
    manifestOf: async (driver: string) => {
      if (driver !== 'fixture') throw new HostError('DRIVER_UNKNOWN');
      return manifest;
    },
    senderOf: async () => testSender(manifest),
  };
  const installed = { current: () => Promise.reject(new HostError('DRIVER_NOT_INSTALLED')) };
  service = new ConnectionService({ store, secrets, manifests, installed, database, stagedTables: () => 0 });
  transfer = new ConnectionImport({ store, service, manifests });
});
afterEach(() => database[Symbol.dispose]());

const create = (name: string, host = 'one', secret = 's3cret-value') =>
  service.create({
    name,
    driver: 'fixture',
    settings: { host },
    secrets: { key: { kind: 'store', value: secret } },
    access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
    color: 'blue',
    group: 'Work',
  });
const fileOf = (...connections: object[]): string =>
  JSON.stringify({ format: 'tabularium-connections', version: 1, connections }, undefined, 2);
const importAll = (text: string, onConflict: OnConflict = 'skip') =>
  transfer.import({ text, choices: readConnectionFile(text).connections.map((_one, index) => ({ index, onConflict })) });

describe('a file of connections', () => {
  it('holds everything but credentials, and brings it back into another home', async () => {
    await create('One');
    await service.create({
      name: 'Two',
      driver: 'fixture',
      settings: { host: 'two', port: 8_108 },
      secrets: { key: { kind: 'environment', variable: 'OWN' } },
      access: { externalClients: 'blocked', aiPolicy: 'never' },
      color: 'red',
    });
    const text = transfer.export(undefined);
    expect(text).not.toContain('s3cret-value');
    expect(readConnectionFile(text).problems).toEqual([]);
    for (const { id } of store.list()) await service.remove(id);

    const { candidates } = await transfer.preview(text);
    expect(candidates).toMatchObject([
      { name: 'One', driverTitle: 'Fixture', group: 'Work', address: 'one:80', secretsToEnter: ['Access Key'], problems: [] },
      { name: 'Two', secretsToEnter: [], fromEnvironment: ['OWN'], problems: [] },
    ]);
    expect(store.list()).toEqual([]);
    expect((await importAll(text)).map(({ outcome, fromEnvironment }) => [outcome, fromEnvironment])).toEqual([
      ['added', undefined],
      ['added', ['OWN']],
    ]);
    expect(store.findByName('One')).toMatchObject({ settings: { host: 'one' }, color: 'blue', group: 'Work', secrets: {} });
    expect(store.findByName('Two')).toMatchObject({
      secrets: { key: { kind: 'environment', variable: 'OWN' } },
      access: { externalClients: 'blocked', aiPolicy: 'never' },
    });
  });

  it('opens nothing to programs: access is narrowed to what a new connection has', async () => {
    await create('One');
    const text = transfer.export(undefined);
    await importAll(text, 'rename');
    expect(store.findByName('One 2')?.access).toEqual({ externalClients: 'readOnly', aiPolicy: 'askEachTime' });
  });

  it.each(['skip', 'rename', 'replace'] as const)('takes no name for the id of another connection: %s', async (onConflict) => {
    const one = await create('One');
    const name = one.id.toUpperCase();
    const text = fileOf({ name, driver: 'fixture', settings: { host: 'elsewhere' } });
    expect((await transfer.preview(text)).candidates).toMatchObject([{ name, freeName: `${name} 2` }]);
    expect(await importAll(text, onConflict)).toMatchObject([{ name: `${name} 2`, outcome: 'renamed' }]);
    expect(store.get(one.id)).toEqual(one);
    expect([...stored.values()].join()).toContain('s3cret-value');
    expect(store.list()).toHaveLength(2);
  });

  it.each(['skip', 'rename', 'replace'] as const)('where the name is taken: %s', async (onConflict) => {
    const before = await create('One');
    const text = fileOf({ name: 'ONE', driver: 'fixture', settings: { host: 'one', port: 9 } });
    expect((await transfer.preview(text)).candidates).toMatchObject([{ conflict: { id: before.id }, freeName: 'ONE 2' }]);
    const [outcome] = await importAll(text, onConflict);
    const expected = { skip: 'skipped', rename: 'renamed', replace: 'replaced' } as const;
    expect(outcome?.outcome).toBe(expected[onConflict]);
    expect(store.list().map(({ name }) => name)).toEqual(onConflict === 'rename' ? ['One', 'ONE 2'] : ['One']);
    expect(store.get(before.id).settings).toEqual(onConflict === 'replace' ? { host: 'one', port: 9 } : { host: 'one' });
  });

  it('keeps the credentials and the access of what it replaces, unless it leads to another server', async () => {
    const { id } = await create('One');
    await importAll(fileOf({ name: 'One', driver: 'fixture', settings: { host: 'one' }, color: 'red' }), 'replace');
    expect(store.get(id)).toMatchObject({
      color: 'red',
      secrets: { key: { kind: 'store' } },
      access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
    });
    await importAll(fileOf({ name: 'One', driver: 'fixture', settings: { host: 'evil.example' } }), 'replace');
    expect(store.get(id)).toMatchObject({ settings: { host: 'evil.example' }, secrets: {} });
    expect([...stored]).toEqual([]);
  });

  it('keeps no credentials where anybody between could read them from now on', async () => {
    const { id } = await create('One');
    await importAll(fileOf({ name: 'One', driver: 'fixture', settings: { host: 'one', trustAny: true } }), 'replace');
    expect(store.get(id)).toMatchObject({ settings: { trustAny: true }, secrets: {} });
    expect([...stored]).toEqual([]);
  });

  it('says what is wrong and where, and takes what is right beside it', async () => {
    const text = fileOf(
      { name: 'Good', driver: 'fixture', settings: {} },
      { name: 'No type', driver: 'gone', settings: {} },
      { name: 'Bad', driver: 'fixture', settings: { host: 5 } },
      { driver: 'fixture', settings: {}, secrets: { key: 'x' } },
    );
    const { candidates } = await transfer.preview(text);
    expect(candidates.map(({ name, problems }) => [name, problems.length > 0])).toEqual([
      ['Good', false],
      ['No type', true],
      ['Bad', true],
      ['', true],
    ]);
    const lines = text.split('\n');
    const at = candidates.flatMap(({ problems }) => problems.map(({ line }) => lines[line - 1]?.trim()));
    expect(at).toEqual(['{', '{', '{', '{']);
    const outcomes = await importAll(text);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['added', 'failed', 'failed', 'failed']);
    expect(store.list().map(({ name }) => name)).toEqual(['Good']);
  });

  it.each([
    ['', 'value expected', 1, 1],
    ['{\n  "format": tabularium\n}', 'invalid symbol', 2, 13],
    ['[]', "isn't a connections file", 1, 1],
    ['{"format":"other","version":1,"connections":[]}', "isn't a connections file", 1, 11],
    ['{"format":"tabularium-connections","version":2,"connections":[]}', 'version 2', 1, 46],
  ])('rejects an invalid file with the position of the fault: %j', async (text, sentence, line, column) => {
    const { problems, candidates } = await transfer.preview(text);
    expect(candidates).toEqual([]);
    expect(problems[0]?.message).toContain(sentence);
    expect(problems[0]).toMatchObject({ line, column });
    await expect(transfer.import({ text, choices: [] })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is refused when it is made to hold the host up', () => {
    const begin = '{"format":"tabularium-connections","version":1,"connections":[';
    const all = (count: number): string => `${begin}${Array.from({ length: count }, () => '{}').join(',\n')}]}`;
    const { connections } = readConnectionFile(all(10_000));
    expect([connections.length, connections.at(-1)?.at]).toEqual([10_000, { line: 10_000, column: 1 }]);
    expect(readConnectionFile(all(10_001)).problems).toMatchObject([{ message: expect.stringContaining('10000') as string }]);
    for (const deep of ['['.repeat(200_000), `${begin}${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]}`])
      expect(readConnectionFile(deep).problems).toMatchObject([{ message: 'The file is nested too deeply.' }]);
  });

  it('reaches no prototype', async () => {
    const text = '{"format":"tabularium-connections","version":1,"connections":[{"__proto__":{"name":"x"},"driver":"fixture"}]}';
    expect((await transfer.preview(text)).candidates[0]?.problems.length).toBeGreaterThan(0);
    expect(({} as { name?: unknown }).name).toBeUndefined();
  });
});

describe('a copy of a connection', () => {
  it('has no credential, or its own copy of it, in the same kind of place', async () => {
    const one = await create('One');
    const bare = await service.duplicate(one.id, 'Bare', false);
    expect([bare.secrets, bare.settings, bare.group]).toEqual([{}, { host: 'one' }, 'Work']);
    const full = await service.duplicate(one.id, 'Full', true);
    expect(full.secrets).toEqual({ key: { kind: 'store' } });
    await service.remove(one.id);
    expect(await valuesSent(secrets, full, testSender(manifest))).toEqual({ key: 's3cret-value' });
    await expect(service.duplicate(full.id, 'bare', true)).rejects.toMatchObject({ code: 'CONNECTION_NAME_TAKEN' });
  });

  it('has no sign-in: two connections would spend one refresh token', async () => {
    const at = (path: string) => ({ value: `https://login.example/${path}` });
    const signsIn = manifestWith([
      {
        scheme: 'oauth2',
        grant: 'signIn',
        field: 'key',
        clientId: { value: 'tabularium' },
        clientSecret: 'token',
        tokenUrl: at('token'),
        authorizationUrl: at('authorize'),
      },
    ]);
    const manifests = { manifestOf: async () => signsIn, senderOf: async () => testSender(signsIn) };
    const installed = { current: () => Promise.reject(new HostError('DRIVER_NOT_INSTALLED')) };
    const signing = new ConnectionService({ store, secrets, manifests, installed, database, stagedTables: () => 0 });
    const one = await signing.create({
      name: 'One',
      driver: 'fixture',
      settings: { host: 'one' },
      secrets: { key: { kind: 'store', value: 'M4RKED-refresh' }, token: { kind: 'store', value: 'client-secret' } },
      access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
      color: 'blue',
    });
    const copy = await signing.duplicate(one.id, 'Copy', true);
    expect(copy.secrets).toEqual({ token: { kind: 'store' } });
    expect([...stored].filter(([, value]) => value.includes('M4RKED')).map(([account]) => account)).toEqual([`${one.id}/key`]);
  });

  it('is not left behind when its credential cannot be kept', async () => {
    const one = await create('One');
    stored.set = () => {
      throw new HostError('SECURE_STORE_UNAVAILABLE');
    };
    await expect(service.duplicate(one.id, 'Full', true)).rejects.toMatchObject({ code: 'SECURE_STORE_UNAVAILABLE' });
    Reflect.deleteProperty(stored, 'set');
    expect(store.list().map(({ name }) => name)).toEqual(['One']);
  });
});

describe('groups', () => {
  it('are taken and left, all of them or none', async () => {
    const [one, two] = [await create('One'), await create('Two')];
    service.group([one.id, two.id], 'Home');
    expect(store.list().map(({ group }) => group)).toEqual(['Home', 'Home']);
    expect(() => service.group([one.id, '00000000-0000-4000-8000-000000000000'], undefined)).toThrow();
    expect(store.get(one.id).group).toBe('Home');
    service.group([one.id], undefined);
    expect(store.get(one.id).group).toBeUndefined();
  });
});
