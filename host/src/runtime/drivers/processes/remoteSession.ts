import type {
  ActivityFacet,
  CallOptions,
  ConsoleFacet,
  EditsFacet,
  ExplainFacet,
  ExpressionsFacet,
  ExportFacet,
  Filter,
  Finding,
  MetricsFacet,
  NamedTablesFacet,
  NamespacesFacet,
  Page,
  PageRequest,
  PrincipalsFacet,
  RowCount,
  RowsFacet,
  Session,
  SuggestionsFacet,
  TableDescription,
  TableOperationsFacet,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { DriverMethod, EventMethod, WireAnswer, WireBody } from '@tabularium/sdk/protocol';
import { DRIVER_METHODS } from '@tabularium/sdk/protocol';
import type { HttpBroker } from '../broker/httpBroker.ts';
import type { Tunnel } from '../broker/tunnel.ts';
import type { HostCounters } from '../../measures/hostCounters.ts';
import type { DriverProcess } from './driverProcess.ts';
import type { ProcessLimits } from './processLimits.ts';
import { batchProblem } from './batchProblem.ts';
import type { BatchBounds } from './batchProblem.ts';
import { MOST_ELEMENTS, hasMoreElements } from './hasMoreElements.ts';
import { eventsOf } from './eventsOf.ts';
import type { EventBounds, EventOf } from './eventsOf.ts';
import { paramsBody } from './paramsBody.ts';
import { remoteFacets } from './remoteFacets.ts';
import type { Result, Calls } from './remoteCalls.ts';
import { tunnelErrors } from './tunnelErrors.ts';

/** A session in a driver's process. What the driver answers has been checked; a driver that answers otherwise is ended. */
export interface RemoteSession extends Session {
  readonly driverVersion: string;
  /** The session's way to its origin, for what the host itself streams on the driver's word (see `ExportFacet.splice`). */
  readonly http?: HttpBroker;
  /**
   * Calls back when the session is lost, because its process ended. Not called for a session that was closed.
   *
   * @returns ends the listening
   */
  onClosed(listener: (error: DriverError) => void): () => void;
}

export interface RemoteSessionOptions {
  readonly driverId: string;
  readonly driverVersion: string;
  readonly process: DriverProcess;
  readonly broker: HttpBroker | undefined;
  /** The way to the server of the connection, where it is not direct. */
  readonly tunnel?: Tunnel | undefined;
  readonly number: number;
  readonly limits: ProcessLimits;
  /** Milliseconds for a call: the connection's own time-out for HTTP is longer in some. */
  readonly callTimeout: number;
  /** Called once, when the session needs its process no longer. */
  readonly onReleased: () => void;
  readonly counters?: HostCounters | undefined;
}

interface LimitedCall {
  readonly signal: AbortSignal;
  clearTimer(): void;
  release(): void;
  /** The error that a person gets for one of the driver. */
  errorFor(error: unknown): unknown;
}

/** A key is one row's. A driver that finds several says so by them, and its reader refuses them by name. */
const ROWS_PER_KEY = 4;

/** Calls that change nothing, however far they came. */
const READING: ReadonlySet<DriverMethod> = new Set(['ping', 'listTables', 'describeTable', 'readPage', 'countRows', 'rows.read']);

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Calls of one session over the wire. */
export class SessionCalls implements Calls {
  readonly sameProcess = true;
  readonly #options: RemoteSessionOptions;

  constructor(options: RemoteSessionOptions) {
    this.#options = options;
  }

  get options(): RemoteSessionOptions {
    return this.#options;
  }

  async json<M extends DriverMethod>(method: M, params: unknown, signal: AbortSignal, timeout?: number): Promise<Result<M>> {
    return this.#within(method, signal, timeout, async (limited) => {
      const answer = await this.#ask(method, params, limited);
      const bytes = await this.#collect(method, answer);
      return this.#checked(method, this.#parse(method, bytes));
    });
  }

  async bytes<M extends DriverMethod>(
    method: M,
    params: unknown,
    signal: AbortSignal,
  ): Promise<{ head: Result<M>; bytes: Uint8Array }> {
    return this.#within(method, signal, undefined, async (limited) => {
      const answer = await this.#ask(method, params, limited);
      const head = this.#checked(method, answer.result);
      const bytes = await this.#collect(method, answer);
      const problem = batchProblem(bytes, batchBoundsOf(params, head));
      if (problem !== undefined) throw this.#fault(method, problem);
      return { head, bytes };
    });
  }

  events<M extends EventMethod>(method: M, params: unknown, signal: AbortSignal): AsyncGenerator<EventOf<M>, void, undefined> {
    // The parameters may be large, and live no longer than they are sent.
    return this.#events(method, paramsBody(params), boundsOf(params), signal);
  }

  async *#events<M extends EventMethod>(
    method: M,
    body: WireBody,
    bounds: EventBounds,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<M>, void, undefined> {
    const call = this.#limited(method, signal, undefined);
    try {
      const answer = await this.#send(method, body, call.signal);
      call.clearTimer();
      const { eventBytes } = this.#options.limits;
      yield* eventsOf(method, answer.body, eventBytes, bounds, (reason) => this.#fault(method, reason));
      this.#count();
    } catch (error) {
      this.#count(error);
      throw call.errorFor(error);
    } finally {
      call.release();
    }
  }

  async end(): Promise<void> {
    const { limits, onReleased, process } = this.#options;
    try {
      if (process.open) await this.json('close', {}, new AbortController().signal, limits.close);
    } catch {
      // A driver that fails to close its session loses it all the same.
    } finally {
      onReleased();
    }
  }

  #ask(method: DriverMethod, params: unknown, signal: AbortSignal): Promise<WireAnswer> {
    return this.#send(method, paramsBody(params), signal);
  }

  #send(method: DriverMethod, body: WireBody, signal: AbortSignal): Promise<WireAnswer> {
    const { process, number } = this.#options;
    return process.request({ method, session: number, body, signal });
  }

  async #within<T>(
    method: DriverMethod,
    signal: AbortSignal,
    timeout: number | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = this.#limited(method, signal, timeout);
    try {
      const answer = await work(call.signal);
      this.#count();
      return answer;
    } catch (error) {
      this.#count(error);
      throw call.errorFor(error);
    } finally {
      call.release();
    }
  }

  #count(error?: unknown): void {
    const cancelled = error instanceof DriverError && error.code === 'CANCELLED';
    const outcome = error === undefined ? 'done' : cancelled ? 'cancelled' : 'failed';
    this.#options.counters?.driverRequest(this.#options.driverId, outcome);
  }

  /** A signal that ends with the caller's, or when the time is up. */
  #limited(method: DriverMethod, signal: AbortSignal, timeout = this.#options.callTimeout): LimitedCall {
    if (signal.aborted) throw new DriverError('CANCELLED');
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new DriverError('CANCELLED'));
    signal.addEventListener('abort', cancel);
    const late = `The driver "${this.#options.driverId}" did not answer ${method} within ${timeout / 1_000} s.`;
    const timer = setTimeout(() => controller.abort(new DriverError('TIMEOUT', late)), timeout);
    return {
      errorFor: tunnelErrors(this.#options.tunnel, READING.has(method)),
      signal: controller.signal,
      clearTimer: () => clearTimeout(timer),
      release: () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
      },
    };
  }

  async #collect(method: DriverMethod, answer: WireAnswer): Promise<Uint8Array> {
    return answer.body.collect(this.#options.limits.answerBytes).catch((error: unknown) => {
      if (error instanceof DriverError && error.code === 'TOO_LARGE') {
        const megabytes = Math.round(this.#options.limits.answerBytes / (1024 * 1024));
        throw new DriverError('TOO_LARGE', `The answer to ${method} is larger than ${megabytes} MB.`, { cause: error });
      }
      throw error;
    });
  }

  #parse(method: DriverMethod, bytes: Uint8Array): unknown {
    if (hasMoreElements(bytes)) throw this.#fault(method, `the answer has more than ${MOST_ELEMENTS} values`);
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw this.#fault(method, "the response isn't valid JSON");
    }
  }

  #checked<M extends DriverMethod>(method: M, value: unknown): Result<M> {
    const result = DRIVER_METHODS[method].result.safeParse(value);
    if (result.success) return result.data as Result<M>;
    const issue = result.error.issues[0];
    throw this.#fault(method, `the answer is not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`);
  }

  /** The program in the process checks answers before it sends them, so a wrong one isn't a mistake: the process isn't the one that we started. */
  #fault(method: DriverMethod, reason: string): DriverError {
    const { process, driverId, driverVersion } = this.#options;
    process.kill('DRIVER_FAULT', `answered ${method} wrongly: ${reason}`);
    return new DriverError('DRIVER_FAULT', `The driver "${driverId}" ${driverVersion} answered ${method} wrongly: ${reason}.`);
  }
}

