import 'reflect-metadata';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { loadPart } from '../runtime/errors/loadPart.ts';
import { registerAtStart } from '../runtime/urlScheme/registerAtStart.ts';
import { launcherGone } from './launcherGone.ts';
import { interruptedBy } from './interruptedBy.ts';
import { packageSuffices, urlHandler } from './program/mcp.ts';
import { runCli } from './runCli.ts';
import { documentationFolderOf, rendererFolderOf } from './serve.ts';
import { workingFolder } from './workingFolder.ts';
import { OutputWatch } from './outputWatch.ts';

const FAILED = 1;
/** 128 and the number of SIGINT, as shells have it. */
const INTERRUPTED = 130;

/** How long handles that are still open may keep the process after its command has ended. */
const LINGER_MILLISECONDS = 2_000;

/** Runs the command of this process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  const words = process.argv.slice(2);
  const interrupted = AbortSignal.any([
    interruptedBy(process, () => process.exit(INTERRUPTED)),
    launcherGone(process.env, words),
  ]);
  const output = new OutputWatch(process.stdout, process.stderr, () => {
    process.exitCode = FAILED;
  });
  // The command continues when its progress and warnings have no reader.
  process.stderr.on('error', () => undefined);

  const { folder, version } = hostPackage();
  const exitCode = await runCli({
    words,
    terminal: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    env: process.env,
    get folder() {
      return workingFolder();
    },
    version,
    rendererFolder: rendererFolderOf(folder),
    documentationFolder: documentationFolderOf(folder),
    signal: interrupted,
    outputLost: output.lost,
    registerUrl: async (home) => {
      await registerAtStart({
        env: process.env,
        platform: process.platform,
        handler: urlHandler(home.folder),
        packageSuffices: packageSuffices(home.folder, process.env),
      });
    },
    // Loaded when it is needed: most commands only speak to a host that runs.
    startRuntime: async (options) => (await loadPart(() => import('./startRuntime.ts'))).startRuntime(options),
  });
  process.exitCode = output.exitCode(exitCode);
  // A pipe that somebody keeps open would keep this process.
  process.stdin.destroy();
  setTimeout(() => process.exit(), LINGER_MILLISECONDS).unref();
}
