import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { startRegistry } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { z } from 'zod';
import { runCli } from '../../host/src/cli/runCli.ts';
import { documentationFolderOf, rendererFolderOf } from '../../host/src/cli/serve.ts';
import { hostPackage } from '../../host/src/runtime/program/hostPackage.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { startRealServer } from './realServer.ts';
import type { RealServer } from './realServer.ts';
import { SAMPLE_KEY_VARIABLE, serverConnection, writeSampleConnections } from '../../scripts/start/sample.ts';

const readySchema = z.object({ ready: z.literal(true), ui: z.url(), mcp: z.url(), home: z.string() });

/** A running application with everything around it, in a home that was empty. */
export interface Application extends AsyncDisposable {
  readonly ui: string;
  readonly mcp: string;
  readonly home: string;
  /** The process id of the host. */
  readonly pid: number;
  /** An empty folder outside the home, for what a person saves. */
  readonly files: string;
  /** The local registry; tests publish more to it. */
  readonly registry: RunningRegistry;
  readonly sandbox: Pick<Sandbox, 'port' | 'fault'> & { readonly apiKey: string };
  /** Ends the host and starts it again in the same home. */
  restart(): Promise<void>;
  /** Ends the host; `SIGKILL` gives it no time for anything. */
  stopHost(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts the host again in the same home. */
  startHost(): Promise<void>;
  /** Ends the host and starts it in a home that is empty again. Sandbox, registry and `files` stay as they are. */
  startOver(): Promise<void>;
  /** Runs the `tabularium` command with `--json` for the running host and reads what it prints. @throws Error with its words when it fails */
  command(...args: string[]): Promise<unknown>;
  /** The same with something to read, such as a key. */
  commandReading(input: string, ...args: string[]): Promise<unknown>;
}

/** The key of the sandbox, which no output may hold. */
const API_KEY = 'e2e-sandbox-key-5f0c';
/** A key with few rights, which a test may make; the host has it in its environment as `E2E_NARROW_KEY`. */
export const NARROW_KEY = 'e2e-narrow-key-91d2';

/**
 * Starts sandbox, registry and host as a person has them after `npm start`: the built host in a process of its own, nothing installed.
 *
 * @param products - how many documents the largest collection has
 * @param userFolder - the person's folder; by default one that ends with the application
 */
export async function startApplication(options: {
  readonly products: number;
  readonly userFolder?: string;
  /** Whether the connection to the sandbox is a sample that the start brings along, as `npm start` does. */
  readonly withSample?: boolean;
  /** Options of Node for the host, such as those of a profiler. */
  readonly nodeOptions?: readonly string[];
}): Promise<Application> {
  await using stack = new AsyncDisposableStack();
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group !== 'sdk'), log: () => undefined });
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-e2e-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const served = { apiKey: API_KEY, sampleData: { products: options.products } };
  const server = await startRealServer(served);
  const sandbox = server ?? (await startSandbox(served));
  stack.defer(() => sandbox.close());
  const registry = await startRegistry({ stateFolder: join(folder, 'registry') });
  stack.defer(() => registry.close());
  await registry.publish(join(root, 'drivers/search'));

  const home = join(folder, 'home');
  const files = join(folder, 'files');
  await mkdir(files);
  const env = {
    ...process.env,
    // Files are suggested there: what one test leaves must not be in the way of another, nor stay with the person who runs them.
    HOME: options.userFolder ?? folder,
    TABULARIUM_HOME: home,
    TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath,
    E2E_API_KEY: API_KEY,
    [SAMPLE_KEY_VARIABLE]: API_KEY,
    E2E_NARROW_KEY: NARROW_KEY,
  };
  const { nodeOptions = [] } = options;
  const sample = join(folder, 'sample.json');
  if (options.withSample === true) {
    const url = new URL(`http://127.0.0.1:${sandbox.port}`);
    await writeSampleConnections(sample, [await serverConnection(join(root, 'drivers/search/package.json'), url)]);
  }
  const words = options.withSample === true ? ['--sample-connection', sample] : [];
  const start = (): Promise<RunningHost> => startHost(env, nodeOptions, words);
  let running = await start();
  stack.defer(() => running.stop());
  const owned = stack.move();
  return {
    get ui() {
      return running.ui;
    },
    get mcp() {
      return running.mcp;
    },
    home,
    get pid() {
      return running.pid;
    },
    files,
    registry,
    sandbox: { port: sandbox.port, fault: (choose) => faultOf(sandbox, choose), apiKey: API_KEY },
    command: (...args) => runCommand(args, env),
    commandReading: (input, ...args) => runCommand(args, env, input),
    restart: async () => {
      await running.stop();
      running = await start();
    },
    stopHost: (signal) => running.stop(signal),
    startHost: async () => {
      running = await start();
    },
    startOver: async () => {
      await running.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
      running = await start();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A real server can't be made to fail. */
function faultOf(server: Sandbox | RealServer, ...[choose]: Parameters<Sandbox['fault']>): void {
  if ('fault' in server) server.fault(choose);
  else if (choose !== undefined) throw new Error('This test lets the sample server fail, and a real server can’t.');
}

/** The built program, started as the launcher starts it. */
const PROGRAM = ['--disable-sigusr1', join(root, 'host/dist/main.js')];

interface RunningHost {
  readonly pid: number;
  readonly ui: string;
  readonly mcp: string;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

async function startHost(env: NodeJS.ProcessEnv, nodeOptions: readonly string[], words: readonly string[]): Promise<RunningHost> {
  const host = spawn(process.execPath, [...nodeOptions, ...PROGRAM, 'serve', '--mcp-port', '0', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: host.stdout }), 'line'),
    once(host, 'exit').then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}.`))),
  ])) as [string];
  const { ui, mcp } = readySchema.parse(JSON.parse(line));
  if (host.pid === undefined) throw new Error('The host has no process id.');
  return {
    pid: host.pid,
    ui,
    mcp,
    async stop(signal = 'SIGTERM') {
      if (host.exitCode !== null || host.signalCode !== null) return;
      host.kill(signal);
      await once(host, 'exit');
    },
  };
}

/** Everything that a command writes to a stream. */
function collected(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/**
 * A command in this process, which speaks to the host over the owner's socket as the program does: three hundred programs of a whole run
 * took 100 s of processor time. tests/packaging and tests/road start the program itself.
 */
async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<unknown> {
  const [output, complaints] = [collected(), collected()];
  const { folder, version } = hostPackage();
  const code = await runCli({
    words: [...args, '--json'],
    terminal: { stdin: Readable.from(input === '' ? [] : [input]), stdout: output.stream, stderr: complaints.stream },
    env,
    folder: root,
    version,
    rendererFolder: rendererFolderOf(folder),
    documentationFolder: documentationFolderOf(folder),
    signal: new AbortController().signal,
    startRuntime: () => Promise.reject(new Error(`No host runs for "tabularium ${args.join(' ')}".`)),
  });
  if (code !== 0) throw new Error(`tabularium ${args.join(' ')} ended with ${code}: ${output.text()}${complaints.text()}`);
  return JSON.parse(output.text());
}
