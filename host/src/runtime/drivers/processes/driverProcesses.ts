import { realpath } from 'node:fs/promises';
import type { Settings } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { HttpBroker } from '../broker/httpBroker.ts';
import type { HttpGrant } from '../broker/httpGrant.ts';
import type { InstalledDriver } from '../installedDriver.ts';
import { CrashBudget } from './crashBudget.ts';
import { driverCommand } from './driverCommand.ts';
import type { FileGrant } from './driverFolder.ts';
import { entryPath, fileGrants, realDriverFolder } from './driverFolder.ts';
import type { DriverLogSink } from './driverLog.ts';
import { DriverProcess } from './driverProcess.ts';
import { ProcessLedger } from './processLedger.ts';
import type { ProcessLimits } from './processLimits.ts';
import { PROCESS_LIMITS } from './processLimits.ts';
import type { RemoteSession } from './remoteSession.ts';
import { SessionCalls, WireSession } from './remoteSession.ts';
import { ResidentWatch } from './residentWatch.ts';

export type { RemoteSession } from './remoteSession.ts';
export type { DriverLogLine, DriverLogSink } from './driverLog.ts';
export type { ProcessLimits } from './processLimits.ts';

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

/** What a session needs. */
export interface ConnectRequest {
  readonly driver: InstalledDriver;
  readonly settings: Settings;
  /** The file chosen in each field of type `file` that the driver reads. */
  readonly files: Readonly<Record<string, string>>;
  /** Present when the manifest declares `permissions.http`. */
  readonly http?: HttpGrant;
  readonly signal: AbortSignal;
}

/** A driver that is not installed yet. */
export interface TrialDriver {
  readonly folder: string;
  readonly entry: string;
  readonly manifest: Manifest;
  readonly version?: string;
}

interface Slot {
  readonly process: DriverProcess;
  readonly ready: Promise<void>;
  /** Sessions, and connects under way. */
  users: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The driver processes of one host: one for each driver version and set of granted files, started when first needed, shared by all their
 * sessions, ended after a while without any.
 */
export class DriverProcesses {
  readonly #options: DriverProcessesOptions;
  readonly #limits: ProcessLimits;
  readonly #watch: ResidentWatch;
  readonly #ledger: ProcessLedger;
  readonly #crashes: CrashBudget;
  readonly #slots = new Map<string, Slot>();
  readonly #starting = new Map<string, Promise<Slot>>();
  readonly #processes = new Set<DriverProcess>();
  #prepared: Promise<{ node: string; runner: string }> | undefined;
  #closed = false;

  constructor(options: DriverProcessesOptions) {
    this.#options = options;
    this.#limits = { ...PROCESS_LIMITS, ...options.limits };
    this.#watch = new ResidentWatch(this.#limits.residentBytes, this.#limits.residentPoll);
    this.#ledger = new ProcessLedger(options.ledger);
    this.#crashes = new CrashBudget(this.#limits.crashes);
  }

  /** Ends what an earlier host of this home left behind. Done by the first start of a process too. */
  async sweep(): Promise<void> {
    await this.#prepare();
  }

  /**
   * Opens a session.
   *
   * @throws DriverError what the driver says, `DRIVER_CRASHED` or `DRIVER_FAULT` when it cannot, `CANCELLED`
   */
  async connect(request: ConnectRequest): Promise<RemoteSession> {
    const { driver, signal } = request;
    if (signal.aborted) throw new DriverError('CANCELLED');
    const grants = await fileGrants(driver.manifest, request.files);
    const slot = await this.#slot(driver, grants);
    slot.users += 1;
    clearTimeout(slot.idleTimer);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#release(slot);
    };
    try {
      await settledOrCancelled(slot.ready, signal);
      return await this.#connect(slot.process, request, grants, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Starts a driver, waits until it is loaded, and ends it: the installer's last look before it moves the folder into place.
   *
   * @throws DriverError `DRIVER_FAULT` or `DRIVER_CRASHED` with the reason, `CANCELLED`
   */
  async tryOut(driver: TrialDriver, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new DriverError('CANCELLED');
    const started = await this.#start({
      id: driver.manifest.id,
      version: driver.version ?? 'on trial',
      folder: driver.folder,
      entry: driver.entry,
      manifest: driver.manifest,
      grants: [],
      onEnded: () => undefined,
    });
    try {
      await settledOrCancelled(started.ready(), signal);
    } finally {
      await started.stop();
    }
  }

