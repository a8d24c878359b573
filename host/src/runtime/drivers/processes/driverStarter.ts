import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DriverError } from '@tabularium/sdk';
import type { Manifest, WiderGrant } from '@tabularium/sdk/manifest';
import { widerGrantsOf } from '../policy/widerGrants.ts';
import type { DriverCommand, DriverCommandOptions } from './driverCommand.ts';
import { driverArguments, driverCommand } from './driverCommand.ts';
import type { FileGrant } from './driverFolder.ts';
import { entryPath, realDriverFolder } from './driverFolder.ts';
import type { DriverLogSink } from './driverLog.ts';
import { DriverProcess } from './driverProcess.ts';
import { ProcessLedger } from './processLedger.ts';
import type { ProcessLimits } from './processLimits.ts';
import { ResidentWatch } from './residentWatch.ts';
import { SpareLauncher } from './spareLauncher.ts';
import { grantedFiles } from './walls/grantedFiles.ts';
import { encodePlan, kernelWall } from './walls/kernelWall.ts';
import { launchPlanFor } from './walls/launchPlanFor.ts';
import type { WallState } from './walls/wallState.ts';

/** How driver processes are started. */
export interface DriverProcessesOptions {
  /** The program of a driver's process, one file: host/dist/driver-process.js. */
  readonly runner: string;
  /** The program that confines itself and becomes a driver's process, one file: host/dist/driver-launcher.cjs. */
  readonly launcher: string;
  /** The pinned Node 26. */
  readonly node: string;
  readonly log: DriverLogSink;
  /** Where the numbers of running processes are kept, for the host that comes after a killed one: cache/driver-processes.json in the home. */
  readonly ledger: string;
  readonly limits?: Partial<ProcessLimits>;
  /** Whether the kernel ends driver processes with the host, where it can. Default: true. */
  readonly endWithHost?: boolean;
  /** The data directory: no driver is granted a file of it. */
  readonly protectedFolder?: string;
  /** Called where the kernel confines nothing; throws where drivers may not run then. */
  readonly onUnwalled?: (reason: string) => Promise<void>;
  /** Which walls stand. Both do, except in tests that show what each of them holds alone. */
  readonly walls?: { readonly permissionModel?: boolean; readonly kernel?: boolean };
}

/** A driver to start, and the files that its process may use. */
export interface StartRequest {
  readonly id: string;
  readonly version: string;
  readonly folder: string;
  readonly entry: string;
  readonly manifest: Manifest;
  readonly grants: readonly FileGrant[];
  /** What a person has allowed it beyond the sandbox. */
  readonly allowedGrants?: readonly WiderGrant[] | undefined;
  readonly onEnded: (expected: boolean) => void;
}

interface Prepared {
  readonly node: string;
  readonly runner: string;
  readonly launcher: string;
  readonly spare: SpareLauncher;
}

/** Starts processes, and knows all that run. */
export class DriverStarter {
  readonly #options: DriverProcessesOptions;
  readonly #limits: ProcessLimits;
  readonly #watch: ResidentWatch;
  readonly #ledger: ProcessLedger;
  readonly #running = new Set<DriverProcess>();
  readonly #temporary: string;
  #prepared: Promise<Prepared> | undefined;
  #closed = false;

  constructor(options: DriverProcessesOptions, limits: ProcessLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#watch = new ResidentWatch(limits.residentBytes, limits.residentPoll);
    this.#ledger = new ProcessLedger(options.ledger);
    this.#temporary = join(dirname(options.ledger), 'driver-temporary');
  }

