import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { HttpCapability, HttpRequest, HttpResponse } from '../capabilities/http.ts';
import { DriverError } from '../errors.ts';
import type { DriverErrorCode } from '../errors.ts';

/** An {@link HttpCapability} for tests, without a host. */
export interface TestHttp extends HttpCapability {
  /** Every request that was sent, oldest first, without bodies that are streams. */
  readonly requests: readonly HttpRequest[];
  /** Ends the connections that are kept open. */
  close(): void;
}

/** Where the capability sends its requests, and with what. */
export interface TestHttpOptions {
  /** The headers that the host would add for the manifest's credentials. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Milliseconds until the head of an answer must be there; default 30,000. */
  readonly timeoutMilliseconds?: number;
  /** Origins of further nodes. Requests go there only by {@link HttpRequest.node}: the test capability doesn't choose another node. */
  readonly nodes?: readonly string[];
  /**
   * The manifest's further origins by their ids, in its order: where each is, undefined for one that the connection doesn't have, and the headers that the
   * host would add there. New in contract 1.1.
   */
  readonly origins?: Readonly<
    Record<string, { readonly origin?: string; readonly credentials?: Readonly<Record<string, string>> }>
  >;
}

/** One place that requests go to. */
interface Place {
  readonly url: URL;
  readonly credentials: Readonly<Record<string, string>>;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;
const MAX_TEXT_BYTES = 64 * 1_048_576;
const PATH = /^\/(?!\/)[!-[\]-~]{0,16383}$/;
const HOST_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding'];

const errorCodes: Readonly<Record<string, DriverErrorCode>> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ENOTFOUND: 'HOST_NOT_FOUND',
  EAI_AGAIN: 'HOST_NOT_FOUND',
};

/**
 * The http capability over Node's own client, as strict as the host is: the same paths and headers are refused, redirects are not
 * followed, the path is sent as it is given.
 *
 * @param origin - such as `http://127.0.0.1:8108`
 */
export function createTestHttp(origin: string, options: TestHttpOptions = {}): TestHttp {
  const nodes = [origin, ...(options.nodes ?? [])].map((node): Place => ({
    url: new URL(node),
    credentials: options.credentials ?? {},
  }));
  const further = new Map(
    Object.entries(options.origins ?? {}).map(([id, { origin: address, credentials = {} }]) => [
      id,
      { credentials, place: address === undefined ? undefined : { url: new URL(address), credentials } },
    ]),
  );
  const agents = { plain: new PlainAgent({ keepAlive: true }), tls: new TlsAgent({ keepAlive: true }) };
  const requests: HttpRequest[] = [];
  // As the host does: a header that is a credential of one origin is refused in requests to each.
  const ofCredentials = [options.credentials ?? {}, ...Array.from(further.values(), ({ credentials }) => credentials)].flatMap(
    Object.keys,
  );
  const forbidden = new Set([...HOST_HEADERS, ...ofCredentials].map((name) => name.toLowerCase()));
  const limit = options.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;

  const placeOf = ({ origin: id, node }: HttpRequest): Place => {
    if (id === undefined) {
      const found = nodes[node ?? 0];
      if (found !== undefined) return found;
      throw new DriverError('INVALID_INPUT', `The host refuses node ${node ?? 0} of ${nodes.length}.`);
    }
    const found = further.get(id);
    if (found === undefined)
      throw new DriverError('PERMISSION_DENIED', `The host refuses the origin ${id}, which isn't declared.`);
    if (node !== undefined) throw new DriverError('INVALID_INPUT', `The host refuses a node of the origin ${id}.`);
    if (found.place === undefined) throw new DriverError('INVALID_INPUT', `The connection has no address for the origin ${id}.`);
    return found.place;
  };

  const exchange = (request: HttpRequest, { url: { protocol, hostname, port }, credentials }: Place): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      let answered: IncomingMessage | undefined;
      let why: DriverError | undefined;
      const secure = protocol === 'https:';
      const message: ClientRequest = (secure ? tlsRequest : plainRequest)({
        agent: secure ? agents.tls : agents.plain,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: request.method,
        path: request.path,
        headers: { ...request.headers, ...credentials },
      });
      const end = (error: DriverError): void => {
        why ??= error;
        (answered ?? message).destroy(why);
      };
      const timer = setTimeout(() => end(new DriverError('TIMEOUT')), Math.min(limit, request.timeoutMilliseconds ?? limit));
      const cancel = (): void => end(new DriverError('CANCELLED'));
      request.signal?.addEventListener('abort', cancel, { once: true });
      const release = (): void => {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', cancel);
      };
      message.once('error', (error) => {
        release();
        reject(why ?? asDriverError(error));
      });
      message.once('response', (answer) => {
        clearTimeout(timer);
        answered = answer;
        answer.once('close', release);
        resolve({ ...responseOf(answer, () => why), ...(request.origin === undefined ? { node: request.node ?? 0 } : {}) });
      });
      if (request.body === undefined || typeof request.body === 'string' || request.body instanceof Uint8Array) {
        message.end(request.body);
      } else {
        Readable.from(request.body).pipe(message);
      }
    });

  return {
    requests,
    nodes: nodes.map(addressOf),
    origins: Array.from(further, ([id, { place }]) => ({ id, ...(place === undefined ? {} : { address: addressOf(place) }) })),
    close: () => {
      agents.plain.destroy();
      agents.tls.destroy();
    },
    async request(request) {
      const wrong =
        !PATH.test(request.path) || Object.keys(request.headers ?? {}).some((name) => forbidden.has(name.toLowerCase()));
      if (wrong)
        throw new DriverError('PERMISSION_DENIED', `The host refuses the path or a header of ${request.method} ${request.path}`);
      const place = placeOf(request);
      if (request.signal?.aborted === true) throw new DriverError('CANCELLED');
      requests.push(request);
      try {
        return await exchange(request, place);
      } catch (error) {
        const again = request.repeatable === true && error instanceof DriverError && error.code === 'CONNECTION_LOST';
        if (!again) throw error;
        return exchange(request, place);
      }
    },
  };
}

/** Host and port. */
function addressOf({ url: { protocol, host, port } }: Place): string {
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}

function asDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new DriverError(errorCodes[code] ?? 'CONNECTION_LOST', undefined, { cause: error });
}

function responseOf(answer: IncomingMessage, reason: () => DriverError | undefined): HttpResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const body = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of answer) yield chunk as Uint8Array;
    } catch (error) {
      throw reason() ?? asDriverError(error);
    } finally {
      answer.destroy();
    }
  };
  const chunks = body();
  return {
    status: answer.statusCode ?? 0,
    headers,
    body: chunks,
    async text(maxBytes = MAX_TEXT_BYTES) {
      const decoder = new TextDecoder();
      let text = '';
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.byteLength;
        if (size > maxBytes) throw new DriverError('TOO_LARGE');
        text += decoder.decode(chunk, { stream: true });
      }
      return text + decoder.decode();
    },
    async discard() {
      await chunks.return(undefined);
      answer.destroy();
    },
  };
}
