import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { RunningApplication, McpEndpoint } from './application.ts';
import { EventReader } from './eventStream.ts';
import {
  bridgeFault,
  BridgeFailure,
  CODES,
  connectionLost,
  invalidRequest,
  NEEDED_VERSION,
  noAnswer,
  notProven,
  parseError,
  sessionGone,
  tooLarge,
  unknownAnswer,
} from './failure.ts';
import type { FailureLayer } from './failure.ts';
import { HANDSHAKE_NAME } from './handshakeFile.ts';
import { LegacySession } from './legacySession.ts';
import { headersOf, isRead, readMessage } from './message.ts';
import type { ClientMessage } from './message.ts';
import type { Output } from './output.ts';
import { Lost, post, readWholeAnswer, readChunks } from './post.ts';
import { NotProven } from './proof.ts';
import { RateWait } from './rateWait.ts';
import { Slots } from './slots.ts';
import { answers, listedTools, negotiatedVersion, serverMessageError } from './serverMessage.ts';

/** The largest message that the application takes. A larger one is refused here: it would be read to its end and refused there. */
export const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024;
/** How long a request may go without a byte of its answer. A call of a tool may take 300 s, and is kept alive meanwhile. */
export const SILENCE_MILLISECONDS = 330_000;
/** How long requests in flight may take when the client has closed its end. */
export const DRAIN_MILLISECONDS = 30_000;
/** How long an answer may still come for a request that the client has cancelled. Often none ever does, and its connection would stay. */
const CANCELLED_MILLISECONDS = 1_000;
/** How long ending the session may take. */
const GOODBYE_MILLISECONDS = 1_000;

/** Requests in flight at once; further ones wait. Half of what the server allows all bridges together, so that two share it without a refusal. */
export const MOST_REQUESTS = 32;
/** Notifications in flight at once. */
export const MOST_NOTIFICATIONS = 16;
/** How long a message is sent again while the application says that it gets too many. */
export const RATE_WAIT_MILLISECONDS = 60_000;

/** A method whose answer is a stream without end. */
const LISTEN = 'subscriptions/listen';

/** Named to clients that ask for a version while nothing can be reached: those that can will then begin with initialize. */
const OLDER_VERSIONS = ['2025-11-25', '2025-06-18'];

/** Why a request was sent a second time. Each reason counts once for a request. */
type Reason = 'unsent' | 'read' | 'token' | 'session';

interface InFlight {
  readonly message: ClientMessage;
  readonly abort: AbortController;
  /** Resolves when the request has left the bridge, or never will. */
  readonly sent: Promise<void>;
  /** The client waits for no answer any more. */
  cancelled: boolean;
}

export interface BridgeOptions {
  readonly application: RunningApplication;
  /** The support directory, for advice. */
  readonly folder: string;
  readonly output: Output;
  /** Takes one line for people. */
  readonly log: (line: string) => void;
  readonly silenceMilliseconds?: number;
  readonly drainMilliseconds?: number;
}

