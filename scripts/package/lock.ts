import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Platform } from './platforms.ts';

const listOf = z.union([z.string().transform((only) => [only]), z.array(z.string())]);
const entrySchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  os: listOf.optional(),
  cpu: listOf.optional(),
  libc: listOf.optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });

/** A package of the lock file, at the place where it is installed. */
export interface LockedPackage {
  /** As in the lock file: `node_modules/a`, `host/node_modules/b/node_modules/c`. */
  readonly location: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** As the package states it. */
  readonly license: string | undefined;
  /** Whether it is the same on every platform: it names neither a system nor a processor. */
  readonly anyPlatform: boolean;
}

export class LockFile {
  readonly #packages: z.output<typeof lockSchema>['packages'];

  constructor(text: string) {
    this.#packages = lockSchema.parse(JSON.parse(text)).packages;
  }

  static of(root: string): LockFile {
    return new LockFile(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  }

  /** @throws Error when the lock file has no such package, or no integrity for it */
  at(location: string): LockedPackage {
    const { version, integrity, license, os, cpu } = this.#packages[location] ?? {};
    if (version === undefined || integrity === undefined) {
      throw new Error(`package-lock.json has no ${location} with version and integrity. Run "npm install".`);
    }
    const name = location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { location, name, version, integrity, license, anyPlatform: os === undefined && cpu === undefined };
  }

  /** All that the package at a location needs to run on a platform (default: on any), Node itself excepted. In the order of their places. */
  closure(from: string, platform?: Platform): LockedPackage[] {
    const found = new Set<string>();
    const walk = (location: string): void => {
      const { dependencies = {}, optionalDependencies = {} } = this.#packages[location] ?? {};
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        const place = this.#resolve(location, name);
        if (place === undefined && name in dependencies) throw new Error(`package-lock.json has no ${name} for ${location}.`);
        if (place === undefined || found.has(place) || /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name)) continue;
        if (platform !== undefined && !this.#runsOn(place, platform)) continue;
        found.add(place);
        walk(place);
      }
    };
    walk(from);
    return [...found].sort().map((location) => this.at(location));
  }

  /** Where Node's resolution finds a package: in the folder's own node_modules, then in that of each folder above. */
  #resolve(location: string, name: string): string | undefined {
    for (let folder = location; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      if (!folder.endsWith('node_modules') && place in this.#packages) return place;
      if (folder === '') return undefined;
    }
  }

  /** A package with native code exists once for each platform. On Linux for glibc and for musl: Electron has the former alone. */
  #runsOn(location: string, { os, cpu }: Platform): boolean {
    const entry = this.#packages[location];
    return (entry?.os?.includes(os) ?? true) && (entry?.cpu?.includes(cpu) ?? true) && (entry?.libc?.includes('glibc') ?? true);
  }
}
