import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../paths.ts';
import { CLUSTER_GUIDE } from './sampleGuides.ts';

/** The environment variable through which the host gets the sample server's key; the saved connection refers to it by name. */
export const SAMPLE_KEY_VARIABLE = 'TABULARIUM_SAMPLE_KEY';

const manifestSchema = z.object({
  tabularium: z.object({
    id: z.string(),
    permissions: z.object({ http: z.object({ credentials: z.array(z.object({ field: z.string() })).min(1) }) }),
  }),
});

/** A connection as the host takes it. */
export type SampleConnection = Readonly<Record<string, unknown>>;

/** Writes the file from which the host makes the sample connections. */
export async function writeSampleConnections(file: string, connections: readonly SampleConnection[]): Promise<void> {
  await writeFile(file, `${JSON.stringify(connections, undefined, 2)}\n`, { mode: 0o600 });
}

/**
 * The connection to the sample server. Which field holds the credential is read from the driver's manifest.
 *
 * @param url - where the sample server listens
 */
export async function serverConnection(driverPackage: string, url: URL): Promise<SampleConnection> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(driverPackage, 'utf8'))).tabularium;
  const secrets = Object.fromEntries(
    manifest.permissions.http.credentials.map(({ field }) => [field, { kind: 'environment', variable: SAMPLE_KEY_VARIABLE }]),
  );
  return {
    name: 'Sample cluster',
    driver: manifest.id,
    settings: { host: url.hostname, port: Number(url.port) },
    secrets,
    color: 'teal',
    guide: CLUSTER_GUIDE,
    querySets: [
      {
        table: { namespace: [], name: 'articles' },
        name: 'Everyday words',
        content: await readFile(join(root, 'docs/examples/articles-queries.csv'), 'utf8'),
      },
    ],
  };
}
