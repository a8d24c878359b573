import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { HostError } from '../../common/errors.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { Database } from '../storage/database.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import { testBindings, valuesSent } from './bindings.test-helper.ts';
import { ConnectionSecrets } from './connectionSecrets.ts';
import type { BindTo } from './heldSecret.ts';
import { ConnectionService } from './connectionService.ts';
import { ConnectionStore, type ConnectionRecord } from './connectionStore.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const record: ConnectionRecord = {
  name: 'Shop',
  driver: 'sample',
  settings: { host: 'localhost', port: 8108 },
  secrets: { password: { kind: 'store' } },
  access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
  color: 'blue',
};

function manifestWithPassword(required: boolean): Manifest {
  return plainManifest({
    id: 'sample',
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'number' },
        { id: 'tls', label: 'TLS', type: 'toggle' },
        { id: 'password', label: 'Password', type: 'secret', required },
      ],
    },
    permissions: {
      http: {
        credentials: [{ field: 'password', headers: ['x-password'] }],
        origin: {
          host: { field: 'host', whenEmpty: 'localhost' },
          port: { field: 'port', whenEmpty: 80 },
          scheme: { field: 'tls', plainValues: ['false'] },
        },
      },
    },
  });
}

const sender = (required: boolean) => testSender(manifestWithPassword(required));
/** As a person enters them in the form of {@link record}. */
const bindTo: BindTo = (field) => {
  const reach = secretReach(sender(true), record.settings, field);
  return reach === undefined ? undefined : { reach, publisherName: 'P' };
};

function storeWith(values: Map<string, string>): SecureStore {
  return {
    state: () => Promise.resolve({ available: true, name: 'memory' }),
    get: (account) => Promise.resolve(values.get(account)),
    set: (account, secret) => Promise.resolve(void values.set(account, secret)),
    delete: (account) => Promise.resolve(void values.delete(account)),
  };
}

const unavailable: SecureStore = {
  state: () => Promise.resolve({ available: false, name: 'none', reason: 'none here' }),
  get: () => Promise.reject(new HostError('SECURE_STORE_UNAVAILABLE')),
  set: () => Promise.reject(new HostError('SECURE_STORE_UNAVAILABLE')),
  delete: () => Promise.reject(new HostError('SECURE_STORE_UNAVAILABLE')),
};

let database: Database;
beforeEach(
  () => (database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration])),
);
afterEach(() => database[Symbol.dispose]());

describe('ConnectionStore', () => {
  it('stores a connection as given and emits each change', () => {
    const store = new ConnectionStore(database);
    const changes: string[] = [];
    store.onChange((change) => changes.push(`${change.kind} ${change.connection.name}`));
    const created = store.create(record);
    expect(store.get(created.id)).toEqual(created);
    expect(created).toMatchObject(record);
    const updated = store.update(created.id, { ...record, name: 'Shop 2' });
    expect(updated.createdAt).toBe(created.createdAt);
    store.remove(created.id);
    expect(store.list()).toEqual([]);
    expect(changes).toEqual(['created Shop', 'updated Shop 2', 'removed Shop 2']);
  });

  it('takes no id of another connection for a name, nor gives it as one', () => {
    const store = new ConnectionStore(database);
    const shop = store.create(record);
    const taken = expect.objectContaining({
      code: 'CONNECTION_NAME_TAKEN',
      message: expect.stringContaining('"Shop"') as string,
    }) as Error;
    expect(store.findByName(shop.id)).toBeUndefined();
    for (const name of [shop.id, shop.id.toUpperCase(), ` ${shop.id}`]) {
      expect(() => store.create({ ...record, name })).toThrow(taken);
      expect(store.isFreeName(name)).toBe(false);
    }
    const other = store.create({ ...record, name: 'Other' });
    expect(() => store.update(other.id, { ...record, name: shop.id })).toThrow(taken);
    // One that a version before has let have it can be changed still.
    database.connection.prepare('UPDATE connections SET name = ? WHERE id = ?').run(shop.id, other.id);
    expect(store.updateSecrets(other.id, () => ({})).name).toBe(shop.id);
    expect(store.update(other.id, { ...record, name: 'Another' }).name).toBe('Another');
  });

  it('finds by name without regard to letter case, and by id, and refuses a second one of the same name', () => {
    const store = new ConnectionStore(database);
    const created = store.create(record);
    expect(store.findByName('sHOP')?.id).toBe(created.id);
    expect(store.findById(created.id)?.name).toBe('Shop');
    expect(() => store.create({ ...record, name: 'SHOP' })).toThrow(expect.objectContaining({ code: 'CONNECTION_NAME_TAKEN' }));
    expect(() => store.get('00000000-0000-4000-8000-000000000000')).toThrow(
      expect.objectContaining({ code: 'CONNECTION_UNKNOWN' }),
    );
  });
});

