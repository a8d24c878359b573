import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { postgresFolder } from '../postgres/postgresServer.ts';
import type { SampleConnection } from './sample.ts';
import { POSTGRES_GUIDE } from './sampleGuides.ts';
import type { ServiceGroup } from './serviceGroup.ts';

/** The environment variable through which the host gets the password; the saved connection refers to it by name. */
const PASSWORD_VARIABLE = 'TABULARIUM_SAMPLE_PASSWORD';
/** The owner of the sample database. */
export const SAMPLE_POSTGRES_USER = 'sample';

export interface SamplePostgres {
  readonly connection: SampleConnection;
  /** For the host's process. */
  readonly environment: NodeJS.ProcessEnv;
  /** Where it listens. */
  readonly address: string;
}

/**
 * Makes the port of the sample database for PostgreSQL; its server is started for the first connection, and its data stay in `local`.
 *
 * @returns undefined where the server of this platform isn't installed
 */
export async function startSamplePostgres(group: ServiceGroup, local: string): Promise<SamplePostgres | undefined> {
  if (postgresFolder() === undefined) return undefined;
  const password = await passwordIn(join(local, 'sample-postgres-password'));
  const service = join(root, 'scripts/start/samplePostgresService.ts');
  const { ready } = await group.start(
    'sample PostgreSQL',
    ['--conditions=tabularium:source', service, '--folder', join(local, 'Sample PostgreSQL'), '--until-stdin-closes'],
    { environment: { SAMPLE_POSTGRES_PASSWORD: password } },
  );
  const port = Number(ready['port']);
  return {
    connection: {
      name: 'Sample database (PostgreSQL)',
      driver: 'postgres',
      settings: { host: '127.0.0.1', port, database: 'postgres', user: SAMPLE_POSTGRES_USER },
      secrets: { password: { kind: 'environment', variable: PASSWORD_VARIABLE } },
      color: 'blue',
      guide: POSTGRES_GUIDE,
    },
    environment: { [PASSWORD_VARIABLE]: password },
    address: `127.0.0.1:${port}`,
  };
}

/** The password that the cluster was made with: it is asked for at each later start. */
async function passwordIn(file: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  try {
    await writeFile(file, password, { mode: 0o600, flag: 'wx' });
    return password;
  } catch {
    return readFile(file, 'utf8');
  }
}
