import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import { HostError } from '../../../common/errors.ts';
import type { ConsentGrant, Manifest, WiderGrant } from '@tabularium/sdk/manifest';
import { widerGrantsOf } from '../policy/widerGrants.ts';
import type { DeliveredDriver } from './deliveredDriver.ts';
import { deliveredDriver, encodeDelivery } from './deliveredDriver.ts';
import type { DriverCommand, DriverCommandOptions } from './driverCommand.ts';
import { driverArguments, driverCommand } from './driverCommand.ts';
import type { FileGrant } from './driverFolder.ts';
import { driverFolderFiles, entryPath } from './driverFolder.ts';
import type { DriverLogSink } from './driverLog.ts';
import { DriverProcess } from './driverProcess.ts';
import { handOver } from './handOver.ts';
import type { HostCounters } from '../../measures/hostCounters.ts';
import type { Inspection } from './inspection.ts';
import { inspectedLimits } from './inspection.ts';
import { PidFile } from './pidFile.ts';
import type { ProcessLimits } from './processLimits.ts';
import { ResidentWatch } from './residentWatch.ts';
import { SpareProcess } from './spareProcess.ts';
import { grantedFiles } from './walls/grantedFiles.ts';
import { encodePlan, kernelWall, spawnLauncher } from './walls/kernelWall.ts';
import type { LaunchPlanOptions } from './walls/launchPlanFor.ts';
import { launchPlanFor } from './walls/launchPlanFor.ts';
import type { WallState } from './walls/wallState.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';

/** How driver processes are started. */
export interface DriverProcessesOptions {
  /** The program of a driver's process, one file: host/dist/driver-process.cjs. */
  readonly runner: string;
  /** The program that confines itself and becomes a driver's process, one file: host/dist/driver-launcher.cjs. */
  readonly launcher: string;
  /** The pinned Node 26. */
  readonly node: string;
  readonly log: DriverLogSink;
  /** Where the numbers of running processes are kept, for the host that comes after a killed one: cache/driver-processes.json in the home. */
  readonly pidFile: string;
  readonly limits?: Partial<ProcessLimits>;
  /** Whether the kernel ends driver processes with the host, where it can. Default: true. */
  readonly endWithHost?: boolean;
  /** The data directory: no driver is granted a file of it. */
  readonly protectedFolder?: string;
  readonly counters?: HostCounters | undefined;
  /** The drivers that their authors debug; absent: none. */
  readonly inspection?: Inspection;
  /** Called where the kernel confines nothing; throws where drivers may not run then. */
  readonly onUnwalled?: (reason: HostSentence) => Promise<void>;
  /** Which walls are on. Both are, except in tests that show the effect of each of them alone. */
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
  /** Permissions beyond the sandbox that a person has granted. */
  readonly allowedGrants?: readonly ConsentGrant[] | undefined;
  /** The port of its inspector, where its author debugs it. */
  readonly inspector?: number | undefined;
  readonly onEnded: (expected: boolean) => void;
}

interface Prepared {
  readonly node: string;
  readonly runner: string;
  readonly launcher: string;
}

type StandingWall = Extract<WallState, { present: true }>;

/** A process to be, and what goes to it before the wire begins. */
interface Started {
  readonly child: ChildProcess;
  readonly plan: Uint8Array | undefined;
}

/** Confined processes that have no driver yet, and launchers that have no plan yet. */
interface Spares {
  readonly confined: SpareProcess;
  readonly launcher: SpareProcess;
}

/** The parts of a start. */
interface Ground {
  readonly prepared: Prepared;
  readonly wall: WallState;
  readonly wider: readonly WiderGrant[];
  /** Whether the driver asks for nothing. */
  readonly isPlain: boolean;
  readonly spares: Spares | undefined;
  /** A launcher that has just been started, or has waited. */
  readonly launcher: ChildProcess | undefined;
}

/** Milliseconds from a driver's start to that of the next spare process: its first sessions want the processor. */
const SPARE_DELAY = 500;

/** Starts processes, and lists all that run. */
export class DriverStarter {
  readonly #options: DriverProcessesOptions;
  readonly #limits: ProcessLimits;
  readonly #watch: ResidentWatch;
  readonly #pidFile: PidFile;
  readonly #running = new Set<DriverProcess>();
  readonly #temporary: string;
  #spares: Spares | undefined;
  #prepared: Promise<Prepared> | undefined;
  #closed = false;

