import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { IncomingRequest, Ready, WireAnswer, WireRequest } from '@tabularium/sdk/protocol';
import { ALIVE_METHOD, HOST_METHODS, readReady, WIRE_LIMITS, WireConnection } from '@tabularium/sdk/protocol';
import type { HttpBroker } from '../broker/httpBroker.ts';
import type { SocketBroker } from '../broker/socketBroker.ts';
import type { RepeatedSecret } from '../broker/repeatedSecret.ts';
import type { DriverLogSink } from './driverLog.ts';
import { ProcessLog } from './driverLog.ts';
import { IdleProcessorWatch } from './idleProcessorWatch.ts';
import { LoopWatch } from './loopWatch.ts';
import type { PidFile } from './pidFile.ts';
import type { ProcessLimits } from './processLimits.ts';
import { processorMilliseconds } from './processTable.ts';
import type { ResidentWatch } from './residentWatch.ts';
import { LAUNCH_FAILED } from '../../../driver-launcher/launchPlan.ts';
import { areUnchanged } from './walls/grantedFiles.ts';
import type { GrantedFile } from './walls/landlockPolicy.ts';

/** Milliseconds from the end of the wire to the end of the process. */
const CLOSED_WIRE_GRACE = 500;

/** Replaces a line of the log that holds a credential. */
const WITHOUT_SECRET = '(A line with a credential was left out.)';

/** The host's side of a session. */
interface HostedSession {
  readonly broker: HttpBroker | undefined;
  readonly sockets: SocketBroker | undefined;
  /** Credentials that the driver was given. */
  readonly secrets: readonly RepeatedSecret[];
  readonly onLost: (error: DriverError) => void;
}

export interface DriverProcessOptions {
  readonly driverId: string;
  readonly version: string;
  readonly runner: string;
  /** Just started, or a launcher that waits for the plan. Its fourth descriptor is the wire. */
  readonly child: ChildProcess;
  /** The bytes for the launcher before the wire begins. */
  readonly plan: Uint8Array | undefined;
  /** The files that the kernel lets it use, as they were when it was started. */
  readonly files: readonly GrantedFile[];
  readonly limits: ProcessLimits;
  readonly log: DriverLogSink;
  readonly watch: ResidentWatch;
  readonly pidFile: PidFile | undefined;
  /** Its calls block it: one that is cancelled and does not react ends it, which isn't its fault. */
  readonly blocking: boolean;
  /** Whether a debugger may stop it. */
  readonly isInspected?: boolean;
  /** Called once, when the process is gone. */
  readonly onEnded: (expected: boolean) => void;
}

interface End {
  readonly code: DriverErrorCode;
  readonly what: string;
  readonly expected: boolean;
  readonly cause?: Error | undefined;
}

/** One driver's process: started, spoken to, watched, and ended. */
export class DriverProcess {
  readonly #options: DriverProcessOptions;
  readonly #log: ProcessLog;
  readonly #child: ChildProcess;
  readonly #wire: WireConnection;
  readonly #sessions = new Map<number, HostedSession>();
  readonly #secrets = new Set<RepeatedSecret>();
  /** Sessions, by their numbers, in which a session of the console was opened, which may have a transaction. */
  readonly #consoles = new Set<number>();
  readonly #ready = Promise.withResolvers<Ready>();
  /** Settles when it is decided how it ends, which may be before it is gone. */
  readonly #ending = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #unwatch: () => void;
  readonly #idleWatch: IdleProcessorWatch | undefined;
  readonly #loop: LoopWatch | undefined;
  #nextSession = 1;
  #end: End | undefined;
  #lastCall = 'none';
  #calls = 0;
  #interrupted = false;
  #isGone = false;
  #isReady = false;

