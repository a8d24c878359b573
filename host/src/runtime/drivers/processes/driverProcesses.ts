import { randomUUID } from 'node:crypto';
import type { Settings } from '@tabularium/sdk';
import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ConsentGrant, Manifest } from '@tabularium/sdk/manifest';
import { BROKER_TIMEOUTS } from '../broker/connections.ts';
import type { ForeignCredentialError } from '../broker/foreignCredentialError.ts';
import { SENT_FOREIGN_CREDENTIAL } from '../broker/foreignCredentialError.ts';
import { HttpBroker } from '../broker/httpBroker.ts';
import type { HttpGrant } from '../broker/httpGrant.ts';
import { RepeatedSecret } from '../broker/repeatedSecret.ts';
import { openingError } from './openingError.ts';
import { SocketBroker } from '../broker/socketBroker.ts';
import type { SocketGrant } from '../broker/socketGrant.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { HostCounters } from '../../measures/hostCounters.ts';
import { CrashBudget } from './crashBudget.ts';
import type { FileGrant } from './driverFolder.ts';
import { fileGrants, refuseProtectedFiles } from './driverFolder.ts';
import type { DriverProcess } from './driverProcess.ts';
import type { DriverProcessesOptions } from './driverStarter.ts';
import { DriverStarter } from './driverStarter.ts';
import type { ProcessLimits } from './processLimits.ts';
import { Inspection, inspectedLimits } from './inspection.ts';
import { PROCESS_LIMITS } from './processLimits.ts';
import type { PooledProcess } from './driverProcessPool.ts';
import { DriverProcessPool } from './driverProcessPool.ts';
import type { RemoteSession } from './remoteSession.ts';
import type { Result } from './remoteCalls.ts';
import { SessionCalls, WireSession } from './remoteSession.ts';
import type { WallState } from './walls/wallState.ts';
import { DRIVER_LOG } from './driverLog.ts';
import { DRIVER_NODE, driverPaths } from './driverPaths.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { HOME } from '../../storage/home.ts';
import { HOST_PACKAGE } from '../../program/hostPackage.ts';
import { PROCESS_LIMIT_CHANGES } from './processLimits.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';

export type { RemoteSession } from './remoteSession.ts';
export type { DriverLogLine, DriverLogSink } from './driverLog.ts';
export type { DriverProcessesOptions } from './driverStarter.ts';
export type { ProcessLimits } from './processLimits.ts';

/** The parts of a session. */
export interface ConnectRequest {
  readonly driver: InstalledDriver;
  readonly settings: Settings;
  /** The file chosen in each field of type `file` that the driver reads. */
  readonly files: Readonly<Record<string, string>>;
  /** Present when the manifest declares `permissions.http`. */
  readonly http?: HttpGrant;
  /** Present when the manifest declares `permissions.socket`. */
  readonly socket?: SocketGrant;
  /** The credentials that the driver itself gets, by field. */
  readonly secrets?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** A driver that is not installed yet. */
export interface TrialDriver {
  readonly folder: string;
  readonly entry: string;
  readonly manifest: Manifest;
  readonly version?: string;
  readonly allowedGrants?: readonly ConsentGrant[];
}

const NO_SECRETS: ReadonlyMap<string, string> = new Map();

interface Slot {
  readonly process: DriverProcess;
  /** No other connection will ever use it. */
  readonly blocking: boolean;
  readonly ready: Promise<void>;
  /** Sessions, and running connects. */
  users: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The driver processes of one host: one for each driver version and set of granted files, started when first needed, shared by all their
 * sessions, ended after a while without any.
 */
export class DriverProcesses implements AsyncDisposable {
  static readonly inject: Inject<typeof DriverProcesses> = [
    from(
      [HOST_PACKAGE, HOME, DRIVER_NODE, PROCESS_LIMIT_CHANGES, DriverPolicy, DRIVER_LOG, Inspection, HostCounters],
      (host, home, node, limits, policy, log, inspection, counters) => ({
        counters,
        ...driverPaths(host.folder, home),
        node,
        limits,
        log,
        inspection,
        onUnwalled: (reason: HostSentence) => policy.assertKernelWall(reason),
      }),
    ),
  ];

  readonly #limits: ProcessLimits;
  readonly #starter: DriverStarter;
  readonly #crashes: CrashBudget;
  readonly #protectedFolder: string | undefined;
  readonly #slots = new Map<string, Slot>();
  readonly #starting = new Map<string, Promise<Slot>>();

  readonly #inspection: Inspection | undefined;
  readonly #counters: HostCounters | undefined;

  constructor(options: DriverProcessesOptions) {
    this.#inspection = options.inspection;
    this.#counters = options.counters;
    this.#limits = { ...PROCESS_LIMITS, ...options.limits };
    this.#starter = new DriverStarter(options, this.#limits);
    this.#crashes = new CrashBudget(this.#limits.crashes);
    this.#protectedFolder = options.protectedFolder;
  }

