import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { SecretConfirmationError } from '../../host/src/runtime/connections/secretConfirmation.ts';
import { FIELDS, HTTP, SECRET, SecretBench, driverFiles } from './secretBench.ts';
import type { DriverShape } from './secretBench.ts';
import {
  NOT_CONFIRMED,
  caught,
  drained,
  expectNothingSent as expectAllStopped,
  savedConnection,
  sendingPaths,
} from './sendingPaths.ts';

const { signal } = new AbortController();

let bench: SecretBench;
beforeEach(async () => {
  bench = await SecretBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const saved = (id: string) => savedConnection(bench, id);
/** One path where the others would show nothing more. */
const onlyPing = (): ReturnType<typeof sendingPaths> => ({ 'a ping': sendingPaths(bench)['a ping'] ?? (async () => undefined) });

const elsewhere = (): DriverShape => ({
  version: '2.0.0',
  fields: [
    ...FIELDS,
    { id: 'endpoint', label: 'Endpoint', type: 'text', default: '127.0.0.1' },
    { id: 'gate', label: 'Gate', type: 'number', default: bench.evil.port },
  ],
  http: {
    origin: { ...HTTP.origin, host: { field: 'endpoint', whenEmpty: '127.0.0.1' }, port: { field: 'gate', whenEmpty: 1 } },
  },
});

const settings = (database: DatabaseSync, change: Readonly<Record<string, unknown>>): void => {
  const row = database.prepare('SELECT settings FROM connections WHERE id = ?').get(bench.connectionId);
  const changed = { ...(JSON.parse(String(row?.['settings'])) as object), ...change };
  database.prepare('UPDATE connections SET settings = ? WHERE id = ?').run(JSON.stringify(changed), bench.connectionId);
};

/** An update with another server beside the first, which gets the credentials that it declares. */
const beside = (credentials: readonly object[]): DriverShape => ({
  version: '2.0.0',
  fields: [...FIELDS, { id: 'gate', label: 'Gate', type: 'number', default: bench.evil.port }],
  http: {
    furtherOrigins: [
      {
        id: 'beside',
        label: 'Beside',
        reason: 'It is needed.',
        origin: { ...HTTP.origin, host: { field: 'host' }, port: { field: 'gate', whenEmpty: 1 } },
        credentials,
      },
    ],
  },
});

/** Everything that may change where a secret goes without a person's saying so. */
const SOURCES: Readonly<Record<string, () => Promise<void>>> = {
  'an update that maps the origin to a new field': () => bench.install(driverFiles(elsewhere())),
  'an update that changes the default of the field': async () => {
    await bench.offline((database) => settings(database, { port: undefined }));
    await bench.install(
      driverFiles({
        version: '2.0.0',
        fields: FIELDS.map((field) => (field.id === 'port' ? { ...field, default: bench.evil.port } : field)),
      }),
    );
  },
  'an update that changes what an empty field means': async () => {
    await bench.offline((database) => settings(database, { port: '' }));
    await bench.install(
      driverFiles({
        version: '2.0.0',
        http: { origin: { ...HTTP.origin, port: { field: 'port', whenEmpty: bench.evil.port } } },
      }),
    );
  },
  'an update that sends the secret to a further origin, too': () => bench.install(driverFiles(beside(HTTP.credentials))),
  'an update that sends the secret in another header': () =>
    bench.install(driverFiles({ version: '2.0.0', http: { credentials: [{ field: 'key', headers: ['x-trace-id'] }] } })),
  'an update that puts something before the secret': () =>
    bench.install(
      driverFiles({ version: '2.0.0', http: { credentials: [{ field: 'key', headers: ['x-api-key'], prefix: 'Basic ' }] } }),
    ),
  'the same driver by another publisher': () => bench.install(driverFiles({ version: '2.0.0' }), 'other'),
  'the same driver from a folder': () => bench.loadFolder(driverFiles({ version: '2.0.0' })),
  'a roll-back to a version that sends elsewhere': async () => {
    await bench.install(driverFiles(elsewhere()));
    await bench.install(driverFiles({ version: '3.0.0' }));
    await bench.runtime.driverManagement.rollback('tiny');
    await bench.runtime.sessions.close(bench.connectionId);
  },
  'a row of the database with another server': () => bench.offline((database) => settings(database, { port: bench.evil.port })),
  'a row of the database with less protection': () =>
    bench.offline((database) => settings(database, { mode: 'identity', skip: true, port: bench.evil.port })),
  'a row of the database with another variable': () =>
    bench.offline((database) => {
      const secrets = JSON.stringify({ key: { kind: 'environment', variable: 'HIDDEN_KEY' } });
      database.prepare('UPDATE connections SET secrets = ? WHERE id = ?').run(secrets, bench.connectionId);
    }),
  'a row whose approval was removed': () =>
    bench.offline((database) => {
      settings(database, { port: bench.evil.port });
      database.exec("DELETE FROM secret_bindings; DELETE FROM preferences WHERE name = 'secret-bindings';");
    }),
  'a row whose approval was rewritten': () =>
    bench.offline((database) => {
      settings(database, { port: bench.evil.port });
      const row = database.prepare('SELECT record FROM secret_bindings').get();
      const record = String(row?.['record']).replaceAll(String(bench.good.port), String(bench.evil.port));
      database.prepare('UPDATE secret_bindings SET record = ?').run(record);
    }),
  'an approval of another connection in the place of its own': async () => {
    const own = bench.connectionId;
    const lure = await bench.runtime.connections.create({
      ...saved(own),
      name: 'Lure',
      settings: { host: '127.0.0.1', port: bench.evil.port, mode: 'disabled' },
      secrets: { key: { kind: 'store', value: 'bait' } },
    });
    await bench.offline((database) => {
      settings(database, { port: bench.evil.port });
      database.prepare('DELETE FROM secret_bindings WHERE connection_id = ?').run(own);
      database.prepare('UPDATE secret_bindings SET connection_id = ? WHERE connection_id = ?').run(own, lure.id);
    });
  },
};

const expectNothingSent = (paths = sendingPaths(bench)): Promise<void> => expectAllStopped(bench, NOT_CONFIRMED, paths);

async function confirm(): Promise<void> {
  const question = await bench.runtime.connections.secretQuestion(bench.connectionId);
  if (question === undefined) throw new Error('Nothing is asked.');
  await bench.runtime.connections.confirmSecrets(bench.connectionId, question.code);
}

const ping = (): Promise<unknown> =>
  bench.runtime.sessions.use(bench.connectionId, ({ session }) => session.ping({ signal }), { signal });

describe.each(Object.keys(SOURCES))('%s', (source) => {
  it('sends nothing by any path before a person has confirmed it, and works afterwards', async () => {
    await ping();
    expect(bench.good.received).toContain(SECRET);
    await SOURCES[source]?.();
    await expectNothingSent();
    await confirm();
    bench.good.forget();
    bench.evil.forget();
    await caught(ping());
    expect(bench.good.connections + bench.evil.connections).toBeGreaterThan(0);
    expect(await bench.runtime.connections.secretQuestion(bench.connectionId)).toBeUndefined();
  });
});

describe.each(['store', 'session', 'environment'] as const)('a secret in: %s', (place) => {
  it('is bound the same way', async () => {
    const id = await bench.connect(place, 'Second');
    await ping();
    await bench.install(driverFiles(elsewhere()));
    await expectNothingSent(onlyPing());
    await bench.runtime.driverManagement.rollback('tiny');
    await bench.runtime.sessions.close(id);
    await ping();
    expect(bench.good.received).toContain(SECRET);
    expect(bench.evil.connections).toBe(0);
  });
});

describe('a change that alters nothing of where a secret goes', () => {
  it('asks nothing about the secret for a further origin that does not get it', async () => {
    await ping();
    await bench.install(driverFiles(beside([])));
    expect(await bench.runtime.connections.secretQuestion(bench.connectionId)).toMatchObject({
      changes: [],
      newOrigins: [{ id: 'beside' }],
    });
    await confirm();
    await ping();
    expect(bench.evil.connections).toBe(0);
  });

  it('asks nothing', async () => {
    await ping();
    await bench.install(
      driverFiles({
        version: '2.0.0',
        fields: FIELDS.map((field) => ({ ...field, label: `New ${field.label}`, help: 'Another text.' })),
        manifest: { title: 'Renamed', tagline: 'Another line.', icon: 'M1 1z' },
      }),
    );
    bench.good.forget();
    await ping();
    expect(bench.good.received).toContain(SECRET);
  });
});

describe('an answer', () => {
  it('covers what was shown and nothing that changed since', async () => {
    await bench.install(driverFiles({ version: '2.0.0', http: { credentials: [{ field: 'key', headers: ['x-trace-id'] }] } }));
    const shown = await bench.runtime.connections.secretQuestion(bench.connectionId);
    await bench.install(driverFiles({ ...elsewhere(), version: '3.0.0' }));
    await expect(bench.runtime.connections.confirmSecrets(bench.connectionId, String(shown?.code))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expectNothingSent(onlyPing());
  });

  it('shows old and new, and no secret', async () => {
    await bench.install(driverFiles(elsewhere()));
    const question = await bench.runtime.connections.secretQuestion(bench.connectionId);
    expect(question).toMatchObject({
      connection: 'Shop',
      changes: [
        {
          label: 'API key',
          before: { origins: [`http://127.0.0.1:${bench.good.port}`], publisherName: 'Acme Databases', sentAs: ['x-api-key: '] },
          now: { origins: [`http://127.0.0.1:${bench.evil.port}`] },
        },
      ],
    });
    expect(JSON.stringify(question)).not.toContain(SECRET);
  });
});

describe('the form of a saved connection', () => {
  const form = (change: object, secrets = {}) => {
    const { name, driver, settings: before, access, color } = saved(bench.connectionId);
    return { name, driver, settings: { ...before, ...change }, access, color, secrets };
  };

  it('asks before a key that is kept goes to a host that is typed over the old one, when it is tested and when it is saved', async () => {
    const input = form({ port: bench.evil.port });
    const { connections, services } = bench.runtime;
    const tested = await caught(drained(services.connectionTest.run(input, bench.connectionId, signal)));
    expect(tested).toBeInstanceOf(SecretConfirmationError);
    expect(await caught(connections.update(bench.connectionId, input))).toBeInstanceOf(SecretConfirmationError);
    expect(saved(bench.connectionId).settings).toMatchObject({ port: bench.good.port });
    expect(bench.evil.connections).toBe(0);

    // A yes to a test is for that test; saving asks again, and its yes lasts.
    const { code } = (tested as SecretConfirmationError).question;
    await drained(services.connectionTest.run(input, bench.connectionId, signal, code));
    expect(bench.evil.received).toContain(SECRET);
    await ping();
    const again = (await caught(connections.update(bench.connectionId, input))) as SecretConfirmationError;
    await connections.update(bench.connectionId, input, again.question.code);
    bench.evil.forget();
    await ping();
    expect(bench.evil.received).toContain(SECRET);
  });

  it('takes a key that is entered beside the new host as the answer', async () => {
    const input = form({ port: bench.evil.port }, { key: { kind: 'store', value: 'entered-anew' } });
    await bench.runtime.connections.update(bench.connectionId, input);
    await ping();
    expect(bench.evil.received).toContain('entered-anew');
  });

  it('asks also then when it is the driver that leads elsewhere', async () => {
    await bench.install(driverFiles(elsewhere()));
    const input = form({}, { key: { kind: 'store', value: 'entered-anew' } });
    expect(await caught(bench.runtime.connections.update(bench.connectionId, input))).toBeInstanceOf(SecretConfirmationError);
    expect(await caught(drained(bench.runtime.services.connectionTest.run(input, bench.connectionId, signal)))).toBeInstanceOf(
      SecretConfirmationError,
    );
    expect(bench.evil.connections).toBe(0);
  });

  it('saves what has nothing to do with the destination without a question, and the question stays', async () => {
    await bench.install(driverFiles(elsewhere()));
    await bench.runtime.connections.update(bench.connectionId, { ...form({}), name: 'Renamed' });
    await expectNothingSent(onlyPing());
  });
});

describe('a file of connections', () => {
  const file = (connection: object): string =>
    JSON.stringify({ format: 'tabularium-connections', version: 1, connections: [connection] });
  const lure = (): object => ({
    name: 'Shop',
    driver: 'tiny',
    settings: { host: '127.0.0.1', port: bench.evil.port, mode: 'disabled' },
    secretsFromEnvironment: { key: 'HIDDEN_KEY' },
  });

  it.each(['replace', 'rename'] as const)(
    'does not send a variable that it names before a person has confirmed it: %s',
    async (onConflict) => {
      const [outcome] = await bench.runtime.services.connectionImport.import({
        text: file(lure()),
        choices: [{ index: 0, onConflict }],
      });
      bench.connectionId = String(outcome?.connectionId);
      await expectNothingSent();
    },
    60_000,
  );
});

describe('a home of an older version', () => {
  /** As that version leaves a home: no approvals, no key, and the bare value in the secure store. */
  const asBefore = async (change: (database: DatabaseSync) => void = () => undefined): Promise<void> => {
    const { rm } = await import('node:fs/promises');
    await bench.offline(async (database) => {
      database.exec("DELETE FROM secret_bindings; DELETE FROM preferences WHERE name = 'secret-bindings';");
      change(database);
      await rm(join(bench.home, 'secret-bindings.key'));
      bench.store.values.set(`${bench.connectionId}/key`, SECRET);
    });
  };

  it('is taken over without a question, bound to what is installed at that moment', async () => {
    await asBefore();
    bench.good.forget();
    await ping();
    expect(bench.good.received).toContain(SECRET);
    // From the first use on the secure store holds the binding, too.
    expect(bench.store.values.get(`${bench.connectionId}/key`)).toMatch(/^tabularium-secret-1:[0-9a-f]{64}:/);
  });

  it('does not trust an update that comes before the first use', async () => {
    await asBefore();
    await bench.install(driverFiles(elsewhere()));
    await expectNothingSent(onlyPing());
  });

  it('is taken over once: a database that forgets it is not asked to trust again', async () => {
    await bench.offline((database) => {
      database.exec("DELETE FROM secret_bindings; DELETE FROM preferences WHERE name = 'secret-bindings';");
    });
    await expectNothingSent(onlyPing());
  });
});

describe('the entry in the secure store', () => {
  it('is for one destination, whatever the database and its key say', async () => {
    // A process that has the home's key can write an approval that counts; the entry still says otherwise.
    const other = await bench.connect('store', 'Model');
    await bench.runtime.connections.update(other, {
      ...saved(other),
      settings: { host: '127.0.0.1', port: bench.evil.port, mode: 'disabled' },
      secrets: { key: { kind: 'store', value: 'bait' } },
    });
    const entry = bench.store.values.get(`${other}/key`) ?? '';
    bench.store.values.set(`${other}/key`, entry.replace(/[0-9a-f]{64}/, 'f'.repeat(64)));
    await expectNothingSent(onlyPing());
  });
});

describe('an approval in the database', () => {
  it('that was rewritten there does not count, also for a variable, which has no entry in the secure store', async () => {
    await bench.connect('environment', 'From the environment');
    await bench.offline((database) => {
      settings(database, { port: bench.evil.port });
      const where = 'connection_id = ?';
      const row = database.prepare(`SELECT record FROM secret_bindings WHERE ${where}`).get(bench.connectionId);
      const record = String(row?.['record']).replaceAll(String(bench.good.port), String(bench.evil.port));
      database.prepare(`UPDATE secret_bindings SET record = ? WHERE ${where}`).run(record, bench.connectionId);
    });
    await expectNothingSent(onlyPing());
  });
});
