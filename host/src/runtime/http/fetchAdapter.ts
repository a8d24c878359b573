import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { abortableRequest } from '../../common/abortableRequest.ts';
import type { FetchHandler } from '../../common/fetchHandler.ts';

/** The body was larger than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

export interface RequestOptions {
  readonly url: URL | string;
  /** Whether the handler gets a header. Names are in lower case. */
  readonly passes: (header: string) => boolean;
  readonly signal?: AbortSignal;
  /** The request's body for the handler; none by default. */
  readonly body?: Readable | Uint8Array<ArrayBuffer> | undefined;
}

/** A request of Node as a handler takes it. A header that came several times has all its values. Its signal follows the given one. */
export function toRequest({ method = 'GET', rawHeaders }: IncomingMessage, options: RequestOptions): Request {
  const { url, passes, signal, body } = options;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (passes(name)) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return abortableRequest(url, {
    method,
    headers,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body: body instanceof Readable ? Readable.toWeb(body) : body, duplex: 'half' as const }),
  });
}

/** Headers of an answer that a handler leaves to its transport. One that asks another host has them in that one's answer. */
const OF_TRANSPORT: readonly string[] = ['connection', 'keep-alive', 'set-cookie'];

/** How much of an answer waits for the turn to end. A body that has its parts ready would else be collected whole. */
const MOST_EARLY_BYTES = 65_536;

/**
 * Sends an answer as fast as the client takes it, beside the headers that the response has already. A client that goes away isn't an error: the body
 * is cancelled. Resolves when the connection has taken everything, or is closed.
 *
 * A body that is over within a turn of the event loop, as almost every one is, leaves whole, in one packet with its length: each packet more would
 * wake the client once more. Of any other the client gets the head after that turn, and each part when it comes.
 *
 * @param headers - instead of the answer's
 * @throws the error of the body, after the connection was closed: the client sees that its answer is cut
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Response,
  headers: Readonly<Record<string, string>> = Object.fromEntries(answer.headers),
): Promise<void> {
  if (isOver(response)) {
    await answer.body?.cancel();
    return;
  }
  // How a body is divided on the wire is Node's. tRPC says it of its streams.
  const { 'transfer-encoding': _, ...head } = headers;
  const body: ReadableStream<Uint8Array> | null = answer.body;
  if (body === null) {
    response.writeHead(answer.status, head).end();
    return;
  }
  const reader = body.getReader();
  response.once('close', () => void reader.cancel().catch(() => undefined));
  const early: Uint8Array[] = [];
  let earlyBytes = 0;
  let isEarly = true;
  const begin = (): void => {
    if (isOver(response)) return;
    isEarly = false;
    response.writeHead(answer.status, head).flushHeaders();
    for (const part of early) response.write(part);
  };
  const turn = setImmediate(begin);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isOver(response)) break;
      if (isEarly && (early.length === 0 || earlyBytes + value.length <= MOST_EARLY_BYTES)) {
        early.push(value);
        earlyBytes += value.length;
        continue;
      }
      clearImmediate(turn);
      if (isEarly) begin();
      if (!response.write(value)) await untilOneOf(response, ['drain', 'close']);
    }
    // A whole answer has its head: `begin` would write it again before a slow connection has taken the body.
    clearImmediate(turn);
    if (cutShort.has(response)) return;
    if (!isEarly) response.end();
    else {
      const whole = early.length === 1 && early[0] !== undefined ? early[0] : Buffer.concat(early);
      response.writeHead(answer.status, { ...head, 'content-length': whole.length }).end(whole);
    }
    if (!response.writableFinished && !response.destroyed) await untilOneOf(response, ['finish', 'close']);
  } catch (error) {
    if (isOver(response)) return;
    response.destroy();
    throw error;
  } finally {
    clearImmediate(turn);
  }
}

/** Answers that another one has taken the place of: nothing else writes them any more. */
const cutShort = new WeakSet<ServerResponse>();
/** How long a client may take to read the last answer. */
const LAST_ANSWER_MILLISECONDS = 1_000;

/**
 * Ends a request that is in flight with another answer, and closes the connection. Where a stream of events has begun, the answer is its last event.
 *
 * @param answer - JSON of one line
 */
export async function sendInstead(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed || response.writableEnded || cutShort.has(response)) return void response.destroy();
  cutShort.add(response);
  const text = await answer.text();
  const end = (body: string): void => {
    setTimeout(() => response.destroy(), LAST_ANSWER_MILLISECONDS).unref();
    response.end(body, () => response.destroy());
  };
  if (response.headersSent) return end(`event: message\ndata: ${text}\n\n`);
  const headers = { ...Object.fromEntries(answer.headers), 'content-length': Buffer.byteLength(text), connection: 'close' };
  response.writeHead(answer.status, headers);
  end(text);
}

function isOver(response: ServerResponse): boolean {
  return response.destroyed || cutShort.has(response);
}

/**
 * Sends an answer to a client that is not authenticated, and closes the connection. Where a body is still in flight, the connection stays
 * open for the guard to close: a client that is sending would see a reset and not the answer.
 */
export async function sendAndClose(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  const headers = { ...Object.fromEntries(answer.headers), 'content-length': bytes.length };
  response.writeHead(answer.status, request.complete ? { ...headers, connection: 'close' } : headers).end(bytes);
}

export interface ServeOptions extends Pick<RequestOptions, 'url' | 'passes'> {
  readonly handler: FetchHandler;
  /** Bytes of a body. */
  readonly largestBody: number;
  /** Aborted when the transport ends. */
  readonly signal: AbortSignal;
  /** Headers of every answer, also against the handler. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves one request by a handler. Bodies stream both ways and slow down with the slower side; the handler's signal is aborted when the client goes
 * away, when the transport ends, and when the body is too large.
 *
 * @throws BodyTooLarge before an answer has begun, and what the handler or its answer's body throws
 */
export async function serveFetch(request: IncomingMessage, response: ServerResponse, options: ServeOptions): Promise<void> {
  const body = limitedBody(request, options.largestBody);
  const { overflow } = body;
  const signal = AbortSignal.any([goneSignal(response), options.signal, overflow]);
  let answer: Response;
  try {
    answer = await options.handler(toRequest(request, { ...options, signal, body: body.stream }));
  } catch (error) {
    overflow.throwIfAborted();
    throw error;
  }
  if (overflow.aborted) {
    await answer.body?.cancel();
    overflow.throwIfAborted();
  }
  const headers = [...answer.headers].filter(([name]) => !OF_TRANSPORT.includes(name));
  await sendAnswer(response, answer, { ...Object.fromEntries(headers), ...options.headers });
}

/** Aborted when the client goes away, or has its answer. @param reason - what the signal says then */
export function goneSignal(response: ServerResponse, reason?: () => Error): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort(reason?.()));
  return gone.signal;
}

function limitedBody(
  request: IncomingMessage,
  largest: number,
): { readonly stream: Readable | undefined; readonly overflow: AbortSignal } {
  const overflow = new AbortController();
  if (request.method !== 'POST') return { stream: undefined, overflow: overflow.signal };
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
  return { stream: Readable.from(counted(), { objectMode: false }), overflow: overflow.signal };
}

function untilOneOf(response: ServerResponse, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const listener = (): void => {
      for (const event of events) response.off(event, listener);
      resolve();
    };
    for (const event of events) response.on(event, listener);
  });
}