  /**
   * Ends what an earlier host of this home left behind. Done by the first start of a process too. Beside that it tries the kernel's wall and
   * has a process ready for the first driver.
   */
  async sweep(): Promise<void> {
    await this.#starter.prepare();
    // An error shows where the process is needed.
    this.warm().catch(() => undefined);
  }

  /** The processes that have a driver now, by what they do. */
  counts(): Readonly<Record<'used' | 'idle', number>> {
    const used = [...this.#slots.values()].filter(({ users }) => users > 0).length;
    return { used, idle: this.#slots.size - used };
  }

  /** Whether the kernel confines drivers here; tried once. */
  kernelWall(): Promise<WallState> {
    return this.#starter.kernelWall();
  }

  /** Has a process ready for the first driver. */
  async warm(): Promise<void> {
    await this.#starter.warm();
  }

  /**
   * Checks chosen files before they are saved.
   *
   * @throws DriverError `INVALID_INPUT` naming the field, for a file of the data directory
   */
  async assertFilesAllowed(manifest: Manifest, files: Readonly<Record<string, string>>): Promise<void> {
    await refuseProtectedFiles(manifest, files, this.#protectedFolder);
  }

  /**
   * Opens a session.
   *
   * @throws DriverError what the driver says, `DRIVER_CRASHED` or `DRIVER_FAULT` when it cannot, `CANCELLED`
   */
  async connect(request: ConnectRequest): Promise<RemoteSession> {
    const { driver, signal } = request;
    if (signal.aborted) throw new DriverError('CANCELLED');
    const grants = await fileGrants(driver.manifest, request.files, this.#protectedFolder);
    if (driver.manifest.blocking) return this.#connectBlocking(request, grants);
    const own: { session?: WireSession; lost?: DriverError } = {};
    const { calls, connected } = await this.#open(request, grants, signal, (_process, error) => {
      own.lost = error;
      own.session?.lose(error);
    });
    return opened(own, new WireSession(calls, connected, calls));
  }

  /** A session whose calls each have a process to themselves. It is lost when one of them crashes, not when one was cancelled. */
  async #connectBlocking(request: ConnectRequest, grants: readonly FileGrant[]): Promise<RemoteSession> {
    const own: { session?: WireSession; lost?: DriverError; pool?: DriverProcessPool } = {};
    const openProcess = async (signal: AbortSignal) => {
      const placed: { worker?: PooledProcess } = {};
      const { calls, connected, process } = await this.#open(request, grants, signal, ({ interrupted }, error) => {
        if (placed.worker !== undefined) own.pool?.forget(placed.worker);
        if (interrupted) return;
        own.lost = error;
        own.session?.lose(error);
        void own.pool?.end();
      });
      const worker: PooledProcess = {
        calls,
        get open() {
          return process.open;
        },
        get busy() {
          return process.busy;
        },
        isCurrent: () => process.isCurrent(),
        // One that works cannot hear that it is over.
        end: async () => (process.busy ? process.interrupt() : calls.end()),
      };
      placed.worker = worker;
      return { worker, calls, connected };
    };
    const first = await openProcess(request.signal);
    own.pool = new DriverProcessPool({
      first: first.worker,
      openProcess: async (signal) => (await openProcess(signal)).worker,
      most: this.#limits.blockingPool,
      idle: this.#limits.processIdle,
    });
    return opened(own, new WireSession(first.calls, first.connected, own.pool));
  }

