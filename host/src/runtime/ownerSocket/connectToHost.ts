import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { HostError } from '../../common/errors.ts';
import type { FetchHandler } from '../../common/fetchHandler.ts';
import {
  CHALLENGE_HEADER,
  LARGEST_BODY_BYTES,
  OWNER_PROTOCOL,
  ReportedError,
  helloSchema,
  proofOf,
  reportSchema,
  sameText,
} from './ownerProtocol.ts';
import type { Hello } from './ownerProtocol.ts';
import { isOwnSocket } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';

const HELLO_MILLISECONDS = 5_000;
const LARGEST_HELLO = 10_000;
const LARGEST_REFUSAL = 100_000;

/** A host that answered and proved that it owns the home. */
export interface ConnectedHost {
  readonly hostVersion: string;
  /**
   * Asks the host's API, and gives its answer as it comes. Aborting the request, or giving up the answer's body, cancels what runs.
   *
   * @throws HostUnavailable when the host ran nothing of the request; ReportedError when it refused the request; HostError `INTERNAL` when it
   *   stopped before it had answered (the body fails with the same), `INVALID_REQUEST` for a request that is too large
   */
  readonly handler: FetchHandler;
}

/** The host stopped, or was replaced, before it ran anything of the request, so that the request may be given to another one. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
}

/**
 * Talks to the host behind an endpoint.
 *
 * @returns undefined when no process answers any more, or one without the endpoint's key
 * @throws HostError `HOME_IN_USE` when the host does not answer, or speaks another version
 */
export async function connectToHost(endpoint: Endpoint, signal: AbortSignal): Promise<ConnectedHost | undefined> {
  if (!(await isOwnSocket(endpoint))) return undefined;
  const hello = await sayHello(endpoint, signal);
  if (hello === undefined) return undefined;
  if (hello.protocol !== OWNER_PROTOCOL) {
    throw new HostError(
      'HOME_IN_USE',
      `The host that owns this home is Tabularium ${hello.version}, and this is another version.`,
      {
        details: { advice: 'Stop that host, or use the command that belongs to it.' },
      },
    );
  }
  return { hostVersion: hello.version, handler: (asked) => askHost(endpoint, asked) };
}

async function sayHello(endpoint: Endpoint, signal: AbortSignal): Promise<Hello | undefined> {
  const challenge = randomBytes(32).toString('hex');
  const timeout = AbortSignal.timeout(HELLO_MILLISECONDS);
  try {
    const { response } = await send(endpoint, {
      method: 'POST',
      path: '/hello',
      headers: { [CHALLENGE_HEADER]: challenge },
      body: Buffer.alloc(0),
      signal: AbortSignal.any([signal, timeout]),
    });
    const answer = helloSchema.safeParse(JSON.parse(await boundedText(response, LARGEST_HELLO)));
    return answer.success && sameText(answer.data.proof, proofOf(endpoint.key, challenge)) ? answer.data : undefined;
  } catch (cause) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      throw new HostError('HOME_IN_USE', `The host that owns this home (process ${endpoint.pid}) does not answer.`, {
        cause,
        details: {
          advice: `Wait a moment, and try again. If it stays so, end it, and start it again: ${endCommand(endpoint.pid)}`,
        },
      });
    }
    return undefined;
  }
}

/** Ends a process that reacts to nothing. */
function endCommand(pid: number): string {
  return process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
}

async function askHost(endpoint: Endpoint, asked: Request): Promise<Response> {
  const body = Buffer.from(await asked.arrayBuffer());
  if (body.byteLength > LARGEST_BODY_BYTES) throw new HostError('INVALID_REQUEST', 'The command is too large.');
  const { pathname, search } = new URL(asked.url);
  const headers = { ...Object.fromEntries(asked.headers), authorization: `Bearer ${endpoint.key}` };
  const { signal } = asked;
  const { response, taken } = await send(endpoint, { method: asked.method, path: pathname + search, headers, body, signal });
  if (!taken) return refused(response);
  const answerHeaders = new Headers();
  for (const [name, value] of Object.entries(response.headers)) if (typeof value === 'string') answerHeaders.set(name, value);
  return new Response(bodyOf(response, signal), {
    status: response.statusCode ?? 500,
    headers: answerHeaders,
  });
}

/** A host that has not taken the request either does not want it, or is not the host any more. */
async function refused(response: IncomingMessage): Promise<never> {
  if (response.statusCode === 400) {
    const report = reportSchema.safeParse(JSON.parse(await boundedText(response, LARGEST_REFUSAL)));
    if (report.success) throw new ReportedError(report.data);
  }
  response.destroy();
  throw new HostUnavailable(`The host did not take the command (${response.statusCode ?? 0}).`);
}

/** The first bytes of an answer as text. What comes after them isn't read. */
async function boundedText(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}

/** Reads the answer no faster than it is asked for. Giving it up closes the connection, also before anything of it was read. */
function bodyOf(response: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = (response as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (cause) {
          controller.error(signal.aborted ? signal.reason : hostWentAway(cause));
        }
      },
      cancel: () => void response.destroy(),
    },
    { highWaterMark: 0 },
  );
}

function hostWentAway(cause: unknown): HostError {
  return new HostError('INTERNAL', 'The host stopped before it had answered.', {
    cause,
    details: { advice: 'Check that it is running, and try again. The command may have taken effect.' },
  });
}

interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and waits for the head of the answer. A host says that it has taken the request before it runs anything, so that whatever
 * fails before that has run nothing: the host had stopped, was stopping, or another one has taken its place, which does not know the key.
 *
 * @throws HostUnavailable, or HostError `INTERNAL` when the request had been taken
 */
function send(
  endpoint: Endpoint,
  { method, path, headers, body, signal }: Outgoing,
): Promise<{ readonly response: IncomingMessage; readonly taken: boolean }> {
  return new Promise((resolve, reject) => {
    let taken = false;
    const outgoing = request({
      socketPath: endpoint.socket,
      method,
      path,
      agent: false,
      signal,
      headers: { 'content-type': 'application/json', ...headers, 'content-length': body.byteLength },
    });
    outgoing
      .on('information', ({ statusCode }) => (taken ||= statusCode === 102))
      .once('response', (response) => resolve({ response, taken }))
      .once('error', (cause) => {
        if (signal.aborted) reject(signal.reason as Error);
        else reject(taken ? hostWentAway(cause) : new HostUnavailable('The host has stopped.', { cause }));
      });
    outgoing.end(body);
  });
}
