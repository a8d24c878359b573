import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server, TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import { NO_FILTER, isDriverError } from '@tabularium/sdk';
import type { Session, Settings, TableRef } from '@tabularium/sdk';
import { parseManifest } from '@tabularium/sdk/manifest';
import searchPackage from '../../drivers/search/package.json' with { type: 'json' };
import { ADMIN_KEY, call, collect, knownPrincipals, startFixture } from '../../drivers/search/src/fixture.test-helper.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';

// The search driver in its process, the host's broker, and a TLS listener before the server: what the SSL settings of the form do, and
// where the key travels.

let bench: ProcessBench;
let processes: DriverProcesses;
let sandbox: Sandbox;
let search: InstalledDriver;
const servers: Server[] = [];
const sockets = new Set<Socket>();
const ports: Record<string, number> = {};
/** All that reached the listeners, decrypted. */
let received = '';

async function listen(name: string, options: TlsOptions): Promise<void> {
  const server = createServer(options, (socket) => {
    const upstream = connect(sandbox.port, '127.0.0.1');
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
    socket.pipe(upstream).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  bench = await ProcessBench.open();
  processes = await bench.processes();
  sandbox = await startFixture();
  const bundle = join(bench.folder, 'bundle');
  await bundleAlone(root, { index: 'drivers/search/src/index.ts' }, bundle);
  const manifest = parseManifest(searchPackage.tabularium);
  if (!manifest.ok) throw new Error(manifest.problems.join());
  search = await bench.driver(await readFile(join(bundle, 'index.js'), 'utf8'), manifest.manifest);
  const certificates = new TestCertificates(bench.folder);
  const localhost = 'DNS:localhost,IP:127.0.0.1';
  certificates.issue('client', 'DNS:client');
  await listen('good', certificates.issue('good', localhost));
  await listen('expired', certificates.issue('expired', localhost, { days: -1 }));
  await listen('self-signed', certificates.issue('self-signed', localhost, { selfSigned: true }));
  await listen('wrong host', certificates.issue('wrong-host', 'DNS:other.example'));
  await listen('requires a client certificate', {
    ...certificates.issue('wants-client', localhost),
    ca: certificates.authority,
    requestCert: true,
    rejectUnauthorized: true,
  });
});

afterAll(async () => {
  await bench.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await sandbox.close();
});

const file = (name: string): string => join(bench.folder, name);

async function open(server: string, settings: Settings): Promise<Session> {
  const entered = { host: '127.0.0.1', port: ports[server] ?? 0, ...settings };
  const http = await approvedGrant(search.manifest, entered, { apiKey: ADMIN_KEY }, (path) => readFile(path, 'utf8'));
  return processes.connect({ driver: search, settings: entered, files: {}, http, signal: call.signal });
}

/** `ok`, or the code that connecting ends in. */
async function outcome(server: string, settings: Settings): Promise<string> {
  try {
    const session = await open(server, settings);
    const tables = await session.listTables(call);
    await session.close();
    return tables.length > 0 ? 'ok' : 'empty';
  } catch (error) {
    if (isDriverError(error)) return error.code;
    throw error;
  }
}

describe('the SSL settings of the search driver', () => {
  it.each<[string, string, Settings, string]>([
    ['good', 'required', {}, 'ok'],
    ['good', 'verifyCa', {}, 'ok'],
    ['good', 'verifyIdentity', {}, 'ok'],
    ['expired', 'required', {}, 'ok'],
    ['expired', 'verifyCa', {}, 'TLS_FAILED'],
    ['expired', 'verifyIdentity', {}, 'TLS_FAILED'],
    ['expired', 'verifyIdentity', { skipTlsVerify: true }, 'ok'],
    ['self-signed', 'required', {}, 'ok'],
    ['self-signed', 'verifyCa', {}, 'TLS_FAILED'],
    ['self-signed', 'verifyIdentity', {}, 'TLS_FAILED'],
    ['self-signed', 'verifyCa', { skipTlsVerify: true }, 'ok'],
    ['wrong host', 'required', {}, 'ok'],
    ['wrong host', 'verifyCa', {}, 'ok'],
    ['wrong host', 'verifyIdentity', {}, 'TLS_FAILED'],
    ['wrong host', 'verifyIdentity', { skipTlsVerify: true }, 'ok'],
  ])('a certificate that is %s, in mode %s with %j: %s', async (server, sslMode, more, expected) => {
    expect(await outcome(server, { sslMode, caFile: file('ca.crt'), ...more })).toBe(expected);
  });

  it('without a CA file only the usual authorities are trusted', async () => {
    expect(await outcome('good', { sslMode: 'verifyCa' })).toBe('TLS_FAILED');
    expect(await outcome('good', { sslMode: 'verifyIdentity' })).toBe('TLS_FAILED');
    expect(await outcome('good', { sslMode: 'verifyIdentity', skipTlsVerify: true })).toBe('ok');
  });

  it('a client certificate is shown to who asks for one', async () => {
    const client = { clientCertificateFile: file('client.crt'), clientKeyFile: file('client.key') };
    expect(await outcome('requires a client certificate', { sslMode: 'verifyIdentity', caFile: file('ca.crt'), ...client })).toBe(
      'ok',
    );
    expect(await outcome('requires a client certificate', { sslMode: 'verifyIdentity', caFile: file('ca.crt') })).not.toBe('ok');
  });

  it('disabled speaks HTTP, which a TLS listener does not understand', async () => {
    expect(await outcome('good', { sslMode: 'disabled' })).not.toBe('ok');
    ports['plain'] = sandbox.port;
    expect(await outcome('plain', { sslMode: 'disabled' })).toBe('ok');
    expect(await outcome('plain', { sslMode: 'required' })).toBe('TLS_FAILED');
  });
});

describe('the API key', () => {
  it('travels with every request, in both headers and nowhere else', async () => {
    const before = sandbox.requests.seen.length;
    received = '';
    const session = await open('good', { sslMode: 'verifyIdentity', caFile: file('ca.crt') });
    const table: TableRef = { namespace: [], name: 'shelf' };
    const reported: unknown[] = [session.server, session.findings];
    reported.push(await session.listTables(call), await session.describeTable(table, call));
    await session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1_000 }, call);
    reported.push(await session.countRows({ table, filter: NO_FILTER }, call));
    const { console: requests, edits, export: exporting, tableOperations, principals, metrics } = session;
    if (!requests || !edits || !exporting || !tableOperations || !principals || !metrics) throw new Error('A facet is missing.');
    const change = { kind: 'update', key: ['0'], assignments: [{ column: 'pages', value: 1 }] } as const;
    reported.push(await edits.prepare(table, [change], call), await collect(edits.apply(table, [change], call)));
    reported.push(await exporting.splice({ table, filter: NO_FILTER }, call));
    await collect(exporting.rows({ table, filter: NO_FILTER }, call));
    reported.push(await tableOperations.plan(table, 'empty', call));
    const { principal } = await principals.create(knownPrincipals.input, call);
    reported.push(await principals.list(call));
    await principals.remove(principal.id, call);
    reported.push(await metrics.read(call));
    reported.push(await collect(requests.run('GET /collections', { maxRows: 10, signal: call.signal })));
    reported.push(await requests.complete?.('GET /collections/', 17, call));
    const refusals = await Promise.allSettled([
      session.describeTable({ namespace: [], name: 'nope' }, call),
      collect(requests.run('POST /collections\n{oops', { maxRows: 1, signal: call.signal })),
    ]);
    reported.push(
      refusals.map((one) =>
        one.status === 'rejected' && isDriverError(one.reason) ? [one.reason.message, one.reason.details] : [],
      ),
    );
    await session.close();
    const seen = sandbox.requests.seen.slice(before);
    expect(seen.length).toBeGreaterThan(15);
    for (const { method, path, headers } of seen) {
      expect([method, path, headers['x-search-api-key'], headers['x-typesense-api-key']]).toEqual([
        method,
        path,
        '(hidden)',
        '(hidden)',
      ]);
    }
    // Twice for each request, so that no path, query or body holds it.
    expect(received.split(ADMIN_KEY).length - 1).toBe(2 * seen.length);
    expect(JSON.stringify(reported)).not.toContain(ADMIN_KEY);
    expect(JSON.stringify(bench.lines)).not.toContain(ADMIN_KEY);
  });
});