  /**
   * Starts a driver, waits until it is loaded, and ends it: the installer's last look before it moves the folder into place.
   *
   * @throws DriverError `DRIVER_FAULT` or `DRIVER_CRASHED` with the reason, `CANCELLED`
   */
  async tryOut(driver: TrialDriver, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new DriverError('CANCELLED');
    const started = await this.#starter.start({
      id: driver.manifest.id,
      version: driver.version ?? 'on trial',
      folder: driver.folder,
      entry: driver.entry,
      manifest: driver.manifest,
      grants: [],
      allowedGrants: driver.allowedGrants,
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
    for (const [key, slot] of this.#slots) this.#forget(key, slot);
    await this.#starter.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Starts a process where there is none to share, and opens a session in it. */
  async #open(
    request: ConnectRequest,
    grants: readonly FileGrant[],
    signal: AbortSignal,
    onLost: (process: DriverProcess, error: DriverError) => void,
  ): Promise<{ readonly calls: SessionCalls; readonly connected: Result<'connect'>; readonly process: DriverProcess }> {
    const slot = await this.#slot(request.driver, grants);
    slot.users += 1;
    clearTimeout(slot.idleTimer);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#release(slot);
    };
    const { process } = slot;
    try {
      await settledOrCancelled(slot.ready, signal);
      return { process, ...(await this.#connect(process, request, grants, { signal, release, onLost })) };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #connect(
    process: DriverProcess,
    request: ConnectRequest,
    grants: readonly FileGrant[],
    {
      signal,
      release,
      onLost,
    }: {
      readonly signal: AbortSignal;
      readonly release: () => void;
      readonly onLost: (process: DriverProcess, error: DriverError) => void;
    },
  ): Promise<{ readonly calls: SessionCalls; readonly connected: Result<'connect'> }> {
    const { driver, http, socket, secrets = NO_SECRETS } = request;
    const limits = process.isInspected ? inspectedLimits(this.#limits) : this.#limits;
    const { permissions } = driver.manifest;
    const given = Array.from(secrets.values(), (value) => new RepeatedSecret(value));
    const endMisuse = (error: ForeignCredentialError): void => process.kill('DRIVER_FAULT', SENT_FOREIGN_CREDENTIAL, error);
    const broker =
      permissions.http === undefined || http === undefined ? undefined : new HttpBroker(http, BROKER_TIMEOUTS, endMisuse);
    const sockets =
      permissions.socket === undefined || socket === undefined ? undefined : new SocketBroker(socket, { secrets: given });
    const number = process.addSession({
      broker,
      sockets,
      secrets: given,
      onLost: (error) => {
        onLost(process, error);
        release();
      },
    });
    const calls = new SessionCalls({
      driverId: driver.id,
      driverVersion: driver.version,
      process,
      broker,
      tunnel: http?.tunnel ?? socket?.tunnel,
      number,
      limits,
      counters: this.#counters,
      callTimeout: Math.max(limits.call, (broker === undefined ? 0 : (http?.timeoutMilliseconds ?? 0)) + this.#limits.callMargin),
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
          capabilities: [
            ...(broker === undefined ? [] : ['http']),
            ...(sockets === undefined ? [] : ['socket']),
            ...(permissions.secrets === undefined ? [] : ['secrets']),
            ...(permissions.files.length === 0 ? [] : ['file']),
          ],
          files: Object.fromEntries(grants.map(({ field, path }) => [field, path])),
          nodes: broker?.nodes ?? [],
          origins: broker?.origins ?? [],
          ...(sockets === undefined ? {} : { endpoint: { address: sockets.endpoint, tls: sockets.tls } }),
          secrets: Object.fromEntries(secrets),
        },
        signal,
      );
      return { calls, connected };
    } catch (error) {
      // One that was given up may have been opened all the same, and its answer dropped on the way.
      if (isDriverError(error) && (error.code === 'CANCELLED' || error.code === 'TIMEOUT') && process.open)
        void calls.json('close', {}, new AbortController().signal, limits.close).catch(() => undefined);
      process.removeSession(number);
      throw openingError(error, { driverId: driver.id, secrets: given });
    }
  }

  async #slot(driver: InstalledDriver, grants: readonly FileGrant[]): Promise<Slot> {
    const shared = driver.manifest.blocking ? randomUUID() : '';
    // A version may be installed again with other code, by another publisher, or be allowed something else, while the one before still runs.
    const { id, version, installedAt, publisher, allowedGrants = [] } = driver;
    const inspected = this.#inspection?.covers(driver) === true ? ['inspected'] : [];
    const code = [id, version, installedAt, publisher.fingerprint, ...allowedGrants, ...inspected];
    const key = JSON.stringify([code, shared, ...grants.map(({ path, access }) => `${access}:${path}`)]);
    const found = this.#slots.get(key);
    if (found?.process.open === true && (await found.process.isCurrent())) return found;
    const starting = this.#starting.get(key) ?? this.#newSlot(key, driver, grants).finally(() => this.#starting.delete(key));
    this.#starting.set(key, starting);
    return starting;
  }

  async #newSlot(key: string, driver: InstalledDriver, grants: readonly FileGrant[]): Promise<Slot> {
    const crashKey = `${driver.id}@${driver.version}`;
    const refusal = this.#crashes.refusal(crashKey);
    if (refusal !== undefined) throw new DriverError('DRIVER_CRASHED', `The driver "${driver.id}" ${driver.version} ${refusal}`);
    const process = await this.#starter.start({
      ...driver,
      grants,
      inspector: await this.#inspection?.portFor(driver),
      onEnded: (expected) => {
        this.#counters?.driverEnded(driver.id, expected);
        if (!expected) this.#crashes.add(crashKey);
        const slot = this.#slots.get(key);
        if (slot?.process === process) this.#forget(key, slot);
      },
    });
    this.#counters?.driverStarted(driver.id);
    const slot: Slot = { process, blocking: driver.manifest.blocking, ready: process.ready(), users: 0, idleTimer: undefined };
    slot.ready.catch(() => undefined);
    this.#slots.set(key, slot);
    return slot;
  }

  #release(slot: Slot): void {
    slot.users -= 1;
    if (slot.users > 0 || !slot.process.open) return;
    slot.idleTimer = setTimeout(
      () => {
        const entry = [...this.#slots].find(([, other]) => other === slot);
        if (entry !== undefined) this.#forget(...entry);
        void slot.process.stop();
      },
      slot.blocking ? 0 : this.#limits.idle,
    ).unref();
  }

  #forget(key: string, slot: Slot): void {
    clearTimeout(slot.idleTimer);
    this.#slots.delete(key);
  }
}

/** A session that may have been lost while it was being opened. */
function opened(own: { session?: WireSession; readonly lost?: DriverError }, session: WireSession): WireSession {
  own.session = session;
  if (own.lost !== undefined) session.lose(own.lost);
  return session;
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
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
