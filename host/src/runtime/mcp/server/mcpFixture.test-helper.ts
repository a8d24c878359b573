import { DriverError } from '@tabularium/sdk';
import type {
  Ability,
  Column,
  ConsoleFacet,
  EditsFacet,
  ExplainFacet,
  ExportFacet,
  ImportFacet,
  MetricsFacet,
  Page,
  PageRequest,
  PrincipalsFacet,
  SearchFacet,
  Session,
  ForeignKey,
  ReferringKey,
  TableDescription,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { DatabaseSync } from 'node:sqlite';
import type { ConnectionAccess } from '../../../common/access.ts';
import { savedConnectionSchema } from '../../../common/connection.ts';
import type { SavedConnection } from '../../../common/connection.ts';
import { TokenStore } from '../access/tokenStore.ts';
import type { MintedToken, TokenRequest } from '../access/tokenStore.ts';
import { tokensMigration } from '../../storage/migrations/tokens.ts';
import { ApprovalQueue } from '../approvals/approvalQueue.ts';
import { ApprovalGate } from '../approvals/approvalGate.ts';
import { ApprovalTickets } from '../approvals/approvalTickets.ts';
import { approvalTargetsMigration } from '../../storage/migrations/approvalTargets.ts';
import { approvalsMigration } from '../../storage/migrations/approvals.ts';
import { mcpSessionsMigration } from '../../storage/migrations/mcpSessions.ts';
import { oauthMigration } from '../../storage/migrations/oauth.ts';
import { AuthorizationCodes } from '../oauth/authorizationCodes.ts';
import { ConsentQueue } from '../oauth/consentQueue.ts';
import { OAuthClientStore } from '../oauth/oauthClientStore.ts';
import { OAuthEndpoints } from '../oauth/oauthEndpoints.ts';
import { OAuthGrantStore } from '../oauth/oauthGrantStore.ts';
import { presentedTokens } from '../oauth/presentedTokens.ts';
import { McpSessionStore } from '../http/mcpSessionStore.ts';
import { GrantStore } from '../approvals/grantStore.ts';
import { NewSecrets } from '../approvals/newSecrets.ts';
import type { CallReport } from './callReport.ts';
import { McpServer } from '../mcpServer.ts';
import type { McpServerOptions } from '../mcpServer.ts';
import type { McpAddress } from './lifecycle.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { OpenSession, Sessions } from '../../data/sessions.ts';
import type { SavedRequest } from '../../../common/console.ts';
import type { ToolHistoryEntry } from '../tools/historyReader.ts';
import { savedRequestReader } from './savedRequestReader.ts';
import { LIBRARY_KEY, libraryFacets, pageOfBooks } from './libraryFacets.test-helper.ts';
import { plainManifest } from '../../../common/plainManifest.test-helper.ts';

/** The type of the connections in the tests: a library in memory, with namespaces, views and a composite key. */
const LIBRARY_MANIFEST: Manifest = plainManifest({
  id: 'library',
  title: 'Library',
  tagline: 'A database in memory',
  terms: {
    table: { one: 'Fixture', other: 'Shelves' },
    row: { one: 'Book', other: 'Books' },
    column: { one: 'Mark', other: 'Marks' },
  },
  connection: {
    fields: [
      { id: 'host', type: 'text', label: 'Host' },
      { id: 'port', type: 'number', label: 'Port' },
      { id: 'scheme', type: 'select', label: 'Encryption', options: [{ value: 'off', label: 'Off' }] },
      { id: 'key', type: 'secret', label: 'Key' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 80 },
        scheme: { field: 'scheme', plainValues: ['off'] },
      },
    },
  },
  reading: { maxSorts: 2, sortRule: 'Only numbers can be sorted by.' },
  filtering: {
    classes: {
      number: { operators: ['lessThan', 'equals'] },
      text: { operators: ['equals', { operator: 'contains' }, { operator: 'endsWith', refused: 'It cannot do that.' }] },
    },
    caseControl: { available: false, reason: 'There is no choice.' },
  },
});

const yes: Ability = { allowed: true };
const no: Ability = { allowed: false, reason: 'It cannot be sorted by.' };

