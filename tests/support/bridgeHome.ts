import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HANDSHAKE_FILE } from '../../host/src/runtime/mcp/clients/handshakeFile.ts';
import type { Handshake } from '../../host/src/runtime/mcp/clients/handshakeFile.ts';
import { HandshakeService } from '../../host/src/runtime/mcp/clients/handshakeService.ts';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import type { McpServerOptions } from '../../host/src/runtime/mcp/mcpServer.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';

/** The bridge as it is shipped: from its source, a start takes five times the processor time. */
export const BRIDGE = join(root, 'host/dist/bridge.cjs');

let built: Promise<unknown> | undefined;

/** Builds the bridge where it is stale; looks once for each process. */
function buildBridge(): Promise<unknown> {
  const targets = allTargets(root).filter(({ name }) => name === 'bridge');
  return (built ??= buildStale({ root, workFolder, targets, log: () => undefined }));
}

/** One run of the host's MCP side, in this process: a server over a library in memory, and its handshake in a home. */
export class BridgeHost implements AsyncDisposable {
  readonly fixture: McpFixture;
  readonly handshake: HandshakeService;
  #ended = false;

  constructor(folder: string, options: Partial<McpServerOptions> = {}) {
    this.fixture = new McpFixture({
      lifecycle: {
        started: (address) => this.handshake.started(address),
        stopping: () => this.handshake.stopping(),
        intercept: (request, response) => this.handshake.intercept(request, response),
      },
      ...options,
    });
    this.handshake = new HandshakeService({
      folder,
      tokens: { mintBridge: (...args) => this.fixture.tokens.mintBridge(...args) },
      logger: silentLogger,
      now: () => this.fixture.now,
      // Tests change the file, and look at what a bridge makes of it.
      lookMilliseconds: 600_000,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.handshake.close();
    await this.fixture[Symbol.asyncDispose]();
  }
}

/** A home, the hosts that were started in it, and the bridges. */
export class BridgeHome implements AsyncDisposable {
  readonly folder: string;
  readonly #hosts: BridgeHost[] = [];
  readonly #bridges: BridgeProcess[] = [];

  static async create(): Promise<BridgeHome> {
    await buildBridge();
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-bridge-'));
    await chmod(folder, 0o700);
    return new BridgeHome(folder);
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts a host. @param port - 0: any */
  async startHost(options: Partial<McpServerOptions> = {}, port = 0): Promise<BridgeHost> {
    const host = new BridgeHost(this.folder, options);
    this.#hosts.push(host);
    await host.fixture.server.start({ port });
    return host;
  }

  get handshakeFile(): string {
    return join(this.folder, HANDSHAKE_FILE);
  }

  async handshake(): Promise<Handshake> {
    return JSON.parse(await readFile(this.handshakeFile, 'utf8')) as Handshake;
  }

  /** Writes a handshake as an application would, with what is to be different in it. */
  async forge(change: Partial<Record<keyof Handshake, unknown>> = {}): Promise<Handshake> {
    const handshake: Handshake = {
      version: 1,
      port: 1,
      token: 'tbm_forged',
      proofSecret: 'ab'.repeat(32),
      pid: process.pid,
      instanceId: '00000000-0000-4000-8000-00000000000f',
      protocolVersion: '2026-07-28',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      home: await realpath(this.folder),
    };
    const forged = { ...handshake, ...change };
    await writeFile(this.handshakeFile, JSON.stringify(forged), { mode: 0o600 });
    return forged as Handshake;
  }

  /** The environment of a bridge: no opener is on its path unless a test puts one there. */
  env(more: Record<string, string> = {}): Record<string, string> {
    return { PATH: '/nonexistent', HOME: this.folder, TABULARIUM_HOME: this.folder, ...more };
  }

  startBridge(env: Record<string, string> = {}): BridgeProcess {
    const bridge = new BridgeProcess(spawn(process.execPath, [BRIDGE], { env: this.env(env), stdio: 'pipe' }));
    this.#bridges.push(bridge);
    return bridge;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bridge of this.#bridges) await bridge.kill();
    for (const host of this.#hosts) await host[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface AnyMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export interface AnyRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: object;
}

/** A bridge as a client sees it: lines in, lines out. */
export class BridgeProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<number | null>;
  #look: () => void = () => undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.#look();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#look();
    });
    this.ended = once(child, 'close').then(([code]) => {
      this.#look();
      return code as number | null;
    });
  }

  get messages(): AnyMessage[] {
    return this.lines.map((line) => JSON.parse(line) as AnyMessage);
  }

  send(message: object | string): void {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Waits until something holds of what has come; fails with what has come when the bridge ends before. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`The bridge has ended. ${this.stderr}\n${this.lines.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  /** The answer to a request. */
  answer(id: string | number): Promise<AnyMessage> {
    return this.until(() => this.messages.find((message) => message.id === id && message.method === undefined));
  }

  async ask(message: AnyRequest): Promise<AnyMessage> {
    this.send(message);
    return this.answer(message.id);
  }

  /** Opens a session of the older versions. */
  async initialize(protocolVersion = '2025-11-25'): Promise<AnyMessage> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'lines', version: '1' } };
    const answer = await this.ask({ id: 'init', method: 'initialize', params });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  end(): Promise<number | null> {
    this.child.stdin.end();
    return this.ended;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.ended;
  }
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of 2026-07-28. */
export function modern(
  id: string | number,
  method: string,
  params: Record<string, unknown> = {},
): { id: string | number; method: string; params: object } {
  return { id, method, params: { ...params, _meta: MODERN_META } };
}