it.each(['2', "'no'", '-1'])('a read-only mode that cannot be read is on: %s', (damaged) => {
  // Not strict, as a restored file of another program may be.
  const loose = new Database(':memory:', [
    { id: 'loose', sql: connectionsMigration.sql.replaceAll('STRICT', '') },
    connectionGroupsMigration,
    readOnlyConnectionsMigration,
  ]);
  const { id } = new ConnectionStore(loose).create({ ...record, access: { ...record.access, externalClients: 'readWrite' } });
  expect(new ConnectionStore(loose).get(id).access.readOnly).toBeUndefined();
  loose.connection.exec(`UPDATE connections SET read_only = ${damaged}`);
  expect(new ConnectionStore(loose).get(id).access).toMatchObject({ readOnly: true });
  loose[Symbol.dispose]();
});

describe('a saved connection that cannot be read', () => {
  it.each([
    ["settings = '{'", 'settings'],
    ["secrets = '[1]'", 'secrets'],
    ["external_clients = 'sometimes'", 'access.externalClients'],
    ["ai_policy = 'askOnFridays'", 'access.aiPolicy'],
    ["created_at = 'yesterday'", 'createdAt'],
  ])('hides no other, is named by its own error and stays: %s', (damage, field) => {
    const logged: string[] = [];
    const logger = {
      error: (message: string) => logged.push(message),
      warn: () => undefined,
      info: () => undefined,
      debug: () => undefined,
    };
    const store = new ConnectionStore(database, logger);
    const damaged = store.create(record);
    const other = store.create({ ...record, name: 'Other' });
    database.connection.exec(`UPDATE connections SET ${damage} WHERE id = '${damaged.id}'`);
    const later = new ConnectionStore(database, logger);
    expect(later.list()).toEqual([other]);
    expect(later.unreadable()).toEqual([
      {
        id: damaged.id,
        name: 'Shop',
        fields: [field],
        secrets: field === 'secrets' ? undefined : damaged.secrets,
      },
    ]);
    expect(logged).toHaveLength(1);
    expect(later.findByName('Other')).toEqual(other);
    expect(() => later.get(damaged.id)).toThrow(`The saved connection "Shop" can't be read: ${field}`);
    expect(() => later.create(record)).toThrow(expect.objectContaining({ code: 'CONNECTION_NAME_TAKEN' }) as Error);
    expect(database.connection.prepare('SELECT count(*) AS n FROM connections').get()).toEqual({ n: 2 });
  });
});

