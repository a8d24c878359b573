import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** The environment variable through which the host gets the sample server's key; the saved connection refers to it by name. */
export const SAMPLE_KEY_VARIABLE = 'TABULARIUM_SAMPLE_KEY';

const manifestSchema = z.object({
  tabularium: z.object({
    id: z.string(),
    permissions: z.object({ http: z.object({ credentials: z.array(z.object({ field: z.string() })).min(1) }) }),
  }),
});

/**
 * Writes the file from which the host makes the sample connection. Which field holds the credential is read from the driver's manifest.
 *
 * @param url - where the sample server listens
 */
export async function writeSampleConnection(file: string, driverPackage: string, url: URL): Promise<void> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(driverPackage, 'utf8'))).tabularium;
  const secrets = Object.fromEntries(
    manifest.permissions.http.credentials.map(({ field }) => [field, { kind: 'environment', variable: SAMPLE_KEY_VARIABLE }]),
  );
  const input = {
    name: 'Sample cluster',
    driver: manifest.id,
    settings: { host: url.hostname, port: Number(url.port) },
    secrets,
    color: 'teal',
  };
  await writeFile(file, `${JSON.stringify(input, undefined, 2)}\n`, { mode: 0o600 });
}
