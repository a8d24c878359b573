import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type {
  ConsoleFacet,
  ExportFacet,
  Finding,
  ResultEvent,
  Session,
  StatementEffect,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import type { SavedConnection, TestStep } from '../common/connection.ts';
import type { SecretQuestion } from '../common/secretQuestion.ts';
import { savedConnectionSchema } from '../common/connection.ts';
import { HostError } from '../common/errors.ts';
import { readConnectionFile, writeConnectionFile } from '../runtime/connections/connectionFile.ts';
import type { DriverCatalogue } from '../runtime/drivers/catalogue/driverCatalogue.ts';
import type { DriverManagement } from '../runtime/drivers/install/driverManagement.ts';
import type { RegistryManagement } from '../runtime/drivers/registry/registryManagement.ts';
import type { SecureStoreState } from '../runtime/credentials/secureStore.ts';
import type { TokenInfo } from '../runtime/mcp/access/tokenStore.ts';
import { TokenStore } from '../runtime/mcp/access/tokenStore.ts';
import { silentLogger } from '../runtime/storage/logger.ts';
import { importsMigration } from '../runtime/storage/migrations/imports.ts';
import { ImportJournal } from '../runtime/importing/importJournal.ts';
import { Imports } from '../runtime/importing/imports.ts';
import { Uploads } from '../runtime/importing/uploads.ts';
import { Transfers } from '../runtime/transfer/transfers.ts';
import { operationsMigration } from '../runtime/storage/migrations/operations.ts';
import { tokensMigration } from '../runtime/storage/migrations/tokens.ts';
import { RowFinder } from '../runtime/finding/rowFinder.ts';
import { Database } from '../runtime/storage/database.ts';
import type { ConnectionInput } from '../common/connection.ts';
import type { OpenProgress } from '../common/api.ts';
import type { TokenSummary } from '../common/integrations.ts';
import { NamedObjects } from '../runtime/data/namedObjects.ts';
import { OperationJournal } from '../runtime/operations/operationJournal.ts';
import { OperationRuns } from '../runtime/operations/operationRuns.ts';
import { Activities } from '../runtime/data/activities.ts';
import { Operations } from '../runtime/operations/operations.ts';
import { Tables } from '../runtime/data/tables.ts';
import type { Sessions } from '../runtime/data/sessions.ts';
import type { HostShell } from '../runtime/api/owner/hostShell.ts';
import { createOwnerHandler } from '../runtime/api/owner/ownerHandler.ts';
import type { OwnerContext } from '../runtime/api/owner/ownerContext.ts';
import type { RunningRuntime, StartRuntime } from './runningRuntime.ts';
import { runCli } from './runCli.ts';
import { BOX_TERMS, plainManifest } from '../common/plainManifest.test-helper.ts';

/** A database type with a field of every kind. */
export const manifest = plainManifest({
  terms: BOX_TERMS,
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text', default: 'localhost' },
      { id: 'port', label: 'Port', type: 'number', default: 99 },
      { id: 'accessKey', label: 'Access Key', type: 'secret', required: true },
      { id: 'pin_code', label: 'PIN', type: 'secret' },
      {
        id: 'sslMode',
        label: 'SSL Mode',
        type: 'select',
        options: [
          { value: 'off', label: 'Off' },
          { value: 'verifyCa', label: 'Check the Authority' },
        ],
      },
      { id: 'skipTLSCheck', label: 'Skip', type: 'toggle' },
      { id: 'caFile', label: 'Authority', type: 'file', readBy: 'host' },
      // Taken by an option of the command itself.
      { id: 'name', label: 'Fixture name', type: 'text' },
    ],
  },
  reading: { maxSorts: 0 },
  filtering: { classes: { text: { operators: ['equals', 'contains'] } }, caseControl: { available: true } },
});

export interface FakeDatabase {
  tables: TableSummary[];
  /** Tables that a person opened by name. */
  named?: TableRef[];
  findings: Finding[];
  console: ConsoleFacet | undefined;
  export?: ExportFacet;
  import?: NonNullable<Session['import']>;
  namespaces?: NonNullable<Session['namespaces']>;
  describeTable?: Session['describeTable'];
  readPage?: Session['readPage'];
  countRows?: Session['countRows'];
  search?: NonNullable<Session['search']>;
  objects?: NonNullable<Session['objects']>;
  operations?: NonNullable<Session['operations']>;
  activity?: NonNullable<Session['activity']>;
}

