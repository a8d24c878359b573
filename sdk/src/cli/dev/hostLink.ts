import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CliError } from '../cliError.ts';

// How a running host is spoken to: docs/reference/host-socket.md. The host's own commands go the same way.

const PROTOCOL = 1;
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
const lineSchema = z.union([
  z.strictObject({ event: z.unknown() }),
  z.strictObject({ result: z.unknown() }),
  z.strictObject({ error: z.object({ code: z.string(), message: z.string(), advice: z.string() }) }),
]);

/** A host that runs, and proved that the home is its own. */
export interface RunningHost {
  readonly version: string;
  /**
   * Has the host do something.
   *
   * @throws CliError `HOST_REFUSED` with its words; HostStopped when it went away
   */
  run(
    command: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly onEvent?: (event: unknown) => void },
  ): Promise<unknown>;
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
    return { version: hello.version, run: (command, input, options) => runCommand(endpoint, command, input, options) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CliError) throw error;
    return undefined;
  }
}

async function readEndpoint(home: string): Promise<Endpoint | undefined> {
  try {
    const endpoint = endpointSchema.parse(JSON.parse(await readFile(join(home, 'host.json'), 'utf8')));
    // A copy of a home has the `host.json` of the original.
    return (endpoint.home ?? dirname(endpoint.socket)) === (await realpath(home)) ? endpoint : undefined;
  } catch {
    return undefined;
  }
}

async function runCommand(
  endpoint: Endpoint,
  command: string,
  input: unknown,
  { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent?: (event: unknown) => void },
): Promise<unknown> {
  try {
    const body = JSON.stringify({ command, arguments: input });
    const response = await send(endpoint, '/command', { authorization: `Bearer ${endpoint.key}` }, body, signal);
    let rest = '';
    response.setEncoding('utf8');
    for await (const chunk of response as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const said = lineSchema.parse(JSON.parse(line));
        if ('error' in said)
          throw new CliError('HOST_REFUSED', said.error.message, said.error.advice, { facts: { hostCode: said.error.code } });
        if ('result' in said) return said.result;
        onEvent?.(said.event);
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof CliError) throw cause;
    throw new HostStopped('The host went away.', { cause });
  }
  signal.throwIfAborted();
  throw new HostStopped('The host went away.');
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
