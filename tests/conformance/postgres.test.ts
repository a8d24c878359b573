import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER, defineDriver } from '@tabularium/sdk';
import type { ResultEvent } from '@tabularium/sdk';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { runConformance } from '@tabularium/sdk/testing';
import postgresPackage from '../../drivers/postgres/package.json' with { type: 'json' };
import { postgresPlan, writeFixture } from '../../drivers/postgres/src/fixture.test-helper.ts';
import { startServer, withoutServer } from '../../drivers/postgres/src/server.test-helper.ts';
import type { TestServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer } from '../../drivers/postgres/src/session.test-helper.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { socketGrantFor } from '../../host/src/runtime/drivers/broker/socketGrant.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses, RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';

// The PostgreSQL driver as it is shipped: one file, in a process without network, whose sockets the host opens and encrypts.

const signal = new AbortController().signal;

function define(): void {
  let bench: ProcessBench;
  let processes: DriverProcesses;
  let driver: InstalledDriver;
  let server: TestServer;
  let certificates: TestCertificates;
  let files: { readonly ca: string; readonly other: string; readonly cert: string; readonly key: string };

  beforeAll(async () => {
    bench = await ProcessBench.open();
    processes = await bench.processes();
    const bundles = join(bench.folder, 'bundles');
    await bundleAlone(root, { index: 'drivers/postgres/src/index.ts' }, bundles);
    const manifest = manifestSchema.parse(postgresPackage.tabularium);
    driver = { ...(await bench.driver(await readFile(join(bundles, 'index.js'), 'utf8'), manifest)), allowedGrants: ['secrets'] };
    const folder = join(bench.folder, 'certificates');
    await mkdir(folder);
    certificates = new TestCertificates(folder);
    const { key, cert } = certificates.issue('server', 'IP:127.0.0.1,DNS:localhost');
    const client = certificates.issue('certified', 'DNS:certified');
    await mkdir(join(folder, 'other'));
    files = {
      ca: join(folder, 'ca.crt'),
      other: join(folder, 'other', 'ca.crt'),
      cert: join(folder, 'certified.crt'),
      key: join(folder, 'certified.key'),
    };
    await writeFile(files.other, new TestCertificates(join(folder, 'other')).authority);
    expect(client.key).toContain('PRIVATE KEY');
    server = await startServer({
      tls: { certificate: cert, key, authority: certificates.authority },
      access: ['hostssl all certified 127.0.0.1/32 cert', 'hostnossl all encrypted 127.0.0.1/32 reject'],
    });
    await writeFixture(server, 'fixture');
    await administer(server, 'CREATE ROLE certified LOGIN; CREATE ROLE encrypted LOGIN', 'fixture');
  });
  afterAll(async () => {
    await bench?.close();
    await server?.close();
  });

  const connect = async (
    changes: Record<string, string> = {},
    password = server.password,
    own = signal,
  ): Promise<RemoteSession> => {
    const settings = {
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      database: 'fixture',
      sslMode: 'verifyIdentity',
      caFile: files.ca,
      ...changes,
    };
    const socket = await socketGrantFor({ ...driver }, settings, (path) => readFile(path, 'utf8'));
    return processes.connect({
      driver,
      settings,
      files: {},
      socket,
      secrets: new Map(password === '' ? [] : [['password', password]]),
      signal: own,
    });
  };

  it('keeps the whole contract over TLS whose certificate is checked', async () => {
    const plan = postgresPlan(server, 'fixture');
    const { large: _large, ...rest } = plan;
    const { report } = await runConformance({
      ...rest,
      driver: defineDriver({
        id: 'postgres',
        connect: (_settings, _context, options) => connect({}, server.password, options.signal),
      }),
      tables: plan.tables.slice(0, 2),
      open: () => ({ settings: {}, context: {} }),
    });
    expect(report.checks.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
    // How much a stream holds is measured where the driver runs, in its own package: here the host's pipe would be measured.
    const untried = report.checks.filter(({ outcome }) => outcome === 'untried').map(({ rule }) => rule);
    expect(untried.filter((rule) => !rule.startsWith('what is large'))).toEqual([]);
  }, 1_800_000);

  it('encrypts without a check where that is chosen, and refuses a certificate of another authority', async () => {
    const session = await connect({ sslMode: 'required' });
    expect(session.findings[0]?.message).not.toContain('without encryption');
    await session.close();
    await expect(connect({ caFile: files.other })).rejects.toMatchObject({ code: 'TLS_FAILED' });
    await expect(connect({ sslMode: 'verifyCa', caFile: files.other })).rejects.toMatchObject({ code: 'TLS_FAILED' });
    await expect(connect({ sslMode: 'disabled', user: 'encrypted' })).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
  });

  it('signs in by a client certificate, which the host alone reads', async () => {
    const session = await connect({ user: 'certified', clientCertificateFile: files.cert, clientKeyFile: files.key }, '');
    expect(session.findings[0]?.message).toContain('certified is signed in');
    await session.close();
    await expect(connect({ user: 'certified' }, '')).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
  });

  it('cancels a statement over a connection of its own, and keeps the first', async () => {
    const session = await connect();
    const own = new AbortController();
    const running = (async () => {
      const got: ResultEvent[] = [];
      const options = { maxRows: 10, signal: own.signal };
      for await (const event of session.console?.run('SELECT count(*) FROM shop.large a, shop.large b', options) ?? [])
        got.push(event);
    })();
    const refused = expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    const table = { namespace: ['shop'], name: 'shelf' };
    expect(await session.countRows({ table, filter: NO_FILTER }, { signal })).toEqual({ rows: 24, exact: true });
    own.abort();
    await refused;
    expect(await session.countRows({ table, filter: NO_FILTER }, { signal })).toEqual({ rows: 24, exact: true });
    await session.close();
  });
}

describe(withoutServer ?? 'the PostgreSQL driver in a process', () => {
  if (withoutServer === undefined) define();
  else it(withoutServer, () => expect(withoutServer).toContain('not installed'));
});
