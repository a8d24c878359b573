import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** PATH without what npm puts before it: there, `node` is the machine's own and not the pinned one. */
function machinePath(): string {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
}

/**
 * A machine as a stranger has it: an empty home, and no variable of npm's, of the tests or of ours. Only npm's cache is shared where there is one, so that
 * nothing is downloaded twice.
 */
export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'tabularium-machine-'));
  readonly home = join(this.folder, 'home');

  constructor() {
    mkdirSync(this.home);
  }

  readonly #running = new Set<ChildProcess>();

  /** Ends what a test that ran out of time has left running, and removes the folder. */
  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get env(): NodeJS.ProcessEnv {
    const cache = process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? '', '.npm');
    // Kept are the machine's own settings, such as the certificates that its network needs.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|TABULARIUM_|VITEST|XDG_)/i.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      PATH: machinePath(),
      HOME: this.home,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      ...(existsSync(cache) ? { npm_config_cache: cache } : {}),
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
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stderr}\n${stdout}`);
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
