import { lstat, realpath } from 'node:fs/promises';
import { DriverError } from '@tabularium/sdk';
import type { Manifest, WiderGrant } from '@tabularium/sdk/manifest';
import { widerGrantsOf } from '../policy/widerGrants.ts';
import { driverCommand } from './driverCommand.ts';
import type { FileGrant } from './driverFolder.ts';
import { entryPath, realDriverFolder } from './driverFolder.ts';
import type { DriverLogSink } from './driverLog.ts';
import { DriverProcess } from './driverProcess.ts';
import { ProcessLedger } from './processLedger.ts';
import type { ProcessLimits } from './processLimits.ts';
import { ResidentWatch } from './residentWatch.ts';

/** How driver processes are started. */
export interface DriverProcessesOptions {
  /** The program of a driver's process, one file: host/dist/driver-process.js. */
  readonly runner: string;
  /** The pinned Node 26. */
  readonly node: string;
  readonly log: DriverLogSink;
  /** Where the numbers of running processes are kept, for the host that comes after a killed one: cache/driver-processes.json in the home. */
  readonly ledger: string;
  readonly limits?: Partial<ProcessLimits>;
  /** Whether the kernel ends driver processes with the host, where it can. Default: true. */
  readonly endWithHost?: boolean;
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

/** Starts processes, and knows all that run. */
export class DriverStarter {
  readonly #options: DriverProcessesOptions;
  readonly #limits: ProcessLimits;
  readonly #watch: ResidentWatch;
  readonly #ledger: ProcessLedger;
  readonly #running = new Set<DriverProcess>();
  #prepared: Promise<{ readonly node: string; readonly runner: string }> | undefined;
  #closed = false;

  constructor(options: DriverProcessesOptions, limits: ProcessLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#watch = new ResidentWatch(limits.residentBytes, limits.residentPoll);
    this.#ledger = new ProcessLedger(options.ledger);
  }

  /**
   * Ends what an earlier host left behind, and finds the programs, once. Their real paths: under a linked home the process would not be
   * allowed to read its own program.
   */
  prepare(): Promise<{ readonly node: string; readonly runner: string }> {
    this.#prepared ??= (async () => {
      const [node, runner] = await Promise.all([realpath(this.#options.node), realpath(this.#options.runner), this.#sweep()]);
      return { node, runner };
    })().catch((cause: unknown) => {
      this.#prepared = undefined;
      throw new DriverError('DRIVER_CRASHED', 'The program of driver processes is missing. Install Tabularium again.', { cause });
    });
    return this.#prepared;
  }

  /** @throws DriverError `PERMISSION_DENIED`, `DRIVER_FAULT` for a folder that is no driver's */
  async start(driver: StartRequest): Promise<DriverProcess> {
    const { node, runner } = await this.prepare();
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
    if (this.#closed) throw new DriverError('CANCELLED', 'The host is stopping.');
    const process = new DriverProcess({
      driverId: driver.id,
      version: driver.version,
      folder,
      runner,
      command: driverCommand({
        node,
        runner,
        folder,
        entry,
        driverId: driver.id,
        grants: driver.grants,
        wider,
        sourceMaps,
        limits: this.#limits,
        endWithHost: this.#options.endWithHost ?? true,
      }),
      limits: this.#limits,
      log: this.#options.log,
      watch: this.#watch,
      ledger: this.#ledger,
      blocking: driver.manifest.blocking,
      onEnded: (expected) => {
        this.#running.delete(process);
        driver.onEnded(expected);
      },
    });
    this.#running.add(process);
    return process;
  }

  /** Ends all, and starts none any more. */
  async close(): Promise<void> {
    this.#closed = true;
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
