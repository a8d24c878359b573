import { DriverError, SDK_CONTRACT, encodeBatch } from '@tabularium/sdk';
import type { Cell, RowBatch, TableDescription, TableRef, TableSummary } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { fakeClientConnector } from '../integrations/fakeClientConnector.test-helper.ts';
import { fakeIntegrations } from '../integrations/fakeIntegrations.test-helper.ts';
import type { ApplicationInfo, OpenProgress, Preferences } from '../../common/api.ts';
import { preferencesSchema } from '../../common/api.ts';
import type { ConnectionInput, SavedConnection, SecretReference, TestStep } from '../../common/connection.ts';
import type { Catalogue, CatalogueEntry, InstalledDriverInfo, InstallProgress, PublisherInfo } from '../../common/drivers.ts';
import { HostError } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { fakeContext } from './fakeContext.test-helper.ts';
import type { PageAnswer } from '../../runtime/data/pageAnswer.ts';
import { fakeDriverManagement, fakeRegistryManagement } from './fakeDriverManagement.test-helper.ts';
import { COLUMNS, TABLES, fakeRow, pick, sortedIndex } from './fakeTables.test-helper.ts';
import type { FakeTable } from './fakeTables.test-helper.ts';
import { fakeWork } from './fakeWork.test-helper.ts';
import { fakeFirstRun } from './fakeFirstRun.test-helper.ts';
import { fakeWorkspace } from './fakeWorkspace.test-helper.ts';
import { fakeBackups } from './fakeBackups.test-helper.ts';

// The runtime as the window sees it, in memory: for the window's own tests and for looking at every state of it. Which state a connection
// shows is decided by its name, so that a browser reaches each by clicking.

const publisher: PublisherInfo = {
  id: 'tabularium',
  name: 'The Tabularium authors',
  fingerprint: '5c1f 09ab 77de 4410 91c2 0f3a 8bd0 6e55 21aa 4c03 9e7f 1d28 6633 f0b1 c4d9 7a02',
  origin: 'firstParty',
};

export interface FakeOptions {
  readonly manifests: readonly Manifest[];
  /** Whether the first driver is installed at the start. */
  readonly installed?: boolean;
  readonly secureStore?: ApplicationInfo['secureStore'];
  /** Names of the saved connections at the start. */
  readonly connections?: readonly string[];
  /** Multiplies every pause; 0 answers at once. */
  readonly pace?: number;
  readonly catalogueProblem?: string;
  /** Whether the data directory is new: the tour is offered, and the first connection is a sample. */
  readonly isNew?: boolean;
}

