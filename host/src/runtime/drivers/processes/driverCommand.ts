import { existsSync } from 'node:fs';
import type { FileGrant } from './driverFolder.ts';
import type { ProcessLimits } from './processLimits.ts';

/** A program and its arguments. */
export interface DriverCommand {
  readonly file: string;
  readonly arguments: readonly string[];
}

export interface DriverCommandOptions {
  readonly node: string;
  readonly runner: string;
  /** Real paths. */
  readonly folder: string;
  readonly entry: string;
  readonly driverId: string;
  readonly grants: readonly FileGrant[];
  readonly limits: ProcessLimits;
  /** Whether the kernel is asked to end the process with the host, where it can. */
  readonly endWithHost: boolean;
}

/** Programs of util-linux that replace themselves by the one they start: the process keeps its number. */
const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';

/**
 * What starts a driver's process. A one-file runner needs no grant of its own. Each flag has an attack behind it:
 *
 * - `--permission` with nothing but the folder and the chosen files: network, other files, workers, children, addons, WASI, the inspector;
 * - `--no-experimental-sqlite`: node:sqlite opens any file, whatever was granted;
 * - `--freeze-flags-after-init`: V8 flags that write files anywhere;
 * - `--disable-sigusr1`, `--no-addons`, `--no-experimental-ffi`: ways in that nobody needs.
 */
export function driverCommand(options: DriverCommandOptions): DriverCommand {
  const { limits } = options;
  const node = [
    options.node,
    '--permission',
    `--allow-fs-read=${options.folder}`,
    ...options.grants.map(({ path }) => `--allow-fs-read=${path}`),
    ...options.grants.filter(({ access }) => access === 'readWrite').map(({ path }) => `--allow-fs-write=${path}`),
    '--no-experimental-sqlite',
    '--no-experimental-ffi',
    '--no-addons',
    '--freeze-flags-after-init',
    '--disable-sigusr1',
    '--no-warnings',
    `--max-old-space-size=${limits.heapMegabytes}`,
    options.runner,
    options.entry,
    options.driverId,
  ];
  const command = [...wrappers(options), ...node];
  return { file: command[0] ?? options.node, arguments: command.slice(1) };
}

function wrappers({ limits, endWithHost }: DriverCommandOptions): string[] {
  if (process.platform !== 'linux') return [];
  return [
    ...(endWithHost && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : []),
    ...(existsSync(PRLIMIT) ? [PRLIMIT, `--data=${limits.dataBytes}`, '--core=0'] : []),
  ];
}