  /**
   * Ends what an earlier host left behind, and finds the programs, once. Their real paths: under a linked home the process would not be
   * allowed to read its own program.
   */
  prepare(): Promise<Prepared> {
    this.#prepared ??= (async () => {
      const [node, runner, launcher] = await Promise.all([
        realpath(this.#options.node),
        realpath(this.#options.runner),
        realpath(this.#options.launcher),
        this.#sweep(),
        rm(this.#temporary, { recursive: true, force: true }).catch(() => undefined),
      ]);
      return { node, runner, launcher, spare: new SpareLauncher(node, launcher, this.#limits.spareIdle) };
    })().catch((cause: unknown) => {
      this.#prepared = undefined;
      throw new DriverError('DRIVER_CRASHED', 'The program of driver processes is missing. Install Tabularium again.', { cause });
    });
    return this.#prepared;
  }

  /** Whether the kernel confines drivers here; tried at the first question. */
  async kernelWall(): Promise<WallState> {
    if (this.#options.walls?.kernel === false) return { present: false, reason: 'The kernel sandbox is switched off.' };
    const { node, launcher } = await this.prepare();
    return kernelWall(node, launcher);
  }

  async warm(): Promise<void> {
    const [{ spare }, wall] = await Promise.all([this.prepare(), this.kernelWall()]);
    if (wall.present && !this.#closed) spare.warm();
  }

  /** @throws DriverError `PERMISSION_DENIED`, `DRIVER_FAULT` for a folder that is no driver's */
  async start(driver: StartRequest): Promise<DriverProcess> {
    const [{ node, runner, spare }, wall] = await Promise.all([this.prepare(), this.kernelWall()]);
    if (!wall.present) await this.#options.onUnwalled?.(wall.reason);
    const wider = widerGrantsOf(driver.manifest);
    const refused = wider.filter((grant) => driver.allowedGrants?.includes(grant) !== true);
    if (refused.length > 0) {
      throw new DriverError(
        'PERMISSION_DENIED',
        `The driver "${driver.id}" asks to leave the sandbox (${refused.join(', ')}), and nobody has allowed that.`,
      );
    }
    const folder = await realDriverFolder(driver.folder);
    const entry = await entryPath(folder, driver.entry);
    // A build for development has one; what is published has none.
    const sourceMaps = await lstat(`${entry}.map`).then(
      (map) => map.isFile(),
      () => false,
    );
    const files = wall.present ? await grantedFiles(driver.grants, wider) : [];
    const temporary = wall.present && wider.includes('sqlite') ? await this.#temporaryFolder() : undefined;
    if (this.#closed) throw new DriverError('CANCELLED', 'The host is stopping.');
    const endWithHost = this.#options.endWithHost ?? true;
    const options: DriverCommandOptions = {
      node,
      runner,
      folder,
      entry,
      driverId: driver.id,
      grants: driver.grants,
      wider,
      sourceMaps,
      limits: this.#limits,
      endWithHost,
      permissionModel: this.#options.walls?.permissionModel ?? true,
    };
    const started = wall.present
      ? {
          child: spare.take(),
          plan: encodePlan(
            launchPlanFor({
              ...{ wall, node, runner, folder, files, temporary, wider, endWithHost },
              arguments: driverArguments(options),
              dataBytes: this.#limits.dataBytes,
            }),
          ),
        }
      : { child: spawnUnwalled(driverCommand(options), folder), plan: undefined };
    const process = new DriverProcess({
      ...started,
      driverId: driver.id,
      version: driver.version,
      runner,
      files,
      limits: this.#limits,
      log: this.#options.log,
      watch: this.#watch,
      ledger: this.#ledger,
      blocking: driver.manifest.blocking,
      onEnded: (expected) => {
        this.#running.delete(process);
        if (temporary !== undefined) void rm(temporary, { recursive: true, force: true }).catch(() => undefined);
        driver.onEnded(expected);
      },
    });
    this.#running.add(process);
    // After this one, so that it does not take its processor time.
    if (wall.present)
      process.ready().then(
        () => spare.warm(),
        () => undefined,
      );
    return process;
  }

  /** Where SQLite sorts what does not fit into memory: it would otherwise need the folder of everybody's temporary files. */
  async #temporaryFolder(): Promise<string> {
    await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
    return realpath(await mkdtemp(join(this.#temporary, 'driver-')));
  }

  /** Ends all, and starts none any more. */
  async close(): Promise<void> {
    this.#closed = true;
    (await this.#prepared?.catch(() => undefined))?.spare.close();
    await Promise.all([...this.#running].map((process) => process.stop()));
    await this.#ledger.settled();
  }

  /** A list that cannot be read or written keeps no driver from running. */
  async #sweep(): Promise<void> {
    const line = (level: 'info' | 'warn', message: string): void =>
      this.#options.log({ driver: 'all', version: '', level, source: 'host', message });
    try {
      const ended = await this.#ledger.sweep();
      if (ended.length > 0) line('info', `Ended ${ended.length} driver processes that an earlier host left behind.`);
    } catch (error) {
      line('warn', `The list of driver processes cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Nothing is inherited: a process may truncate what it inherits, whatever it was granted. Standard error is a pipe into a capped log. */
function spawnUnwalled(command: DriverCommand, folder: string): ChildProcess {
  return spawn(command.file, command.arguments, {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  }).on('error', () => undefined);
}