const LIBRARY_COLUMNS: readonly Column[] = [
  { name: 'library', kind: 'text', type: 'string', nullable: false, editable: yes, sortable: no, filterClass: 'text' },
  { name: 'number', kind: 'integer', type: 'int64', nullable: false, editable: yes, sortable: yes, filterClass: 'number' },
  {
    name: 'title',
    kind: 'text',
    type: 'string',
    nullable: true,
    editable: yes,
    sortable: no,
    filterClass: 'text',
    note: 'As printed.',
  },
  { name: 'scan', kind: 'bytes', type: 'blob', nullable: true, editable: yes, sortable: no },
];

function description(ref: TableRef): TableDescription {
  const view = ref.name === 'recent';
  return {
    ref,
    kind: view ? 'view' : 'table',
    columns: LIBRARY_COLUMNS,
    key: view ? [] : ['library', 'number'],
    paging: 'offset',
    readsFromEnd: false,
    notes: ['Kept in memory.'],
  };
}

const LIBRARY_TABLES: readonly TableSummary[] = [
  { ref: { namespace: [], name: 'books' }, kind: 'table', count: { rows: 12_345, exact: true } },
  { ref: { namespace: [], name: 'recent' }, kind: 'view' },
  { ref: { namespace: ['north'], name: 'loans' }, kind: 'table', count: { rows: 7, exact: false } },
  { ref: { namespace: ['south'], name: 'loans' }, kind: 'table', count: { rows: 8, exact: true } },
  { ref: { namespace: ['south'], name: 'fines' }, kind: 'table' },
  { ref: { namespace: [], name: 'volumes' }, kind: 'table', aliasOf: { namespace: [], name: 'books' } },
];

const LOAN_FINE: ReferringKey = {
  table: { namespace: ['south'], name: 'fines' },
  columns: ['loan'],
  referencedColumns: ['number'],
};
const LOANED_BOOK: ForeignKey = {
  name: 'loaned_book',
  columns: ['library', 'number'],
  references: { namespace: ['south'], name: 'fines' },
  referencedColumns: ['library', 'number'],
};

type SessionWithFacets = { [Key in keyof Session]: Session[Key] | undefined };

/** A session as a driver would open it. `fault` makes the next calls fail. */
class LibrarySession implements SessionWithFacets {
  readonly server = { product: 'Library' };
  readonly findings = [];
  fault: Error | undefined;
  /** Pages of more rows are too large for one answer. */
  mostRows = Infinity;
  /** While set, listing waits for it. */
  gate: Promise<void> | undefined;
  readonly calls: string[] = [];
  readonly signals: AbortSignal[] = [];
  /** Called whenever a call begins. */
  onBegin: () => void = () => undefined;

  async ping(): Promise<void> {}

  async listTables({ signal }: { readonly signal: AbortSignal }): Promise<readonly TableSummary[]> {
    await this.begin('listTables', signal);
    return LIBRARY_TABLES;
  }

  async describeTable(table: TableRef, { signal }: { readonly signal: AbortSignal }): Promise<TableDescription> {
    await this.begin(`describeTable ${JSON.stringify(table)}`, signal);
    const found = LIBRARY_TABLES.find(
      ({ ref }) => ref.name === table.name && JSON.stringify(ref.namespace) === JSON.stringify(table.namespace),
    );
    if (found === undefined) throw new DriverError('NOT_FOUND');
    return {
      ...description(found.ref),
      ...(table.name === 'loans' ? { foreignKeys: [LOANED_BOOK], referredBy: [LOAN_FINE] } : {}),
    };
  }

  async readPage(request: PageRequest, { signal }: { readonly signal: AbortSignal }): Promise<Page> {
    await this.begin(`readPage ${JSON.stringify(request.table)}`, signal);
    if (request.limit > this.mostRows) throw new DriverError('TOO_LARGE');
    return pageOfBooks(request);
  }

  async countRows({ table }: { readonly table: TableRef }, { signal }: { readonly signal: AbortSignal }) {
    await this.begin(`countRows ${table.name}`, signal);
    if (table.name === 'fines') throw new DriverError('ACCESS_REFUSED');
    return { rows: 3, exact: true };
  }

  async close(): Promise<void> {}

  readonly #facets = libraryFacets(this);
  readonly console: ConsoleFacet | undefined = this.#facets.console;
  readonly edits: EditsFacet | undefined = this.#facets.edits;
  readonly export: ExportFacet | undefined = this.#facets.export;
  readonly explain: ExplainFacet | undefined = this.#facets.explain;
  readonly principals: PrincipalsFacet | undefined = this.#facets.principals;
  readonly metrics: MetricsFacet | undefined = this.#facets.metrics;
  readonly search: SearchFacet | undefined = this.#facets.search;
  readonly import: ImportFacet | undefined = this.#facets.import;

