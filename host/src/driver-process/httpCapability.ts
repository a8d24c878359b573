import type { HttpCapability, HttpOrigin, HttpRequest, HttpResponse } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { ReceivedBody } from '@tabularium/sdk/protocol';
import { HOST_METHODS } from '@tabularium/sdk/protocol';
import type { AskHost } from './askHost.ts';

const DEFAULT_TEXT_BYTES = 64 * 1024 * 1024;
const encoder = new TextEncoder();

/** `context.http`: every request is one request to the host, which sends it. */
export function httpCapability(
  session: number,
  { nodes, origins }: { readonly nodes: readonly string[]; readonly origins: readonly HttpOrigin[] },
  ask: AskHost,
  callSignal: () => AbortSignal | undefined,
): HttpCapability {
  return {
    nodes: Object.freeze([...nodes]),
    origins: Object.freeze(origins.map((origin) => Object.freeze({ ...origin }))),
    async request(request) {
      const body = typeof request.body === 'string' ? encoder.encode(request.body) : request.body;
      const signals = [request.signal, callSignal()].filter((signal) => signal !== undefined);
      const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      const answer = await ask({
        method: 'http.request',
        session,
        params: params(request, body),
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      const { status, headers, node } = HOST_METHODS['http.request'].result.parse(answer.result);
      return { ...response(status, headers, answer.body), ...(node === undefined ? {} : { node }) };
    },
  };
}

function params(request: HttpRequest, body: HttpRequest['body']): unknown {
  return {
    method: request.method,
    path: request.path,
    headers: { ...request.headers },
    repeatable: request.repeatable ?? false,
    ...(request.node === undefined ? {} : { node: request.node }),
    ...(request.origin === undefined ? {} : { origin: request.origin }),
    ...(request.timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds: request.timeoutMilliseconds }),
    hasBody: body !== undefined,
    ...(body instanceof Uint8Array ? { bodyBytes: body.length } : {}),
  };
}

function response(status: number, headers: Readonly<Record<string, string>>, body: ReceivedBody): HttpResponse {
  return {
    status,
    headers,
    body,
    async text(maxBytes = DEFAULT_TEXT_BYTES) {
      try {
        return new TextDecoder().decode(await body.collect(maxBytes));
      } catch (error) {
        if (error instanceof DriverError && error.code === 'TOO_LARGE') {
          throw new DriverError('TOO_LARGE', `The server's answer is larger than ${maxBytes} bytes.`, { cause: error });
        }
        throw error;
      }
    },
    async discard() {
      body.discard();
    },
  };
}
