import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest, ManifestInput } from '@tabularium/sdk/manifest';
import { buildStale } from '../../../../../scripts/build/buildStale.ts';
import { allTargets } from '../../../../../scripts/build/targets.ts';
import { root, workFolder } from '../../../../../scripts/paths.ts';
import { plainManifest } from '../../../common/plainManifest.test-helper.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import type { DriverLogLine, DriverProcessesOptions } from './driverProcesses.ts';
import { DriverProcesses } from './driverProcesses.ts';

/** The built program that becomes a driver's process. */
export const launcherFile = join(root, 'host/dist/driver-launcher.cjs');

/** The built program of driver processes, and with it the launcher. */
export async function builtRunner(): Promise<string> {
  const targets = allTargets(root).filter(({ name }) => name === 'driver-process');
  await buildStale({ root, workFolder, targets, log: () => undefined });
  return join(root, 'host/dist/driver-process.cjs');
}

/** The least a manifest has, with one secret and one plain field and HTTP. */
export function testManifest(changes: Partial<ManifestInput> = {}): Manifest {
  return plainManifest({
    tagline: 'A driver for tests.',
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'number' },
        { id: 'key', label: 'Key', type: 'secret' },
        { id: 'sslMode', label: 'SSL', type: 'select', options: [{ value: 'off', label: 'Off' }], default: 'off' },
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: '127.0.0.1' },
          port: { field: 'port', whenEmpty: 80 },
          scheme: { field: 'sslMode', plainValues: ['off'] },
        },
        credentials: [{ field: 'key', headers: ['X-Test-Key'] }],
        timeoutMilliseconds: 1_000,
      },
    },
    reading: { maxSorts: 0 },
    ...changes,
  });
}

/** A folder for one test file, with driver processes that end with it. */
export class ProcessBench {
  readonly folder: string;
  readonly lines: DriverLogLine[] = [];
  readonly #all: DriverProcesses[] = [];
  #drivers = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ProcessBench> {
    return new ProcessBench(await realpath(await mkdtemp(join(tmpdir(), 'tabularium-drivers-'))));
  }

  async processes(options: Partial<DriverProcessesOptions> = {}): Promise<DriverProcesses> {
    const processes = new DriverProcesses({
      runner: options.runner ?? (await builtRunner()),
      launcher: launcherFile,
      node: process.execPath,
      log: (line) => this.lines.push(line),
      // One host owns a list; several hosts of one test must not take one another's processes for left-overs.
      pidFile: join(this.folder, `cache-${this.#all.length}`, 'driver-processes.json'),
      ...options,
      // Most tests start many hosts with one driver each: a process for a second one would only take processor time.
      // A busy machine takes its time for a start and a call; a test that measures these says how long.
      limits: { spareIdle: 0, ready: 120_000, call: 180_000, ...options.limits },
    });
    this.#all.push(processes);
    return processes;
  }

  /** Installs a driver whose entry is the given text. `members` of the manifest may be changed. */
  async driver(source: string, manifest: Manifest = testManifest(), version = '1.0.0'): Promise<InstalledDriver> {
    this.#drivers += 1;
    const folder = join(this.folder, 'drivers', `${manifest.id}-${this.#drivers}`, version);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'fixture', version, type: 'module' }));
    await writeFile(join(folder, 'index.js'), source);
    return {
      id: manifest.id,
      packageName: 'fixture',
      version,
      folder,
      entry: 'index.js',
      manifest,
      publisher: { id: 'test', name: 'Test', fingerprint: '0000', origin: 'thirdParty' },
      installedAt: new Date(0).toISOString(),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((processes) => processes.close()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * The text of a driver's entry.
 *
 * @param members - members of the session, each a method's text; they see `settings`, `context` and `session`
 */
export function driverSource(members = '', before = '', id = 'fixture'): string {
  return `
${before}
const batch = (columns, rows) => new TextEncoder().encode(JSON.stringify({ columns, rows }));
export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: '${id}',
    async connect(settings, context, options) {
      const session = {
        server: { product: 'Fixture', version: '1' },
        findings: [{ label: 'Settings', outcome: 'ok', message: JSON.stringify(settings) }],
        async ping() {},
        async listTables() { return []; },
        async describeTable(table) {
          return { ref: table, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [] };
        },
        async readPage() { return { rowCount: 0, atEnd: true, droppedSorts: [], batch: batch([], []) }; },
        async countRows() { return { rows: 0, exact: true }; },
        async close() {},
        ${members}
      };
      return session;
    },
  },
};
`;
}