function boundsOf(params: unknown): EventBounds {
  const { maxRows, changes, rows } = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
  return {
    rows: typeof maxRows === 'number' ? maxRows : Infinity,
    changes: Array.isArray(changes) ? changes.length : Array.isArray(rows) ? rows.length : 0,
  };
}

/** The rows that the request and the head of the answer allow. */
function batchBoundsOf(params: unknown, head: unknown): BatchBounds {
  const { limit, keys } = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
  const { rowCount } = typeof head === 'object' && head !== null ? (head as Record<string, unknown>) : {};
  return {
    rows: typeof rowCount === 'number' ? rowCount : undefined,
    mostRows: typeof limit === 'number' ? limit : Array.isArray(keys) ? keys.length * ROWS_PER_KEY : 0,
  };
}

/** A session as the rest of the host sees it. */
export class WireSession implements RemoteSession {
  readonly server: Session['server'];
  readonly findings: readonly Finding[];
  readonly driverVersion: string;
  readonly console?: ConsoleFacet;
  readonly edits?: EditsFacet;
  readonly export?: ExportFacet;
  readonly tableOperations?: TableOperationsFacet;
  readonly principals?: PrincipalsFacet;
  readonly metrics?: MetricsFacet;
  readonly suggestions?: SuggestionsFacet;
  readonly expressions?: ExpressionsFacet;
  readonly namedTables?: NamedTablesFacet;
  readonly namespaces?: NamespacesFacet;
  readonly rows?: RowsFacet;
  readonly explain?: ExplainFacet;
  readonly activity?: ActivityFacet;
  readonly http?: HttpBroker;
  readonly #calls: Calls;
  readonly #listeners = new Set<(error: DriverError) => void>();
  #lost: DriverError | undefined;
  #closing: Promise<void> | undefined;

