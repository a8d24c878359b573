import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workFolder } from '../paths.ts';
import { onPath } from './onPath.ts';

const PACKAGE = 'influxdb';
const folder = join(workFolder, 'influxdb');
const unpacked = join(folder, 'unpacked/usr/bin/influxd');

/** The last release of Debian that is known to have version 1 of InfluxDB. Its program needs nothing but the C library. */
const RELEASE = 'bookworm';
const KEYRINGS = ['gpg', 'pgp'].map((ending) => `/usr/share/keyrings/debian-archive-keyring.${ending}`);

/** The InfluxDB server that tests start: the system's, else the one that {@link downloadInfluxd} has unpacked. */
export function findInfluxd(): string | undefined {
  return onPath('influxd') ?? (existsSync(unpacked) ? unpacked : undefined);
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0;
}

/** Settings of apt that name one release only, and leave the system's lists alone. */
function ownLists(): string[] {
  const keyring = KEYRINGS.find((file) => existsSync(file));
  if (keyring === undefined) return [];
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${keyring}] http://deb.debian.org/debian ${RELEASE} main\n`);
  for (const name of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  return [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=-',
    `Dir::State=${join(folder, 'state')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting]);
}

/**
 * Downloads InfluxDB with apt and unpacks it below the work folder. It isn't installed: the package would start a server on this machine, and
 * begin it again at each start.
 */
export function downloadInfluxd(): void {
  if (process.platform !== 'linux' || onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined) return;
  console.log('Downloading InfluxDB for the tests.');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=', PACKAGE])) {
    const lists = ownLists();
    if (
      lists.length === 0 ||
      !run('apt-get', ['update', '-q', ...lists]) ||
      !run('apt-get', ['download', '-q', ...lists, PACKAGE])
    )
      return;
  }
  const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (file !== undefined) run('dpkg-deb', ['--extract', file, join(folder, 'unpacked')]);
  for (const name of ['state', 'cache']) rmSync(join(folder, name), { recursive: true, force: true });
}