/** Until the time is over or the signal is aborted. */
function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function createFakeServices(options: FakeOptions): ApiContext {
  const pace = options.pace ?? 1;
  const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (milliseconds * pace > 0) await sleep(milliseconds * pace, signal);
    signal?.throwIfAborted();
  };
  const secureStore = options.secureStore ?? { available: true, name: 'GNOME Keyring' };
  const registryManagement = fakeRegistryManagement();
  let preferences: Preferences = preferencesSchema.parse({});
  let isInstalled = options.installed ?? true;
  let named: readonly TableRef[] = [];
  const saved = new Map<string, SavedConnection>();
  const first = options.manifests[0];
  if (first === undefined) throw new Error('A fake needs a manifest.');
  const secretFields = first.connection.fields.filter((field) => field.type === 'secret').map((field) => field.id);
  const now = (): string => new Date().toISOString();
  const defaults = Object.fromEntries(
    first.connection.fields.flatMap((field) =>
      'default' in field && field.default !== undefined ? [[field.id, field.default]] : [],
    ),
  );
  const COLORS = ['green', 'blue', 'red', 'violet', 'gray', 'orange', 'teal'] as const;
  (options.connections ?? []).forEach((name, index) => {
    const id = crypto.randomUUID();
    saved.set(id, {
      id,
      name,
      driver: name === 'Unknown type' ? 'gone' : first.id,
      settings: defaults,
      secrets: Object.fromEntries(secretFields.map((field) => [field, { kind: 'store' } satisfies SecretReference])),
      access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
      color: pick(COLORS, index),
      createdAt: now(),
      updatedAt: now(),
    });
  });

  const get = (id: string): SavedConnection => {
    const connection = saved.get(id);
    if (connection === undefined) throw new HostError('CONNECTION_UNKNOWN');
    return connection;
  };
  const store = (id: string, input: ConnectionInput, before: SavedConnection | undefined): SavedConnection => {
    const taken = [...saved.values()].some((other) => other.id !== id && other.name.toLowerCase() === input.name.toLowerCase());
    if (taken) throw new HostError('CONNECTION_NAME_TAKEN', `Another connection is called “${input.name}”.`);
    const secrets: Record<string, SecretReference> = { ...before?.secrets };
    for (const [field, secret] of Object.entries(input.secrets)) {
      if (secret.kind === 'remove') delete secrets[field];
      else if (secret.kind === 'environment') secrets[field] = secret;
      else secrets[field] = { kind: secret.kind === 'signedIn' ? secret.keepIn : secret.kind };
    }
    const connection: SavedConnection = { ...input, id, secrets, createdAt: before?.createdAt ?? now(), updatedAt: now() };
    saved.set(id, connection);
    return connection;
  };

  async function* install(version: string | undefined, signal: AbortSignal, fails: boolean): AsyncIterable<InstallProgress> {
    const target = version ?? '0.1.0';
    yield { step: 'resolving' };
    await pause(500, signal);
    const totalBytes = 48_213;
    for (let part = 0; part <= 10; part += 1) {
      yield { step: 'downloading', version: target, receivedBytes: Math.round((totalBytes * part) / 10), totalBytes };
      await pause(120, signal);
    }
    yield { step: 'verifying', version: target };
    await pause(400, signal);
    if (fails)
      throw new HostError('PACKAGE_SIGNATURE_INVALID', 'The file dist/index.js is not what The Tabularium authors signed.');
    yield { step: 'tryingOut', version: target };
    await pause(500, signal);
    isInstalled = true;
    yield { step: 'installed', version: target, milliseconds: 287, publisher };
  }

  const entries = (): readonly CatalogueEntry[] =>
    options.manifests.map((manifest, index) => {
      const state =
        index > 0 ? (manifest.id.endsWith('-old') ? 'cannotRun' : 'notInstalled') : isInstalled ? 'installed' : 'notInstalled';
      return {
        id: manifest.id,
        packageName: `@example/driver-${manifest.id}`,
        manifest,
        state,
        availableVersion: '0.1.0',
        publisher,
        ...(state === 'installed' ? { installedVersion: '0.1.0' } : {}),
        ...(state === 'cannotRun' ? { reason: 'Needs the driver contract ^2.0. Update Tabularium.' } : {}),
      };
    });
  let refreshedAt = new Date(Date.now() - 5 * 60_000).toISOString();
  const catalogue = (): Catalogue => ({
    entries: entries(),
    refreshedAt,
    ...(options.catalogueProblem === undefined ? {} : { problem: options.catalogueProblem }),
  });

  const findTable = (ref: TableRef): FakeTable => {
    const found = TABLES.find((candidate) => candidate.ref.name === ref.name);
    if (found === undefined) throw new DriverError('NOT_FOUND', `There is no table “${ref.name}”.`);
    return found;
  };

  return fakeContext({
    integrations: fakeIntegrations(),
    clientConnector: fakeClientConnector(),
    application: {
      info: async () => ({
        version: '0.1.0',
        home: '/home/ada/.local/share/tabularium',
        sdkContract: SDK_CONTRACT,
        secureStore,
        mcpUrl: 'http://127.0.0.1:23508/mcp',
      }),
      disk: async () => ({ folder: '/home/ada/.local/share/tabularium', freeBytes: 12_000_000_000, hasSpace: true }),
    },
    applicationUpdates: { look: async () => undefined },
    firstRun: fakeFirstRun(options.isNew === true, [...saved.keys()].slice(0, 1)),
    workspace: fakeWorkspace(),
    backups: fakeBackups(),
    preferences: {
      get: () => preferences,
      set: (next) => {
        preferences = next;
        return preferences;
      },
    },
    connectionStore: {
      list: () => [...saved.values()].sort((a, b) => a.name.localeCompare(b.name)),
      unreadable: () => [],
    },
    connectionService: {
      create: async (input) => store(crypto.randomUUID(), input, undefined),
      update: async (id, input) => store(id, input, get(id)),
      remove: async (id) => {
        saved.delete(get(id).id);
      },
      secretQuestion: async () => undefined,
      confirmSecrets: async () => undefined,
      duplicate: async (id, name) => {
        const { settings, driver, access, color, group } = get(id);
        return store(crypto.randomUUID(), { name, settings, driver, access, color, group, secrets: {} }, undefined);
      },
      group: (ids, group) =>
        ids.map((id) => {
          const moved = { ...get(id), group };
          saved.set(id, moved);
          return moved;
        }),
    },
    connectionImport: {
      export: () => '{}',
      preview: async () => ({
        candidates: [],
        problems: [
          {
            message: "The file isn't valid JSON: comma expected.",
            sentence: hostSentence('fileNotJson', { what: 'comma expected' }),
            line: 2,
            column: 5,
          },
        ],
      }),
      import: async () => [],
    },
    connectionTest: {
      async *run(input, _savedAs, signal): AsyncGenerator<TestStep> {
        const host = String(input.settings['host'] ?? 'localhost');
        const steps: readonly (readonly [string, string, string, TestStep['outcome']])[] = [
          ['lookup', 'Name', `${host} is 127.0.0.1.`, 'ok'],
          ['tcp', 'Connection', 'Port 8108 answers.', host === 'down' ? 'failed' : 'ok'],
          ['tls', 'TLS', 'Not used: the SSL mode is Disabled.', 'skipped'],
          ['key', 'Key', 'The server accepts the key, but it may not list everything.', 'warning'],
          ['server', 'Server', 'Version 29.0.', 'ok'],
        ];
        for (const [id, label, message, outcome] of steps) {
          yield { id, label, outcome: 'running', message: '' };
          await pause(350, signal);
          yield {
            id,
            label,
            outcome,
            message: outcome === 'failed' ? 'Nothing is listening at this address.' : message,
            milliseconds: 4.2,
          };
          if (outcome === 'failed') return;
        }
      },
    },
    openConnections: {
      async *open(id, secrets, signal): AsyncIterable<OpenProgress> {
        const connection = get(id);
        if (!isInstalled) {
          for await (const progress of install(undefined, signal, false)) yield { step: 'installing', install: progress };
        }
        yield { step: 'connecting' };
        await pause(connection.name === 'Slow' ? 60_000 : 120, signal);
        if (connection.name === 'Out of reach') {
          throw new DriverError('CONNECTION_REFUSED', 'Nothing is listening at localhost:8108.', {
            details: { request: 'GET /debug', status: 'ECONNREFUSED', serverMessage: 'connect ECONNREFUSED 127.0.0.1:8108' },
          });
        }
        const missing = connection.name === 'Key gone' ? secretFields.find((field) => secrets[field] === undefined) : undefined;
        if (missing !== undefined) throw new HostError('SECRET_MISSING', undefined, { details: { field: missing } });
        yield {
          step: 'open',
          connection: {
            connectionId: id,
            server: { product: 'Example Server', version: '29.0' },
            findings:
              connection.name === 'Wrong key'
                ? [{ label: 'Key', outcome: 'failed', message: 'The server rejected this key.' }]
                : connection.name === 'Narrow key'
                  ? [
                      { label: 'Key', outcome: 'ok', message: 'Accepted.' },
                      {
                        label: 'Rights',
                        outcome: 'warning',
                        message: 'This key may not list tables. What it may read can still be opened by name.',
                      },
                    ]
                  : [],
            facets: connection.name === 'Narrow key' ? ['namedTables'] : [],
            console: { sessions: false, requests: true },
            manifest: first,
            driverVersion: '0.1.0',
          },
        };
      },
    },
    sessions: { close: async () => undefined },
    catalogue: {
      listOrRefresh: async () => catalogue(),
      refresh: async (signal) => {
        await pause(600, signal);
        refreshedAt = now();
        return catalogue();
      },
    },
    installed: {
      list: (): readonly InstalledDriverInfo[] =>
        isInstalled
          ? [
              {
                id: first.id,
                packageName: `@example/driver-${first.id}`,
                version: '0.1.0',
                current: true,
                installedAt: '2026-11-18T09:30:00.000Z',
                publisher,
              },
            ]
          : [],
    },
    drivers: {
      install: (driver, { version }, signal) => install(version, signal, driver !== first.id),
    },
    driverManagement: fakeDriverManagement(() => catalogue(), registryManagement),
    registryManagement,
    driverDevelopment: {
      // No driver is in development here.
      async *watch() {
        yield [];
      },
    },
    ...fakeWork(),
    namedTables: {
      view: async (connectionId) =>
        get(connectionId).name === 'Narrow key' ? { reason: 'This key may not list tables.', tables: named } : { tables: [] },
      open: async (_connectionId, name) => {
        const found = TABLES.find(({ ref }) => ref.name === name);
        if (found === undefined) throw new DriverError('NOT_FOUND', `There is no table “${name}”.`);
        named = [...named, found.ref];
        return { ref: found.ref, kind: 'table' };
      },
      forget: (_connectionId, { name }) => {
        named = named.filter((ref) => ref.name !== name);
      },
    },
    tables: {
      list: async (connectionId, signal): Promise<readonly TableSummary[]> => {
        await pause(40, signal);
        if (get(connectionId).name === 'Narrow key') return [];
        return TABLES.map(({ ref, rows, kind, estimate, uncounted, aliasOf }) => ({
          ref,
          kind: kind ?? 'table',
          ...(uncounted === true ? {} : { count: { rows, exact: estimate !== true } }),
          ...(aliasOf === undefined ? {} : { aliasOf }),
        }));
      },
      describe: async (_connectionId, ref, _reload, signal): Promise<TableDescription> => {
        const found = findTable(ref);
        await pause(found.describeMilliseconds ?? 20, signal);
        return {
          ref: found.ref,
          kind: found.kind ?? 'table',
          columns: COLUMNS,
          key: ['id'],
          paging: found.paging ?? 'offset',
          readsFromEnd: false,
          notes: ['Default order: price, descending.'],
          definition: {
            language: 'JSON',
            text: JSON.stringify({ name: ref.name, fields: COLUMNS.map(({ name, type }) => ({ name, type })) }, undefined, 2),
          },
        };
      },
      count: async (_connectionId, ref) => ({ rows: findTable(ref).rows, exact: true }),
      readPage: async (_connectionId, request, signal): Promise<PageAnswer> => {
        const found = findTable(request.table);
        await pause(found.milliseconds ?? 23, signal);
        const { position, limit } = request;
        const offset =
          position.from === 'offset'
            ? position.offset
            : position.from === 'cursor'
              ? Number(position.cursor)
              : position.from === 'end'
                ? Math.max(0, found.rows - limit)
                : 0;
        if (found.failsAt?.(offset) === true) {
          throw new DriverError('TIMEOUT', 'The server did not answer within 30 seconds.', {
            details: { request: 'POST /read', status: '504', serverMessage: 'upstream timed out' },
          });
        }
        const end = Math.min(found.rows, offset + limit);
        const rows: (readonly Cell[])[] = [];
        for (let index = offset; index < end; index += 1) rows.push(fakeRow(sortedIndex(index, found.rows, request)));
        const batch: RowBatch = { columns: COLUMNS.map(({ name, kind }) => ({ name, kind })), rows };
        return {
          head: {
            rowCount: rows.length,
            atEnd: end >= found.rows,
            droppedSorts: request.sorts.flatMap(({ column: name }) =>
              name === 'name' && found.ref.name === 'articles'
                ? [{ column: name, reason: 'The field was changed since its structure was read.' }]
                : [],
            ),
            milliseconds: 23.4,
            ...(found.paging === 'cursor' && end < found.rows ? { nextCursor: String(end) } : {}),
          },
          batch: encodeBatch(batch),
        };
      },
    },
  });
}
