import 'reflect-metadata';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { loadPart } from '../runtime/errors/loadPart.ts';
import { registerUrlScheme } from '../runtime/urlScheme/registerUrlScheme.ts';
import { urlHandler } from './program/mcp.ts';
import { runCli } from './runCli.ts';
import { rendererFolderOf } from './serve.ts';

/** Whoever reads the answer may stop reading: then there is nobody to tell anything, and nothing went wrong. */
function endQuietlyWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
}

/** How long handles that are still open may keep the process after its command has ended. */
const LINGER_MILLISECONDS = 2_000;

/** Runs the command of this process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The second time somebody means it.
      if (interrupted.signal.aborted) process.exit(1);
      interrupted.abort(new DOMException('Interrupted.', 'AbortError'));
    });
  }
  process.stdout.on('error', endQuietlyWithoutReader);

  const { folder, version } = hostPackage();
  process.exitCode = await runCli({
    words: process.argv.slice(2),
    terminal: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    env: process.env,
    folder: process.cwd(),
    version,
    rendererFolder: rendererFolderOf(folder),
    signal: interrupted.signal,
    registerUrl: async (home) => {
      // For hosts that are not to be found by the desktop: a second one for a trial, one in a test.
      if (process.env['TABULARIUM_REGISTER_URL'] === 'never') return;
      await registerUrlScheme({ env: process.env, platform: process.platform, handler: urlHandler(home.folder) });
    },
    // Loaded when it is needed: most commands only speak to a host that runs.
    startRuntime: async (options) => (await loadPart(() => import('./startRuntime.ts'))).startRuntime(options),
  });
  // A pipe that somebody keeps open would keep this process.
  process.stdin.destroy();
  setTimeout(() => process.exit(), LINGER_MILLISECONDS).unref();
}
