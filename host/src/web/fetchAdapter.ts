import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { abortableRequest } from '../common/abortableRequest.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';

/** The body was larger than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Of no concern to the runtime: it trusts its transport. */
const KEPT_BACK = [
  'cookie',
  'authorization',
  'host',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
];
const HOP_BY_HOP = ['connection', 'transfer-encoding', 'keep-alive', 'set-cookie'];

export interface ServeOptions {
  readonly url: URL;
  readonly handler: FetchHandler;
  readonly largestBody: number;
  /** Aborted when the transport ends. */
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves one Node request by a fetch-shaped handler: bodies stream both ways and slow down with the slower side; the handler's signal is
 * aborted when the client goes away.
 *
 * @throws BodyTooLarge before an answer has begun, and what the handler throws
 */
export async function serveFetch(request: IncomingMessage, response: ServerResponse, options: ServeOptions): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = limitedBody(request, options.largestBody);
  const signal = AbortSignal.any([gone.signal, options.signal, body.overflow.signal]);
  let answer: Response;
  try {
    answer = await options.handler(toRequest(request, options.url, body.stream, signal));
  } catch (error) {
    body.overflow.signal.throwIfAborted();
    throw error;
  }
  if (body.overflow.signal.aborted) {
    await answer.body?.cancel();
    body.overflow.signal.throwIfAborted();
  }
  for (const [name, value] of answer.headers) if (!HOP_BY_HOP.includes(name)) response.setHeader(name, value);
  for (const [name, value] of Object.entries(options.headers)) response.setHeader(name, value);
  response.writeHead(answer.status);
  if (answer.body === null) {
    response.end();
    return;
  }
  await pipeline(Readable.fromWeb(answer.body), response, { signal: options.signal });
}

function toRequest(request: IncomingMessage, url: URL, stream: Readable | undefined, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || KEPT_BACK.includes(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const body =
    stream === undefined ? {} : { body: Readable.toWeb(stream) as ReadableStream<Uint8Array>, duplex: 'half' as const };
  return abortableRequest(url, { method: request.method ?? 'GET', headers, signal, ...body });
}

function limitedBody(request: IncomingMessage, largest: number): { stream: Readable | undefined; overflow: AbortController } {
  const overflow = new AbortController();
  if (request.method !== 'POST') return { stream: undefined, overflow };
  const tooLarge = new BodyTooLarge(`A body may have ${largest} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > largest) throw tooLarge;
  async function* counted(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > largest) {
        overflow.abort(tooLarge);
        throw tooLarge;
      }
      yield chunk;
    }
  }
  return { stream: Readable.from(counted(), { objectMode: false }), overflow };
}
