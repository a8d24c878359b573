import { DriverError, visibleText } from '@tabularium/sdk';
import type { DriverErrorCode, HttpOrigin } from '@tabularium/sdk';
import { connectionError, isBrokenConnection, silentEnd } from './connectionErrors.ts';
import type { BrokerConnection, BrokerTimeouts } from './connections.ts';
import { BROKER_TIMEOUTS, BrokerConnections } from './connections.ts';
import type { OutgoingRequest } from './credentials/requestCredential.ts';
import { checkParameters } from './credentials/staticCredentials.ts';
import { ForeignCredentialError } from './foreignCredentialError.ts';
import type { FurtherGrant, HttpGrant } from './httpGrant.ts';
import { checkHeaders, checkPath, checkWithinPrefix } from './requestRules.ts';
import { HttpExchange } from './httpExchange.ts';
import type { Tunnel } from './tunnel.ts';
import type { BrokerResponse } from './brokerResponse.ts';

/** A response, and the index of the node that it came from. */
export interface NodeResponse extends BrokerResponse {
  /** Undefined for a further origin. */
  readonly node: number | undefined;
}

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
  /** The only node that it may go to, by its index. */
  readonly node?: number | undefined;
  /** The further origin that it goes to, by its id; undefined: to the first. */
  readonly origin?: string | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly body?: RequestBody | undefined;
  readonly bodyBytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** A body up to this size is held here, so that it has a length from the start and can be sent again. */
const HELD_BODY = 1024 * 1024;

/** A body that is held can be sent again. */
function isRepeatableBody(body: Uint8Array | RequestBody | undefined): body is Uint8Array | undefined {
  return body === undefined || body instanceof Uint8Array;
}

/** Why another node may answer what this one did not. Not a certificate that failed: that needs somebody to look at it. */
const NODE_IS_DOWN: ReadonlySet<DriverErrorCode> = new Set([
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'HOST_NOT_FOUND',
  'TIMEOUT',
] satisfies DriverErrorCode[]);
/** The status of a node that starts or lags behind its cluster. */
const NOT_READY = 503;
/** A node that doesn't answer costs a whole time-out, so only one more of these is tried. */
const MOST_TIMEOUTS = 2;

/** Bytes. */
const LONGEST_PASSED_OVER = 64 * 1024;

/** The status of credentials that a server does not take. */
const UNAUTHORIZED = 401;

/** The end of one try. */
type Sent =
  { readonly response: BrokerResponse } | { readonly response: undefined; readonly error: unknown; readonly repeatable: boolean };

/** A further origin, with a broker of its own: nothing of the first one's grant is in it. */
interface Further extends Pick<FurtherGrant, 'id' | 'label' | 'hostField' | 'grant'> {
  readonly broker: HttpBroker | undefined;
}

/** One node of the cluster. */
interface Node {
  readonly grant: HttpGrant;
  readonly connections: BrokerConnections;
}

/**
 * Does the HTTP of one session: connects to the origin of its grant, adds the credentials, sends what the rules allow, and streams both
 * ways. Redirects are handed back. Where the grant has further nodes, requests go to the one that answered last. A read that it doesn't
 * answer is sent once to each next node, in their order; anything else is never sent twice. A request that names its node goes to no other and
 * leaves the choice for the others as it is. A request that names a further origin goes there with the credentials of that one alone.
 */
export class HttpBroker {
  readonly #nodes: readonly Node[];
  readonly #bodyWindow: number;
  readonly #closing = new AbortController();
  readonly #tunnel: Tunnel | undefined;
  /** A map, in which no id is there that isn't declared. */
  readonly #further: ReadonlyMap<string, Further>;
  readonly #onMisuse: (error: ForeignCredentialError) => void;
  #healthy = 0;

