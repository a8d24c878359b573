import { z } from 'zod';

const entrySchema = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

const lockSchema = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entrySchema) });

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
 * that host can be reached.
 */
export function faultsOfLockFile(text: string): string[] {
  const { packages } = lockSchema.parse(JSON.parse(text));
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (![...candidates(path, name)].some((candidate) => candidate in packages)) {
        faults.push(
          `${path === '' ? 'The root package' : path} wants the optional package ${name}, which the lock file does not have: "npm ci" will fail. Choose a version whose platform packages all exist.`,
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