describe('ConnectionSecrets', () => {
  it('has another revision after each change of a value, so that values read before are read again', async () => {
    const secrets = new ConnectionSecrets(storeWith(new Map()), {}, testBindings());
    const changes: (() => unknown)[] = [
      () => secrets.apply('1', {}, { password: { kind: 'store', value: 'hunter2' } }, bindTo),
      () => secrets.enterForSession('1', 'password', 'hunter3'),
      () => secrets.dropFromSession('1', 'password'),
      () => secrets.forgetAll('1', ['password']),
      () => secrets.forget({ ...record, id: '1' }),
    ];
    for (const change of changes) {
      const before = secrets.revision;
      await change();
      expect(secrets.revision).not.toBe(before);
    }
  });

  it('stores the value in the chosen place and only a reference with the connection', async () => {
    const values = new Map<string, string>();
    const secrets = new ConnectionSecrets(storeWith(values), { FROM_ENV: 'env-value' }, testBindings());
    const connection = new ConnectionStore(database).create({ ...record, secrets: {} });
    const stored = await secrets.apply(connection.id, {}, { password: { kind: 'store', value: 's3cret' } }, bindTo);
    expect(stored).toEqual({ password: { kind: 'store' } });
    expect([...values.values()]).toEqual([expect.stringMatching(/^tabularium-secret-1:[0-9a-f]{64}:s3cret$/)]);
    expect(await valuesSent(secrets, { ...connection, secrets: stored }, sender(true))).toEqual({ password: 's3cret' });

    const moved = await secrets.apply(connection.id, stored, { password: { kind: 'environment', variable: 'FROM_ENV' } }, bindTo);
    expect([...values]).toEqual([]);
    expect(await valuesSent(secrets, { ...connection, secrets: moved }, sender(true))).toEqual({
      password: 'env-value',
    });

    const removed = await secrets.apply(connection.id, moved, { password: { kind: 'remove' } }, bindTo);
    expect(removed).toEqual({});
    expect(await valuesSent(secrets, { ...connection, secrets: removed }, sender(false))).toEqual({});
  });

  it('asks for a missing value by the name of its field, and takes one for this session', async () => {
    const values = new Map<string, string>();
    const secrets = new ConnectionSecrets(storeWith(values), {}, testBindings());
    const connection = new ConnectionStore(database).create(record);
    await secrets.apply(connection.id, {}, { password: { kind: 'store', value: 'lost' } }, bindTo);
    values.clear();
    await expect(valuesSent(secrets, connection, sender(true))).rejects.toMatchObject({
      code: 'SECRET_MISSING',
      message: 'The Password of "Shop" is missing: it is no longer in the secure store.',
      details: { field: 'password' },
    });
    await expect(valuesSent(secrets, { ...connection, secrets: {} }, sender(true))).rejects.toMatchObject({
      code: 'SECRET_MISSING',
    });
    secrets.enterForSession(connection.id, 'password', 'typed');
    expect(await valuesSent(secrets, connection, sender(true))).toEqual({ password: 'typed' });
    expect(await valuesSent(secrets, { ...connection, secrets: {} }, sender(true))).toEqual({ password: 'typed' });
  });

  it('asks to set the variable of a secret that a connection has in one, and says what lists its name', async () => {
    const secrets = new ConnectionSecrets(storeWith(new Map()), {}, testBindings());
    const password = { kind: 'environment', variable: 'SHOP_PASSWORD' } as const;
    const connection = new ConnectionStore(database).create({ ...record, secrets: { password } });
    await secrets.apply(connection.id, {}, { password }, bindTo);
    await expect(valuesSent(secrets, connection, sender(true))).rejects.toMatchObject({
      code: 'SECRET_MISSING',
      details: { advice: expect.stringContaining('that "tabularium connections list --json" names') as string },
    });
  });

  it('asks to set the variable where secrets are in the environment, because nothing can be entered there', async () => {
    const values = new Map<string, string>();
    const store = { ...storeWith(values), isReadOnly: true };
    const secrets = new ConnectionSecrets(store, {}, testBindings());
    const connection = new ConnectionStore(database).create(record);
    await secrets.apply(connection.id, {}, { password: { kind: 'store', value: 'gone' } }, bindTo);
    values.clear();
    await expect(valuesSent(secrets, connection, sender(true))).rejects.toMatchObject({
      code: 'SECRET_MISSING',
      message: `The Password of "Shop" is missing: its environment variable isn't set for the host.`,
      details: { advice: expect.stringMatching(/^Set the variable TABULARIUM_SECRET_ID_PASSWORD, with the id/) as string },
    });
  });

  it('forgets a secret whose store is locked: nothing points to its entry any more', async () => {
    const values = new Map<string, string>();
    const store = { ...storeWith(values), delete: () => Promise.reject(new Error('locked')) };
    const secrets = new ConnectionSecrets(store, {}, testBindings());
    const connection = new ConnectionStore(database).create({ ...record, secrets: {} });
    const before = await secrets.apply(connection.id, {}, { password: { kind: 'store', value: 's3cret' } }, bindTo);
    expect(await secrets.apply(connection.id, before, { password: { kind: 'remove' } }, bindTo)).toEqual({});
    const session = await secrets.apply(connection.id, before, { password: { kind: 'session', value: 'typed' } }, bindTo);
    expect(session).toEqual({ password: { kind: 'session' } });
  });

  it.each(['__proto__', 'constructor'])('a variable named %s is missing like any other', async (variable) => {
    const secrets = new ConnectionSecrets(storeWith(new Map()), {}, testBindings());
    const connection = new ConnectionStore(database).create({
      ...record,
      secrets: { password: { kind: 'environment', variable } },
    });
    await secrets.apply(connection.id, {}, { password: { kind: 'environment', variable } }, bindTo);
    await expect(valuesSent(secrets, connection, sender(true))).rejects.toMatchObject({ code: 'SECRET_MISSING' });
  });

  it('does not say which variable of the host would have to be set: clients outside read it, too', async () => {
    const secrets = new ConnectionSecrets(storeWith(new Map()), {}, testBindings());
    const connection = new ConnectionStore(database).create({
      ...record,
      secrets: { password: { kind: 'environment', variable: 'SHOP_PASSWORD' } },
    });
    await secrets.apply(connection.id, {}, { password: { kind: 'environment', variable: 'SHOP_PASSWORD' } }, bindTo);
    const failure: unknown = await valuesSent(secrets, connection, sender(true)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'SECRET_MISSING',
      message: 'The Password of "Shop" is missing: its environment variable isn\'t set for the host.',
    });
    expect(JSON.stringify(failure)).not.toContain('SHOP_PASSWORD');
  });

  it.each([
    ['s3cretkey', 'x-s3cretkey-y and s3cretkey', 'x-[hidden]-y and [hidden]'],
    ['xyz', 'key=xyz; "xyz" wxyz xyz_1 xyzé (xyz)', 'key=[hidden]; "[hidden]" wxyz xyz_1 xyzé ([hidden])'],
    ['a.c*', 'the key a.c* and abc', 'the key [hidden] and abc'],
    ['ab', 'ab is readable', 'ab is readable'],
  ])('hides %s in texts: a short value only as a separate word', async (value, text, hidden) => {
    const secrets = new ConnectionSecrets(storeWith(new Map()), { KEY: value }, testBindings());
    expect(secrets.redact(text)).toBe(text);
    const connection = new ConnectionStore(database).create({
      ...record,
      secrets: { password: { kind: 'environment', variable: 'KEY' } },
    });
    await secrets.apply(connection.id, {}, { password: { kind: 'environment', variable: 'KEY' } }, bindTo);
    await valuesSent(secrets, connection, sender(true));
    expect(secrets.redact(text)).toBe(hidden);
  });

  it('saves nothing anywhere when the secure store refuses', async () => {
    const secrets = new ConnectionSecrets(unavailable, {}, testBindings());
    const connection = new ConnectionStore(database).create({ ...record, secrets: {} });
    await expect(
      secrets.apply(connection.id, {}, { password: { kind: 'store', value: 's3cret' } }, bindTo),
    ).rejects.toMatchObject({
      code: 'SECURE_STORE_UNAVAILABLE',
    });
    const dump = JSON.stringify(database.connection.prepare('SELECT * FROM connections').all());
    expect(dump).not.toContain('s3cret');
  });
});