  /** @param onMisuse - ends the driver's process */
  constructor(
    grant: HttpGrant,
    timeouts: BrokerTimeouts = BROKER_TIMEOUTS,
    onMisuse: (error: ForeignCredentialError) => void = () => undefined,
  ) {
    this.#onMisuse = onMisuse;
    this.#bodyWindow = timeouts.bodyWindow;
    this.#tunnel = grant.tunnel;
    this.#tunnel?.hold();
    this.#nodes = [grant, ...grant.nodes].map((node) => ({ grant: node, connections: new BrokerConnections(node, timeouts) }));
    this.#further = new Map(
      grant.further.map((one) => [
        one.id,
        { ...one, broker: one.grant === undefined ? undefined : new HttpBroker(one.grant, timeouts) },
      ]),
    );
  }

  /** Host and port of the node that requests go to; undefined where there is only one. */
  get node(): string | undefined {
    return this.#nodes.length === 1 ? undefined : this.#nodes[this.#healthy]?.grant.address;
  }

  /** Host and port of each node, in the order of the form. */
  get nodes(): readonly string[] {
    return this.#nodes.map(({ grant }) => grant.address);
  }

  /** The further origins that the manifest declares, with host and port of those that the connection has. */
  get origins(): readonly HttpOrigin[] {
    return Array.from(this.#further.values(), ({ id, grant }) => ({
      id,
      ...(grant === undefined ? {} : { address: grant.address }),
    }));
  }

  /** @throws DriverError */
  async request(request: BrokerRequest): Promise<NodeResponse> {
    checkPath(request.path);
    if (request.origin !== undefined) return this.#askFurther(request.origin, request);
    if (request.node === undefined || this.#nodes[request.node] !== undefined) this.#checkForeign(request, this.#nodes[0]?.grant);
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    const body = await heldBody(request).catch((error: unknown) => {
      throw signal.aborted ? cancelled(signal) : error;
    });
    const mayRepeat = request.repeatable && isRepeatableBody(body);
    if (request.node !== undefined) return this.#askOnly(request.node, request, body, mayRepeat, signal);
    const first = this.#healthy;
    const order = this.#nodes.map((_node, index) => (first + index) % this.#nodes.length);
    const failures: DriverError[] = [];
    for (const index of order) {
      const node = this.#nodes[index];
      if (node === undefined) break;
      const isLast = index === order.at(-1) || !mayRepeat;
      try {
        const response = await this.#ask(node, request, body, mayRepeat, signal);
        if (response.status !== NOT_READY) this.#healthy = index;
        if (response.status !== NOT_READY || isLast) return { ...response, node: index };
        await passOver(response);
        failures.push(new DriverError('SERVER_NOT_READY', `${node.grant.address} is starting or catching up.`));
      } catch (error) {
        const failure = connectionError(signal.aborted ? cancelled(signal) : error, node.grant);
        if (signal.aborted || !NODE_IS_DOWN.has(failure.code)) throw failure;
        failures.push(failure);
        // A retry goes to the next one, also after a write.
        if (this.#healthy === index) this.#healthy = (index + 1) % this.#nodes.length;
        if (isLast || failures.filter(({ code }) => code === 'TIMEOUT').length === MOST_TIMEOUTS) break;
      }
    }
    throw unanswered(failures);
  }

  /** Closes every connection, also those in use. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#tunnel?.release();
    this.#closing.abort(new DriverError('CANCELLED', 'The session was closed.'));
    await Promise.all([
      ...this.#nodes.flatMap(({ grant, connections }) => [connections.close(), grant.close()]),
      ...Array.from(this.#further.values(), ({ broker }) => broker?.close()),
    ]);
  }

  async #askFurther(id: string, { origin: _origin, ...request }: BrokerRequest): Promise<NodeResponse> {
    const further = this.#further.get(id);
    if (further === undefined)
      throw new DriverError(
        'PERMISSION_DENIED',
        `The driver asked for the origin ${JSON.stringify(visibleText(id))}, which its manifest doesn't declare. Nothing was sent.`,
      );
    const { label, hostField, broker } = further;
    if (request.node !== undefined)
      throw new DriverError('INVALID_INPUT', `The driver asked for a node of ${label}, which has none. Nothing was sent.`);
    if (broker === undefined)
      throw new DriverError('INVALID_INPUT', `This connection has no address for ${label}. Nothing was sent.`, {
        details: {
          ...(hostField === undefined ? {} : { field: hostField }),
          advice: `Enter the host of ${label} in the connection's settings.`,
        },
      });
    this.#checkForeign(request, further.grant);
    try {
      return { ...(await broker.request(request)), node: undefined };
    } catch (error) {
      if (!(error instanceof DriverError) || error.code === 'CANCELLED') throw error;
      throw new DriverError(error.code, `${label}: ${error.message}`, { details: error.details, cause: error });
    }
  }

  /**
   * Carries no credential of one origin to another. Last of all checks: a request that isn't sent for another reason says nothing of what is in it. A hit
   * ends everything, so a driver that guesses learns from one answer alone.
   */
  #checkForeign({ path, headers }: BrokerRequest, target: HttpGrant | undefined): void {
    if (this.#further.size === 0 || target === undefined) return;
    this.#closing.signal.throwIfAborted();
    checkForm(path, headers, target);
    const others = [this.#nodes[0]?.grant, ...Array.from(this.#further.values(), ({ grant }) => grant)];
    for (const text of [path, ...Object.values(headers)]) {
      const isForeign = others.some((other) => other !== target && other?.repeatsSecret(text, 'whole') === true);
      if (!isForeign || target.repeatsSecret(text, 'whole')) continue;
      const error = new ForeignCredentialError();
      void this.close();
      this.#onMisuse(error);
      throw error;
    }
  }

  async #askOnly(
    index: number,
    request: BrokerRequest,
    body: Uint8Array | RequestBody | undefined,
    mayRepeat: boolean,
    signal: AbortSignal,
  ): Promise<NodeResponse> {
    const node = this.#nodes[index];
    if (node === undefined)
      throw new DriverError('INVALID_INPUT', `The driver asked for node ${index} of ${this.#nodes.length}. Nothing was sent.`);
    try {
      return { ...(await this.#ask(node, request, body, mayRepeat, signal)), node: index };
    } catch (error) {
      throw connectionError(signal.aborted ? cancelled(signal) : error, node.grant);
    }
  }

  /** One request to one node, sent again where a connection that was kept open turns out to be closed. */
  async #ask(
    node: Node,
    request: BrokerRequest,
    body: Uint8Array | RequestBody | undefined,
    mayRepeat: boolean,
    signal: AbortSignal,
  ): Promise<BrokerResponse> {
    const { grant } = node;
    const checked = checkForm(request.path, request.headers, grant);
    const send = async (fresh: boolean): Promise<Sent> => {
      const outgoing: OutgoingRequest = {
        method: request.method,
        origin: grant.origin,
        path: grant.origin.pathPrefix + request.path,
        headers: new Map(checked),
        body: body === undefined ? 'none' : body instanceof Uint8Array ? body : 'stream',
      };
      await grant.addCredentials(outgoing, signal);
      return this.#send(node, request, outgoing, body, signal, fresh);
    };
    let sent = await send(false);
    if (sent.response === undefined) {
      if (!mayRepeat || !sent.repeatable) throw sent.error;
      sent = await send(true);
      if (sent.response === undefined) throw sent.error;
    }
    // A token may have been taken back before its end. What the server has refused it has not done, so a write is sent again, too.
    if (sent.response.status !== UNAUTHORIZED || !isRepeatableBody(body) || !grant.renewCredentials()) return sent.response;
    await passOver(sent.response);
    const again = await send(false);
    if (again.response === undefined) throw again.error;
    return again.response;
  }

  async #send(
    { grant, connections }: Node,
    request: BrokerRequest,
    { path, headers }: OutgoingRequest,
    body: Uint8Array | RequestBody | undefined,
    signal: AbortSignal,
    fresh: boolean,
  ): Promise<Sent> {
    const connection: BrokerConnection = await connections.take(signal, fresh);
    const exchange = new HttpExchange({
      grant,
      timeout: Math.min(request.timeoutMilliseconds ?? grant.timeoutMilliseconds, grant.timeoutMilliseconds),
      bodyWindow: this.#bodyWindow,
      signal,
      onDone: (complete) => connections.giveBack(connection, complete),
    });
    const sized = body !== undefined && !(body instanceof Uint8Array) && request.bodyBytes !== undefined;
    try {
      connection.client.dispatch(
        {
          method: request.method,
          path,
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
      return { response: undefined, error: reused ? error : silentEnd(error, grant), repeatable: reused };
    }
  }
}

/** @returns the headers by lower-case name. @throws DriverError `PERMISSION_DENIED` */
function checkForm(path: string, headers: BrokerRequest['headers'], grant: HttpGrant): Map<string, string> {
  checkWithinPrefix(path, grant.origin.pathPrefix);
  checkParameters(path, grant.credentialParameters);
  return checkHeaders(headers, grant.credentialHeaders);
}

async function heldBody({ body, bodyBytes }: BrokerRequest): Promise<Uint8Array | RequestBody | undefined> {
  if (body === undefined || bodyBytes === undefined || bodyBytes > HELD_BODY) return body;
  const bytes = await body.collect(HELD_BODY);
  if (bytes.length !== bodyBytes)
    throw new DriverError('INVALID_INPUT', 'The length of the request body differs from its Content-Length.');
  return bytes;
}

/** Reads the rest of a dropped answer, so that its connection can be used again; a long one is cut. */
async function passOver({ body }: BrokerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > LONGEST_PASSED_OVER) break;
  }
}

/** The first failure, and that the others failed too. */
function unanswered(failures: readonly DriverError[]): DriverError {
  const [first, ...others] = failures;
  if (first === undefined || others.length === 0) return first ?? new DriverError('SERVER_NOT_READY');
  const message = `${first.message} No other node answered: ${others.map((other) => other.message).join(' ')}`;
  return new DriverError(first.code, message, { details: first.details, cause: first });
}

function cancelled(signal: AbortSignal): DriverError {
  return signal.reason instanceof DriverError ? signal.reason : new DriverError('CANCELLED');
}
