import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';

const PROGRAM = join(root, 'host/dist/main.js');
const readySchema = z.object({ mcp: z.url() });
const tokenSchema = z.object({ token: z.string() });

/** The application as it is built, in a process and a home of its own. */
export class RunningApplication implements AsyncDisposable {
  readonly home: string;
  #host: ChildProcess | undefined;

  /** Builds what is stale, and starts it. */
  static async start(): Promise<RunningApplication> {
    await buildStale({
      root,
      workFolder,
      targets: allTargets(root).filter(({ group }) => group === 'host'),
      log: () => undefined,
    });
    const application = new RunningApplication(await mkdtemp(join(tmpdir(), 'tabularium-app-')));
    try {
      await application.startHost();
      return application;
    } catch (error) {
      await application[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(home: string) {
    this.home = home;
  }

  /** The environment of its programs. No opener is on the path. */
  env(): Record<string, string> {
    return { PATH: '/nonexistent', HOME: this.home, TABULARIUM_HOME: this.home, TABULARIUM_REGISTER_URL: 'never' };
  }

  /** Starts the host. @param port - of the MCP server; 0: any @returns the MCP server's address */
  async startHost(port = 0): Promise<URL> {
    const host = spawn(process.execPath, [PROGRAM, 'serve', '--mcp-port', String(port)], {
      env: this.env(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#host = host;
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    this.#url = new URL(readySchema.parse(JSON.parse(line)).mcp);
    return this.#url;
  }

  #url: URL | undefined;

  /** The address of the MCP server. */
  get url(): URL {
    if (this.#url === undefined) throw new Error('The host does not run.');
    return this.#url;
  }

  /** Runs a command of the application. @returns its answer in JSON */
  async command(...words: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words, '--json'], { env: this.env() });
    return JSON.parse(stdout);
  }

  async mint(scope: 'readOnly' | 'readWrite' | 'fullAccess'): Promise<string> {
    return tokenSchema.parse(await this.command('tokens', 'create', '--name', 'Test', '--scope', scope)).token;
  }

  /** Ends the host at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#host === undefined || this.#host.exitCode !== null || this.#host.signalCode !== null) return;
    const exit = once(this.#host, 'exit');
    this.#host.kill('SIGKILL');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