  constructor(options: DriverProcessesOptions, limits: ProcessLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#watch = new ResidentWatch(limits.residentBytes, limits.residentPoll);
    this.#pidFile = new PidFile(options.pidFile);
    this.#temporary = join(dirname(options.pidFile), 'driver-temporary');
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
      return { node, runner, launcher };
    })().catch((cause: unknown) => {
      this.#prepared = undefined;
      // No other version of the driver would find it.
      throw new HostError('INSTALLATION_DAMAGED', 'The program of driver processes is missing.', { cause });
    });
    return this.#prepared;
  }

  /** Whether the kernel confines drivers here; tried at the first question. */
  async kernelWall(): Promise<WallState> {
    if (this.#options.walls?.kernel === false) return { present: false, reason: hostSentence('kernelTurnedOff') };
    const { node, launcher } = await this.prepare();
    return kernelWall(node, launcher);
  }

  async warm(): Promise<void> {
    const [prepared, wall] = await Promise.all([this.prepare(), this.kernelWall()]);
    if (wall.present && !this.#closed) this.#sparesFor(prepared, wall).confined.warm();
  }

  /** @throws DriverError `PERMISSION_DENIED`, `DRIVER_FAULT` for a folder that isn't a driver's */
  async start(driver: StartRequest): Promise<DriverProcess> {
    const [prepared, wall] = await Promise.all([this.prepare(), this.kernelWall()]);
    if (!wall.present) await this.#options.onUnwalled?.(wall.reason);
    const wider = widerGrantsOf(driver.manifest);
    const refused = wider.filter((grant) => driver.allowedGrants?.includes(grant) !== true);
    if (refused.length > 0) {
      throw new DriverError(
        'PERMISSION_DENIED',
        `The driver "${driver.id}" needs a permission that you haven't granted (${refused.join(', ')}).`,
      );
    }
    if (this.#closed) throw new DriverError('CANCELLED', 'The host is stopping.');
    const spares = wall.present ? this.#sparesFor(prepared, wall) : undefined;
    const isPlain = driver.grants.length === 0 && wider.length === 0;
    // Its Node starts while the driver's files are read. Where a confined process waits, it mostly takes the driver.
    const launcher =
      spares === undefined || (isPlain && spares.confined.isReady)
        ? undefined
        : (spares.launcher.take() ?? spawnLauncher(prepared.node, prepared.launcher));
    try {
      return await this.#startWith(driver, { prepared, wall, wider, isPlain, spares, launcher });
    } catch (error) {
      launcher?.kill('SIGKILL');
      throw error;
    }
  }

  async #startWith(driver: StartRequest, { prepared, wall, wider, isPlain, spares, launcher }: Ground): Promise<DriverProcess> {
    const { folder, files: paths } = await driverFolderFiles(driver.folder);
    const entry = await entryPath(folder, driver.entry);
    // A build for development has one; what is published has none.
    const sourceMaps = paths.has(`${relative(folder, entry)}.map`);
    const isConfined = wall.present && isPlain && !sourceMaps;
    // A published package has no map: the second wall before the inspector of an installed driver.
    const inspector = sourceMaps ? driver.inspector : undefined;
    const delivered = isConfined ? await deliveredDriver(driver.id, folder, entry, paths) : undefined;
    const files = wall.present ? await grantedFiles(driver.grants, wider) : [];
    const temporary = wall.present && wider.includes('sqlite') ? await this.#temporaryFolder() : undefined;
    if (this.#closed) throw new DriverError('CANCELLED', 'The host is stopping.');
    const options = {
      ...this.#command(prepared),
      driver: { id: driver.id, folder, entry },
      grants: driver.grants,
      wider,
      sourceMaps,
      inspector,
    };
    const started =
      spares === undefined || !wall.present
        ? { child: spawnUnwalled(driverCommand(options), folder), plan: undefined }
        : delivered === undefined
          ? {
              child: launcher ?? spares.launcher.take() ?? spawnLauncher(prepared.node, prepared.launcher),
              plan: this.#plan(prepared, wall, options, { files, temporary }),
            }
          : await this.#startDelivered({ prepared, wall, spare: spares.confined, launcher }, delivered);
    const process = new DriverProcess({
      ...started,
      driverId: driver.id,
      version: driver.version,
      runner: prepared.runner,
      files,
      limits: inspector === undefined ? this.#limits : inspectedLimits(this.#limits),
      log: this.#options.log,
      watch: this.#watch,
      pidFile: this.#pidFile,
      blocking: driver.manifest.blocking,
      isInspected: inspector !== undefined,
      onEnded: (expected) => {
        this.#running.delete(process);
        if (temporary !== undefined) void rm(temporary, { recursive: true, force: true }).catch(() => undefined);
        driver.onEnded(expected);
      },
    });
    this.#running.add(process);
    const spare = delivered === undefined ? spares?.launcher : spares?.confined;
    process.ready().then(
      () => spare?.warm(SPARE_DELAY),
      () => undefined,
    );
    return process;
  }

  /** The spare process, where it lives to take the driver; else one that is started now. */
  async #startDelivered(
    {
      prepared,
      wall,
      spare,
      launcher,
    }: { prepared: Prepared; wall: StandingWall; spare: SpareProcess; launcher: ChildProcess | undefined },
    driver: DeliveredDriver,
  ): Promise<Started> {
    const waiting = launcher === undefined ? spare.take() : undefined;
    if (waiting !== undefined) {
      const isTaken = await handOver(waiting, encodeDelivery(driver, true), this.#limits.ready);
      if (isTaken && !this.#closed) return { child: waiting, plan: undefined };
      waiting.kill('SIGKILL');
      if (this.#closed) throw new DriverError('CANCELLED', 'The host is stopping.');
    }
    return {
      child: launcher ?? spawnLauncher(prepared.node, prepared.launcher),
      plan: Buffer.concat([this.#confinedPlan(prepared, wall, false), encodeDelivery(driver, false)]),
    };
  }

  #command({ node, runner }: Prepared): DriverCommandOptions {
    const { endWithHost = true, walls } = this.#options;
    return { node, runner, grants: [], limits: this.#limits, endWithHost, permissionModel: walls?.permissionModel ?? true };
  }

  /** For a driver that asks for nothing and is delivered: the same for all of them. */
  #confinedPlan(prepared: Prepared, wall: StandingWall, isSpare: boolean): Uint8Array {
    return this.#plan(prepared, wall, { ...this.#command(prepared), isSpare }, { files: [], temporary: undefined });
  }

  #plan(
    { node, runner }: Prepared,
    wall: StandingWall,
    options: DriverCommandOptions,
    files: Pick<LaunchPlanOptions, 'files' | 'temporary'>,
  ): Uint8Array {
    return encodePlan(
      launchPlanFor({
        ...{ wall, node, runner, ...files },
        folder: options.driver?.folder,
        wider: options.wider ?? [],
        inspector: options.inspector,
        endWithHost: options.endWithHost,
        arguments: driverArguments(options),
        dataBytes: this.#limits.dataBytes,
      }),
    );
  }

  #sparesFor(prepared: Prepared, wall: StandingWall): Spares {
    const { node, launcher } = prepared;
    const idleMilliseconds = this.#limits.spareIdle;
    this.#spares ??= {
      confined: new SpareProcess({
        idleMilliseconds,
        start: () => {
          const child = spawnLauncher(node, launcher);
          const pipe = child.stdio[3];
          if (pipe instanceof Duplex) pipe.on('error', () => undefined).write(this.#confinedPlan(prepared, wall, true));
          return child;
        },
        watch: (child) => this.#watchSpare(child),
      }),
      launcher: new SpareProcess({ idleMilliseconds, start: () => spawnLauncher(node, launcher) }),
    };
    return this.#spares;
  }

  /** As a driver's process is watched: it may not outgrow its memory, and is ended after a host that was killed. */
  #watchSpare(child: ChildProcess): () => void {
    const { pid } = child;
    if (pid === undefined) return () => undefined;
    void this.#pidFile.add(pid).catch(() => undefined);
    child.once('exit', () => void this.#pidFile.remove(pid).catch(() => undefined));
    return this.#watch.add(pid, { busy: () => false, onExceeded: () => child.kill('SIGKILL') });
  }

  /** Where SQLite sorts what does not fit into memory: it would otherwise need the folder of everybody's temporary files. */
  async #temporaryFolder(): Promise<string> {
    await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
    return realpath(await mkdtemp(join(this.#temporary, 'driver-')));
  }

  /** Ends all, and starts none any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([
      this.#spares?.confined.close(),
      this.#spares?.launcher.close(),
      ...[...this.#running].map((process) => process.stop()),
    ]);
    await this.#pidFile.settled();
  }

  /** A list that cannot be read or written keeps no driver from running. */
  async #sweep(): Promise<void> {
    const line = (level: 'info' | 'warn', message: string): void =>
      this.#options.log({ driver: 'all', version: '', level, source: 'host', message });
    try {
      const ended = await this.#pidFile.sweep();
      if (ended.length > 0) line('info', `Ended ${ended.length} driver processes that an earlier host left behind.`);
    } catch (error) {
      line('warn', `The list of driver processes couldn't be saved: ${error instanceof Error ? error.message : String(error)}`);
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
