import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningRegistry } from '../../registry/src/registryFile.ts';
import { root } from '../paths.ts';
import { SAMPLE_KEY_VARIABLE, serverConnection, writeSampleConnections } from './sample.ts';
import { databaseConnection, sampleDatabase } from './sampleDatabase.ts';
import { startSamplePostgres } from './samplePostgres.ts';
import type { ServiceGroup } from './serviceGroup.ts';

/** The addresses and keys of the services beside a host. */
export interface SampleServices {
  /** For the host's process. */
  readonly environment: NodeJS.ProcessEnv;
  /** The file with the sample connections. */
  readonly connections: string;
  /** Where the sample server listens. */
  readonly server: string;
  /** The sample database's file. */
  readonly database: string;
  /** Where the sample database for PostgreSQL listens; undefined where its server isn't installed. */
  readonly postgres: string | undefined;
  /** Where the local registry listens, which authors install the SDK from. */
  readonly registry: string;
}

/** @throws Error with a sentence when another start uses the folder */
export async function refuseSecondStart(local: string): Promise<void> {
  if ((await findRunningRegistry(join(local, 'registry/registry.json'))) === undefined) return;
  throw new Error(
    `Tabularium runs already with ${local}. "npx tabularium url" prints an address that opens its window; end it first, or name another folder with --local.`,
  );
}

/** Starts the local driver registry and the sample server, and makes the sample database, all in `local`. */
export async function startSampleServices(
  group: ServiceGroup,
  { local, version }: { readonly local: string; readonly version: string },
): Promise<SampleServices> {
  await mkdir(local, { recursive: true, mode: 0o700 });
  const key = randomBytes(24).toString('base64url');
  const source = '--conditions=tabularium:source';
  const registry = ['--state', join(local, 'registry'), '--until-stdin-closes'];
  const server = ['--sample', '--version', version, '--until-stdin-closes'];
  const [served, sandbox, database, postgres] = await Promise.all([
    group.start('registry', [source, join(root, 'registry/src/main.ts'), ...registry]),
    group.start('sandbox', [source, join(root, 'tests/sandbox/src/main.ts'), ...server], {
      environment: { SANDBOX_API_KEY: key },
    }),
    sampleDatabase(local),
    startSamplePostgres(group, local),
  ]);

  const connections = join(local, 'sample-connection.json');
  await writeSampleConnections(connections, [
    await serverConnection(join(root, 'drivers/search/package.json'), new URL(String(sandbox.ready['url']))),
    databaseConnection(database),
    ...(postgres === undefined ? [] : [postgres.connection]),
  ]);
  return {
    environment: {
      // A trial from a checkout does not make itself the program for addresses; `tabularium integrations register-url` does.
      TABULARIUM_REGISTER_URL: process.env['TABULARIUM_REGISTER_URL'] ?? 'never',
      [SAMPLE_KEY_VARIABLE]: key,
      ...postgres?.environment,
      TABULARIUM_LOCAL_REGISTRY: join(local, 'registry/registry.json'),
    },
    connections,
    server: String(sandbox.ready['url']),
    database,
    postgres: postgres?.address,
    registry: String(served.ready['url']),
  };
}