describe('ConnectionService', () => {
  let staged = 0;
  beforeEach(() => (staged = 0));

  const input = {
    name: 'Shop',
    driver: 'sample',
    settings: {},
    secrets: { password: { kind: 'session' as const, value: 'first-value' } },
    access: record.access,
    color: record.color,
  };

  function service(store: SecureStore): { connections: ConnectionStore; secrets: ConnectionSecrets; service: ConnectionService } {
    const connections = new ConnectionStore(database);
    const secrets = new ConnectionSecrets(store, { OWN_KEY: 'own' }, testBindings());
    const manifests = { manifestOf: () => Promise.resolve(manifestWithPassword(true)), senderOf: async () => sender(true) };
    const installed = { current: () => Promise.reject(new HostError('DRIVER_NOT_INSTALLED')) };
    return {
      connections,
      secrets,
      service: new ConnectionService({ store: connections, secrets, manifests, installed, database, stagedTables: () => staged }),
    };
  }

  it('removes a connection that cannot be read, with its credential, and frees its name', async () => {
    const values = new Map<string, string>();
    const { connections, service: saved } = service(storeWith(values));
    const { id } = await saved.create({ ...input, secrets: { password: { kind: 'store', value: 'hunter2' } } });
    expect(values.size).toBe(1);
    database.connection.exec("UPDATE connections SET settings = '{'");
    expect([connections.list(), connections.unreadable().length]).toEqual([[], 1]);
    const { service: other, connections: read } = service(storeWith(values));
    await other.remove(id);
    expect([read.list(), read.unreadable(), values.size]).toEqual([[], [], 0]);
    await other.create(input);
  });

  it('renames a connection, keeps its credential and rejects a name that is taken', async () => {
    const { connections, service: saved } = service(storeWith(new Map()));
    const { id } = await saved.create(input);
    await saved.create({ ...input, name: 'Other' });
    const changes: string[] = [];
    connections.onChange(({ kind }) => changes.push(kind));
    expect(saved.rename(id, 'Store')).toMatchObject({ id, name: 'Store', secrets: { password: { kind: 'session' } } });
    expect(changes).toEqual(['listed']);
    expect(() => saved.rename(id, 'OTHER')).toThrow(expect.objectContaining({ code: 'CONNECTION_NAME_TAKEN' }));
    expect(connections.get(id).name).toBe('Store');
  });

  it('keeps the credential when an update is refused for its name', async () => {
    const { secrets, service: connections } = service(storeWith(new Map()));
    await connections.create({ ...input, name: 'Taken' });
    const shop = await connections.create(input);
    const renamed = { ...input, name: 'TAKEN', secrets: { password: { kind: 'environment' as const, variable: 'OWN_KEY' } } };
    await expect(connections.update(shop.id, renamed)).rejects.toMatchObject({ code: 'CONNECTION_NAME_TAKEN' });
    expect(await valuesSent(secrets, shop, sender(true))).toEqual({ password: 'first-value' });
  });

  it('is not turned to another server while changes are staged for this one; everything else may change', async () => {
    const { service: saving } = service(storeWith(new Map()));
    const shop = await saving.create({ ...input, settings: { host: 'one' } });
    staged = 2;
    expect(await saving.update(shop.id, { ...input, name: 'Renamed', settings: { host: 'one' } })).toMatchObject({
      name: 'Renamed',
    });
    await expect(saving.update(shop.id, { ...input, settings: { host: 'two' } })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('staged changes') as string,
    });
    staged = 0;
    expect(await saving.update(shop.id, { ...input, settings: { host: 'two' } })).toMatchObject({ settings: { host: 'two' } });
  });

  it('leaves nothing of a connection whose credential could not be kept', async () => {
    const values = new Map<string, string>();
    const failing = { ...storeWith(values), set: () => Promise.reject(new HostError('SECURE_STORE_UNAVAILABLE')) };
    const { connections, service: saving } = service(failing);
    const stored = { ...input, secrets: { password: { kind: 'store' as const, value: 'kept' } } };
    await expect(saving.create(stored)).rejects.toMatchObject({ code: 'SECURE_STORE_UNAVAILABLE' });
    expect(connections.list()).toEqual([]);
    expect([...values]).toEqual([]);
  });

  it('offers the sample beside a connection of the same name that a person made, and never touches that one', async () => {
    const { connections, service: saving } = service(storeWith(new Map()));
    const own = await saving.create({
      ...input,
      name: 'sample cluster',
      secrets: { password: { kind: 'environment', variable: 'OWN_KEY' } },
    });
    const sample = {
      ...input,
      name: 'Sample cluster',
      secrets: { password: { kind: 'environment' as const, variable: 'SAMPLE_KEY' } },
    };
    const first = await saving.offerSample(sample);
    const second = await saving.offerSample(sample);
    expect([first?.connection.name, second?.connection.id]).toEqual(['Sample cluster 2', first?.connection.id]);
    expect([first?.isNew, second?.isNew]).toEqual([true, false]);
    expect(connections.get(own.id)).toEqual(own);
    await saving.remove(String(first?.connection.id));
    expect(await saving.offerSample(sample)).toBeUndefined();
    expect(connections.list().map(({ name }) => name)).toEqual(['sample cluster']);
  });
});

describe('Database', () => {
  it('refuses a file that a newer version has written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-database-'));
    try {
      const file = join(folder, 'tabularium.db');
      new Database(file, [
        connectionsMigration,
        connectionGroupsMigration,
        { id: '9999-future', sql: 'CREATE TABLE future (a TEXT) STRICT' },
      ])[Symbol.dispose]();
      expect(() => new Database(file, [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration])).toThrow(
        expect.objectContaining({ code: 'DATABASE_NEWER' }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves nothing of a transaction that fails', () => {
    expect(() =>
      database.transaction(() => {
        database.connection.exec("INSERT INTO preferences VALUES ('a', 'b')");
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(database.connection.prepare('SELECT count(*) AS rows FROM preferences').get()).toEqual({ rows: 0 });
  });
});
