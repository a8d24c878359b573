import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const wordsSchema = z.union([z.string(), z.array(z.string())]);

/** Of an entry of a lock file, the members that a registry says of a version, too. A fresh installation resolves by these alone. */
const versionSchema = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
  peerDependenciesMeta: z.record(z.string(), z.unknown()).optional(),
  bundleDependencies: z.union([z.array(z.string()), z.boolean()]).optional(),
  bin: z.record(z.string(), z.string()).optional(),
  os: wordsSchema.optional(),
  cpu: wordsSchema.optional(),
  libc: wordsSchema.optional(),
  hasInstallScript: z.boolean().optional(),
});
const entrySchema = versionSchema.partial().extend({
  /** Where it is installed under another name. */
  name: z.string().optional(),
  integrity: z.string().optional(),
});
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });

/** A version as a registry describes it. */
type PublishedVersion = z.output<typeof versionSchema> & {
  readonly name: string;
  readonly dist: { readonly tarball: string; readonly integrity: string };
};

/** A registry of npm on this machine whose packages are those of lock files, and no others. */
export interface LockedRegistry extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** The names that were asked for and are in no lock file. */
  readonly unknown: readonly string[];
}

/**
 * Starts the registry. It describes packages and has no archives: for those it names the registry of this machine, where npm asks only for what its cache
 * doesn't have by the integrity of the lock file. So an installation under test resolves to locked versions, and to nothing that was published since.
 *
 * @param lockFiles - their paths
 * @param archives - the registry that has the archives
 */
export async function startLockedRegistry(lockFiles: readonly string[], archives: string): Promise<LockedRegistry> {
  const packages = new Map<string, Map<string, PublishedVersion>>();
  for (const file of lockFiles) {
    const { packages: entries } = lockSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    for (const [place, { integrity, name: own, ...entry }] of Object.entries(entries)) {
      const at = place.lastIndexOf('node_modules/');
      const parsed = versionSchema.safeParse(entry);
      if (at < 0 || integrity === undefined || !parsed.success) continue;
      const name = own ?? place.slice(at + 'node_modules/'.length);
      const { version } = parsed.data;
      const tarball = new URL(`${name}/-/${name.split('/').at(-1) ?? name}-${version}.tgz`, archives).href;
      const versions = packages.get(name) ?? new Map<string, PublishedVersion>();
      packages.set(name, versions.set(version, { ...parsed.data, name, dist: { tarball, integrity } }));
    }
  }
  const unknown: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    const versions = packages.get(name);
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'GET' || versions === undefined) {
      unknown.push(name);
      response.writeHead(404).end(JSON.stringify({ error: `No lock file of this repository has the package ${name}.` }));
      return;
    }
    const latest = [...versions.keys()].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    unknown,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
