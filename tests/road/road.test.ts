import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBatch, NO_FILTER } from '@tabularium/sdk';
import { startRegistry } from '@tabularium/registry';
import { startSandbox } from '@tabularium/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';

// The whole road without a window: a registry, a server, a home that was empty, and everything between them real.

const KEY = 'road-test-key';
const never = new AbortController().signal;

let folder: string;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let registry: Awaited<ReturnType<typeof startRegistry>>;
let runtime: Runtime;

beforeAll(async () => {
  await buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ name, group }) => group === 'drivers' || name === 'driver-process'),
    log: () => undefined,
  });
  folder = await mkdtemp(join(tmpdir(), 'tabularium-road-'));
  [sandbox, registry] = await Promise.all([
    startSandbox({ apiKey: KEY, sampleData: { products: 3_000 } }),
    startRegistry({ stateFolder: join(folder, 'registry') }),
  ]);
  await registry.publish(join(root, 'drivers/search'));
  runtime = await Runtime.start({
    home: await openHome(join(folder, 'home')),
    env: { ROAD_KEY: KEY, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
    logger: silentLogger,
  });
});

afterAll(async () => {
  await runtime?.[Symbol.asyncDispose]();
  await Promise.all([registry?.close(), sandbox?.close()]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function post(path: string, body: unknown): Promise<Response> {
  return runtime.handler(
    new Request(`http://host${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  );
}

describe('the road from an empty home to a page of rows', () => {
  it('installs the driver automatically when a saved connection is opened, and reads an exact page', async () => {
    const connection = await runtime.connections.create({
      name: 'Road',
      driver: 'search',
      settings: { host: '127.0.0.1', port: Number(new URL(sandbox.url).port), sslMode: 'disabled' },
      secrets: { apiKey: { kind: 'environment', variable: 'ROAD_KEY' } },
      access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
      color: 'teal',
    });
    const steps: string[] = [];
    for await (const progress of runtime.services.openConnections.open(connection.id, {}, never)) {
      steps.push(progress.step === 'installing' ? progress.install.step : progress.step);
    }
    expect([...new Set(steps)]).toEqual([
      'resolving',
      'downloading',
      'verifying',
      'tryingOut',
      'installed',
      'connecting',
      'open',
    ]);

    const tables = await runtime.sessions.use(connection.id, ({ session }) => session.listTables({ signal: never }), {
      signal: never,
    });
    expect(tables.find(({ ref }) => ref.name === 'products')?.count).toEqual({ rows: 3_000, exact: true });

    const request = {
      table: { namespace: [], name: 'products' },
      filter: NO_FILTER,
      sorts: [{ column: 'price', direction: 'descending' }],
      position: { from: 'start' },
      limit: 1_000,
    };
    const answer = await post('/api/page', { connectionId: connection.id, request });
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const end = bytes.indexOf(10);
    const head: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    expect(head).toMatchObject({ rowCount: 1_000, atEnd: false, droppedSorts: [] });
    const batch = decodeBatch(bytes.subarray(end + 1));
    const column = (name: string): number => batch.columns.findIndex((entry) => entry.name === name);
    expect(column('id')).toBe(0);
    const prices = batch.rows.map((row) => Number(row[column('price')]));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    const exact = batch.rows.flatMap((row) => row).filter((cell) => typeof cell === 'string' && /^9\d{15,}$/.test(cell));
    expect(exact.length).toBeGreaterThan(0);
  });

  it('reports each step of a failed connection, and never the key', async () => {
    const steps = [];
    const input = {
      name: 'Wrong',
      driver: 'search',
      settings: { host: '127.0.0.1', port: 9, sslMode: 'disabled' },
      secrets: { apiKey: { kind: 'session' as const, value: 'must-not-be-told' } },
      access: { externalClients: 'readOnly' as const, aiPolicy: 'askEachTime' as const },
      color: 'gray' as const,
    };
    for await (const step of runtime.services.connectionTest.run(input, undefined, never)) steps.push(step);
    expect(steps.slice(-2)).toMatchObject([
      { id: 'tls', outcome: 'skipped' },
      { id: 'server', outcome: 'skipped' },
    ]);
    expect(steps.findLast(({ outcome }) => outcome === 'failed')).toMatchObject({ id: 'tcp' });
    expect(JSON.stringify(steps)).not.toContain('must-not-be-told');
  });

  it('answers calls that are refused with a status that fits', async () => {
    const input = {
      name: 'road',
      driver: 'search',
      settings: {},
      secrets: { apiKey: { kind: 'environment', variable: 'ROAD_KEY' } },
    };
    const taken = await post('/api/trpc/connections.create', input);
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('CONNECTION_NAME_TAKEN')]);
    const unknown = await post('/api/trpc/connections.burn', {});
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('INVALID_REQUEST')]);
  });

  it('answers an unknown connection and a bad request as reports', async () => {
    const unknown = await post('/api/page', {
      connectionId: '00000000-0000-4000-8000-000000000000',
      request: { table: { namespace: [], name: 'x' }, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 },
    });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'CONNECTION_UNKNOWN' }]);
    const bad = await post('/api/page', { connectionId: 'x' });
    expect([bad.status, await bad.json()]).toMatchObject([400, { code: 'INVALID_REQUEST' }]);
  });
});
