import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseSync } from 'node:sqlite';
import { FIELDS, HTTP, SECRET, SecretBench, driverFiles } from './secretBench.ts';
import type { DriverShape } from './secretBench.ts';
import { NOT_CONFIRMED, caught, expectNothingSent, savedConnection, sendingPaths } from './sendingPaths.ts';

const { signal } = new AbortController();

let bench: SecretBench;
beforeEach(async () => {
  bench = await SecretBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const onlyPing = (): ReturnType<typeof sendingPaths> => ({ 'a ping': sendingPaths(bench)['a ping'] ?? (async () => undefined) });
const ping = (): Promise<unknown> =>
  bench.runtime.sessions.use(bench.connectionId, ({ session }) => session.ping({ signal }), { signal });
const question = () => bench.runtime.connections.secretQuestion(bench.connectionId);

const CLUSTER = { id: 'cluster', label: 'Cluster', type: 'text' };
const GATE = { id: 'gate', label: 'Gate', type: 'number' };

/** Another origin, whose host is in a field of the form. */
const more = (field: string, port: number, change: object = {}): object => ({
  id: 'more',
  label: 'More',
  reason: 'It counts.',
  origin: { ...HTTP.origin, host: { field }, port: { field: 'gate', whenEmpty: port }, ...change },
});

const version = (
  number: string,
  cluster: object,
  furtherOrigins: readonly object[] = [],
  fields: object[] = [],
): DriverShape => ({
  version: number,
  fields: [...FIELDS, cluster, GATE, ...fields],
  http: { furtherOrigins },
});

/** The driver before an update, the form as a person saved it with that, and the update. */
interface Update {
  readonly before: () => DriverShape;
  readonly settings: () => Readonly<Record<string, string | number | boolean>>;
  readonly after: () => DriverShape;
}

const becomes = (before: object): Update => ({
  before: () => version('1.1.0', before),
  settings: () => ({ cluster: '127.0.0.1' }),
  after: () => version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)]),
});

/** Every way in which an update can lead a driver to an address that no person has entered as one. */
const UPDATES: Readonly<Record<string, Update>> = {
  'a text with an old default becomes a host': becomes({ ...CLUSTER, default: '127.0.0.1' }),
  'a text that a person entered for something else becomes a host': becomes(CLUSTER),
  'a field that no person has seen becomes a host': becomes({
    ...CLUSTER,
    default: '127.0.0.1',
    visibleWhen: { field: 'mode', values: ['identity'] },
  }),
  'a choice becomes a host': becomes({
    ...CLUSTER,
    type: 'select',
    options: [{ value: '127.0.0.1', label: 'Europe' }],
    default: '127.0.0.1',
  }),
  'another port of the same host': {
    before: () => version('1.1.0', CLUSTER),
    settings: () => ({}),
    after: () => version('2.0.0', CLUSTER, [more('host', bench.evil.port)]),
  },
  'another port for an empty field': {
    before: () => version('1.1.0', CLUSTER, [more('cluster', bench.good.port)]),
    settings: () => ({ cluster: '127.0.0.1' }),
    after: () => version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)]),
  },
  'another field for the port': {
    before: () => version('1.1.0', CLUSTER, [more('cluster', bench.good.port)], [{ ...GATE, id: 'limit', label: 'Limit' }]),
    settings: () => ({ cluster: '127.0.0.1', limit: bench.evil.port }),
    after: () =>
      version(
        '2.0.0',
        CLUSTER,
        [more('cluster', bench.good.port, { port: { field: 'limit', whenEmpty: 1 } })],
        [{ ...GATE, id: 'limit', label: 'Limit' }],
      ),
  },
  'another field for the host': {
    before: () => version('1.1.0', CLUSTER, [more('host', bench.evil.port)]),
    settings: () => ({ cluster: 'localhost' }),
    after: () => version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)]),
  },
  'another scheme': {
    before: () => version('1.1.0', CLUSTER, [more('cluster', bench.evil.port)]),
    settings: () => ({ cluster: '127.0.0.1' }),
    after: () =>
      version('2.0.0', CLUSTER, [more('cluster', bench.evil.port, { scheme: { field: 'mode', plainValues: ['identity'] } })]),
  },
  'another path': {
    before: () => version('1.1.0', CLUSTER, [more('cluster', bench.evil.port)], [{ ...CLUSTER, id: 'folder', label: 'Folder' }]),
    settings: () => ({ cluster: '127.0.0.1', folder: '/collect' }),
    after: () =>
      version(
        '2.0.0',
        CLUSTER,
        [more('cluster', bench.evil.port, { pathPrefix: { field: 'folder' } })],
        [{ ...CLUSTER, id: 'folder', label: 'Folder' }],
      ),
  },
  'another name for the same origin': {
    before: () => version('1.1.0', CLUSTER, [more('cluster', bench.evil.port)]),
    settings: () => ({ cluster: '127.0.0.1' }),
    after: () => version('2.0.0', CLUSTER, [{ ...more('cluster', bench.evil.port), id: 'telemetry' }]),
  },
};

