import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { Cell, ExportEvent, Page, PageRequest, Session } from '@tabularium/sdk';
import { keyIdOf } from '@tabularium/sdk/package';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { builtRunner, launcherFile } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import key from '../fixtures/sdk-1.0.0/key.json' with { type: 'json' };
import { createPackageHost } from '../security/packageHost.ts';
import type { PackageHost } from '../security/packageHost.ts';

// A driver that was built, signed and packed with the oldest SDK that is supported, in today's host: installed, and everything that its
// contract has asked of it through its process. What makes this red breaks drivers that people have published.

const archive = join(root, 'tests/fixtures/driver-sdk-1.0.0.tgz');
const options = { signal: new AbortController().signal };
const jars = { namespace: [], name: 'jars' };
const LOG = 'Opened a store of 100 jars.';

/** A long number, a text and a price; one label is null, one price absent. */
const stored = Array.from({ length: 100 }, (_, index): Cell[] => [
  String(9_007_199_254_740_993n + BigInt((index * 37) % 101)),
  index === 3 ? null : `jar ${index % 9}`,
  ...(index === 4 ? [] : [`${index}.50`]),
]);
const rows = stored.map(([id = null, label = null, price = ['absent']]): Cell[] => [id, label, price]);

let folder: string;
let server: Server;
let asked: IncomingMessage[];
let host: PackageHost;
let processes: DriverProcesses;
let lines: string[];
let installed: InstalledDriver;
let session: Session;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-oldest-')));
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    response.end('{"bytes":4096}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lines = [];
  processes = new DriverProcesses({
    runner: await builtRunner(),
    launcher: launcherFile,
    node: process.execPath,
    log: ({ message }) => lines.push(message),
    pidFile: join(folder, 'processes.json'),
  });
  host = await createPackageHost({ trialLoader: processes });

  const refused: unknown = await host.management.installFile(archive, options.signal).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'PACKAGE_KEY_UNKNOWN' });
  await host.management.trustKey(await keyIdOf(key.publicKey));
  await host.management.installFile(archive, options.signal);
  installed = await host.installed.current('jars');

  const store = join(folder, 'store.json');
  await writeFile(store, JSON.stringify(stored));
  const settings = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: 'off', edition: 'first' };
  session = await processes.connect({
    driver: installed,
    settings,
    files: { store },
    http: await approvedGrant(installed.manifest, settings, { key: 'jar-key' }, () => Promise.reject(new Error('No file.'))),
    signal: options.signal,
  });
});

