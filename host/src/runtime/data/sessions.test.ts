import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriverError } from '@tabularium/sdk';
import type { TableDescription } from '@tabularium/sdk';
import { testBindings } from '../connections/bindings.test-helper.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import type { InstalledDriver } from '../drivers/packages/installedDriver.ts';
import { HostError } from '../../common/errors.ts';
import { silentLogger } from '../storage/logger.ts';
import { Database } from '../storage/database.ts';
import { REOPENING_PAUSES } from './reopeningPauses.ts';
import type { ConnectedSession, DriverConnector } from './sessions.ts';
import { Sessions } from './sessions.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const never = new AbortController().signal;

const manifest = plainManifest({
  id: 'sample',
  title: 'Sample',
});

const driver: InstalledDriver = {
  id: 'sample',
  packageName: 'sample',
  version: '1.0.0',
  folder: '/nowhere',
  entry: '/nowhere/index.js',
  manifest,
  publisher: { id: 'p', name: 'P', fingerprint: '', origin: 'firstParty' },
  installedAt: '2026-01-01T00:00:00.000Z',
};

const description = (name: string): TableDescription => ({
  ref: { namespace: [], name },
  kind: 'table',
  columns: [],
  key: [],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
});

/** Sessions that can be made to crash, and that count their calls. */
class FakeConnector implements DriverConnector {
  connects = 0;
  closed = 0;
  described = 0;
  crash: ((reason?: Error) => void) | undefined;
  /** The errors of the next connects. */
  readonly failures: Error[] = [];
  gate: Promise<void> = Promise.resolve();

  async connect({ signal }: { signal: AbortSignal }): Promise<ConnectedSession> {
    this.connects += 1;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    await Promise.race([
      this.gate,
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    ]);
    return {
      server: { product: 'Sample' },
      findings: [],
      ping: () => Promise.resolve(),
      listTables: () => Promise.resolve([]),
      describeTable: (table) => {
        this.described += 1;
        return Promise.resolve(description(table.name));
      },
      readPage: () => Promise.reject(new DriverError('UNSUPPORTED')),
      countRows: () => Promise.resolve({ rows: 0, exact: true }),
      close: () => {
        this.closed += 1;
        return Promise.resolve();
      },
      onClosed: (listener) => (this.crash = (reason = new DriverError('DRIVER_CRASHED')) => listener(reason)),
    };
  }
}

let database: Database;
let store: ConnectionStore;
let connector: FakeConnector;
let sessions: Sessions;
let id: string;
/** How often the driver was asked for. */
let asked: number;
let installed: InstalledDriver;
/** The administrator's rule for drivers that left the sandbox. */
let forbidden: HostError | undefined;

beforeEach(() => {
  asked = 0;
  installed = driver;
  forbidden = undefined;
  database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration]);
  store = new ConnectionStore(database);
  connector = new FakeConnector();
  const secureStore = {
    state: () => Promise.resolve({ available: false as const, name: 'none', reason: 'none' }),
    get: () => Promise.resolve(undefined),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  };
  sessions = new Sessions({
    connections: store,
    secrets: new ConnectionSecrets(secureStore, {}, testBindings()),
    drivers: {
      ensureInstalled: () => {
        asked += 1;
        return Promise.resolve(installed);
      },
    },
    connector,
    logger: silentLogger,
    assertPermitted: async () => {
      if (forbidden !== undefined) throw forbidden;
    },
  });
  id = store.create({
    name: 'One',
    driver: 'sample',
    settings: {},
    secrets: {},
    access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    color: 'gray',
  }).id;
});
afterEach(async () => {
  await sessions.closeAll();
  database[Symbol.dispose]();
});

