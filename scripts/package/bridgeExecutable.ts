import { execFile } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from './platforms.ts';

export interface BridgeExecutable {
  /** The bridge in one file, as it is built. */
  readonly program: string;
  /** The Node of the platform that it is for. */
  readonly node: string;
  readonly output: string;
  readonly platform: Platform;
}

/**
 * Makes the bridge an executable of its own by Node's own builder of single executables, which puts a program into a copy of Node, of any
 * platform. A client starts it without a shell and without a Node: on Windows nothing but an .exe can be started so.
 *
 * Measured against a shell script that starts the bundled Node: 55 ms instead of 73 ms to the end of an empty input, and Windows needs it
 * anyway; the price is 150 MB on disk.
 */
export async function buildBridgeExecutable({ program, node, output, platform }: BridgeExecutable): Promise<void> {
  const settings = join(dirname(output), `bridge-${process.pid}.json`);
  const config = {
    main: program,
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    // Neither could be made for another platform than this one, and the start is as fast without them.
    useSnapshot: false,
    useCodeCache: false,
    // A process of the same user could have Node open its inspector otherwise, by a signal or by NODE_OPTIONS, and read the token through it.
    execArgv: ['--disable-sigusr1'],
    execArgvExtension: 'none',
  };
  await writeFile(settings, JSON.stringify(config));
  try {
    await promisify(execFile)(process.execPath, ['--build-sea', settings]);
    await chmod(output, 0o755);
  } finally {
    await rm(settings, { force: true });
  }
  // macOS starts signed programs alone, and an ad-hoc signature is enough; the injected program has ended Node's own signature.
  if (platform.os === 'darwin' && process.platform === 'darwin') {
    await promisify(execFile)('codesign', ['--sign', '-', '--force', output]);
  }
}
