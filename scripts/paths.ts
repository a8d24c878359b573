import { join } from 'node:path';

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..');

/** Files that tools store between runs: fingerprints, type declarations, caches. Ignored by git, safe to delete. */
export const workFolder = join(root, '.tsbuild');