  /** Notes a call, waits for the gate, and fails where it should. */
  async begin(call: string, signal: AbortSignal): Promise<void> {
    this.calls.push(call);
    this.signals.push(signal);
    this.onBegin();
    if (this.gate !== undefined) {
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(new DriverError('CANCELLED'));
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      await Promise.race([this.gate, aborted.promise]);
    }
    if (this.fault !== undefined) throw this.fault;
  }
}

/** The names of the tests' connections, and their access. Their keys are never readable. */
const CONNECTIONS: readonly (readonly [id: string, name: string, access: ConnectionAccess])[] = [
  ['00000000-0000-4000-8000-000000000001', 'Reading room', { externalClients: 'readOnly', aiPolicy: 'askEachTime' }],
  ['00000000-0000-4000-8000-000000000002', 'Archive', { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' }],
  ['00000000-0000-4000-8000-000000000003', 'Vault', { externalClients: 'blocked', aiPolicy: 'alwaysAllow' }],
  ['00000000-0000-4000-8000-000000000004', 'Diary', { externalClients: 'readWrite', aiPolicy: 'never' }],
];

export const READING_ROOM = '00000000-0000-4000-8000-000000000001';
export const ARCHIVE = '00000000-0000-4000-8000-000000000002';
export const VAULT = '00000000-0000-4000-8000-000000000003';
export const DIARY = '00000000-0000-4000-8000-000000000004';
export const LIBRARY_HOST = 'library.internal.example';

/** A running MCP server over {@link LibrarySession}, with everything around it that a test looks at. */
export class McpFixture implements AsyncDisposable {
  readonly session = new LibrarySession();
  readonly connections: SavedConnection[] = CONNECTIONS.map(([id, name, access]) =>
    savedConnectionSchema.parse({
      id,
      name,
      driver: name === 'Archive' ? 'unheard-of' : 'library',
      settings: { host: LIBRARY_HOST, port: 8_108, scheme: 'off' },
      secrets: { key: { kind: 'session' } },
      access,
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
    }),
  );
  readonly states = new Map<string, ReturnType<Sessions['state']>>([[READING_ROOM, 'open']]);
  readonly reports: CallReport[] = [];
  readonly internalErrors: unknown[] = [];
  readonly database = new DatabaseSync(':memory:');
  readonly tokens: TokenStore;
  readonly grants: GrantStore;
  readonly queue: ApprovalQueue;
  readonly gate: ApprovalGate;
  readonly newSecrets = new NewSecrets();
  readonly consents: ConsentQueue;
  readonly oauthGrants: OAuthGrantStore;
  readonly oauth: OAuthEndpoints;
  readonly server: McpServer;
  readonly #onChange = new Set<Parameters<ConnectionStore['onChange']>[0]>();
  now = Date.now();
  /** A real driver's, instead of the library. */
  otherSession: Session | undefined;
  /** Of the driver of every connection but Archive. */
  manifest: Manifest = LIBRARY_MANIFEST;
  /** Makes opening a connection fail. */
  openingFault: Error | undefined;
  clientsMayAsk = true;
  oauthEnabled = false;
  exportFolders: readonly string[] = [];
  history: ToolHistoryEntry[] = [];
  /** Of every connection, unless they name one. */
  savedRequests: (Pick<SavedRequest, 'name' | 'text'> & { readonly connectionId?: string })[] = [];
  /** The credentials of every connection. */
  secrets: readonly string[] = [LIBRARY_KEY];

  constructor(options: Partial<McpServerOptions> = {}) {
    this.database.exec(tokensMigration.sql);
    this.database.exec(approvalsMigration.sql);
    this.database.exec(approvalTargetsMigration.sql);
    this.database.exec(mcpSessionsMigration.sql);
    this.database.exec(oauthMigration.sql);
    this.grants = new GrantStore(this.database, () => this.now);
    const connections = {
      list: () => this.connections,
      onChange: (listener: Parameters<ConnectionStore['onChange']>[0]) => {
        this.#onChange.add(listener);
        return () => this.#onChange.delete(listener);
      },
    };
    this.queue = new ApprovalQueue(this.grants, connections, () => this.now);
    this.gate = new ApprovalGate({
      tickets: new ApprovalTickets(() => this.now),
      queue: this.queue,
      grants: this.grants,
      clientsMayAsk: () => this.clientsMayAsk,
    });
    this.tokens = new TokenStore(this.database, () => this.now);
    this.consents = new ConsentQueue(() => this.now);
    this.oauthGrants = new OAuthGrantStore(
      this.database,
      this.tokens,
      () => this.oauthEnabled,
      () => this.now,
    );
    this.oauth = new OAuthEndpoints({
      enabled: () => this.oauthEnabled,
      language: () => 'en',
      clients: new OAuthClientStore(this.database, () => this.now),
      consents: this.consents,
      codes: new AuthorizationCodes(() => this.now),
      grants: this.oauthGrants,
      tokens: this.tokens,
      now: () => this.now,
    });
    this.server = new McpServer(
      {
        tokens: presentedTokens(this.tokens, this.oauthGrants),
        connections,
        secrets: { usedBy: () => this.secrets },
        approvals: this.gate,
        newSecrets: this.newSecrets,
        exportFolders: () => this.exportFolders,
        history: {
          search: async ({ connectionIds, limit }) =>
            this.history.filter(({ connectionId }) => connectionIds.includes(connectionId)).slice(0, limit),
        },
        savedRequests: savedRequestReader(
          {
            list: (id) =>
              this.savedRequests.flatMap(({ name, text, connectionId }, index) =>
                connectionId === undefined || connectionId === id
                  ? [{ id: `request ${index}`, connectionId: connectionId ?? null, name, text, createdAt: '', updatedAt: '' }]
                  : [],
              ),
          },
          { valuesToHide: async () => this.secrets, revision: 0 },
          { list: () => [...this.connections], unreadable: () => [] },
        ),
        sessions: {
          state: (id) => this.states.get(id) ?? 'closed',
          use: async (id, work, { signal }) => {
            signal.throwIfAborted();
            const connection = this.connections.find((candidate) => candidate.id === id);
            if (connection === undefined) throw new Error(`no connection ${id}`);
            if (this.openingFault !== undefined) throw this.openingFault;
            const open: OpenSession = {
              driverVersion: '1.0.0',
              connection,
              manifest: this.manifest,
              session: this.otherSession ?? this.session,
            };
            return work(open);
          },
        },
        manifests: { find: (driver) => (driver === 'library' ? this.manifest : undefined) },
        onInternalError: (error) => this.internalErrors.push(error),
      },
      {
        version: '1.2.3',
        now: () => this.now,
        sessionStore: new McpSessionStore(this.database, () => this.now),
        oauth: this.oauth,
        ...options,
      },
    );
    this.server.onCall((report) => this.reports.push(report));
  }

  /** Changes how open a connection is, as its owner does. */
  setAccess(id: string, access: Partial<ConnectionAccess>): void {
    const index = this.connections.findIndex((connection) => connection.id === id);
    const connection = this.connections[index];
    if (connection === undefined) throw new Error(`no connection ${id}`);
    this.connections[index] = { ...connection, access: { ...connection.access, ...access } };
    for (const listener of this.#onChange) listener({ kind: 'updated', connection });
  }

  /** Lets a connection lead elsewhere. */
  setSettings(id: string, settings: SavedConnection['settings']): void {
    const index = this.connections.findIndex((connection) => connection.id === id);
    const before = this.connections[index];
    if (before === undefined) throw new Error(`no connection ${id}`);
    const connection = { ...before, settings };
    this.connections[index] = connection;
    for (const listener of this.#onChange) listener({ kind: 'updated', connection, before });
  }

  /** Takes a connection away. */
  remove(id: string): void {
    const index = this.connections.findIndex((connection) => connection.id === id);
    const [connection] = this.connections.splice(index, 1);
    if (connection === undefined) throw new Error(`no connection ${id}`);
    for (const listener of this.#onChange) listener({ kind: 'removed', connection });
  }

  start(): Promise<McpAddress> {
    return this.server.start({ port: 0 });
  }

  get address(): McpAddress {
    const { address } = this.server;
    if (address === undefined) throw new Error('The server does not run.');
    return address;
  }

  mint(request: Partial<TokenRequest> = {}): MintedToken {
    return this.tokens.mint({ name: 'Test', scope: 'readOnly', ...request });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
    if (this.database.isOpen) this.database.close();
  }
}