  /** Ends every process of one driver version, before its folder is removed. */
  async stopDriver(id: string, version: string): Promise<void> {
    const stopping = [...this.#slots].filter(([, { process }]) => process.runs(id, version));
    for (const [key, slot] of stopping) this.#forget(key, slot);
    await Promise.all(stopping.map(([, { process }]) => process.stop()));
  }

  /** Ends all. Sessions that are open are lost. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [key, slot] of this.#slots) this.#forget(key, slot);
    await Promise.all([...this.#processes].map((process) => process.stop()));
    await this.#ledger.settled();
  }

  async #connect(
    process: DriverProcess,
    request: ConnectRequest,
    grants: readonly FileGrant[],
    release: () => void,
  ): Promise<RemoteSession> {
    const { driver, http } = request;
    const { permissions } = driver.manifest;
    const broker = permissions.http === undefined || http === undefined ? undefined : new HttpBroker(http);
    let session: WireSession | undefined;
    let lost: DriverError | undefined;
    const number = process.addSession({
      broker,
      onLost: (error) => {
        lost = error;
        session?.lose(error);
        release();
      },
    });
    const calls = new SessionCalls({
      driverId: driver.id,
      driverVersion: driver.version,
      process,
      broker,
      number,
      limits: this.#limits,
      callTimeout: Math.max(
        this.#limits.call,
        (broker === undefined ? 0 : (http?.timeoutMilliseconds ?? 0)) + this.#limits.callMargin,
      ),
      onReleased: () => {
        process.removeSession(number);
        release();
      },
    });
    try {
      const connected = await calls.json(
        'connect',
        {
          settings: settingsForDriver(driver.manifest, request.settings),
          capabilities: [...(broker === undefined ? [] : ['http']), ...(permissions.files.length === 0 ? [] : ['file'])],
          files: Object.fromEntries(grants.map(({ field, path }) => [field, path])),
        },
        request.signal,
      );
      session = new WireSession(calls, connected);
      if (lost !== undefined) session.lose(lost);
      return session;
    } catch (error) {
      process.removeSession(number);
      throw error;
    }
  }

  async #slot(driver: InstalledDriver, grants: readonly FileGrant[]): Promise<Slot> {
    const key = JSON.stringify([driver.id, driver.version, ...grants.map(({ path, access }) => `${access}:${path}`)]);
    const found = this.#slots.get(key);
    if (found?.process.open === true) return found;
    const starting = this.#starting.get(key) ?? this.#newSlot(key, driver, grants).finally(() => this.#starting.delete(key));
    this.#starting.set(key, starting);
    return starting;
  }

  async #newSlot(key: string, driver: InstalledDriver, grants: readonly FileGrant[]): Promise<Slot> {
    const crashKey = `${driver.id}@${driver.version}`;
    const refusal = this.#crashes.refusal(crashKey);
    if (refusal !== undefined) throw new DriverError('DRIVER_CRASHED', `The driver "${driver.id}" ${driver.version} ${refusal}`);
    const process = await this.#start({
      ...driver,
      grants,
      onEnded: (expected) => {
        if (!expected) this.#crashes.add(crashKey);
        const slot = this.#slots.get(key);
        if (slot?.process === process) this.#forget(key, slot);
      },
    });
    const slot: Slot = { process, ready: process.ready(), users: 0, idleTimer: undefined };
    slot.ready.catch(() => undefined);
    this.#slots.set(key, slot);
    return slot;
  }

  async #start(driver: {
    readonly id: string;
    readonly version: string;
    readonly folder: string;
    readonly entry: string;
    readonly manifest: Manifest;
    readonly grants: readonly FileGrant[];
    readonly onEnded: (expected: boolean) => void;
  }): Promise<DriverProcess> {
    const { node, runner } = await this.#prepare();
    if (driver.manifest.permissions.unconfined !== undefined) {
      throw new DriverError(
        'PERMISSION_DENIED',
        `The driver "${driver.id}" asks to run outside the sandbox, which this version of Tabularium does not allow.`,
      );
    }
    const folder = await realDriverFolder(driver.folder);
    const entry = await entryPath(folder, driver.entry);
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
        limits: this.#limits,
        endWithHost: this.#options.endWithHost ?? true,
      }),
      limits: this.#limits,
      log: this.#options.log,
      watch: this.#watch,
      ledger: this.#ledger,
      onEnded: (expected) => {
        this.#processes.delete(process);
        driver.onEnded(expected);
      },
    });
    this.#processes.add(process);
    return process;
  }

  /** Real paths: under a linked home the process would not be allowed to read its own program. */
  #prepare(): Promise<{ node: string; runner: string }> {
    this.#prepared ??= (async () => {
      const [node, runner] = await Promise.all([realpath(this.#options.node), realpath(this.#options.runner), this.#swept()]);
      return { node, runner };
    })();
    return this.#prepared;
  }

  /** A list that cannot be read or written keeps no driver from running. */
  async #swept(): Promise<void> {
    const line = (level: 'info' | 'warn', message: string): void =>
      this.#options.log({ driver: 'all', version: '', level, source: 'host', message });
    try {
      const ended = await this.#ledger.sweep();
      if (ended.length > 0) line('info', `Ended ${ended.length} driver processes that an earlier host left behind.`);
    } catch (error) {
      line('warn', `The list of driver processes cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #release(slot: Slot): void {
    slot.users -= 1;
    if (slot.users > 0 || !slot.process.open) return;
    slot.idleTimer = setTimeout(() => {
      const entry = [...this.#slots].find(([, other]) => other === slot);
      if (entry !== undefined) this.#forget(...entry);
      void slot.process.stop();
    }, this.#limits.idle).unref();
  }

  #forget(key: string, slot: Slot): void {
    clearTimeout(slot.idleTimer);
    this.#slots.delete(key);
  }
}

/** Of all that was entered, what the manifest calls plain values. Secrets and file choices stay here, whatever the caller hands in. */
function settingsForDriver(manifest: Manifest, settings: Settings): Settings {
  const allowed = manifest.connection.fields.filter(({ type }) => type !== 'secret' && type !== 'file').map(({ id }) => id);
  return Object.fromEntries(
    allowed.flatMap((id) => {
      const value = Object.hasOwn(settings, id) ? settings[id] : undefined;
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}

function settledOrCancelled(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(new DriverError('CANCELLED'));
    signal.addEventListener('abort', cancel, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
