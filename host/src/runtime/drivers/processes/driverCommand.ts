import { existsSync } from 'node:fs';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import { DELIVERED, REHEARSED } from '../../../driver-launcher/driverDelivery.ts';
import type { FileGrant } from './driverFolder.ts';
import { INSPECTOR_HOST } from './inspection.ts';
import type { ProcessLimits } from './processLimits.ts';

/** A program and its arguments. */
export interface DriverCommand {
  readonly file: string;
  readonly arguments: readonly string[];
}

export interface DriverCommandOptions {
  readonly node: string;
  readonly runner: string;
  /** The driver, with real paths; absent: it is delivered to the process, which may read no folder. */
  readonly driver?: { readonly id: string; readonly folder: string; readonly entry: string } | undefined;
  /** Whether it has time to prepare itself, because its driver is not known yet. */
  readonly isSpare?: boolean;
  readonly grants: readonly FileGrant[];
  /** Its permissions beyond the sandbox. */
  readonly wider?: readonly WiderGrant[];
  /** The port of Node's inspector on 127.0.0.1; absent: it has none, and the permission model denies it. */
  readonly inspector?: number | undefined;
  /** Whether errors are to name the places in the sources: the entry has a map beside it. */
  readonly sourceMaps?: boolean;
  readonly limits: ProcessLimits;
  /** Whether the kernel is asked to end the process with the host, where it can. */
  readonly endWithHost: boolean;
  /** Whether Node's permission model is on; off only in tests of the kernel's wall. Default: true. */
  readonly permissionModel?: boolean;
}

/** Programs of util-linux that replace themselves by the one they start: the process keeps its number. */
const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';

/**
 * The command that starts a driver's process. A one-file runner needs no grant of its own. Each flag has an attack behind it:
 *
 * - `--permission` with nothing but the folder and the chosen files: network, other files, workers, children, addons, WASI, the inspector;
 * - `--no-experimental-sqlite`: node:sqlite opens any file, whatever was granted;
 * - `--freeze-flags-after-init`: V8 flags that write files anywhere;
 * - `--disable-sigusr1`, `--no-addons`, `--no-experimental-ffi`: ways in that are not needed.
 *
 * A build that its author inspects also has `--inspect`, which listens on loopback alone. The driver's own code can't import node:inspector then
 * either.
 *
 * A wider grant takes away what it has to and no more. The permission model stays on under each of them: measured, node:sqlite opens any
 * file under it, but can load no extension, so that with `sqlite` alone there is still no network, no other program and no native code.
 * No driver gets threads: measured, one that is started with an `execArgv`, even an empty one, is not under the model at all.
 */
export function driverArguments(options: DriverCommandOptions): readonly string[] {
  const { limits, driver, wider = [] } = options;
  return [
    options.node,
    ...(options.permissionModel === false ? [] : permissionFlags(options)),
    '--no-warnings',
    // The system's configuration may include files that the process cannot read, and then Node does not start.
    '--openssl-config=/dev/null',
    ...(options.sourceMaps === true ? ['--enable-source-maps'] : []),
    ...(options.inspector === undefined ? [] : [`--inspect=${INSPECTOR_HOST}:${options.inspector}`]),
    `--max-old-space-size=${limits.heapMegabytes}`,
    options.runner,
    ...(driver === undefined ? [DELIVERED] : [driver.entry, driver.id]),
    ...(driver === undefined && options.isSpare === true ? [REHEARSED] : []),
    ...(wider.length === 0 ? [] : [wider.join(',')]),
  ];
}

/** The same command where the kernel confines nothing: programs of util-linux set what limits they can. */
export function driverCommand(options: DriverCommandOptions): DriverCommand {
  const command = [...wrappers(options), ...driverArguments(options)];
  return { file: command[0] ?? options.node, arguments: command.slice(1) };
}

function permissionFlags(options: DriverCommandOptions): readonly string[] {
  const { driver, wider = [] } = options;
  return [
    '--permission',
    ...(driver === undefined ? [] : [`--allow-fs-read=${driver.folder}`]),
    ...options.grants.map(({ path }) => `--allow-fs-read=${path}`),
    ...options.grants.filter(({ access }) => access === 'readWrite').map(({ path }) => `--allow-fs-write=${path}`),
    ...(wider.includes('sqlite') ? [] : ['--no-experimental-sqlite']),
    ...(wider.includes('network') ? ['--allow-net'] : []),
    ...(wider.includes('files') ? ['--allow-fs-read=*', '--allow-fs-write=*'] : []),
    ...(wider.includes('addons') ? ['--allow-addons'] : ['--no-addons']),
    ...(options.inspector === undefined ? [] : ['--allow-inspector']),
    '--no-experimental-ffi',
    '--freeze-flags-after-init',
    '--disable-sigusr1',
  ];
}

function wrappers({ limits, endWithHost }: DriverCommandOptions): string[] {
  if (process.platform !== 'linux') return [];
  return [
    ...(endWithHost && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : []),
    ...(existsSync(PRLIMIT) ? [PRLIMIT, `--data=${limits.dataBytes}`, '--core=0'] : []),
  ];
}
