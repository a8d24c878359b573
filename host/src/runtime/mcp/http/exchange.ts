import type { IncomingMessage, ServerResponse } from 'node:http';

/** The one path. */
export const MCP_PATH = '/mcp';

/** What the protocol says in headers. All else is nobody's business behind the door, the token first of all, and would be checked for nothing. */
const PROTOCOL_HEADER = /^(?:accept|content-type|last-event-id|mcp-.*)$/;

/** The request as the protocol library takes it: without its body, which is read already. */
export function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (PROTOCOL_HEADER.test(name)) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return new Request(`http://127.0.0.1${MCP_PATH}`, { method: request.method ?? 'POST', headers });
}

/**
 * Writes an answer to a client that is not authenticated, and closes the connection. Where a body is still on its way, the connection stays
 * open for the guard to close: a client that is sending would see a reset and not the answer.
 */
export async function sendAndClose(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  const headers = { ...Object.fromEntries(answer.headers), 'content-length': bytes.length };
  response.writeHead(answer.status, request.complete ? { ...headers, connection: 'close' } : headers).end(bytes);
}

/** Answers that something else has taken the place of: nobody writes them any more. */
const cutShort = new WeakSet<ServerResponse>();
/** What a client may take to read the last word. */
const LAST_WORD_MILLISECONDS = 1_000;

/**
 * Ends a request that is under way with another answer, and closes the connection. Where a stream of events has begun, the answer is its last event.
 *
 * @param answer - an error of JSON-RPC
 */
export async function sendInstead(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed || response.writableEnded || cutShort.has(response)) return void response.destroy();
  cutShort.add(response);
  const text = await answer.text();
  const end = (body: string): void => {
    setTimeout(() => response.destroy(), LAST_WORD_MILLISECONDS).unref();
    response.end(body, () => response.destroy());
  };
  if (response.headersSent) return end(`event: message\ndata: ${text}\n\n`);
  const headers = { ...Object.fromEntries(answer.headers), 'content-length': Buffer.byteLength(text), connection: 'close' };
  response.writeHead(answer.status, headers);
  end(text);
}

/** Writes an answer as fast as the client takes it. A client that has gone away is no error. */
export async function send(response: ServerResponse, answer: Response): Promise<void> {
  if (isOver(response)) {
    await answer.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(answer.headers);
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  if ((headers['content-type'] ?? '').startsWith('application/json')) {
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (isOver(response)) return;
    response.writeHead(answer.status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  await sendStream(response, { status: answer.status, headers, body: answer.body });
}

interface StreamAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Writes a stream. One that is over within a turn of the event loop, as that of most calls is, leaves whole, in one packet: each packet more
 * would wake the client once more. Of any other the client gets the head after that turn, and each part when it comes.
 */
async function sendStream(response: ServerResponse, { status, headers, body }: StreamAnswer): Promise<void> {
  const reader = body.getReader();
  response.once('close', () => void reader.cancel().catch(() => undefined));
  let early: Uint8Array[] | undefined = [];
  const begin = setImmediate(() => {
    if (isOver(response)) return;
    response.writeHead(status, headers).flushHeaders();
    for (const part of early ?? []) response.write(part);
    early = undefined;
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isOver(response)) break;
      if (early !== undefined) early.push(value);
      else if (!response.write(value)) await untilOneOf(response, ['drain', 'close']);
    }
    if (cutShort.has(response)) return;
    if (early === undefined) response.end();
    else {
      const whole = Buffer.concat(early);
      response.writeHead(status, { ...headers, 'content-length': whole.length }).end(whole);
    }
    if (!response.writableFinished && !response.destroyed) await untilOneOf(response, ['finish', 'close']);
  } catch {
    if (!cutShort.has(response)) response.destroy();
  } finally {
    clearImmediate(begin);
  }
}

function isOver(response: ServerResponse): boolean {
  return response.destroyed || cutShort.has(response);
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