/** Carries messages between a client and the application, as they are. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #session = new LegacySession();
  readonly #rateWait = new RateWait();
  readonly #requests = new Slots(MOST_REQUESTS);
  /** Apart from requests: a cancellation must never wait behind them. */
  readonly #notifications = new Slots(MOST_NOTIFICATIONS);
  readonly #inFlight = new Map<string | number, InFlight>();
  readonly #work = new Set<Promise<void>>();
  readonly #readOnlyTools = new Set<string>();
  #unsentBytes = 0;
  #onRoom: (() => void) | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Bytes of messages that have not left the bridge yet. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** Calls back whenever there is less to send. */
  onRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  /** Takes one line of the client. */
  receive(line: Buffer): void {
    const message = readMessage(line);
    if ('fault' in message) {
      this.#answerFailure(message.id, undefined, message.fault === 'json' ? parseError() : invalidRequest());
      return;
    }
    if (line.length > LARGEST_MESSAGE_BYTES) {
      this.#fail(message, tooLarge(LARGEST_MESSAGE_BYTES));
      return;
    }
    if (message.cancels !== undefined && this.#cancelHere(message.cancels)) return;
    this.#track(message, this.#start(message));
  }

  /** Reports a line that is longer than the largest message. */
  refuseLine(): void {
    this.#answerFailure(undefined, undefined, tooLarge(LARGEST_MESSAGE_BYTES));
  }

  /** The client has closed its end: streams end at once, requests are waited for, the session is closed. */
  async end(): Promise<void> {
    for (const { message, abort, cancelled } of this.#inFlight.values()) {
      if (message.method === LISTEN || cancelled) abort.abort();
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.drainMilliseconds ?? DRAIN_MILLISECONDS);
    });
    while (this.#work.size > 0) {
      const ended = await Promise.race([Promise.all(this.#work).then(() => true), late.then(() => false)]);
      if (!ended) break;
    }
    clearTimeout(timer);
    await this.stop();
  }

  /** Ends everything now. */
  async stop(): Promise<void> {
    for (const { abort } of this.#inFlight.values()) abort.abort();
    await this.#closeSession();
    this.#options.application.known?.connections.close();
    await this.#options.output.flush();
  }

  /** Since 2026-07-28 closing the stream of a request cancels it. In the versions before, the client's own message cancels it. */
  #cancelHere(id: string | number): boolean {
    const target = this.#inFlight.get(id);
    if (target !== undefined && target.message.version !== undefined) {
      target.abort.abort();
      return true;
    }
    if (target !== undefined) target.cancelled = true;
    return !this.#session.isOpen && target === undefined;
  }

  async #start(message: ClientMessage): Promise<void> {
    const legacy = message.version === undefined;
    const [sent, resolve] = settled();
    const inFlight: InFlight = { message, abort: new AbortController(), sent, cancelled: false };
    if (message.kind === 'request' && message.id !== undefined) this.#inFlight.set(message.id, inFlight);
    const { length } = message.bytes;
    this.#unsentBytes += length;
    let counted = true;
    const onSent = (): void => {
      resolve();
      if (!counted) return;
      counted = false;
      this.#unsentBytes -= length;
      this.#onRoom?.();
    };
    try {
      if (legacy) {
        const ready = this.#session.ready();
        if (message.method === 'initialize' || message.method === 'notifications/initialized') {
          const [done, release] = settled();
          this.#session.holdFor(done);
          inFlight.abort.signal.addEventListener('abort', release, { once: true });
          try {
            await ready;
            if (message.method === 'initialize') Object.assign(this.#session, { initialize: message, initialized: undefined });
            else this.#session.initialized = message;
            await this.#exchange(inFlight, onSent);
          } finally {
            release();
          }
          return;
        }
        await ready;
        // A cancellation that overtakes its request would be about nothing.
        const target = message.cancels === undefined ? undefined : this.#inFlight.get(message.cancels);
        await target?.sent;
        await this.#exchange(inFlight, onSent);
        if (target !== undefined) setTimeout(() => target.abort.abort(), CANCELLED_MILLISECONDS).unref();
        return;
      }
      await this.#exchange(inFlight, onSent);
    } catch (error) {
      if (!inFlight.abort.signal.aborted) this.#fail(message, toFailure(error));
    } finally {
      onSent();
      if (message.id !== undefined && this.#inFlight.get(message.id) === inFlight) this.#inFlight.delete(message.id);
    }
  }

  /** Brings one message to the application and its answer back, when it is its turn. @throws BridgeFailure */
  async #exchange(inFlight: InFlight, onSent: () => void): Promise<void> {
    const { message, abort } = inFlight;
    // The application limits the number of streams.
    if (message.method === LISTEN) return this.#exchangeNow(inFlight, onSent);
    const release = await (message.kind === 'request' ? this.#requests : this.#notifications).take(abort.signal);
    if (release === undefined) return;
    try {
      await this.#exchangeNow(inFlight, onSent);
    } finally {
      release();
    }
  }

  async #exchangeNow(inFlight: InFlight, onSent: () => void): Promise<void> {
    const { message, abort } = inFlight;
    const { signal } = abort;
    const reasons = new Set<Reason>();
    for (;;) {
      const { generation } = this.#session;
      const inSession = message.version === undefined && message.method !== 'initialize';
      const obtained = await this.#obtain(message, inSession, reasons, signal, onSent);
      if (obtained === undefined) return;
      const { response, endpoint } = obtained;
      if (response.statusCode === 404 && inSession && this.#session.isOpen && first(reasons, 'session')) {
        await readWholeAnswer(response);
        await this.#session.reopen(generation, () => this.#reopen(signal));
        continue;
      }
      let delivered = false;
      try {
        await this.#deliver(message, response, () => {
          delivered = true;
        });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Lost)) throw error;
        this.#options.application.forget(endpoint);
        if (delivered || error.how === 'silent' || !isRead(message, this.#readOnlyTools) || !first(reasons, 'read'))
          throw this.#failureOf(error);
      }
    }
  }

  /**
   * Sends a message until there is an answer to it that says something of the message itself.
   *
   * What never ran is sent again, whatever it is: where no connection came about, and where the token was refused. What may have run is sent
   * again only where that does no harm.
   *
   * @returns undefined when it was cancelled
   */
  async #obtain(
    message: ClientMessage,
    inSession: boolean,
    reasons: Set<Reason>,
    signal: AbortSignal,
    onSent: () => void,
  ): Promise<{ readonly response: IncomingMessage; readonly endpoint: McpEndpoint } | undefined> {
    const { application, silenceMilliseconds = SILENCE_MILLISECONDS } = this.#options;
    const read = isRead(message, this.#readOnlyTools);
    const givenUp = Date.now() + RATE_WAIT_MILLISECONDS;
    for (;;) {
      if (this.#rateWait.isHolding && !(await this.#rateWait.over(signal))) return undefined;
      const endpoint = application.fresh ?? (await unlessAborted(application.find(), signal));
      if (endpoint === undefined) return undefined;
      const { requests, others } = endpoint.connections;
      try {
        const response = await post(endpoint, {
          agent: message.kind === 'request' && message.method !== LISTEN ? requests : others,
          headers: inSession ? this.#session.headers() : headersOf(message),
          body: message.bytes,
          signal,
          silenceMilliseconds: message.method === LISTEN ? undefined : silenceMilliseconds,
          onSent,
        });
        // Nothing of it ran. A client may send many requests at once: the bridge sends them as fast as the server takes them.
        const isHeld = response.statusCode === 429 && message.method !== LISTEN && Date.now() < givenUp;
        if (isHeld && this.#rateWait.hold(response.headers['retry-after'])) {
          await readWholeAnswer(response);
          continue;
        }
        const again =
          (response.statusCode === 401 && first(reasons, 'token')) ||
          // It is about to stop, or was stopped while it answered.
          (response.statusCode === 503 && read && first(reasons, 'read'));
        if (!again) return { response, endpoint };
        await readWholeAnswer(response);
        application.forget(endpoint);
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!(error instanceof Lost)) throw error;
        application.forget(endpoint);
        const again = error.how === 'unsent' ? first(reasons, 'unsent') : error.how === 'sent' && read && first(reasons, 'read');
        if (!again) throw this.#failureOf(error);
      }
    }
  }

  async #deliver(message: ClientMessage, response: IncomingMessage, onDelivered: () => void): Promise<void> {
    const { output } = this.#options;
    const pass = (bytes: Buffer): Promise<void> | undefined => {
      onDelivered();
      const error = serverMessageError(bytes, message.kind === 'request' ? message.id : undefined);
      if (error !== undefined) this.#log(error.layer, error.message, message.method);
      return message.kind === 'request' ? output.write(error?.bytes ?? bytes) : undefined;
    };
    const status = response.statusCode ?? 0;
    const type = response.headers['content-type'] ?? '';
    if (status === 200 && type.startsWith('text/event-stream')) {
      await this.#deliverEvents(message, response, pass);
      return;
    }
    const body = await readWholeAnswer(response);
    if (message.kind !== 'request' && status >= 200 && status < 300) return;
    if (status === 200 && type.startsWith('application/json') && body.length > 0) {
      this.#learn(message, response, body);
      await pass(body);
      return;
    }
    if (serverMessageError(body, message.id) !== undefined) {
      await pass(body);
      return;
    }
    throw unknownAnswer(status);
  }

  async #deliverEvents(
    message: ClientMessage,
    response: IncomingMessage,
    pass: (bytes: Buffer) => Promise<void> | undefined,
  ): Promise<void> {
    let answered = false;
    /** Resolves when the client has taken what came; nothing more is read before. */
    let taken: Promise<void> | undefined;
    const reader = new EventReader((bytes) => {
      if (!answered && answers(bytes, message.id)) {
        answered = true;
        this.#learn(message, response, bytes);
      }
      taken = pass(bytes);
    });
    try {
      await readChunks(response, (chunk) => {
        taken = undefined;
        reader.push(chunk);
        return taken;
      });
    } catch (error) {
      if (!answered) throw error;
    }
    if (!answered) throw new Lost('sent', 'the stream ended before the answer');
  }

  /** The parts of an answer that the bridge itself reads. */
  #learn({ method }: ClientMessage, response: IncomingMessage, bytes: Buffer): void {
    if (method === 'initialize') {
      const version = negotiatedVersion(bytes);
      const id = response.headers['mcp-session-id'];
      if (version !== undefined) this.#session.opened(typeof id === 'string' ? id : undefined, version);
    } else if (method === 'tools/list') {
      for (const { name, readOnly } of listedTools(bytes)) {
        if (readOnly) this.#readOnlyTools.add(name);
        else this.#readOnlyTools.delete(name);
      }
    }
  }

  /** Opens the session again with the client's own words. @throws BridgeFailure */
  async #reopen(signal: AbortSignal): Promise<void> {
    const { initialize, initialized } = this.#session;
    if (initialize === undefined) return;
    const opening = await this.#obtain(initialize, false, new Set(), signal, () => undefined);
    if (opening === undefined) return;
    const body = await readWholeAnswer(opening.response);
    const messages: Buffer[] = [];
    if ((opening.response.headers['content-type'] ?? '').startsWith('text/event-stream')) {
      new EventReader((bytes) => messages.push(bytes)).push(body);
    } else {
      messages.push(body);
    }
    const answer = messages.findLast((bytes) => negotiatedVersion(bytes) !== undefined);
    if (answer === undefined) throw sessionGone();
    this.#learn(initialize, opening.response, answer);
    if (initialized === undefined) return;
    const confirmed = await this.#obtain(initialized, true, new Set(), signal, () => undefined);
    if (confirmed !== undefined) await readWholeAnswer(confirmed.response);
  }

  async #closeSession(): Promise<void> {
    const endpoint = this.#options.application.known;
    const headers = this.#session.headers();
    if (endpoint === undefined || headers['mcp-session-id'] === undefined) return;
    const signal = AbortSignal.timeout(GOODBYE_MILLISECONDS);
    try {
      const agent = endpoint.connections.others;
      await readWholeAnswer(await post(endpoint, { agent, method: 'DELETE', headers, signal }));
    } catch {
      // The application ends unused sessions.
    }
  }

  #failureOf(lost: Lost): BridgeFailure {
    const { folder, silenceMilliseconds = SILENCE_MILLISECONDS } = this.#options;
    if (lost.cause instanceof NotProven) return notProven(join(folder, HANDSHAKE_NAME), lost.cause.message);
    return lost.how === 'silent' ? noAnswer(silenceMilliseconds) : connectionLost(lost.how === 'sent');
  }

  #track(message: ClientMessage, work: Promise<void>): void {
    const tracked = work.catch((error: unknown) => this.#log('transport', String(error), message.method));
    this.#work.add(tracked);
    void tracked.finally(() => this.#work.delete(tracked));
  }

  #fail(message: ClientMessage, failure: BridgeFailure): void {
    if (message.kind === 'request') this.#answerFailure(message.id, message.method, failure);
    else this.#log(failure.layer, failure.message, message.method);
  }

  #answerFailure(id: string | number | undefined, method: string | undefined, failure: BridgeFailure): void {
    const { layer, code, message } = failure;
    this.#log(layer, message, method);
    // A client that is pinned to 2026-07-28 reads of all errors of its probe this one only; of any other it says "not offered" and keeps the
    // reason to itself. Clients that are not pinned continue with initialize, and get the code itself.
    const error =
      method === 'server/discover' && code !== CODES.parse
        ? { code: CODES.unsupportedVersion, message, data: { layer, code, supported: OLDER_VERSIONS, requested: NEEDED_VERSION } }
        : { code, message, data: { layer } };
    void this.#options.output.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error })));
  }

  #log(layer: FailureLayer, message: string, method: string | undefined): void {
    this.#options.log(`${layer}: ${message}${method === undefined ? '' : ` (${method})`}`);
  }
}

function first(reasons: Set<Reason>, reason: Reason): boolean {
  if (reasons.has(reason)) return false;
  reasons.add(reason);
  return true;
}

function toFailure(error: unknown): BridgeFailure {
  if (error instanceof BridgeFailure) return error;
  return bridgeFault(error instanceof Error ? error.message : String(error));
}

/** A promise and what settles it. (`Promise.withResolvers` is not in Node 20.) */
function settled(): [promise: Promise<void>, settle: () => void] {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}

/** The value, or undefined when the signal is aborted before. */
async function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
