import type { Cell, Column, Session, TableDescription, TableRef } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { testBindings } from './connections/bindings.test-helper.ts';
import { ConnectionSecrets } from './connections/connectionSecrets.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { connectionGroupsMigration } from './storage/migrations/connectionGroups.ts';
import { readOnlyConnectionsMigration } from './storage/migrations/readOnlyConnections.ts';
import { connectionsMigration } from './storage/migrations/connections.ts';
import { consoleMigration } from './storage/migrations/console.ts';
import type { InstalledDriver } from './drivers/packages/installedDriver.ts';
import { editingMigration } from './storage/migrations/editing.ts';
import { namedTablesMigration } from './storage/migrations/namedTables.ts';
import { importsMigration } from './storage/migrations/imports.ts';
import { relevanceMigration } from './storage/migrations/relevance.ts';
import { operationsMigration } from './storage/migrations/operations.ts';
import { silentLogger } from './storage/logger.ts';
import type { SharedSession } from './data/sessions.ts';
import { Sessions } from './data/sessions.ts';
import { Database } from './storage/database.ts';
import { BOX_TERMS, plainManifest } from '../common/plainManifest.test-helper.ts';

export const never = new AbortController().signal;
export const BOOKS: TableRef = { namespace: [], name: 'books' };

const manifest = plainManifest({
  terms: BOX_TERMS,
});

const driver: InstalledDriver = {
  id: 'fixture',
  packageName: 'fixture',
  version: '1.0.0',
  folder: '/nowhere',
  entry: '/nowhere/index.js',
  manifest,
  publisher: { id: 'p', name: 'P', fingerprint: '', origin: 'firstParty' },
  installedAt: '2026-01-01T00:00:00.000Z',
};

function column(name: string, kind: Column['kind'], more: Partial<Column> = {}): Column {
  return { name, kind, type: kind, nullable: true, editable: { allowed: true }, sortable: { allowed: true }, ...more };
}

export const BOOKS_DESCRIPTION: TableDescription = {
  ref: BOOKS,
  kind: 'table',
  columns: [
    column('id', 'text', { editable: { allowed: false, reason: 'The id names the row.' } }),
    column('title', 'text'),
    column('pages', 'integer'),
    column('facts', 'json'),
  ],
  key: ['id'],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
};

/** A home's database, one saved connection, and sessions whose members a test chooses. */
export class FakeWork implements AsyncDisposable {
  readonly database: Database;
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly connectionId: string;
  /** Members of the sessions that are opened from now on; and of the one that is open. */
  readonly session: { -readonly [Name in keyof Session]?: Session[Name] } & { http?: NonNullable<SharedSession['http']> } = {};
  description: TableDescription = BOOKS_DESCRIPTION;
  /** Ends the open session as a crash of its driver does. */
  crash: () => void = () => undefined;

  /** @param file - the home's database; kept by who gave it */
  constructor(file = ':memory:') {
    this.database = new Database(file, [
      connectionsMigration,
      connectionGroupsMigration,
      readOnlyConnectionsMigration,
      editingMigration,
      consoleMigration,
      namedTablesMigration,
      relevanceMigration,
      operationsMigration,
      importsMigration,
    ]);
    this.connections = new ConnectionStore(this.database);
    this.sessions = new Sessions({
      connections: this.connections,
      secrets: new ConnectionSecrets(
        {
          state: async () => ({ available: false as const, name: 'none', reason: 'none' }),
          get: async () => undefined,
          set: async () => undefined,
          delete: async () => undefined,
        },
        {},
        testBindings(),
      ),
      drivers: { ensureInstalled: async () => driver },
      connector: {
        connect: async () => ({
          server: { product: 'Fixture' },
          findings: [],
          ping: async () => undefined,
          listTables: async () => [],
          describeTable: async () => this.description,
          readPage: async () => Promise.reject(new DriverError('UNSUPPORTED')),
          countRows: async () => ({ rows: 0, exact: true }),
          close: async () => undefined,
          ...this.session,
          onClosed: (listener: (reason: Error) => void) => {
            this.crash = () => listener(new DriverError('DRIVER_CRASHED'));
          },
        }),
      },
      logger: silentLogger,
    });
    this.connectionId = this.connections.findByName('One')?.id ?? this.newConnection('One');
  }

  newConnection(name: string): string {
    return this.connections.create({
      name,
      driver: 'fixture',
      settings: {},
      secrets: {},
      access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
      color: 'gray',
    }).id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sessions.closeAll();
    this.database[Symbol.dispose]();
  }
}

/** A cell of an existing row, changed. */
export function update(id: string, columnName: string, value: Cell, original: Cell) {
  return { kind: 'update' as const, row: { key: [id] }, cells: [{ column: columnName, value, original }] };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