  constructor(options: DriverProcessOptions) {
    this.#options = options;
    const log: DriverLogSink = (line) =>
      options.log(this.#repeatsSecret(line.message) ? { ...line, message: WITHOUT_SECRET } : line);
    this.#log = new ProcessLog(log, options.driverId, options.version, options.limits.logBytes);
    this.#ready.promise.catch(() => undefined);
    this.#child = options.child;
    const stream = this.#child.stdio[3];
    if (!(stream instanceof Duplex)) throw new DriverError('DRIVER_CRASHED', 'The pipe to the driver process was not made.');
    if (this.#child.stderr !== null) this.#log.read(this.#child.stderr);
    if (options.plan !== undefined) stream.write(options.plan);
    this.#wire = new WireConnection({
      side: 'host',
      stream,
      serve: (request) => this.#serve(request),
      onReady: (head) => {
        this.#isReady = true;
        this.#ready.resolve(readReady(head));
      },
      onEnd: (end) => {
        if (end.kind === 'violation') this.kill('DRIVER_FAULT', `violated the protocol: ${end.reason}`);
        // Mostly it has ended, and how is known in a moment. If not, it has closed the wire itself and is of no use.
        else
          setTimeout(
            () => this.kill('DRIVER_CRASHED', 'closed its connection to the host and was stopped'),
            CLOSED_WIRE_GRACE,
          ).unref();
      },
      takeTurns: (resume) => setImmediate(resume),
      cancelGrace: {
        milliseconds: () =>
          options.blocking
            ? options.limits.blockingCancelGrace
            : this.#consoles.size > 0
              ? options.limits.sessionCancelGrace
              : options.limits.cancelGrace,
        onExpired: (method) =>
          options.blocking
            ? this.interrupt()
            : this.kill('DRIVER_CRASHED', `ignored the cancellation of ${method} and was stopped`),
      },
    });
    // A driver whose calls block it has a process for each call, which a cancel ends at once.
    if (!options.blocking) {
      const loop = new LoopWatch({
        silence: options.limits.loopSilence,
        busy: () => this.#wire.pendingRequests > 0,
        ask: () => {
          if (this.#wire.pendingRequests >= WIRE_LIMITS.openRequests) return false;
          void this.#wire.request({ method: ALIVE_METHOD }).catch(() => undefined);
          return true;
        },
        onSilent: () =>
          this.kill('DRIVER_CRASHED', `blocked its process for ${options.limits.loopSilence / 1_000} s and was stopped`),
      });
      stream.on('data', () => loop.heard());
      this.#loop = loop;
    }
    this.#child.on('error', (error) => {
      this.kill('DRIVER_CRASHED', `could not be started (${error.message})`);
      if (this.#child.pid === undefined) this.#onGone();
    });
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      const isUnwalled = options.plan !== undefined && code === LAUNCH_FAILED && !this.#isReady;
      // Does nothing where it was ended for another reason.
      this.kill(
        'DRIVER_CRASHED',
        isUnwalled
          ? "wasn't started because the kernel sandbox failed; see its log"
          : `ended unexpectedly (${signal ?? `exit code ${code ?? 'unknown'}`})`,
      );
      this.#onGone();
    };
    this.#child.on('exit', onExit);
    // One that ended before anything listened here, or was never started, has no event any more.
    setImmediate(() => {
      const { pid, exitCode, signalCode } = this.#child;
      if (this.#isGone || (pid !== undefined && exitCode === null && signalCode === null)) return;
      if (pid !== undefined) return onExit(exitCode, signalCode);
      this.kill('DRIVER_CRASHED', 'could not be started');
      this.#onGone();
    });
    const { pid } = this.#child;
    this.#unwatch =
      pid === undefined
        ? () => undefined
        : options.watch.add(pid, {
            busy: () => this.#wire.pendingRequests > 0,
            onExceeded: (bytes) =>
              this.kill(
                'DRIVER_CRASHED',
                `used ${megabytes(bytes)} MB, more than its limit of ${megabytes(options.limits.residentBytes)} MB, and was stopped`,
              ),
          });
    this.#idleWatch =
      pid === undefined
        ? undefined
        : new IdleProcessorWatch({
            ...options.limits.idleProcessor,
            used: () => processorMilliseconds(pid),
            busy: () => this.#wire.pendingRequests > 0,
            calls: () => this.#calls,
            onExceeded: (share) =>
              this.kill(
                'DRIVER_CRASHED',
                `used ${Math.round(share * 100)} % of a processor for ${options.limits.idleProcessor.window / 1_000} s although no call was running, and was stopped`,
              ),
          });
    if (pid !== undefined) void options.pidFile?.add(pid).catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether a debugger may stop it, so that it is late through no fault of its own. */
  get isInspected(): boolean {
    return this.#options.isInspected === true;
  }

  runs(driverId: string, version: string): boolean {
    return this.#options.driverId === driverId && this.#options.version === version;
  }

  get open(): boolean {
    return this.#end === undefined && this.#wire.open;
  }

  /** Whether the files that it was granted are still those. One that was replaced is out of its reach. */
  isCurrent(): Promise<boolean> {
    return areUnchanged(this.#options.files);
  }

  /** Whether a request is running, or was cancelled and has not come to its end. */
  get busy(): boolean {
    return this.#wire.pendingRequests > 0;
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /**
   * Waits until the driver is loaded.
   *
   * @throws DriverError `DRIVER_FAULT` with the reason; the process is ended then
   */
  async ready(): Promise<void> {
    const timer = setTimeout(
      () => this.kill('DRIVER_FAULT', `was not ready within ${this.#options.limits.ready / 1_000} s`),
      this.#options.limits.ready,
    );
    try {
      const ready = await this.#ready.promise;
      const problem = ready.ok
        ? ready.driver === this.#options.driverId
          ? undefined
          : `The program in the driver's process says that it is "${ready.driver}", not "${this.#options.driverId}".`
        : ready.problem;
      if (problem === undefined) return;
      this.kill('DRIVER_FAULT', 'could not be used');
      throw new DriverError('DRIVER_FAULT', problem);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns the number of the new session */
  addSession(session: HostedSession): number {
    const number = this.#nextSession++;
    // Kept after the session: what it was given stays in the memory of the process.
    for (const secret of session.secrets) this.#secrets.add(secret);
    this.#sessions.set(number, session);
    return number;
  }

  removeSession(number: number): void {
    const session = this.#sessions.get(number);
    this.#sessions.delete(number);
    this.#consoles.delete(number);
    void session?.broker?.close();
    session?.sockets?.close();
  }

  async request(request: WireRequest): Promise<WireAnswer> {
    // The wire has ended a moment before the process: wait, so that the answer can say how it ended.
    if (!this.#wire.open && this.#end === undefined) await this.#ending.promise;
    else {
      this.#lastCall = request.method;
      if (request.method === 'console.openSession' && request.session !== undefined) this.#consoles.add(request.session);
      this.#calls += 1;
    }
    if (this.#end === undefined) this.#loop?.start();
    return this.#wire.request(request);
  }

  /** For lines of the log, which no client reads. Errors of calls aren't compared: their texts can be a client's guess. */
  #repeatsSecret(text: string): boolean {
    for (const secret of this.#secrets) if (secret.isIn(text)) return true;
    return false;
  }

  /** Ends the process at once. The first reason is the one that is reported. */
  kill(code: DriverErrorCode, what: string, cause?: Error): void {
    this.#stop({ code, what, expected: false, cause }, 'SIGKILL');
  }

  /** Whether it was ended because a call that blocked it was cancelled. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** Ends the process at once, in the middle of a call, through no fault of its own. */
  interrupt(): void {
    if (this.#end !== undefined) return;
    this.#interrupted = true;
    this.#stop({ code: 'CANCELLED', what: 'was stopped', expected: true }, 'SIGKILL');
  }

  /** Ends the process in good order: it ends when its wire closes, else it is killed. */
  async stop(): Promise<void> {
    this.#stop({ code: 'CANCELLED', what: 'was stopped', expected: true }, undefined);
    if (this.#isGone) return;
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), this.#options.limits.exitGrace);
    await this.#gone.promise;
    clearTimeout(timer);
  }

  /** Resolves when the process is gone. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  #stop(end: End, signal: NodeJS.Signals | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ending.resolve();
    if (!end.expected) this.#log.host('error', `The driver's process ${end.what}. Last call: ${this.#lastCall}.`);
    this.#loop?.stop();
    this.#wire.close();
    if (signal !== undefined && !this.#isGone) this.#child.kill(signal);
    // Waiting calls fail now and not when the process is gone, which a process in the kernel may delay.
    this.#wire.fail((method) => this.#error(end, method));
    this.#ready.reject(this.#error(end, 'start'));
    const lost = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of lost) {
      void session.broker?.close();
      session.sockets?.close();
      session.onLost(this.#error(end, this.#lastCall));
    }
  }

  #error({ code, what, expected, cause }: End, call: string): DriverError {
    const name = `The driver "${this.#options.driverId}" ${this.#options.version}`;
    if (expected) return new DriverError('CANCELLED', `${name} was stopped.`);
    return new DriverError(code, `${name} ${what} (last call: ${call}).`, cause === undefined ? {} : { cause });
  }

  #onGone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#unwatch();
    this.#idleWatch?.stop();
    this.#log.end();
    const { pid } = this.#child;
    if (pid !== undefined) void this.#options.pidFile?.remove(pid).catch(() => undefined);
    this.#gone.resolve();
    this.#options.onEnded(this.#end?.expected ?? false);
  }

  async #serve(request: IncomingRequest): Promise<void> {
    switch (request.method) {
      case 'log': {
        const { level, message } = parseParams('log', request.params);
        const room = this.#log.line(level, message);
        // Only then: an answer that waits for nothing counts no request as open for a turn longer.
        if (room !== undefined) await room;
        return request.answer({});
      }
      case 'http.request': {
        const broker = this.#sessions.get(request.session ?? -1)?.broker;
        if (broker === undefined) {
          throw new DriverError(
            'PERMISSION_DENIED',
            "This session can't send HTTP requests: its manifest doesn't declare them, or it is closed.",
          );
        }
        const { hasBody, ...params } = parseParams('http.request', request.params);
        const response = await broker.request({ ...params, ...(hasBody ? { body: request.body } : {}), signal: request.signal });
        const { status, headers, node } = response;
        return request.answer({ status, headers, ...(node === undefined ? {} : { node }) }, response.body);
      }
      case 'socket.open': {
        const { socket, isEncrypted, received } = await this.#socketsOf(request).open(request.body, request.signal);
        return request.answer({ socket, isEncrypted }, received);
      }
      case 'socket.startTls': {
        const sockets = this.#socketsOf(request);
        const { socket } = parseParams('socket.startTls', request.params);
        return request.answer({ plainBytes: await sockets.startTls(socket, request.signal) });
      }
      default:
        this.kill('DRIVER_FAULT', 'violated the protocol: it asked for something that does not exist');
    }
  }

  #socketsOf({ session }: IncomingRequest): SocketBroker {
    const sockets = this.#sessions.get(session ?? -1)?.sockets;
    if (sockets !== undefined) return sockets;
    throw new DriverError(
      'PERMISSION_DENIED',
      "This session can't open sockets: its manifest doesn't declare them, or it is closed.",
    );
  }
}

function parseParams<M extends keyof typeof HOST_METHODS>(
  method: M,
  params: unknown,
): ReturnType<(typeof HOST_METHODS)[M]['params']['parse']> {
  const result = HOST_METHODS[method].params.safeParse(params);
  if (result.success) return result.data as ReturnType<(typeof HOST_METHODS)[M]['params']['parse']>;
  const issue = result.error.issues[0];
  throw new DriverError('INVALID_INPUT', `${method}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / (1024 * 1024));
}
