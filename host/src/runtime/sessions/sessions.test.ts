import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverError } from '@tabularium/sdk';
import type { TableDescription } from '@tabularium/sdk';
import { parseManifest } from '@tabularium/sdk/manifest';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { connectionsMigration } from '../connections/connectionsMigration.ts';
import type { InstalledDriver } from '../drivers/installedDriver.ts';
import { silentLogger } from '../logger.ts';
import { Database } from '../storage/database.ts';
import type { ConnectedSession, DriverConnector } from './sessions.ts';
import { Sessions } from './sessions.ts';

const never = new AbortController().signal;

const manifest = parseManifest({
  manifestVersion: 1,
  id: 'sample',
  sdk: '^1.0',
  title: 'Sample',
  tagline: 'A sample database.',
  category: 'other',
  icon: 'M0 0z',
  terms: {
    table: { one: 'Table', other: 'Tables' },
    row: { one: 'Row', other: 'Rows' },
    column: { one: 'Column', other: 'Columns' },
  },
  connection: { fields: [{ id: 'host', label: 'Host', type: 'text' }] },
  permissions: {},
  reading: { maxSorts: 1 },
});
if (!manifest.ok) throw new Error(manifest.problems.join());

const driver: InstalledDriver = {
  id: 'sample',
  packageName: 'sample',
  version: '1.0.0',
  folder: '/nowhere',
  entry: '/nowhere/index.js',
  manifest: manifest.manifest,
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

/** Sessions that can be told to crash, counting what is asked of them. */
class FakeConnector implements DriverConnector {
  connects = 0;
  closed = 0;
  described = 0;
  crash: (() => void) | undefined;
  gate: Promise<void> = Promise.resolve();

  async connect({ signal }: { signal: AbortSignal }): Promise<ConnectedSession> {
    this.connects += 1;
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
      onClosed: (listener) => (this.crash = () => listener(new DriverError('DRIVER_CRASHED'))),
    };
  }
}

let database: Database;
let store: ConnectionStore;
let connector: FakeConnector;
let sessions: Sessions;
let id: string;

beforeEach(() => {
  database = new Database(':memory:', [connectionsMigration]);
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
    secrets: new ConnectionSecrets(secureStore, {}),
    drivers: { ensureInstalled: () => Promise.resolve(driver) },
    connector,
    logger: silentLogger,
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
  it('opens one session for all who use a connection at the same time', async () => {
    const products = await Promise.all(
      [1, 2, 3].map(() => sessions.use(id, async ({ session }) => session.server.product, { signal: never })),
    );
    expect(products).toEqual(['Sample', 'Sample', 'Sample']);
    expect(connector.connects).toBe(1);
    expect(sessions.state(id)).toBe('open');
  });

  it('opens anew after the driver crashed', async () => {
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    connector.crash?.();
    expect(sessions.state(id)).toBe('closed');
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    expect(connector.connects).toBe(2);
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

  it('gives up opening when the only caller gives up, and opens at the next use', async () => {
    connector.gate = new Promise(() => undefined);
    const controller = new AbortController();
    const using = sessions.use(id, () => Promise.resolve(), { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(using).rejects.toMatchObject({ code: 'CANCELLED' });
    connector.gate = Promise.resolve();
    await sessions.use(id, () => Promise.resolve(), { signal: never });
    expect(sessions.state(id)).toBe('open');
  });

  it('keeps a structure until it is to be read anew', async () => {
    const table = { namespace: [], name: 'books' };
    await sessions.describe(id, table, false, { signal: never });
    await sessions.describe(id, table, false, { signal: never });
    expect(connector.described).toBe(1);
    await sessions.describe(id, table, true, { signal: never });
    expect(connector.described).toBe(2);
  });
});
