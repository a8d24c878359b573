import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startRuntime } from '../../host/src/cli/startRuntime.ts';
import { ROUTER_PATH } from '../../host/src/common/api.ts';
import type { FetchHandler } from '../../host/src/common/fetchHandler.ts';
import { inputsOf } from '../../host/src/runtime/api/boundInputs.ts';
import { ownerRouter } from '../../host/src/runtime/api/owner/ownerRouter.ts';
import { OwnerSocket } from '../../host/src/runtime/ownerSocket/ownerSocket.ts';
import { acquireHomeLock } from '../../host/src/runtime/storage/homeLock.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { exampleOf, hostileVariants } from './hostileInputs.ts';

/** Milliseconds until a call is cancelled: some of them last until they are. */
const PATIENCE = 1_000;

/** A call as it comes over the socket. */
export interface OwnerCall {
  readonly name: string;
  /** Of the procedure. */
  readonly path: string;
  /** The JSON of its input. */
  readonly json: string;
}

const inputs = [...inputsOf(ownerRouter)].flatMap(([path, [input]]) =>
  path.startsWith('owner.') && input !== undefined ? [{ path, input }] : [],
);

/** The owner's procedures that take an input; the window's are called through the API itself. */
export const ownerPaths: readonly string[] = inputs.map(({ path }) => path);

/** Every procedure of the owner, with hostile values of `size` characters in each of its parts. `file`: what stands for a text, such as a path. */
export function* ownerCalls(size: number, file: string): Generator<OwnerCall> {
  for (const { path, input } of inputs) {
    const example = exampleOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), file);
    for (const { name, json } of hostileVariants(example, size)) yield { name: `${path}: ${name}`, path, json };
  }
}

/** The API as the owner of a home has it, in a home of its own. */
export interface OwnerBench extends AsyncDisposable {
  readonly folder: string;
  readonly handler: FetchHandler;
  /** A signal that lets a call last a second. */
  signal(): AbortSignal;
}

/** Starts a runtime in an empty home. */
export async function startOwnerBench(): Promise<OwnerBench> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-commands-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const home = await openHome(join(folder, 'home'));
  const runtime = stack.use(await startRuntime({ home, env: {}, logger: silentLogger }));
  const handler = runtime.ownerHandler({ lifetime: 'host', newWindowUrl: () => undefined });
  const owned = stack.move();
  return { folder, handler, signal: () => AbortSignal.timeout(PATIENCE), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A host's socket for its owner. */
export interface FuzzedSocket extends AsyncDisposable {
  /** The errors that the host had to log as its own fault. */
  readonly faults: readonly string[];
  /** Calls a procedure with a body as it is. @returns the answer, whole */
  send(path: string, body: Uint8Array): Promise<string>;
}

/** Opens a socket, in a home beside that of the bench, that serves the bench's API. */
export async function openOwnerSocket(bench: OwnerBench): Promise<FuzzedSocket> {
  await using stack = new AsyncDisposableStack();
  const faults: string[] = [];
  const logger = { ...silentLogger, error: (message: string, cause: unknown) => faults.push(`${message}: ${String(cause)}`) };
  const lock = stack.use(await acquireHomeLock(await openHome(join(bench.folder, 's'))));
  const handler: FetchHandler = (asked) =>
    bench.handler(new Request(asked, { signal: AbortSignal.any([asked.signal, bench.signal()]) }));
  const { endpoint } = stack.use(await OwnerSocket.open(lock, { lifetime: 'host', version: '1.0.0', logger, handler }));
  const headers = {
    authorization: `Bearer ${endpoint.key}`,
    'content-type': 'application/json',
    'trpc-accept': 'application/jsonl',
  };
  const owned = stack.move();
  return {
    faults,
    send: (path, body) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { socketPath: endpoint.socket, path: `${ROUTER_PATH}/${path}?batch=1`, method: 'POST', headers, agent: false },
          (answer) => {
            text(answer).then(resolve, reject);
          },
        );
        sent.on('error', reject);
        // A batch of one call, as the command line sends it.
        sent.end(Buffer.concat([Buffer.from('{"0":'), body, Buffer.from('}')]));
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
