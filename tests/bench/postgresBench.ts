import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '@tabularium/registry';
import { PgClient } from '../../drivers/postgres/src/wire/pgClient.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { root } from '../../scripts/paths.ts';
import { POSTGRES_PACKAGE, PostgresServer, postgresFolder } from '../../scripts/postgres/postgresServer.ts';

const USER = 'bench';
const PASSWORD = 'bench';
const DATABASE = 'postgres';
const never = new AbortController().signal;

/** A real PostgreSQL, a runtime with a saved connection to it, and the bare client beside it. */
export interface PostgresBench extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly bare: PgClient;
  readonly connectionId: string;
  /** Of all its files. */
  readonly folder: string;
  readonly home: string;
  /** Where the server listens, and who may sign in. */
  readonly server: { readonly port: number; readonly user: string; readonly password: string; readonly database: string };
}

/** Starts an empty server, and a runtime with the driver from a registry. */
export async function startPostgresBench(): Promise<PostgresBench> {
  const native = postgresFolder();
  if (native === undefined) throw new Error(`${POSTGRES_PACKAGE} is not installed.`);
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-bench-pg-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = new PostgresServer(folder, { user: USER, password: PASSWORD, settings: ['max_wal_size = 4GB'] });
  server.prepare(native);
  await server.start();
  stack.defer(() => server.stop('fast'));
  const bare = new PgClient({ host: '127.0.0.1', port: server.port, user: USER, password: PASSWORD, database: DATABASE });
  await bare.connect();
  stack.defer(() => bare.end());
  const registry = await startRegistry({ stateFolder: join(folder, 'registry') });
  stack.defer(() => registry.close());
  await registry.publish(join(root, 'drivers/postgres'));
  const runtime = await Runtime.start({
    home: await openHome(join(folder, 'home')),
    env: { BENCH_PASSWORD: PASSWORD, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
    logger: silentLogger,
  });
  stack.defer(() => runtime[Symbol.asyncDispose]());
  const { id: connectionId } = await runtime.connections.create({
    name: 'Bench',
    driver: 'postgres',
    settings: { host: '127.0.0.1', port: server.port, user: USER, database: DATABASE, sslMode: 'disabled' },
    secrets: { password: { kind: 'environment', variable: 'BENCH_PASSWORD' } },
    access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    color: 'gray',
  });
  // Its first attempt asks for the permission, which only then can be given.
  const install = (): Promise<unknown> => runtime.installer.install('postgres', { signal: never });
  await install().catch(() => runtime.driverManagement.allowGrants('postgres', ['secrets']));
  await install();
  await runtime.sessions.use(connectionId, ({ session }) => session.listTables({ signal: never }), { signal: never });
  const owned = stack.move();
  return {
    ...{ runtime, bare, connectionId, folder, home: join(folder, 'home') },
    server: { port: server.port, user: USER, password: PASSWORD, database: DATABASE },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
