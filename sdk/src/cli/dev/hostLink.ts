import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CliError } from '../cliError.ts';
import { regularFileText } from '../package/regularFileContent.ts';

// How a running host is spoken to: docs/reference/host-socket.md. The host's own commands go the same way.

const PROTOCOL = 2;
const CHALLENGE_HEADER = 'tabularium-challenge';
const HELLO_MILLISECONDS = 5_000;

const endpointSchema = z.object({
  version: z.literal(1),
  pid: z.number(),
  socket: z.string().min(1),
  key: z.string().regex(/^[0-9a-f]{64}$/),
  lifetime: z.enum(['host', 'command']),
  home: z.string().optional(),
});
type Endpoint = z.output<typeof endpointSchema>;

const helloSchema = z.object({ protocol: z.number(), proof: z.string(), version: z.string() });
const answerSchema = z.union([
  z.object({ result: z.object({ data: z.unknown() }) }),
  z.object({
    error: z.object({ data: z.object({ report: z.object({ code: z.string(), message: z.string(), advice: z.string() }) }) }),
  }),
]);

interface CallOptions {
  readonly signal: AbortSignal;
}

/** A host that runs, and proved that the home is its own. */
export interface RunningHost {
  readonly version: string;
  /**
   * Has the host do something.
   *
   * @param procedure - such as `owner.drivers.built`
   * @throws CliError `HOST_REFUSED` with its words; HostStopped when it went away
   */
  run(procedure: string, input: unknown, options: CallOptions): Promise<unknown>;
  /**
   * Follows the events of the host until the stream ends normally.
   *
   * @throws as `run` does
   */
  follow(procedure: string, input: unknown, options: CallOptions & { readonly onEvent: (event: unknown) => void }): Promise<void>;
}

/** The host went away before it had answered. */
export class HostStopped extends Error {
  override readonly name = 'HostStopped';
}

/** Finds the host that owns a home. @returns undefined when none runs there, or only a command that ends at once */
export async function findHost(home: string, signal: AbortSignal): Promise<RunningHost | undefined> {
  const endpoint = await readEndpoint(home);
  if (endpoint?.lifetime !== 'host') return undefined;
  const challenge = randomBytes(32).toString('hex');
  try {
    const response = await send(
      endpoint,
      '/hello',
      { [CHALLENGE_HEADER]: challenge },
      '',
      AbortSignal.any([signal, AbortSignal.timeout(HELLO_MILLISECONDS)]),
    );
    const hello = helloSchema.parse(JSON.parse(await text(response)));
    const expected = createHmac('sha256', endpoint.key).update(`tabularium host ${challenge}`).digest('hex');
    // A socket outlives its host, and somebody else may take its place.
    if (hello.proof.length !== expected.length || !timingSafeEqual(Buffer.from(hello.proof), Buffer.from(expected)))
      return undefined;
    if (hello.protocol !== PROTOCOL) {
      throw new CliError(
        'HOST_REFUSED',
        `The host that runs is Tabularium ${hello.version}, which speaks another protocol than this SDK.`,
        'Update the SDK, or Tabularium.',
      );
    }
    return {
      version: hello.version,
      run: (procedure, input, options) => runProcedure(endpoint, procedure, input, options),
      follow: (procedure, input, options) => followProcedure(endpoint, procedure, input, options),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CliError) throw error;
    return undefined;
  }
}

async function readEndpoint(home: string): Promise<Endpoint | undefined> {
  try {
    const endpoint = endpointSchema.parse(JSON.parse(await regularFileText(join(home, 'host.json'))));
    // A copy of a home has the `host.json` of the original.
    return (endpoint.home ?? dirname(endpoint.socket)) === (await realpath(home)) ? endpoint : undefined;
  } catch {
    return undefined;
  }
}

async function runProcedure(endpoint: Endpoint, procedure: string, input: unknown, { signal }: CallOptions): Promise<unknown> {
  const body = JSON.stringify(input);
  return orStopped(signal, async () => {
    const response = await send(endpoint, `/api/trpc/${procedure}`, authorization(endpoint), body, signal);
    return dataOf(JSON.parse(await text(response)));
  });
}

async function followProcedure(
  endpoint: Endpoint,
  procedure: string,
  input: unknown,
  { signal, onEvent }: CallOptions & { readonly onEvent: (event: unknown) => void },
): Promise<void> {
  const path = `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  await orStopped(signal, async () => {
    const response = await send(endpoint, path, { ...authorization(endpoint), accept: 'text/event-stream' }, undefined, signal);
    if (response.statusCode !== 200) {
      dataOf(JSON.parse(await text(response)));
      return;
    }
    for await (const { event, data } of serverSentEvents(response)) {
      if (event === 'message') onEvent(JSON.parse(data));
      if (event === 'serialized-error') dataOf({ error: JSON.parse(data) as unknown });
      if (event === 'return') return;
    }
    throw new HostStopped('The host went away.');
  });
}

function authorization({ key }: Endpoint): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** The content of an answer. @throws CliError `HOST_REFUSED` */
function dataOf(value: unknown): unknown {
  const answer = answerSchema.parse(value);
  if ('result' in answer) return answer.result.data;
  const { code, message, advice } = answer.error.data.report;
  throw new CliError('HOST_REFUSED', message, advice, { facts: { hostCode: code } });
}

async function orStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof CliError) throw cause;
    throw new HostStopped('The host went away.', { cause });
  }
}

/** The events of a stream of `text/event-stream`, as far as hosts write it: no event has data of several lines. */
async function* serverSentEvents(response: IncomingMessage): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
        }),
      );
      yield { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
    }
  }
}

function send(
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: endpoint.socket,
      method: body === undefined ? 'GET' : 'POST',
      path,
      agent: false,
      signal,
      headers:
        body === undefined
          ? headers
          : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    outgoing.once('response', resolve).once('error', reject);
    outgoing.end(body);
  });
}
