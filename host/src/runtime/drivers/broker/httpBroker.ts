import { DriverError } from '@tabularium/sdk';
import { connectionError, isBrokenConnection, silentEnd } from './connectionErrors.ts';
import type { BrokerConnection, BrokerTimeouts } from './connections.ts';
import { BROKER_TIMEOUTS, BrokerConnections } from './connections.ts';
import type { HttpGrant } from './httpGrant.ts';
import { checkHeaders, checkPath } from './requestRules.ts';
import { HttpExchange } from './httpExchange.ts';
import type { BrokerResponse } from './brokerResponse.ts';

/** A body as it comes from the driver. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  collect(maxBytes: number): Promise<Uint8Array>;
}

/** A request of a driver, its form checked but nothing else. */
export interface BrokerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly repeatable: boolean;
  readonly timeoutMilliseconds?: number | undefined;
  readonly body?: RequestBody | undefined;
  readonly bodyBytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** A body up to this size is held here, so that it has a length from the start and can be sent again. */
const HELD_BODY = 1024 * 1024;

/**
 * Does the HTTP of one session: connects to the one origin of its grant, adds the credentials, sends what the rules allow, and streams both
 * ways. Redirects are handed back.
 */
export class HttpBroker {
  readonly #grant: HttpGrant;
  readonly #connections: BrokerConnections;
  readonly #bodyWindow: number;
  readonly #closing = new AbortController();

  constructor(grant: HttpGrant, timeouts: BrokerTimeouts = BROKER_TIMEOUTS) {
    this.#grant = grant;
    this.#bodyWindow = timeouts.bodyWindow;
    this.#connections = new BrokerConnections(grant, timeouts);
  }

  /** @throws DriverError */
  async request(request: BrokerRequest): Promise<BrokerResponse> {
    checkPath(request.path);
    const headers = checkHeaders(request.headers, this.#grant.credentialHeaders);
    for (const [name, value] of this.#grant.secretHeaders()) headers.set(name, value);
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    try {
      const body = await heldBody(request);
      const mayRepeat = request.repeatable && (body === undefined || body instanceof Uint8Array);
      const first = await this.#send(request, headers, body, signal, false);
      if (first.response !== undefined) return first.response;
      if (!mayRepeat || !first.repeatable) throw first.error;
      const second = await this.#send(request, headers, body, signal, true);
      if (second.response === undefined) throw second.error;
      return second.response;
    } catch (error) {
      throw connectionError(signal.aborted ? cancelled(signal) : error, this.#grant);
    }
  }

  /** Closes every connection, also those in use. */
  async close(): Promise<void> {
    this.#closing.abort(new DriverError('CANCELLED', 'The session was closed.'));
    await this.#connections.close();
  }

  async #send(
    request: BrokerRequest,
    headers: ReadonlyMap<string, string>,
    body: Uint8Array | RequestBody | undefined,
    signal: AbortSignal,
    fresh: boolean,
  ): Promise<
    | { readonly response: BrokerResponse }
    | { readonly response: undefined; readonly error: unknown; readonly repeatable: boolean }
  > {
    const connection: BrokerConnection = await this.#connections.take(signal, fresh);
    const exchange = new HttpExchange({
      grant: this.#grant,
      timeout: Math.min(request.timeoutMilliseconds ?? this.#grant.timeoutMilliseconds, this.#grant.timeoutMilliseconds),
      bodyWindow: this.#bodyWindow,
      signal,
      onDone: (complete) => this.#connections.giveBack(connection, complete),
    });
    const sized = body !== undefined && !(body instanceof Uint8Array) && request.bodyBytes !== undefined;
    try {
      connection.client.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: Object.fromEntries(sized ? [...headers, ['content-length', String(request.bodyBytes)]] : headers),
          ...(body === undefined ? {} : { body: body as Uint8Array }),
        },
        exchange,
      );
      return { response: await exchange.response };
    } catch (error) {
      exchange.giveUp(error);
      if (!isBrokenConnection(error) || exchange.answerBegun || signal.aborted)
        return { response: undefined, error, repeatable: false };
      const reused = connection.served > 0;
      return { response: undefined, error: reused ? error : silentEnd(error, this.#grant), repeatable: reused };
    }
  }
}

async function heldBody({ body, bodyBytes }: BrokerRequest): Promise<Uint8Array | RequestBody | undefined> {
  if (body === undefined || bodyBytes === undefined || bodyBytes > HELD_BODY) return body;
  const bytes = await body.collect(HELD_BODY);
  if (bytes.length !== bodyBytes)
    throw new DriverError('INVALID_INPUT', 'The length of the request body differs from its Content-Length.');
  return bytes;
}

function cancelled(signal: AbortSignal): DriverError {
  return signal.reason instanceof DriverError ? signal.reason : new DriverError('CANCELLED');
}
