import { createHash } from 'node:crypto';
import type { PackedDriver } from '@tabularium/sdk/cli';
import { z } from 'zod';

/** A registry, and the right to publish to it. */
export interface PublishTarget {
  readonly url: string;
  readonly token: string;
}

/**
 * A connection for each request. Packing a large archive keeps the process busy for longer than a registry holds an idle connection, and a request on
 * one that was closed meanwhile fails.
 */
const OWN_CONNECTION = { connection: 'close' };

const documentSchema = z.object({
  versions: z.record(z.string(), z.object({ dist: z.object({ integrity: z.string().optional() }) })),
});

/** The integrity of every version that the registry has of a package. */
export async function publishedVersions(
  url: string,
  name: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | undefined>> {
  const response = await fetch(new URL(name.replace('/', '%2f'), url), { headers: OWN_CONNECTION, signal: signal ?? null });
  if (response.status === 404) return new Map();
  if (!response.ok) throw new Error(`The registry answered ${response.status} for ${name}.`);
  const { versions } = documentSchema.parse(await response.json());
  return new Map(Object.entries(versions).map(([version, { dist }]) => [version, dist.integrity]));
}

/** A package to publish: its archive, the package.json in it, and its files. */
type PublishedPackage = Pick<PackedDriver, 'tarball' | 'integrity' | 'packageJson' | 'files'>;

/** Publishes one version, as `npm publish` does. */
export async function publishPackage(target: PublishTarget, packed: PublishedPackage, signal?: AbortSignal): Promise<void> {
  const { name, version } = packed.packageJson;
  const file = `${name}-${version}.tgz`;
  const tarball = new URL(`${name}/-/${file}`, target.url).href;
  const sizes = Array.from(packed.files.values(), ({ length }) => length);
  const dist = {
    integrity: packed.integrity,
    shasum: createHash('sha1').update(packed.tarball).digest('hex'),
    tarball,
    fileCount: sizes.length,
    unpackedSize: sizes.reduce((total, size) => total + size, 0),
  };
  // Registries show the readme of a version; npm sends it with each, and for the package as a whole.
  const bytes = packed.files.get('README.md');
  const readme = bytes === undefined ? {} : { readme: new TextDecoder().decode(bytes) };
  const response = await fetch(new URL(name.replace('/', '%2f'), target.url), {
    method: 'PUT',
    headers: { ...OWN_CONNECTION, 'content-type': 'application/json', authorization: `Bearer ${target.token}` },
    body: JSON.stringify({
      _id: name,
      name,
      description: packed.packageJson['description'],
      ...readme,
      'dist-tags': { latest: version },
      versions: { [version]: { ...packed.packageJson, ...readme, _id: `${name}@${version}`, dist } },
      access: null,
      _attachments: {
        [file]: {
          content_type: 'application/octet-stream',
          data: packed.tarball.toString('base64'),
          length: packed.tarball.length,
        },
      },
    }),
    signal: signal ?? null,
  });
  if (!response.ok)
    throw new Error(`The registry rejected ${name}@${version} (status ${response.status}): ${await response.text()}`);
  await response.body?.cancel();
}

/** Takes a package away with all its versions. */
export async function unpublishPackage(target: PublishTarget, name: string, signal?: AbortSignal): Promise<void> {
  const address = new URL(`${name.replace('/', '%2f')}/-rev/1`, target.url);
  const headers = { ...OWN_CONNECTION, authorization: `Bearer ${target.token}` };
  const response = await fetch(address, { method: 'DELETE', headers, signal: signal ?? null });
  if (!response.ok) throw new Error(`The registry kept ${name} (status ${response.status}): ${await response.text()}`);
  await response.body?.cancel();
}
