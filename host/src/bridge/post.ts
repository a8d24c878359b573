import { request } from 'node:http';
import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { McpEndpoint } from './application.ts';

/** A request did not get its answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
  /** `unsent`: nothing of the request has left the bridge. `silent`: it was given up after a long silence. */
  readonly how: 'unsent' | 'sent' | 'silent';

  constructor(how: 'unsent' | 'sent' | 'silent', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.how = how;
  }
}

/** Nothing came for too long. */
class Silence extends Error {
  override readonly name = 'Silence';
}

/** The outcome of an incomplete answer. */
function lostWhileReading(error: unknown): Lost {
  return new Lost(error instanceof Silence ? 'silent' : 'sent', error);
}

export interface PostOptions {
  readonly agent: Agent;
  readonly method?: 'POST' | 'DELETE';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
  /** Milliseconds without a byte after which it is given up; undefined: never. */
  readonly silenceMilliseconds?: number | undefined;
  /** Called when the body has left the bridge, or never will. */
  readonly onSent?: () => void;
}

/** Sends one message. Resolves with the answer's head. @throws Lost */
export function post(endpoint: McpEndpoint, options: PostOptions): Promise<IncomingMessage> {
  const { agent, method = 'POST', headers, body, signal, silenceMilliseconds, onSent } = options;
  const { port, token } = endpoint.handshake;
  return new Promise((resolve, reject) => {
    let sent = false;
    let answer: IncomingMessage | undefined;
    const sending = request({
      agent,
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'content-length': body.length }),
      },
    });
    if (signal !== undefined) {
      // Not the option of `request`, which hangs a watcher for ends and errors onto every request.
      const onAbort = (): void => void sending.destroy(signal.reason as Error);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      sending.once('close', () => signal.removeEventListener('abort', onAbort));
    }
    // A socket exists only once it has been proven; from here on bytes may have left.
    sending.once('socket', () => {
      sent = true;
    });
    if (silenceMilliseconds !== undefined) {
      sending.setTimeout(silenceMilliseconds, () => {
        const silence = new Silence();
        // The reader of an answer that has begun gets the reason for its end.
        answer?.destroy(silence);
        sending.destroy(silence);
      });
    }
    sending.once('finish', () => onSent?.());
    sending.once('close', () => onSent?.());
    sending.on('error', (error) => reject(sent ? lostWhileReading(error) : new Lost('unsent', error)));
    sending.once('response', (response) => {
      answer = response;
      resolve(response);
    });
    sending.end(body);
  });
}

/**
 * Reads an answer to its end.
 *
 * @param take - gets each chunk; the next one is read when what it returns has resolved
 * @throws Lost when it ends before its end
 */
export function readChunks(response: IncomingMessage, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  // By events: an iteration costs a call of a tool as much as all else that is done with its answer.
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(lostWhileReading(error));
      response.destroy();
    };
    // An ended connection emits no further event.
    if (response.destroyed) return fail(new Error('the connection was closed'));
    response.on('data', (chunk: Buffer) => {
      try {
        const taken = take(chunk);
        if (taken === undefined) return;
        response.pause();
        taken.then(() => response.resume(), fail);
      } catch (error) {
        fail(error);
      }
    });
    let ended = false;
    response.once('end', () => {
      ended = true;
      resolve();
    });
    response.once('error', fail);
    response.once('close', () => {
      if (!ended) fail(new Error('the connection was closed'));
    });
  });
}

/** Reads a whole answer. @throws Lost when it ends before its end */
export async function readWholeAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await readChunks(response, (chunk) => void chunks.push(chunk));
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
