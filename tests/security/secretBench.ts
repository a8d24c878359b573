import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createServer as createSecureServer } from 'node:tls';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { createSigningKey, keyIdOf } from '@tabularium/sdk/package';
import type { PackageFiles, SigningKey } from '@tabularium/sdk/package';
import { registryInputSchema } from '../../host/src/common/driversApi.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { TrustStore } from '../../host/src/runtime/drivers/trust/trustStore.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { MemoryStore } from './memoryStore.ts';
import { createRegistry } from './packageHost.ts';

export const SECRET = 'the-stored-secret-value';
const ACME = { id: 'acme', name: 'Acme Databases' };
const OTHER = { id: 'other', name: 'Other Databases' };

/** A server that notes every connection and every byte (over TLS: every byte after decryption), and answers each request with 200. */
class RecordingServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  connections = 0;
  received = '';

  constructor(tls?: { readonly key: string; readonly cert: string }) {
    const answer = (socket: Socket): void => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        this.received += data.toString('latin1');
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      });
    };
    this.#server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
    // Before any handshake: a connection counts also when its handshake fails.
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
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

/** The request of a driver of these tests; each attack changes it in its own way. */
export interface DriverShape {
  readonly version?: string;
  readonly fields?: readonly object[];
  readonly http?: Readonly<Record<string, unknown>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly code?: string;
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

export function driverFiles({
  version = '1.0.0',
  fields = FIELDS,
  http = {},
  manifest = {},
  code = CODE,
}: DriverShape = {}): PackageFiles {
  return tinyDriver({
    sdk: '^1.1',
    version,
    code,
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
  /** The administrator's policy: no file at first, so that everything is allowed. */
  readonly policyFile: string;
  /** Two authorities; the certificate of {@link secure} is by the first. Both files are there once {@link connectSecurely} has run. */
  readonly authorities: readonly [string, string];
  secure: RecordingServer | undefined;
  #registry: RunningRegistry | undefined;
  runtime: Runtime;
  connectionId = '';

  private constructor(folder: string, keys: SecretBench['keys'], runtime: Runtime) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.policyFile = join(folder, 'policy.json');
    this.authorities = [join(folder, 'own', 'ca.crt'), join(folder, 'foreign', 'ca.crt')];
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
      policyFile: join(folder, 'policy.json'),
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
  async connect(
    secret: 'store' | 'session' | 'environment' = 'store',
    name = 'Shop',
    settings: Readonly<Record<string, string | number | boolean>> = {},
  ): Promise<string> {
    const key = secret === 'environment' ? { kind: secret, variable: 'OWN_KEY' } : { kind: secret, value: SECRET };
    const { id } = await this.runtime.connections.create({
      name,
      driver: 'tiny',
      settings: { host: '127.0.0.1', port: this.good.port, mode: 'disabled', ...settings },
      secrets: { key },
      access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
      color: 'teal',
    });
    this.connectionId = id;
    return id;
  }

  /** A connection over TLS to {@link secure}, whose certificate is checked against the first of {@link authorities}. */
  async connectSecurely(): Promise<string> {
    const [own, foreign] = this.authorities.map((file) => dirname(file));
    await Promise.all([own, foreign].map((folder) => mkdir(folder ?? '', { recursive: true })));
    new TestCertificates(foreign ?? '');
    this.secure = new RecordingServer(new TestCertificates(own ?? '').issue('server', 'IP:127.0.0.1'));
    await this.secure.listen();
    return this.connect('store', 'Secure', { port: this.secure.port, mode: 'identity', authority: this.authorities[0] });
  }

  /** Publishes a package in a registry that this home asks. @returns the registry's URL */
  async publish(files: PackageFiles, by: 'acme' | 'other' = 'acme'): Promise<string> {
    const isNew = this.#registry === undefined;
    this.#registry ??= await createRegistry();
    const { url } = this.#registry;
    await this.#registry.publishPacked(await packPackage(await signPackage(files, by === 'acme' ? ACME : OTHER, this.keys[by])));
    if (isNew) await this.runtime.registryManagement.saveRegistry(registryInputSchema.parse({ url }));
    return url;
  }

  /** Updates the driver from the registry, as `drivers update` does. */
  async update(): Promise<void> {
    for await (const step of this.runtime.driverManagement.update('tiny', AbortSignal.timeout(200_000))) void step;
    await this.runtime.sessions.close(this.connectionId);
  }

  /** Every server of the test. */
  get servers(): readonly RecordingServer[] {
    return [this.good, this.evil, ...(this.secure === undefined ? [] : [this.secure])];
  }

  /** Installs a package from a file, as `drivers install --file` does. */
  async install(files: PackageFiles, by: 'acme' | 'other' = 'acme'): Promise<void> {
    const { tarball } = await packPackage(await signPackage(files, by === 'acme' ? ACME : OTHER, this.keys[by]));
    const file = join(this.folder, 'driver.tgz');
    await writeFile(file, tarball);
    await this.runtime.driverManagement.installFile(file, AbortSignal.timeout(200_000));
    await this.runtime.sessions.close(this.connectionId);
  }

  /** Loads the driver from a developer's folder. */
  async loadFolder(files: PackageFiles): Promise<void> {
    const folder = join(this.folder, 'developed');
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    await this.runtime.driverManagement.loadFolder(folder, AbortSignal.timeout(200_000));
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
      policyFile: this.policyFile,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime[Symbol.asyncDispose]();
    await Promise.all(this.servers.map((server) => server.close()));
    await this.#registry?.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
