import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { HostError } from '../../common/errors.ts';
import {
  CHALLENGE_HEADER,
  COMMAND_PROTOCOL,
  CommandError,
  LARGEST_COMMAND_BYTES,
  helloSchema,
  lineSchema,
  proofOf,
  sameText,
} from './commandProtocol.ts';
import type { Hello } from './commandProtocol.ts';
import { isOwnSocket } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';

const HELLO_MILLISECONDS = 5_000;
const LARGEST_HELLO = 10_000;

/** A host that answered and proved that it owns the home. */
export interface CommandClient {
  readonly hostVersion: string;
  /**
   * Sends one command.
   *
   * @throws CommandError what the host answered; HostUnavailable when it ran nothing of the command; HostError `INTERNAL` when it stopped before it
   *   had answered, `INVALID_REQUEST` for a command that is too large
   */
  run(
    command: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly onEvent: (event: unknown) => void | Promise<void> },
  ): Promise<unknown>;
}

/** The host stopped, or was replaced, before it ran anything of the command, so that the command may be given to another one. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
}

/**
 * Talks to the host behind an endpoint.
 *
 * @returns undefined when nobody is there any more, or somebody who does not know the endpoint's key
 * @throws HostError `HOME_IN_USE` when the host does not answer, or speaks another version
 */
export async function connectToHost(endpoint: Endpoint, signal: AbortSignal): Promise<CommandClient | undefined> {
  if (!(await isOwnSocket(endpoint))) return undefined;
  const hello = await sayHello(endpoint, signal);
  if (hello === undefined) return undefined;
  if (hello.protocol !== COMMAND_PROTOCOL) {
    throw new HostError(
      'HOME_IN_USE',
      `The host that owns this home is Tabularium ${hello.version}, and this is another version.`,
      {
        details: { advice: 'Stop that host, or use the command that belongs to it.' },
      },
    );
  }
  return {
    hostVersion: hello.version,
    run: (command, input, options) => runCommand(endpoint, command, input, options),
  };
}

async function sayHello(endpoint: Endpoint, signal: AbortSignal): Promise<Hello | undefined> {
  const challenge = randomBytes(32).toString('hex');
  const timeout = AbortSignal.timeout(HELLO_MILLISECONDS);
  try {
    const response = await send(endpoint, '/hello', { [CHALLENGE_HEADER]: challenge }, '', AbortSignal.any([signal, timeout]));
    const answer = helloSchema.safeParse(JSON.parse((await text(response)).slice(0, LARGEST_HELLO)));
    return answer.success && sameText(answer.data.proof, proofOf(endpoint.key, challenge)) ? answer.data : undefined;
  } catch (cause) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      throw new HostError('HOME_IN_USE', `The host that owns this home (process ${endpoint.pid}) does not answer.`, { cause });
    }
    return undefined;
  }
}

async function runCommand(
  endpoint: Endpoint,
  command: string,
  input: unknown,
  { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: (event: unknown) => void | Promise<void> },
): Promise<unknown> {
  const body = JSON.stringify({ command, arguments: input });
  if (Buffer.byteLength(body) > LARGEST_COMMAND_BYTES) throw new HostError('INVALID_REQUEST', 'The command is too large.');
  const response = await begin(endpoint, body, signal);
  try {
    for await (const text of linesOf(response)) {
      const line = lineSchema.parse(JSON.parse(text));
      if ('error' in line) throw new CommandError(line.error);
      if ('result' in line) return line.result;
      await onEvent(line.event);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof CommandError || cause instanceof HostError) throw cause;
    throw hostWentAway(cause);
  }
  signal.throwIfAborted();
  throw hostWentAway(undefined);
}

/**
 * Sends the command and waits for the head of the answer. A host sends the head before it runs anything, so that whatever fails before the
 * head has run nothing: the host had stopped, was stopping, or another one has taken its place, which does not know the key.
 */
async function begin(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  let response: IncomingMessage;
  try {
    response = await send(endpoint, '/command', { authorization: `Bearer ${endpoint.key}` }, body, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new HostUnavailable('The host has stopped.', { cause });
  }
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new HostUnavailable(`The host did not take the command (${response.statusCode ?? 0}).`);
}

/** Not node:readline: its iterator neither stops the stream when it is full nor reports the stream's errors. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function hostWentAway(cause: unknown): HostError {
  return new HostError('INTERNAL', 'The host stopped before it had answered.', {
    cause,
    details: { advice: 'Look whether it runs, and try again. What the command was to do may or may not have been done.' },
  });
}

function send(
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: endpoint.socket,
      method: 'POST',
      path,
      agent: false,
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    outgoing.once('response', resolve).once('error', reject);
    outgoing.end(body);
  });
}