describe('Sessions', () => {
  it('closes sessions of a driver outside the sandbox when the administrator forbids that; others continue', async () => {
    const use = (): Promise<string> => sessions.use(id, async ({ session }) => session.server.product, { signal: never });
    forbidden = new HostError('POLICY_FORBIDS', "Drivers can't leave the sandbox.");
    expect(await use()).toBe('Sample');
    await sessions.close(id);

    forbidden = undefined;
    const permissions = { ...driver.manifest.permissions, unconfined: { reason: 'It needs them.', grants: ['sqlite' as const] } };
    installed = { ...driver, manifest: { ...driver.manifest, permissions } };
    expect(await use()).toBe('Sample');
    forbidden = new HostError('POLICY_FORBIDS', "Drivers can't leave the sandbox.");
    const closedBefore = connector.closed;
    await expect(use()).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    expect([sessions.state(id), connector.closed]).toEqual(['closed', closedBefore + 1]);
  });

  it('opens one session for all who use a connection at the same time', async () => {
    const products = await Promise.all(
      [1, 2, 3].map(() => sessions.use(id, async ({ session }) => session.server.product, { signal: never })),
    );
    expect(products).toEqual(['Sample', 'Sample', 'Sample']);
    expect(connector.connects).toBe(1);
    expect(sessions.state(id)).toBe('open');
  });

  it('reopens after the driver crashed', async () => {
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    connector.crash?.();
    expect(sessions.state(id)).toBe('closed');
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    expect(connector.connects).toBe(2);
  });

  it('waits longer before each reopening, the more often the driver crashed', async () => {
    vi.useFakeTimers();
    try {
      const crash = async (): Promise<void> => {
        await sessions.use(id, () => Promise.resolve(), { signal: never });
        connector.crash?.();
      };
      await crash();
      // The first is forgiven, what comes back at once is not worth a pause.
      await crash();
      expect(connector.connects).toBe(2);
      for (const [place, pause] of REOPENING_PAUSES.slice(1).entries()) {
        const reopened = crash();
        await vi.advanceTimersByTimeAsync(pause - 1);
        expect(connector.connects).toBe(2 + place);
        expect(sessions.state(id)).toBe('opening');
        await vi.advanceTimersByTimeAsync(1);
        await reopened;
        expect(connector.connects).toBe(3 + place);
      }
      // The last counts for all that follow, until there was none for a while.
      const last = crash();
      await vi.advanceTimersByTimeAsync(3_999);
      expect(connector.connects).toBe(6);
      await vi.advanceTimersByTimeAsync(1);
      await last;
      await vi.advanceTimersByTimeAsync(5 * 60_000 + 1);
      await crash();
      expect(connector.connects).toBe(8);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives up a pause with who waits for it, and when the connection is closed', async () => {
    vi.useFakeTimers();
    try {
      for (let crashes = 0; crashes < 2; crashes += 1) {
        await sessions.use(id, () => Promise.resolve(), { signal: never });
        connector.crash?.();
      }
      const controller = new AbortController();
      const given = sessions.use(id, () => Promise.resolve(), { signal: controller.signal });
      const refused = expect(given).rejects.toMatchObject({ code: 'CANCELLED' });
      await vi.advanceTimersByTimeAsync(1);
      controller.abort();
      await refused;
      const closed = sessions.use(id, () => Promise.resolve(), { signal: never });
      const refusedToo = expect(closed).rejects.toMatchObject({ code: 'CANCELLED' });
      await vi.advanceTimersByTimeAsync(1);
      await sessions.close(id);
      await refusedToo;
      expect(vi.getTimerCount()).toBe(0);
      expect(connector.connects).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not wait for a connection that was changed since', async () => {
    // A clock that doesn't move: a wait here never ends.
    vi.useFakeTimers();
    try {
      for (let crashes = 0; crashes < 4; crashes += 1) {
        const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
        store.update(id, { ...record, settings: { host: `host-${crashes}` } });
        await sessions.use(id, () => Promise.resolve(), { signal: never });
        connector.crash?.();
      }
      expect(connector.connects).toBe(4);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not wait after a session that ended by something else than a crash', async () => {
    for (let round = 0; round < 4; round += 1) {
      await sessions.use(id, () => Promise.resolve(), { signal: never });
      connector.crash?.(new DriverError('CONNECTION_REFUSED'));
    }
    expect(connector.connects).toBe(4);
  });

  it('opens at once with the version before when a new one crashed and was rolled back', async () => {
    connector.failures.push(new HostError('DRIVER_ROLLED_BACK'));
    const steps: string[] = [];
    const product = sessions.use(id, async ({ session }) => session.server.product, {
      signal: never,
      onProgress: ({ step }) => steps.push(step),
    });
    expect(await product).toBe('Sample');
    expect({ asked, connects: connector.connects, steps }).toEqual({
      asked: 2,
      connects: 2,
      steps: ['connecting', 'connecting'],
    });
  });

  it('tries no third time, and no second after another error', async () => {
    connector.failures.push(new HostError('DRIVER_ROLLED_BACK'), new HostError('DRIVER_ROLLED_BACK'));
    const use = () => sessions.use(id, () => Promise.resolve(), { signal: never });
    await expect(use()).rejects.toMatchObject({ code: 'DRIVER_ROLLED_BACK' });
    expect(connector.connects).toBe(2);
    connector.failures.push(new DriverError('CONNECTION_REFUSED'));
    await expect(use()).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
    expect(connector.connects).toBe(3);
  });

  it('of a driver are closed together, those that are just opening among them', async () => {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
    const second = store.create({ ...record, name: 'Two' }).id;
    const other = store.create({ ...record, name: 'Other', driver: 'another' }).id;
    for (const open of [id, other]) await sessions.use(open, () => Promise.resolve(), { signal: never });
    connector.gate = new Promise(() => undefined);
    const opening = expect(sessions.use(second, () => Promise.resolve(), { signal: never })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await sessions.closeDriver('sample');
    await opening;
    expect([id, second, other].map((one) => sessions.state(one))).toEqual(['closed', 'closed', 'open']);
  });

  it('closes the session of a connection that was changed or removed', async () => {
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
    store.update(id, { ...record, settings: { host: 'elsewhere' } });
    await sessions.use(id, ({ connection }) => Promise.resolve(expect(connection.settings).toEqual({ host: 'elsewhere' })), {
      signal: never,
    });
    store.remove(id);
    expect(sessions.state(id)).toBe('closed');
    await sessions.closeAll();
    expect(connector.closed).toBe(2);
    await expect(sessions.use(id, () => Promise.resolve(), { signal: never })).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('keeps the session of a connection that was renamed, under the new name', async () => {
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
    store.update(id, { ...record, name: 'Renamed' }, 'listed');
    const name = await sessions.use(id, ({ connection }) => Promise.resolve(connection.name), { signal: never });
    expect(name).toBe('Renamed');
    expect(sessions.openSessions().map(({ connection }) => connection.name)).toEqual(['Renamed']);
    expect(connector.closed).toBe(0);
  });

  it('keeps opening a connection that is renamed meanwhile, and opens it under the new name', async () => {
    const gate = Promise.withResolvers<void>();
    connector.gate = gate.promise;
    const connecting = Promise.withResolvers<void>();
    const using = sessions.use(id, ({ connection }) => Promise.resolve(connection.name), {
      signal: never,
      onProgress: ({ step }) => (step === 'connecting' ? connecting.resolve() : undefined),
    });
    await connecting.promise;
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
    store.update(id, { ...record, name: 'Renamed' }, 'listed');
    expect(sessions.state(id)).toBe('opening');
    store.update(id, { ...record, name: 'Renamed again' }, 'listed');
    gate.resolve();
    expect(await using).toBe('Renamed again');
    expect(sessions.openSessions().map(({ connection }) => connection.name)).toEqual(['Renamed again']);
    expect(connector).toMatchObject({ connects: 1, closed: 0 });
  });

  it('gives up opening a connection that is changed meanwhile', async () => {
    connector.gate = new Promise(() => undefined);
    const connecting = Promise.withResolvers<void>();
    const using = sessions.use(id, () => Promise.resolve(), { signal: never, onProgress: () => connecting.resolve() });
    await connecting.promise;
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = store.get(id);
    store.update(id, { ...record, settings: { host: 'elsewhere' } });
    await expect(using).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('gives up opening when the only caller gives up, and opens at the next use', async () => {
    connector.gate = new Promise(() => undefined);
    const controller = new AbortController();
    const using = sessions.use(id, () => Promise.resolve(), { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(using).rejects.toMatchObject({ code: 'CANCELLED' });
    connector.gate = Promise.resolve();
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    expect(sessions.state(id)).toBe('open');
  });

  it('caches a structure until it is reloaded', async () => {
    const table = { namespace: [], name: 'books' };
    await sessions.describe(id, table, false, { signal: never });
    await sessions.describe(id, table, false, { signal: never });
    expect(connector.described).toBe(1);
    await sessions.describe(id, table, true, { signal: never });
    expect(connector.described).toBe(2);
  });
});
