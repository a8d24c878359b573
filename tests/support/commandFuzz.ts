import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { COMMANDS, commandRunner } from '../../host/src/cli/commands/index.ts';
import { startRuntime } from '../../host/src/cli/startRuntime.ts';
import { CommandSocket } from '../../host/src/runtime/ownerSocket/commandSocket.ts';
import type { RunCommand } from '../../host/src/runtime/ownerSocket/commandSocket.ts';
import { acquireHomeLock } from '../../host/src/runtime/storage/homeLock.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { exampleOf, hostileVariants } from './hostileInputs.ts';

/** Milliseconds until a command is cancelled: some of them last until they are. */
const PATIENCE = 1_000;

/** A command as it comes over the socket. */
export interface FuzzedCommand {
  readonly name: string;
  /** The JSON of the body. */
  readonly json: string;
}

/** Every command there is, with hostile values of `size` characters in each of its parts. `file`: what stands for a text, such as a path. */
export function* commandFuzz(size: number, file: string): Generator<FuzzedCommand> {
  for (const [command, { input }] of Object.entries(COMMANDS)) {
    const example = exampleOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), file);
    for (const { name, json } of hostileVariants(example, size)) {
      yield { name: `${command}: ${name}`, json: `{"command":${JSON.stringify(command)},"arguments":${json}}` };
    }
  }
}

/** Runs commands in a home of their own, as a host does. */
export interface CommandBench extends AsyncDisposable {
  readonly folder: string;
  readonly run: RunCommand;
  /** A signal that lets a command last a second. */
  signal(): AbortSignal;
}

/** Starts a runtime in an empty home. */
export async function startCommandBench(): Promise<CommandBench> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-commands-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const home = await openHome(join(folder, 'home'));
  const runtime = stack.use(await startRuntime({ home, env: {}, logger: silentLogger }));
  const run = commandRunner({ ...runtime.services, lifetime: 'host', newWindowUrl: () => undefined });
  const owned = stack.move();
  return { folder, run, signal: () => AbortSignal.timeout(PATIENCE), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A host's socket for commands. */
export interface FuzzedSocket extends AsyncDisposable {
  /** What the host had to log as its own fault. */
  readonly faults: readonly string[];
  /** Sends a body as it is. @returns the lines of the answer */
  send(body: Uint8Array): Promise<string>;
}

/** Opens a socket, in a home beside that of the bench, whose commands the bench runs. */
export async function openCommandSocket(bench: CommandBench): Promise<FuzzedSocket> {
  await using stack = new AsyncDisposableStack();
  const faults: string[] = [];
  const logger = { ...silentLogger, error: (message: string, cause: unknown) => faults.push(`${message}: ${String(cause)}`) };
  const lock = stack.use(await acquireHomeLock(await openHome(join(bench.folder, 's'))));
  const run: RunCommand = (command, { signal, emit }) =>
    bench.run(command, { signal: AbortSignal.any([signal, bench.signal()]), emit });
  const { endpoint } = stack.use(await CommandSocket.open(lock, { lifetime: 'host', version: '1.0.0', logger, run }));
  const headers = { authorization: `Bearer ${endpoint.key}`, 'content-type': 'application/json' };
  const owned = stack.move();
  return {
    faults,
    send: (body) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { socketPath: endpoint.socket, path: '/command', method: 'POST', headers, agent: false },
          (answer) => {
            text(answer).then(resolve, reject);
          },
        );
        sent.on('error', reject);
        sent.end(body);
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