async function update(name: keyof typeof UPDATES): Promise<void> {
  const { before, settings, after } = UPDATES[name] ?? becomes(CLUSTER);
  await bench.install(driverFiles(before()));
  await bench.connect('store', 'Updated', settings());
  await ping();
  await bench.install(driverFiles(after()));
}

describe.each(Object.keys(UPDATES))('an update in which: %s', (name) => {
  it('reaches nothing before a person has confirmed the address', async () => {
    await update(name);
    const asked = await question();
    expect(asked?.newOrigins).toHaveLength(1);
    await expectNothingSent(bench, NOT_CONFIRMED, onlyPing());
    await bench.runtime.connections.confirmSecrets(bench.connectionId, asked?.code ?? '');
    await ping();
    expect(await question()).toBeUndefined();
  });
});

describe('an address that no person has entered', () => {
  const update1 = (): Promise<void> => update('a text with an old default becomes a host');

  it('stops every path, that of MCP clients among them', async () => {
    await update1();
    await expectNothingSent(bench);
  });

  it('is shown whole, with the driver’s words for it and what was confirmed before', async () => {
    await update('another port for an empty field');
    expect(await question()).toMatchObject({
      changes: [],
      newOrigins: [
        {
          id: 'more',
          label: 'More',
          reason: 'It counts.',
          before: { origins: [`http://127.0.0.1:${bench.good.port}`], verification: 'plain' },
          now: { origins: [`http://127.0.0.1:${bench.evil.port}`], verification: 'plain' },
        },
      ],
    });
  });

  it('is not confirmed by an answer to another question', async () => {
    await update1();
    const { code = '' } = (await question()) ?? {};
    await bench.install(driverFiles(version('3.0.0', CLUSTER, [more('cluster', bench.good.port)])));
    await expect(bench.runtime.connections.confirmSecrets(bench.connectionId, code)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expectNothingSent(bench, NOT_CONFIRMED, onlyPing());
  });

  const form = (change: object) => {
    const { name, driver, settings, access, color } = savedConnection(bench, bench.connectionId);
    return { name, driver, settings: { ...settings, ...change }, access, color, secrets: {} };
  };

  it.each<[string, object]>([
    ['nothing', {}],
    ['a colour', { color: 'red' }],
    ['another field of the address', { gate: 0 }],
  ])('is not confirmed by saving the form with a change of %s', async (_name, change) => {
    await update1();
    const { color = 'teal', ...settings } = change as { color?: 'teal' | 'red' };
    const changed = 'gate' in settings ? { gate: bench.evil.port } : settings;
    await bench.runtime.connections.update(bench.connectionId, { ...form(changed), color });
    await expectNothingSent(bench, NOT_CONFIRMED, onlyPing());
  });

  it('is confirmed by entering the host in the form of a driver that declares it', async () => {
    await update1();
    const secrets = { key: { kind: 'store' as const, value: 'entered-again' } };
    await bench.runtime.connections.update(bench.connectionId, { ...form({ cluster: 'localhost' }), secrets });
    expect(await question()).toBeUndefined();
    await ping();
  });

  it('is confirmed by a new connection whose form has it', async () => {
    await bench.install(driverFiles(version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)])));
    await bench.connect('store', 'New', { cluster: '127.0.0.1' });
    await ping();
    const copy = await bench.runtime.connections.duplicate(bench.connectionId, 'Copy', true);
    bench.connectionId = copy.id;
    await ping();
  });

  it('is asked about where a file brings the connection', async () => {
    await bench.install(driverFiles(version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)])));
    const settings = { host: '127.0.0.1', port: bench.good.port, mode: 'disabled', cluster: '127.0.0.1' };
    const connection = { name: 'Shop', driver: 'tiny', settings, secretsFromEnvironment: { key: 'HIDDEN_KEY' } };
    for (const onConflict of ['replace', 'rename'] as const) {
      const text = JSON.stringify({ format: 'tabularium-connections', version: 1, connections: [connection] });
      const [outcome] = await bench.runtime.services.connectionImport.import({ text, choices: [{ index: 0, onConflict }] });
      bench.connectionId = String(outcome?.connectionId);
      expect((await question())?.newOrigins?.map(({ id }) => id)).toEqual(['', 'more']);
      await expectNothingSent(bench, NOT_CONFIRMED, onlyPing());
    }
  });

  it.each<[string, (database: DatabaseSync, other: string) => void]>([
    ['lost', (database) => database.exec('DELETE FROM confirmed_origins')],
    [
      'changed',
      (database) => {
        const { record } =
          database.prepare('SELECT record FROM confirmed_origins WHERE connection_id = ?').get(bench.connectionId) ?? {};
        const changed = String(record).replaceAll(String(bench.evil.port), String(bench.good.port));
        database.prepare('UPDATE confirmed_origins SET record = ? WHERE connection_id = ?').run(changed, bench.connectionId);
      },
    ],
    [
      'that of another connection',
      (database, other) => {
        database.prepare('DELETE FROM confirmed_origins WHERE connection_id = ?').run(bench.connectionId);
        database.prepare('UPDATE confirmed_origins SET connection_id = ? WHERE connection_id = ?').run(bench.connectionId, other);
      },
    ],
  ])('is asked about where the record in the database is %s', async (_name, change) => {
    await bench.install(driverFiles(version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)])));
    const other = await bench.connect('store', 'Other', { cluster: '127.0.0.1' });
    await bench.connect('store', 'New', { cluster: '127.0.0.1' });
    await ping();
    await bench.offline((database) => change(database, other));
    await expectNothingSent(bench, NOT_CONFIRMED, onlyPing());
  });
});

