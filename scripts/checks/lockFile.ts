import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../paths.ts';

/** That of the host: npm puts an older one, of some tool, where this folder looks. */
const { satisfies } = createRequire(join(root, 'host/package.json'))('semver') as {
  satisfies: (version: string, range: string) => boolean;
};

const entrySchema = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
});

const lockSchema = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entrySchema) });
const packageSchema = z.object({ overrides: z.record(z.string(), z.unknown()).default({}) });

/** Where Node's resolution looks for `name` from the package at `path`: its own node_modules, then that of each folder above. */
function* candidates(path: string, name: string): Generator<string> {
  let folder = path;
  for (;;) {
    yield folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (folder === '') return;
    const above = folder.lastIndexOf('/node_modules/');
    folder =
      above >= 0 ? folder.slice(0, above) : folder.startsWith('node_modules/') ? '' : folder.split('/').slice(0, -1).join('/');
  }
}

/**
 * Sentences that say what is wrong with a package-lock.json; none if all is well.
 *
 * `npm install` silently leaves an optional platform package out when the registry at hand does not have it, and `npm ci` then
 * refuses the file everywhere (EUSAGE, "Missing: … from lock file"). And a lock file that names a registry host installs only where
 * that host can be reached. npm 10, which is part of Node 20 and 22, looks in the lock file for a second version of a peer that a package needs in another
 * version than the one it finds (EUSAGE again); npm 11 takes the one that is there.
 *
 * @param text - package-lock.json
 * @param packageText - package.json, whose `overrides` decide about peers
 */
export function faultsOfLockFile(text: string, packageText = '{}'): string[] {
  const { packages } = lockSchema.parse(JSON.parse(text));
  const { overrides } = packageSchema.parse(JSON.parse(packageText));
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (![...candidates(path, name)].some((candidate) => candidate in packages)) {
        faults.push(
          `${path === '' ? 'The root package' : path} wants the optional package ${name}, which the lock file does not have: "npm ci" will fail. Choose a version whose platform packages all exist.`,
        );
      }
    }
    for (const [name, wanted] of Object.entries(entry.peerDependencies ?? {})) {
      // A package has its peers beside itself or further up.
      const beside = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1));
      const found = [...candidates(beside, name)].find((candidate) => candidate in packages);
      const { version } = packages[found ?? ''] ?? {};
      if (found === undefined || version === undefined || Object.hasOwn(overrides, name)) continue;
      if (!satisfies(version, wanted.replace(/^npm:(?:@[^@]+|[^@]+)@/, ''))) {
        faults.push(
          `${path} wants ${name} ${wanted} beside it, which is ${version}: "npm ci" of npm 10 will fail. Write "${name}": "$${name}" into "overrides" of package.json, or choose a version that fits.`,
        );
      }
    }
    if (entry.resolved !== undefined && /^[a-z+]+:/.test(entry.resolved) && !entry.resolved.startsWith('file:')) {
      faults.push(`${path} names where it was downloaded from. Run "npm install" with omit-lockfile-registry-resolved=true.`);
    }
    const isDownloaded = path.includes('node_modules/') && entry.link !== true && entry.inBundle !== true;
    if (isDownloaded && entry.integrity === undefined)
      faults.push(`${path} has no integrity, so that nothing would notice a changed package.`);
  }
  return faults;
}
