import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packPackage, signPackage } from '@tabularium/registry';
import { createSigningKey, keyIdOf } from '@tabularium/sdk/package';
import type { PackageFiles, SigningKey } from '@tabularium/sdk/package';
import { Runtime } from '../../host/src/runtime/composition.ts';
import { openHome } from '../../host/src/runtime/home/home.ts';
import { silentLogger } from '../../host/src/runtime/logger.ts';
import { TrustStore } from '../../host/src/runtime/drivers/trust/trustStore.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { MemoryStore } from './memoryStore.ts';

export const SECRET = 'the-stored-secret-value';
export const ACME = { id: 'acme', name: 'Acme Databases' };
export const OTHER = { id: 'other', name: 'Other Databases' };

/** A server that notes every connection and every byte, and answers each request with 200. */
export class RecordingServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  connections = 0;
  received = '';

  constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('data', (data) => {
        this.received += data.toString('latin1');
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  forget(): void {
    this.connections = 0;
    this.received = '';
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const CODE = `
const request = (context) => context.http.request({ method: 'GET', path: '/', headers: {}, repeatable: true }).then((answer) => answer.text());
export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'tiny',
    async connect(_settings, context) {
      await request(context);
      return {
        server: { product: 'Recording server', version: '1' },
        findings: [],
        ping: () => request(context),
        async listTables() { await request(context); return [{ ref: { namespace: [], name: 'a' }, kind: 'table' }]; },
        async describeTable(ref) { await request(context); return { ref, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [] }; },
        async readPage() { await request(context); throw new Error('no rows'); },
        async countRows() { await request(context); return { rows: 0, exact: true }; },
        async close() {},
      };
    },
  },
};
`;

/** What a driver of these tests asks for; changed by each attack in its own way. */
export interface DriverShape {
  readonly version?: string;
  readonly fields?: readonly object[];
  readonly http?: Readonly<Record<string, unknown>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
}

export const FIELDS = [
  { id: 'host', label: 'Host', type: 'text' },
  { id: 'port', label: 'Port', type: 'number' },
  { id: 'key', label: 'API key', type: 'secret', required: true },
  {
    id: 'mode',
    label: 'SSL mode',
    type: 'select',
    options: ['disabled', 'chain', 'identity'].map((value) => ({ value, label: value })),
  },
  { id: 'skip', label: 'Skip verification', type: 'toggle' },
  { id: 'authority', label: 'Authority', type: 'file', readBy: 'host' },
];

export const HTTP = {
  origin: {
    host: { field: 'host', whenEmpty: '127.0.0.1' },
    port: { field: 'port', whenEmpty: 1 },
    scheme: { field: 'mode', plainValues: ['disabled'] },
  },
  credentials: [{ field: 'key', headers: ['x-api-key'] }],
  tls: {
    mode: { field: 'mode', verifyChain: ['chain'], verifyIdentity: ['identity'] },
    skipVerification: 'skip',
    certificateAuthorityFile: 'authority',
  },
};

export function driverFiles({ version = '1.0.0', fields = FIELDS, http = {}, manifest = {} }: DriverShape = {}): PackageFiles {
  return tinyDriver({
    version,
    code: CODE,
    manifest: { connection: { fields }, permissions: { http: { ...HTTP, ...http } }, ...manifest },
  });
}

/** A home with the driver of version 1 and a saved connection to a server that records, and another server that must get nothing. */
export class SecretBench implements AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  readonly store = new MemoryStore();
  readonly env: NodeJS.ProcessEnv = { OWN_KEY: SECRET, HIDDEN_KEY: 'another-value-of-the-environment' };
  readonly good = new RecordingServer();
  readonly evil = new RecordingServer();
  readonly keys: { readonly acme: SigningKey; readonly other: SigningKey };
  runtime: Runtime;
  connectionId = '';

  private constructor(folder: string, keys: SecretBench['keys'], runtime: Runtime) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.keys = keys;
    this.runtime = runtime;
  }

  static async open(): Promise<SecretBench> {
    await buildStale({
      root,
      workFolder,
      targets: allTargets(root).filter(({ name }) => name === 'driver-process'),
      log: () => undefined,
    });
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-secrets-'));
    const keys = { acme: await createSigningKey(), other: await createSigningKey() };
    const env = { OWN_KEY: SECRET, HIDDEN_KEY: 'another-value-of-the-environment' };
    const store = new MemoryStore();
    const runtime = await Runtime.start({
      home: await openHome(join(folder, 'home')),
      env,
      logger: silentLogger,
      secureStore: store,
    });
    const bench = new SecretBench(folder, keys, runtime);
    Object.assign(bench, { store });
    await Promise.all([bench.good.listen(), bench.evil.listen()]);
    await bench.trust();
    await bench.install(driverFiles());
    await bench.connect();
    return bench;
  }

  /** Both publishers count, as a person would have decided: what is tried here comes after that wall. */
  async trust(): Promise<void> {
    await this.offline(async (database) => {
      const trust = new TrustStore(database);
      const { acme, other } = this.keys;
      trust.trust({ ...ACME, publicKey: acme.publicKey, keyId: await keyIdOf(acme.publicKey) });
      trust.trust({ ...OTHER, publicKey: other.publicKey, keyId: await keyIdOf(other.publicKey) });
    });
  }

  /** A connection as the form of the window saves it. */
  async connect(secret: 'store' | 'session' | 'environment' = 'store', name = 'Shop'): Promise<string> {
    const key = secret === 'environment' ? { kind: secret, variable: 'OWN_KEY' } : { kind: secret, value: SECRET };
    const { id } = await this.runtime.connections.create({
      name,
      driver: 'tiny',
      settings: { host: '127.0.0.1', port: this.good.port, mode: 'disabled' },
      secrets: { key },
      access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
      color: 'teal',
    });
    this.connectionId = id;
    return id;
  }

  /** Installs a package from a file, as `drivers install --file` does. */
  async install(files: PackageFiles, by: 'acme' | 'other' = 'acme'): Promise<void> {
    const { tarball } = await packPackage(await signPackage(files, by === 'acme' ? ACME : OTHER, this.keys[by]));
    const file = join(this.folder, 'driver.tgz');
    await writeFile(file, tarball);
    await this.runtime.driverManagement.installFile(file, AbortSignal.timeout(30_000));
    await this.runtime.sessions.close(this.connectionId);
  }

  /** Loads the driver from a developer's folder. */
  async loadFolder(files: PackageFiles): Promise<void> {
    const folder = join(this.folder, 'developed');
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    await this.runtime.driverManagement.loadFolder(folder, AbortSignal.timeout(30_000));
    await this.runtime.sessions.close(this.connectionId);
  }

  /** Changes the database while no host runs, then starts one again. */
  async offline(change: (database: DatabaseSync) => void | Promise<void>): Promise<void> {
    await this.runtime[Symbol.asyncDispose]();
    const database = new DatabaseSync(join(this.home, 'tabularium.db'));
    await change(database);
    database.close();
    this.runtime = await Runtime.start({
      home: await openHome(this.home),
      env: this.env,
      logger: silentLogger,
      secureStore: this.store,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime[Symbol.asyncDispose]();
    await Promise.all([this.good.close(), this.evil.close()]);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