/** A console with the statements `read`, `write` and `destroy`, which reports the statements it ran. */
export function fakeConsole(results: readonly ResultEvent[]): ConsoleFacet & { readonly ran: string[] } {
  const ran: string[] = [];
  const effects: Record<string, StatementEffect> = { read: 'read', destroy: 'destructive' };
  return {
    ran,
    split: (text) => text.split(';').map((part) => ({ text: part.trim(), start: 0, end: 0 })),
    classify: async (statement) => ({ effect: effects[statement] ?? 'write', tables: [], summary: `${statement} everything` }),
    run: async function* (statement) {
      ran.push(statement);
      await Promise.resolve();
      yield* results;
    },
  };
}

/** Homes, and the state that a runtime keeps in them, for one test. */
export class FakeMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly connections: SavedConnection[] = [];
  /** The questions for a person, and the answers given. */
  secretQuestion: SecretQuestion | undefined;
  /** The name of every connection that an import adds. */
  importedName: string | undefined;
  readonly confirmed: (readonly [string, string])[] = [];
  readonly secrets: unknown[] = [];
  /** Of the test of any connection. */
  testSteps: readonly TestStep[] = [
    { id: 'tcp', label: 'TCP', outcome: 'running', message: '…' },
    { id: 'tcp', label: 'TCP', outcome: 'failed', message: 'refused', milliseconds: 2 },
  ];
  readonly database: FakeDatabase = { tables: [], findings: [], console: undefined };
  readonly #file: Database = new Database(':memory:', [tokensMigration, operationsMigration, importsMigration]);
  /** The services behind the driver commands; empty until a test fills it in. */
  management: Partial<DriverManagement> = {
    overview: async () => ({ drivers: [], offline: false, policy: [], policySentences: [] }),
  };
  registryManagement: Partial<RegistryManagement> = { registries: async () => [] };
  development: Partial<OwnerContext['driverDevelopment']> = {};
  store: SecureStoreState = { available: true, name: 'the store' };
  mcpUrl: string | undefined;
  /** How many runtimes were started, and how many run now. */
  started = 0;
  running = 0;

  static async create(): Promise<FakeMachine> {
    return new FakeMachine(await mkdtemp(join(tmpdir(), 'tabularium-cli-')));
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  /** Where the documentation would be built. */
  get documentationFolder(): string {
    return join(this.#folder, 'documentation');
  }

  /** Runs one command as a process of its own would. */
  async run(
    words: readonly string[],
    options: {
      readonly input?: string;
      /** A person sits there and types the input; without any, they close it (Ctrl-D). */
      readonly isTerminal?: boolean;
      readonly env?: Record<string, string>;
      readonly signal?: AbortSignal;
      readonly outputLost?: AbortSignal;
      readonly onOutput?: (text: string) => void;
      /** With everything on stderr so far. */
      readonly onError?: (text: string) => void;
      readonly startRuntime?: StartRuntime;
      /** Of the program. */
      readonly version?: string;
    } = {},
  ): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const collect = (add: (text: string) => void): Writable =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          add(chunk.toString());
          done();
        },
      });
    const code = await runCli({
      words,
      terminal: {
        stdin: options.isTerminal === true ? typed(options.input ?? '') : Readable.from([options.input ?? '']),
        stdout: collect((text) => {
          out += text;
          options.onOutput?.(out);
        }),
        stderr: Object.assign(
          collect((text) => {
            err += text;
            options.onError?.(err);
          }),
          options.isTerminal === true ? { isTTY: true } : {},
        ),
      },
      env: { TABULARIUM_HOME: this.home, ...options.env },
      folder: '/somewhere/here',
      version: options.version ?? '1.2.3',
      rendererFolder: join(this.#folder, 'renderer'),
      documentationFolder: this.documentationFolder,
      signal: options.signal ?? new AbortController().signal,
      outputLost: options.outputLost ?? new AbortController().signal,
      startRuntime: options.startRuntime ?? ((start) => this.startRuntime(start.env)),
    });
    return { code, out, err };
  }

  /** The answer of a command in JSON. */
  async json(
    words: readonly string[],
    options: { readonly input?: string; readonly env?: Record<string, string> } = {},
  ): Promise<unknown> {
    const { out } = await this.run([...words, '--json'], options);
    return JSON.parse(out);
  }

  async startRuntime(env: NodeJS.ProcessEnv): Promise<RunningRuntime> {
    this.started += 1;
    this.running += 1;
    if (this.running > 1) throw new Error('two runtimes in one home');
    return {
      handler: async () => new Response('{}'),
      ownerHandler: (shell) => createOwnerHandler(this.#services(env, shell), silentLogger),
      sendsSignInTo: () => false,
      startMcp: async (port) => `http://127.0.0.1:${port ?? 1}/mcp`,
      offerSample: async (input) => void this.#create(input),
      [Symbol.asyncDispose]: async () => {
        this.running -= 1;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#file[Symbol.dispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #create(input: ConnectionInput): SavedConnection {
    const now = new Date().toISOString();
    const { secrets, ...rest } = input;
    this.secrets.push(secrets);
    const connection = savedConnectionSchema.parse({ ...rest, id: randomUUID(), secrets: {}, createdAt: now, updatedAt: now });
    this.connections.push(connection);
    return connection;
  }

  /** The inputs of the procedures that commands call. */
  #services(env: NodeJS.ProcessEnv, shell: HostShell): OwnerContext {
    const sessions = this.#sessions();
    const tokens = new TokenStore(this.#file.connection);
    const operations = new Operations(sessions);
    const services: FakeServices = {
      ...this.#connectionServices(),
      catalogue: {
        list: async () => ({ entries: [ENTRY] }),
        refresh: async () => ({ entries: [ENTRY] }),
        of: (registry) => {
          const one: Partial<DriverCatalogue> = { refresh: async () => ({ entries: [], problem: registry }) };
          return one as DriverCatalogue;
        },
      },
      installed: { list: () => [] },
      drivers: {
        install: async function* (driver, { version = '1.0.0' }) {
          await Promise.resolve();
          yield { step: 'resolving' };
          if (driver !== manifest.id) throw new HostError('DRIVER_UNKNOWN');
          yield { step: 'installed', version, milliseconds: 3, publisher: PUBLISHER };
        },
      },
      // The runtime's handling of drivers has its own tests; commands only pass it on.
      driverManagement: { keys: async () => [], ...this.management },
      registryManagement: this.registryManagement,
      tables: new Tables(sessions as Sessions),
      rowFinder: new RowFinder(sessions, { view: async () => ({ tables: this.database.named ?? [] }) }),
      namedObjects: new NamedObjects({ use: sessions.use, forgetStructures: () => undefined }),
      activities: new Activities(sessions),
      operations,
      operationRuns: this.#operationRuns(operations),
      namedTables: { view: async () => ({ tables: this.database.named ?? [] }) },
      integrations: {
        state: () => ({ running: this.mcpUrl !== undefined, ...(this.mcpUrl === undefined ? {} : { url: this.mcpUrl }) }),
        tokens: () => tokens.list().map(toSummary),
        mint: ({ name, scope, connections, expiresAt }) => {
          const { info, text } = tokens.mint({
            name,
            scope,
            connections,
            expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
          });
          return { token: toSummary(info), text };
        },
        revoke: (id) => void tokens.revoke(id),
      },
      sessions,
      transfers: new Transfers(sessions, silentLogger),
      imports: this.#imports(sessions),
      driverDevelopment: this.development,
      shell,
      secureStore: { state: async () => this.store },
      hasVariable: (name: string) => env[name] !== undefined,
    };
    return services as unknown as OwnerContext;
  }

  /** As a host restores it: what the command before left running is interrupted. */
  #operationRuns(operations: Operations): OperationRuns {
    // The saved connections of this machine are in no database.
    this.#file.connection.exec('PRAGMA foreign_keys = OFF');
    const journal = new OperationJournal(this.#file.connection, silentLogger);
    const runs = new OperationRuns(operations, { forgetStructures: () => undefined }, journal, silentLogger);
    runs.restore();
    return runs;
  }

  #connectionServices(): FakeServices {
    return {
      connectionStore: { list: () => this.connections },
      connectionService: {
        create: async (input) => this.#create(input),
        rename: (id, name) => {
          const index = this.connections.findIndex((connection) => connection.id === id);
          const connection = this.connections[index];
          if (connection === undefined) throw new HostError('CONNECTION_UNKNOWN');
          return (this.connections[index] = { ...connection, name });
        },
        remove: async (id) => {
          const index = this.connections.findIndex((connection) => connection.id === id);
          this.connections.splice(index, 1);
        },
        secretQuestion: async () => this.secretQuestion,
        confirmSecrets: async (id, code) => void this.confirmed.push([id, code]),
      },
      connectionImport: {
        export: (ids) => writeConnectionFile(this.connections.filter(({ id }) => ids === undefined || ids.includes(id))),
        preview: async (text) => {
          const { connections, problems } = readConnectionFile(text);
          const candidates = connections.map(({ name, driver, problems: own }, index) => ({
            index,
            name,
            driver,
            secretsToEnter: [],
            fromEnvironment: [],
            freeName: name,
            problems: own,
          }));
          return { candidates, problems };
        },
        import: async ({ choices }) =>
          choices.map(({ index, onConflict }) => ({
            index,
            name: this.importedName ?? `Number ${index}`,
            ...(this.importedName === undefined ? {} : { connectionId: IMPORTED }),
            outcome: onConflict === 'replace' ? ('failed' as const) : ('added' as const),
            ...(onConflict === 'rename' ? { fromEnvironment: ['KEY'] } : {}),
          })),
      },
      connectionTest: {
        run: async function* (this: FakeMachine) {
          await Promise.resolve();
          yield* this.testSteps;
        }.bind(this),
      },
      openConnections: { open: (connectionId) => this.#open(connectionId) },
    };
  }

  async *#open(connectionId: string): AsyncGenerator<OpenProgress> {
    await Promise.resolve();
    yield { step: 'connecting' };
    const { findings } = this.database;
    const server = { product: 'Fixture' };
    const { namespaces } = this.database;
    const initial =
      namespaces === undefined ? {} : { initialNamespaces: namespaces.initial.map((path) => [...path]), facets: ['namespaces'] };
    yield {
      step: 'open',
      connection: { connectionId, server, findings, facets: [], manifest, driverVersion: '1.0.0', ...initial },
    };
  }

  /** One for all runs, as the journal of a data directory is. */
  #imports(sessions: Pick<Sessions, 'use'>): Imports {
    const found = { use: sessions.use, forgetStructures: () => undefined };
    const journal = new ImportJournal(this.#file.connection, silentLogger);
    return (this.#imported ??= new Imports(found, journal, new Uploads(this.home), () => undefined, silentLogger, this.home));
  }

  #imported: Imports | undefined;

  #sessions(): Pick<Sessions, 'use' | 'describe'> {
    return {
      describe: async (connectionId, table, _reload, options) =>
        this.#sessions().use(connectionId, ({ session }) => session.describeTable(table, options), options),
      use: (connectionId, work) => {
        const connection = this.connections.find(({ id }) => id === connectionId);
        if (connection === undefined) throw new HostError('CONNECTION_UNKNOWN');
        const { tables, findings, console, export: exporting, objects, operations, search, activity } = this.database;
        const unused = (): never => {
          throw new Error('not used by commands');
        };
        const session = {
          server: { product: 'Fixture' },
          findings,
          ping: unused,
          listTables: async () => tables,
          ...(this.database.namespaces === undefined ? {} : { namespaces: this.database.namespaces }),
          describeTable: this.database.describeTable ?? unused,
          readPage: this.database.readPage ?? unused,
          countRows: this.database.countRows ?? unused,
          close: unused,
          ...(console === undefined ? {} : { console }),
          ...(exporting === undefined ? {} : { export: exporting }),
          ...(this.database.import === undefined ? {} : { import: this.database.import }),
          ...(search === undefined ? {} : { search }),
          ...(objects === undefined ? {} : { objects }),
          ...(operations === undefined ? {} : { operations }),
          ...(activity === undefined ? {} : { activity }),
        };
        return work({ connection, manifest, driverVersion: '1.0.0', session });
      },
    };
  }
}

/** The id of a connection that an import adds. */
export const IMPORTED = '6b1f7c1e-0f4f-4b0a-9d52-6f2b7c1e0f4f';

/** Of the services, the methods that commands reach. */
type FakeServices = { readonly [Name in keyof OwnerContext]?: Partial<OwnerContext[Name]> };

const ENTRY = { id: manifest.id, packageName: '@fixture/driver', manifest, state: 'notInstalled' as const };
const PUBLISHER = { id: 'p', name: 'Publisher', fingerprint: 'ab', origin: 'thirdParty' as const };

function toSummary({ kind, ...info }: TokenInfo): TokenSummary {
  void kind;
  return info;
}

function typed(text: string): Readable & { readonly isTTY: true } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true } as const);
  if (text === '') stdin.end();
  else stdin.write(text);
  return stdin;
}