describe('an update that reaches the same addresses', () => {
  it('asks nothing', async () => {
    await bench.install(driverFiles(version('1.1.0', CLUSTER, [more('cluster', bench.good.port)])));
    await bench.connect('store', 'Same', { cluster: '127.0.0.1' });
    await ping();
    await bench.install(
      driverFiles(
        version('2.0.0', { ...CLUSTER, label: 'Renamed' }, [{ ...more('cluster', bench.good.port), label: 'Other words' }]),
      ),
    );
    expect(await caught(ping())).toBeUndefined();
  });
});

/** A driver that looks for its connection's key among values of its choice, as a search by halves. */
const GUESSING = `
const guesses = Array.from({ length: 64 }, (_, index) => (index === 17 ? '${SECRET}' : 'guess-number-' + index));
export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.1.0',
  definition: {
    id: 'tiny',
    async connect(_settings, context) {
      const has = (part) => context.http.request({ method: 'GET', path: '/asked', origin: 'more', headers: { 'x-note': part.join(' ') } }).then(
        (answer) => answer.text().then(() => false),
        () => true,
      );
      let part = guesses;
      while (part.length > 1) part = (await has(part.slice(0, part.length / 2))) ? part.slice(0, part.length / 2) : part.slice(part.length / 2);
      await context.http.request({ method: 'GET', path: '/found', origin: 'more' });
      throw new Error('found');
    },
  },
};
`;

describe('a driver that guesses a key', () => {
  const guessing = async (): Promise<void> => {
    await bench.install(driverFiles({ ...version('2.0.0', CLUSTER, [more('cluster', bench.evil.port)]), code: GUESSING }));
    await bench.connect('store', 'Guessed', { cluster: '127.0.0.1' });
  };

  it('is stopped at the first hit, and is not started again before a person has confirmed where it may send', async () => {
    await guessing();
    // The version before takes its place, and is held to the same question.
    expect(await caught(ping())).toMatchObject({ code: NOT_CONFIRMED });
    expect(bench.evil.received).not.toContain('/found');
    expect(bench.evil.received).not.toContain(SECRET);
    expect(await question()).toMatchObject({ isDistrusted: true });
    await expectNothingSent(bench);
  });
});
