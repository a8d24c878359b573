import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { directLoopback } from '../../scripts/directLoopback.ts';
import { root } from '../../scripts/paths.ts';
import { startLockedRegistry } from './lockedRegistry.test-helper.ts';
import type { LockedRegistry } from './lockedRegistry.test-helper.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** PATH without what npm puts before it: there, `node` is the machine's own and not the pinned one. */
function machinePath(env: NodeJS.ProcessEnv): string {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
}

/** Settings of npm that say how this machine reaches a registry, as a file and as a variable have them. Those about an installation are left out. */
const NETWORK_SETTING =
  /^(?:@[^:\s]+:registry|registry|(?:https?-)?proxy|no-?proxy|cafile|ca(?:\[\])?|cert|key|certfile|keyfile|strict-ssl|local-address|maxsockets|fetch-[a-z-]+|\/\/\S+)$/i;

/** A request of npm that gets no answer ends, also where the person's own settings have no bound. Milliseconds. */
const BOUNDS = { npm_config_fetch_timeout: '60000', npm_config_fetch_retries: '2', npm_config_fetch_retry_maxtimeout: '10000' };

/** How npm says that it reached no registry. */
const NO_NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UNABLE_TO_\w+|SELF_SIGNED_CERT_IN_CHAIN)\b/;

/** The lines of the person's npm settings that belong to the network. */
function networkLines(env: NodeJS.ProcessEnv): string[] {
  const file = env['npm_config_userconfig'] ?? join(env['HOME'] ?? '', '.npmrc');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => NETWORK_SETTING.test((line.split('=', 1)[0] ?? '').trim()));
}

/**
 * A machine as a stranger has it: an empty home, and no variable of npm's, of the tests or of ours. It has the person's way to the network
 * (proxies, certificates, the settings of npm that belong to them), and npm's cache, so that nothing is downloaded twice.
 */
export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'tabularium-machine-'));
  readonly home = join(this.folder, 'home');
  readonly #own: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();
  #registry: LockedRegistry | undefined;

  /** @param own - the environment of the person who runs the tests */
  constructor(own: NodeJS.ProcessEnv = process.env) {
    this.#own = own;
    mkdirSync(this.home);
    this.npmSettings([]);
  }

  /** Ends what a test that ran out of time has left running, and removes the folder. */
  async remove(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await this.#registry?.[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Writes npm's settings of the home: these, after those that the machine needs for its network. */
  npmSettings(lines: readonly string[]): void {
    writeFileSync(join(this.home, '.npmrc'), [...networkLines(this.#own), ...lines, ''].join('\n'), { mode: 0o600 });
  }

  /**
   * From here on packages are those of lock files alone, until the machine is removed.
   *
   * @param more - lock files beside that of the repository
   */
  async lockPackages(more: readonly string[] = [], archives?: string): Promise<LockedRegistry> {
    const { stdout } = await this.run('npm', ['config', 'get', 'registry'], { cwd: root });
    const registry = archives ?? stdout.trim();
    this.#registry = await startLockedRegistry([join(root, 'package-lock.json'), ...more], registry);
    return this.#registry;
  }

  get env(): NodeJS.ProcessEnv {
    const own = this.#own;
    const cache = own['npm_config_cache'] ?? join(own['HOME'] ?? '', '.npm');
    const isNetworkVariable = (name: string): boolean =>
      /^npm_config_/i.test(name) && NETWORK_SETTING.test(name.slice('npm_config_'.length).replaceAll(/(?<=[a-z])_/gi, '-'));
    const inherited = Object.entries(own).filter(
      ([name, value]) =>
        !/^(npm_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|TABULARIUM_|VITEST|XDG_)/i.test(name) ||
        (isNetworkVariable(name) && value !== ''),
    );
    // npm asks a proxy for the registries of tests, too.
    const direct = directLoopback(own);
    const ofNpm = own['npm_config_noproxy'] ?? '';
    return {
      ...BOUNDS,
      ...Object.fromEntries(inherited),
      PATH: machinePath(own),
      HOME: this.home,
      ...direct,
      npm_config_noproxy: ofNpm === '' ? direct.NO_PROXY : directLoopback({ NO_PROXY: ofNpm }).NO_PROXY,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      // With a prefix npm would look for it there.
      ...(own['npm_config_globalconfig'] === undefined ? {} : { npm_config_globalconfig: own['npm_config_globalconfig'] }),
      ...(existsSync(cache) ? { npm_config_cache: cache } : {}),
      ...(this.#registry === undefined
        ? {}
        : { npm_config_registry: this.#registry.url, npm_config_replace_registry_host: 'never' }),
    };
  }

  /** Runs a program to its end. */
  run(
    program: string,
    args: readonly string[],
    options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
  ): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: options.cwd ?? this.folder, env: { ...this.env, ...options.env } });
      this.#running.add(child);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.#running.delete(child);
        resolve({ code, signal, stdout, stderr });
      });
      // A program may end before it has read what it was given.
      child.stdin.on('error', () => undefined).end(options.input ?? '');
    });
  }

  /** Runs npm and returns its output; fails with all that it said. */
  async npm(args: readonly string[], cwd?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run('npm', args, cwd === undefined ? {} : { cwd });
    if (code !== 0) {
      const why = NO_NETWORK.test(stderr)
        ? 'This test downloads packages that the cache of npm lacks, and their registry could not be reached. Check the network, HTTPS_PROXY, NODE_EXTRA_CA_CERTS and "npm config list", or run "npm ci" where there is a network.\n'
        : '';
      throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${why}${stderr}\n${stdout}`);
    }
    return stdout;
  }

  /** Packs a package of the repository and returns the path of the tarball. */
  async pack(packageFolder: string): Promise<{ tarball: string; files: string[] }> {
    const output = await this.npm(['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder], packageFolder);
    const packed = JSON.parse(output) as { filename: string; files: { path: string }[] }[] | Record<string, never>;
    const [only] = Object.values(packed) as { filename: string; files: { path: string }[] }[];
    if (only === undefined) throw new Error(`npm pack said: ${output}`);
    return { tarball: join(this.folder, only.filename), files: only.files.map(({ path }) => path).sort() };
  }
}
