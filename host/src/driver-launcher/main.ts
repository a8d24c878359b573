import { readFileSync, readSync, realpathSync, writeSync } from 'node:fs';
import { Kernel, ownCalls, SHARED_CALLS, words } from './kernel.ts';
import { applyLandlock, askForLandlock } from './landlock.ts';
import type { AskKernel, KernelAnswer, LaunchPlan } from './launchPlan.ts';
import { LAUNCH_FAILED } from './launchPlan.ts';
import { seccompFilter } from './seccompFilter.ts';

// Starts a driver's Node behind the kernel's walls. It is plain JavaScript in the same Node: it waits for a plan on descriptor 3, restricts
// itself, and replaces itself by the program, which inherits every restriction and cannot lift one. No code of a driver runs before that.

const WIRE_DESCRIPTOR = 3;
const LARGEST_PLAN = 1024 * 1024;

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_SET_SECCOMP = 22;
const PR_GET_SECCOMP = 21;
const SECCOMP_MODE_FILTER = 2;
const SIGKILL = 9;
const CLOSE_RANGE_CLOEXEC = 4;
const HIGHEST_DESCRIPTOR = 0xffffffff;
/** Reading and writing files that belong to others: where the host is root, its driver keeps that and no other capability. Landlock says where. */
const RETAINED_CAPABILITIES: ReadonlySet<number> = new Set([1, 2]);
const HIGHEST_CAPABILITY = 63;

/** Waits. The host is gone when nothing can be read any more, and then there is nothing to do. */
function readExactly(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length;) {
    const read = readSync(WIRE_DESCRIPTOR, bytes, filled, length - filled, null);
    if (read === 0) process.exit(0);
    filled += read;
  }
  return bytes;
}

function nextPlan(): LaunchPlan | AskKernel {
  const length = readExactly(4).readUInt32BE();
  if (length > LARGEST_PLAN) throw new Error('The plan is too large');
  const plan = JSON.parse(readExactly(length).toString()) as LaunchPlan | AskKernel;
  if (plan.version !== 1) throw new Error('The plan has another version than this launcher');
  return plan;
}

function answer(kernel: Kernel): KernelAnswer {
  // Only what is mapped from a file names a path.
  const maps = readFileSync('/proc/self/maps', 'utf8').split('\n');
  const files = new Set(maps.map((line) => line.slice(line.indexOf('/'))).filter((path) => path.startsWith('/')));
  const program = realpathSync(process.execPath);
  return {
    ...askForLandlock(kernel),
    seccomp: kernel.try(ownCalls().prctl, PR_GET_SECCOMP) >= 0,
    libraries: [...files].filter((path) => path !== program && !path.endsWith(' (deleted)')),
  };
}

function launch(kernel: Kernel, plan: LaunchPlan): never {
  const { prctl, capset, setrlimit, execve } = ownCalls();
  if (plan.parent !== undefined) {
    kernel.do('Signal at the end of the host', prctl, PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended just before.
    if (process.ppid !== plan.parent) process.exit(0);
  }
  process.chdir(plan.folder);
  for (const { resource, value } of plan.limits)
    kernel.do(`Limit ${resource}`, setrlimit, resource, kernel.address(words(value, value)));

  // Only root has any to drop; who has none is refused.
  for (let capability = 0; capability <= HIGHEST_CAPABILITY; capability += 1)
    if (!RETAINED_CAPABILITIES.has(capability)) kernel.try(prctl, PR_CAPBSET_DROP, capability);
  kernel.do('No new privileges', prctl, PR_SET_NO_NEW_PRIVS, 1);
  dropCapabilities(kernel, capset);

  const pointers = plan.arguments.map((text) => kernel.address(terminated(text)));
  const variables = plan.environment.map((text) => kernel.address(terminated(text)));
  const execute = [
    kernel.hiddenAddress(terminated(plan.arguments[0] ?? '')),
    kernel.hiddenAddress(words(...pointers, 0)),
    kernel.hiddenAddress(words(...variables, 0)),
  ] as const;
  const filter = seccompFilter(plan.seccomp, { pid: process.pid, execute });
  const program = new Uint8Array(16);
  const view = new DataView(program.buffer);
  view.setUint16(0, filter.length / 8, true);
  view.setBigUint64(8, kernel.address(filter), true);
  const filterAddress = kernel.address(program);

  applyLandlock(kernel, plan.landlock);
  // Node and this program have no other descriptor that the driver's Node needs. Node marks 0 to 3 as well, and a Node without them aborts.
  kernel.do('Descriptors', SHARED_CALLS.closeRange, WIRE_DESCRIPTOR + 1, HIGHEST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC);
  retainDescriptors(kernel);
  kernel.do('seccomp', prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filterAddress);
  throw new Error(`The program was not started: error ${-kernel.try(execve, ...execute)}`);
}

function retainDescriptors(kernel: Kernel): void {
  const fcntl = process.arch === 'x64' ? 72 : 25;
  const F_SETFD = 2;
  for (let descriptor = 0; descriptor <= WIRE_DESCRIPTOR; descriptor += 1)
    kernel.do('Descriptors', fcntl, descriptor, F_SETFD, 0);
}

/** Now, and not only in the program: the launcher's own need for them is over. */
function dropCapabilities(kernel: Kernel, capset: number): void {
  const header = new Uint8Array(8);
  new DataView(header.buffer).setUint32(0, 0x20080522, true);
  const mask = [...RETAINED_CAPABILITIES].reduce((sum, capability) => sum | (1 << capability), 0);
  const data = new Uint8Array(24);
  const view = new DataView(data.buffer);
  if (process.geteuid?.() === 0) {
    view.setUint32(0, mask, true);
    view.setUint32(4, mask, true);
  }
  kernel.try(capset, kernel.address(header), kernel.address(data));
}

function terminated(text: string): Uint8Array {
  if (text.includes('\0')) throw new Error('A text of the plan contains a NUL');
  return Buffer.from(`${text}\0`);
}

try {
  const kernel = new Kernel();
  for (;;) {
    const plan = nextPlan();
    if ('ask' in plan) writeSync(WIRE_DESCRIPTOR, `${JSON.stringify(answer(kernel))}\n`);
    else launch(kernel, plan);
  }
} catch (error) {
  try {
    writeSync(2, `The kernel wall was not set up. ${error instanceof Error ? error.message : String(error)}\n`);
  } catch {
    // The host no longer reads; it sees the exit code.
  }
  process.exit(LAUNCH_FAILED);
}