  /** @param calls - the way that each call goes; `first` is the session that was connected */
  constructor(first: SessionCalls, connected: Result<'connect'>, calls: Calls) {
    this.#calls = calls;
    const { product, version } = connected.server;
    this.server = version === undefined ? { product } : { product, version };
    this.findings = connected.findings;
    this.driverVersion = first.options.driverVersion;
    if (first.options.broker !== undefined) this.http = first.options.broker;
    Object.assign(this, remoteFacets(calls, connected));
  }

  onClosed(listener: (error: DriverError) => void): () => void {
    if (this.#lost !== undefined) listener(this.#lost);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The process has ended. */
  lose(error: DriverError): void {
    if (this.#lost !== undefined || this.#closing !== undefined) return;
    this.#lost = error;
    for (const listener of this.#listeners) listener(error);
    this.#listeners.clear();
  }

  async ping({ signal }: CallOptions): Promise<void> {
    await this.#calls.json('ping', {}, signal);
  }

  async listTables({ signal }: CallOptions): Promise<readonly TableSummary[]> {
    return this.#calls.json('listTables', {}, signal);
  }

  async describeTable(table: TableRef, { signal }: CallOptions): Promise<TableDescription> {
    return this.#calls.json('describeTable', { table }, signal);
  }

  async readPage(request: PageRequest, { signal }: CallOptions): Promise<Page> {
    const { head, bytes } = await this.#calls.bytes('readPage', request, signal);
    return { ...head, batch: bytes };
  }

  async countRows(request: { readonly table: TableRef; readonly filter: Filter }, { signal }: CallOptions): Promise<RowCount> {
    return this.#calls.json('countRows', request, signal);
  }

  /** Never throws: what cannot be closed is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    await this.#calls.end();
  }
}