afterAll(async () => {
  await session.close();
  await processes.close();
  await host.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function read(request: Partial<PageRequest>): Promise<{ page: Page; cells: readonly (readonly Cell[])[] }> {
  const page = await session.readPage(
    { table: jars, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 30, ...request },
    options,
  );
  return { page, cells: decodeBatch(page.batch).rows };
}

async function collect<T>(events: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events ?? []) all.push(event);
  return all;
}

async function exported(): Promise<readonly (readonly Cell[])[]> {
  const events: ExportEvent[] = await collect(session.export?.rows({ table: jars, filter: NO_FILTER }, options));
  return events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
}

describe('a driver that was built with SDK 1.0.0', () => {
  it('was built with that SDK and no other', async () => {
    const code = await readFile(join(installed.folder, installed.entry), 'utf8');
    expect(code).toContain('"1.0.0"');
    expect(code).not.toMatch(/from ["']@tabularium/);
    expect(installed).toMatchObject({ version: '1.0.0', publisher: { origin: 'thirdParty' }, manifest: { sdk: '^1.0' } });
  });

  it('says who it is, finds its file and writes its log', async () => {
    expect(session.server).toEqual({ product: 'Jars', version: 'first' });
    expect(session.findings).toEqual([{ label: 'Store', outcome: 'ok', message: 'The store has 100 jars.' }]);
    await session.ping(options);
    expect(lines).toContain(LOG);
    const facets = ['console', 'edits', 'export', 'tableOperations', 'principals', 'metrics'] as const;
    expect(facets.filter((name) => session[name] === undefined)).toEqual([]);
  });

  it('lists, describes and counts', async () => {
    expect(await session.listTables(options)).toEqual([{ ref: jars, kind: 'table', count: { rows: 100, exact: true } }]);
    const table = await session.describeTable(jars, options);
    expect(table).toMatchObject({ key: ['id'], paging: 'cursor', readsFromEnd: true, definition: { language: 'text' } });
    expect(table.columns.map(({ name, kind, filterClass }) => [name, kind, filterClass])).toEqual([
      ['id', 'integer', 'number'],
      ['label', 'text', 'text'],
      ['price', 'decimal', undefined],
    ]);
    const filter = { match: 'all', conditions: [{ column: 'label', operator: 'equals', values: ['jar 5'] }] } as const;
    expect(await session.countRows({ table: jars, filter }, options)).toEqual({ rows: 11, exact: true });
    await expect(session.describeTable({ namespace: [], name: 'lids' }, options)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no table “lids”.',
    });
  });

  it('reads pages that join, exact, by cursor and from the end, and drops a sort with its reason', async () => {
    const read100: (readonly Cell[])[] = [];
    let position: PageRequest['position'] = { from: 'start' };
    for (;;) {
      const { page, cells } = await read({ position });
      read100.push(...cells);
      if (page.nextCursor === undefined) break;
      position = { from: 'cursor', cursor: page.nextCursor };
    }
    expect(read100).toEqual(rows);
    expect((await read({ position: { from: 'end' } })).cells).toEqual(rows.slice(-30));
    const { page } = await read({ sorts: [{ column: 'price', direction: 'ascending' }] });
    expect(page.droppedSorts).toEqual([{ column: 'price', reason: 'Prices have no order.' }]);
    expect(page.total).toEqual({ rows: 100, exact: true });
    const sorted = await read({ sorts: [{ column: 'id', direction: 'descending' }], limit: 2 });
    expect(sorted.cells.map(([id]) => id)).toEqual(['9007199254741093', '9007199254741092']);
  });

  it('refuses a filter that it cannot send, and names the column', async () => {
    const filter = { match: 'all', conditions: [{ column: 'label', operator: 'contains', values: ['x'] }] } as const;
    await expect(read({ filter })).rejects.toMatchObject({ code: 'UNSUPPORTED', details: { field: 'label' } });
  });

  it('takes statements', async () => {
    const facet = session.console;
    expect(await facet?.split('list; smash all')).toEqual([
      { text: 'list', start: 0, end: 4 },
      { text: 'smash all', start: 6, end: 15 },
    ]);
    expect(await facet?.classify('smash all', options)).toMatchObject({ effect: 'destructive', tables: [jars] });
    const events = await collect(facet?.run('list', { maxRows: 2, ...options }));
    expect(events.map(({ type }) => type)).toEqual(['rowsBegin', 'rows', 'done', 'text', 'done']);
    expect(events[2]).toMatchObject({ truncated: true, status: 'listed' });
    expect((await facet?.complete?.('', 0, options))?.items[0]).toMatchObject({ label: 'list', kind: 'keyword' });
  });

  it('prepares and makes changes, one by one, and exports what they leave', async () => {
    const id = '18446744073709551617';
    const insert = { kind: 'insert', values: [{ column: 'id', value: id }] } as const;
    const assignments = [
      { column: 'label', value: 'new' },
      { column: 'price', value: ['absent'] },
    ] as const;
    const update = { kind: 'update', key: [id], assignments, expected: [{ column: 'label', value: null }] } as const;
    const wrong = { kind: 'update', key: [id], assignments: [{ column: 'id', value: '1' }] } as const;
    expect(session.edits?.atomicity).toBe('each');
    expect(await session.edits?.prepare(jars, [insert, wrong], options)).toMatchObject([
      { ready: true, language: 'json' },
      { ready: false, message: `There is no jar ${id}.` },
    ]);
    expect(await collect(session.edits?.apply(jars, [insert, update, wrong], options))).toMatchObject([
      { index: 0, outcome: 'saved', key: [id] },
      { index: 1, outcome: 'saved', key: [id] },
      { index: 2, outcome: 'failed', code: 'INVALID_INPUT', column: 'id', details: { field: 'id' } },
    ]);
    expect(await exported()).toEqual([...rows, [id, 'new', ['absent']]]);
    expect(await collect(session.edits?.apply(jars, [{ kind: 'delete', key: [id] }], options))).toEqual([
      { index: 0, outcome: 'saved' },
    ]);
    expect(await exported()).toEqual(rows);
    const splice = await session.export?.splice({ table: jars, filter: NO_FILTER }, options);
    expect(splice).toEqual({ request: { method: 'GET', path: '/jars.jsonl' }, expected: { rows: 100, exact: true } });
    const judge = async (count: number): Promise<void> =>
      session.export?.judge(splice ?? { request: { method: 'GET', path: '/' } }, { status: 200, lines: count, lastLine: '{}' });
    await judge(100);
    await expect(judge(99)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('manages its principals and reads its metrics over the one origin, and never sees the key', async () => {
    const { principals, metrics } = session;
    expect(principals?.term).toEqual({ one: 'Keeper', other: 'Keepers' });
    expect(await principals?.form(options)).toEqual([{ id: 'name', label: 'Name', required: true, type: 'text' }]);
    expect(await principals?.create({ name: ['ann'] }, options)).toMatchObject({
      principal: { id: 'ann', removable: { allowed: true } },
      secret: { label: 'Key', value: 'key of ann' },
    });
    await principals?.remove('ann', options);
    expect((await principals?.list(options))?.map(({ id }) => id)).toEqual(['keeper']);
    expect(metrics?.missingPanels).toMatchObject([{ id: 'sessions' }]);
    expect(await metrics?.read(options)).toEqual({
      metrics: [{ id: 'size', label: 'Size', unit: 'bytes', value: 4096 }],
      problems: [],
    });
    expect(asked.map(({ method, url, headers }) => [method, url, headers['x-jar-key']])).toEqual([['GET', '/stats', 'jar-key']]);
  });

  it('plans an operation on a table and carries it out', async () => {
    const operations = session.tableOperations;
    expect(await operations?.list(jars, options)).toMatchObject([{ id: 'empty', effect: 'destructive' }]);
    expect(await operations?.plan(jars, 'empty', options)).toMatchObject({ target: jars, count: { rows: 100, exact: true } });
    await expect(operations?.run(jars, 'empty', { namespace: [], name: 'lids' }, options)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await operations?.run(jars, 'empty', jars, options)).toEqual({ message: 'Emptied jars.', affectedRows: 100 });
    expect(await session.countRows({ table: jars, filter: NO_FILTER }, options)).toEqual({ rows: 0, exact: true });
  });
});
