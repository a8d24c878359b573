import 'reflect-metadata';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { loadPart } from '../runtime/errors/loadPart.ts';
import { registerUrlScheme } from '../runtime/urlScheme/registerUrlScheme.ts';
import { packageSuffices, urlHandler } from './program/mcp.ts';
import { runCli } from './runCli.ts';
import { documentationFolderOf, rendererFolderOf } from './serve.ts';
import { write } from './terminal.ts';

const FAILED = 1;
/** 128 and the number of SIGINT, as shells have it. */
const INTERRUPTED = 130;

/** A reader that has read enough ends the command, and nothing went wrong. An answer that can't be written is a failure. */
export function reportBrokenOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  const reason = error.code ?? error.message;
  const advice = 'Check where standard output goes, and the space left there, and try again.';
  void write(process.stderr, `The answer could not be written to standard output (${reason}).\n${advice}\n`).finally(() =>
    process.exit(FAILED),
  );
}

/** How long handles that are still open may keep the process after its command has ended. */
const LINGER_MILLISECONDS = 2_000;

/** Runs the command of this process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The second time, the program ends without tidying up.
      if (interrupted.signal.aborted) process.exit(INTERRUPTED);
      interrupted.abort(new DOMException('Interrupted.', 'AbortError'));
    });
  }
  process.stdout.on('error', reportBrokenOutput);
  // The command continues when its progress and warnings have no reader.
  process.stderr.on('error', () => undefined);

  const { folder, version } = hostPackage();
  process.exitCode = await runCli({
    words: process.argv.slice(2),
    terminal: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    env: process.env,
    folder: process.cwd(),
    version,
    rendererFolder: rendererFolderOf(folder),
    documentationFolder: documentationFolderOf(folder),
    signal: interrupted.signal,
    registerUrl: async (home) => {
      // For hosts that are not to be found by the desktop: a second one for a trial, one in a test.
      if (process.env['TABULARIUM_REGISTER_URL'] === 'never') return;
      await registerUrlScheme({
        env: process.env,
        platform: process.platform,
        handler: urlHandler(home.folder),
        packageSuffices: packageSuffices(home.folder, process.env),
      });
    },
    // Loaded when it is needed: most commands only speak to a host that runs.
    startRuntime: async (options) => (await loadPart(() => import('./startRuntime.ts'))).startRuntime(options),
  });
  // A pipe that somebody keeps open would keep this process.
  process.stdin.destroy();
  setTimeout(() => process.exit(), LINGER_MILLISECONDS).unref();
}
