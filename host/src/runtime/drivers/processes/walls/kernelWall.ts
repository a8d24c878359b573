import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { z } from 'zod';
import type { AskKernel, KernelAnswer, LaunchPlan } from '../../../../driver-launcher/launchPlan.ts';
import { landlockPolicy } from './landlockPolicy.ts';
import { SYSTEM_READABLE } from './launchPlanFor.ts';
import { seccompPolicy } from './seccompPolicy.ts';
import { hostSentence } from '../../../../common/hostSentences.ts';
import type { WallState } from './wallState.ts';

const answerSchema: z.ZodType<KernelAnswer> = z.strictObject({
  landlock: z.number().int().min(0),
  landlockForbidden: z.boolean(),
  seccomp: z.boolean(),
  libraries: z.array(z.string().startsWith('/')).max(1_000),
});

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'macOS', win32: 'Windows' };
const PROBE_TIMEOUT = 10_000;
/** Runs behind the wall: it may neither open the launcher's file nor ask whether the host is there. */
const PROBE = `
const fs = require('node:fs');
const denied = (work) => { try { work(); return false; } catch (error) { return error.code === 'EACCES' || error.code === 'EPERM'; } };
fs.writeSync(3, denied(() => fs.openSync(process.argv[1])) && denied(() => process.kill(process.ppid, 0)) ? 'walled\\n' : 'open\\n');
`;

/** The frame of a plan: its length, big-endian, and JSON. */
export function encodePlan(plan: LaunchPlan | AskKernel): Uint8Array {
  const text = Buffer.from(JSON.stringify(plan));
  const frame = Buffer.alloc(4 + text.length);
  frame.writeUInt32BE(text.length);
  text.copy(frame, 4);
  return frame;
}

/** A launcher that waits for its plan on descriptor 3. */
export function spawnLauncher(node: string, launcher: string): ChildProcess {
  const child = spawn(node, ['--no-warnings', '--disable-sigusr1', '--no-addons', '--openssl-config=/dev/null', launcher], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // Where no descriptor is left there is no pipe either, and the caller gives up before it listens: the host would end with this event.
  return child.on('error', () => undefined);
}

const states = new Map<string, Promise<WallState>>();

/**
 * Whether the kernel confines driver processes here. Tried once for each Node and launcher; a try that came to no answer is repeated at the
 * next question.
 */
export function kernelWall(node: string, launcher: string): Promise<WallState> {
  const key = JSON.stringify([node, launcher]);
  const state =
    states.get(key) ??
    probeKernelWall(node, launcher).then((found) => {
      if (!found.present && found.isPassing === true) states.delete(key);
      return found;
    });
  states.set(key, state);
  return state;
}

/**
 * Tries the kernel's wall on a program that does no harm: a kernel may know Landlock and have it switched off, and a filter that this Node
 * cannot live with must show here and not in a driver.
 */
async function probeKernelWall(node: string, launcher: string): Promise<WallState> {
  if (process.platform !== 'linux')
    return {
      present: false,
      reason: hostSentence('kernelPlatform', { platform: PLATFORMS[process.platform] ?? process.platform }),
    };
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') return { present: false, reason: hostSentence('kernelProcessor', { processor: arch }) };
  const child = spawnLauncher(node, launcher);
  const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_TIMEOUT);
  try {
    const pipe = child.stdio[3];
    if (!(pipe instanceof Duplex)) throw new Error('The pipe to the launcher was not made');
    pipe.on('error', () => undefined);
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(0, 500)));
    const lines = linesOf(child, pipe);
    pipe.write(encodePlan({ version: 1, ask: 'kernel' }));
    const answer = answerSchema.parse(JSON.parse(await lines()));
    if (answer.landlock === 0)
      return {
        present: false,
        reason: hostSentence(answer.landlockForbidden ? 'kernelLandlockForbidden' : 'kernelNoLandlock'),
      };
    if (!answer.seccomp) return { present: false, reason: hostSentence('kernelNoSeccomp') };
    const { landlock, libraries } = answer;
    pipe.write(
      encodePlan({
        version: 1,
        parent: process.pid,
        folder: '/',
        arguments: [node, '--no-warnings', '--openssl-config=/dev/null', '-e', PROBE, launcher],
        environment: [],
        limits: [],
        landlock: landlockPolicy({ version: landlock, node, libraries, readable: SYSTEM_READABLE, files: [], wider: [] }),
        seccomp: seccompPolicy(arch, { wider: [], writesFiles: false }),
      }),
    );
    const said = await lines().catch(() => `failed: ${complaint.trim()}`);
    if (said === 'walled') return { present: true, landlock, architecture: arch, libraries };
    return {
      present: false,
      isPassing: true,
      reason: hostSentence('kernelFailed', { reason: said.slice(0, 300) }),
    };
  } catch (error) {
    return {
      present: false,
      isPassing: true,
      reason: hostSentence('kernelUntested', { reason: error instanceof Error ? error.message : String(error) }),
    };
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** @returns the next line of the pipe; rejects when the process ends first */
function linesOf(child: ChildProcess, pipe: Duplex): () => Promise<string> {
  let text = '';
  let wake = (): void => undefined;
  let ended = false;
  pipe.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    wake();
  });
  const end = (): void => {
    ended = true;
    wake();
  };
  child.on('error', end).on('close', end);
  return async () => {
    for (;;) {
      const length = text.indexOf('\n');
      if (length >= 0) {
        const line = text.slice(0, length);
        text = text.slice(length + 1);
        return line;
      }
      if (ended) throw new Error('the launcher ended');
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}
