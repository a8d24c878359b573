import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../cliError.ts';
import type { Terminal } from '../terminal.ts';

/** npm, as a process of its own: it handles the credentials, second factors, proxies and provenance of every registry. */
export interface Npm {
  /** Its output, for what is only asked. */
  ask(args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** With the terminal as its input, so that it can ask for a second factor. @returns the exit code */
  run(args: readonly string[]): Promise<number>;
}

interface NpmOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

type NpmProcess = ChildProcessByStdio<null, Readable, Readable>;

/**
 * @param folder - npm reads the .npmrc of this project too
 * @returns npm, whose calls reject with the signal's reason when it is aborted
 */
export function npmIn(folder: string, { env, terminal, signal }: NpmOptions): Npm {
  const start = (args: readonly string[], input: 'ignore' | 'inherit'): NpmProcess => {
    const { file, first, shell } = npmProgram(env);
    const words = shell ? args.map(quotedForWindows) : args;
    return spawn(file, [...first, ...words], { cwd: folder, env, stdio: [input, 'pipe', 'pipe'], shell, signal });
  };
  const ended = (child: NpmProcess): Promise<number> =>
    new Promise((resolve, reject) => {
      child.once('error', (cause) =>
        reject(
          // An abort arrives here too.
          signal.aborted
            ? (signal.reason as Error)
            : new CliError('PUBLISH_FAILED', 'npm could not be started.', 'Install npm: it publishes to registries.', { cause }),
        ),
      );
      child.once('close', (code) => {
        // At a terminal the interrupt reaches npm itself, which then ends like one that failed.
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(code ?? 1);
      });
    });
  return {
    async ask(args) {
      const child = start(args, 'ignore');
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      return { code: await ended(child), stdout, stderr };
    },
    run(args) {
      const child = start(args, 'inherit');
      // Its words go where progress goes: standard output is ours.
      child.stdout.on('data', (text: Buffer) => terminal.stderr.write(text));
      child.stderr.on('data', (text: Buffer) => terminal.stderr.write(text));
      return ended(child);
    },
  };
}

/** The npm that runs this, where one does; else the one of the machine, which on Windows is a command file that only a shell starts. */
function npmProgram(env: NodeJS.ProcessEnv): {
  readonly file: string;
  readonly first: readonly string[];
  readonly shell: boolean;
} {
  const own = env['npm_execpath'];
  if (own !== undefined && basename(own) === 'npm-cli.js') return { file: process.execPath, first: [own], shell: false };
  return { file: 'npm', first: [], shell: process.platform === 'win32' };
}

function quotedForWindows(word: string): string {
  return /^[\w@./:\\=-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
