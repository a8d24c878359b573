import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { token } from '../container/inject.ts';

export const HOST_PACKAGE = token<HostPackage>('HOST_PACKAGE');

const packageSchema = z.object({
  name: z.literal('@tabularium/host'),
  version: z.string(),
  homepage: z.url().optional().catch(undefined),
});

/** The folder of this package and its version, found upwards from this file: it runs from its source, from `dist` and installed. */
export interface HostPackage {
  readonly folder: string;
  readonly version: string;
  /** The website of the application; absent until there is one. */
  readonly homepage?: string | undefined;
}

/** @throws Error when this file does not lie in the package */
export function hostPackage(from: string = import.meta.dirname): HostPackage {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    const parsed = existsSync(file) ? packageSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
    if (parsed?.success === true) return { folder, version: parsed.data.version, homepage: parsed.data.homepage };
    if (dirname(folder) === folder) throw new Error(`${from} does not lie in the host package.`);
  }
}
