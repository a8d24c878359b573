import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMAND_TIMEOUT = 5_000;

/** The resident memory of processes of ours, in bytes. A process that is gone is left out. */
export async function residentBytes(pids: readonly number[]): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  if (pids.length === 0) return sizes;
  if (process.platform === 'linux') {
    for (const pid of pids) {
      const size = readProc(pid, 'status')?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
      if (size !== undefined) sizes.set(pid, Number(size) * 1_024);
    }
    return sizes;
  }
  if (process.platform === 'win32') {
    const { stdout } = await run('tasklist', ['/fo', 'csv', '/nh', '/fi', 'imagename eq node.exe'], { timeout: COMMAND_TIMEOUT });
    for (const line of stdout.split('\n')) {
      const cells = line.trim().slice(1, -1).split('","');
      const pid = Number(cells[1]);
      const kilobytes = Number(cells[4]?.replaceAll(/\D/g, ''));
      if (pids.includes(pid) && Number.isFinite(kilobytes)) sizes.set(pid, kilobytes * 1_024);
    }
    return sizes;
  }
  // ps exits with 1 when one of them is gone, and still lists the others.
  const { stdout } = await run('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], { timeout: COMMAND_TIMEOUT }).catch(
    (error: unknown) => ({
      stdout: typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : '',
    }),
  );
  for (const line of stdout.split('\n')) {
    const [pid, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (pid !== undefined && kilobytes !== undefined && pids.includes(pid)) sizes.set(pid, kilobytes * 1_024);
  }
  return sizes;
}

/** Linux counts processor time for programs in hundredths of a second, whatever the kernel's own clock (USER_HZ). */
const MILLISECONDS_PER_TICK = 10;

/**
 * How long a process has worked since it was started, all its threads together.
 *
 * @returns undefined when the process doesn't exist, or the system does not say without a program of its own
 */
export function processorMilliseconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readProc(pid, 'stat');
  // After the name of the program, as in startOf. `utime` is the 12th field, `stime` the 13th.
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? [];
  const ticks = (user ?? NaN) + (system ?? NaN);
  return Number.isFinite(ticks) ? ticks * MILLISECONDS_PER_TICK : undefined;
}

/**
 * When a process was started, as text that only compares: with its number it names one process for ever, also after the number is used
 * again or the machine was started again. No process can change it, unlike its command line.
 *
 * @returns undefined when the process doesn't exist, or the system does not say
 */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const [boot, stat] = [readText('/proc/sys/kernel/random/boot_id'), readProc(pid, 'stat')];
    // The name of the program comes first, in brackets, and may hold anything, brackets too. The start is the 20th field after it.
    const start = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return boot === undefined || start === undefined ? undefined : `${boot.trim()} ${start}`;
  }
  const [program, words] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  try {
    const { stdout } = await run(program, words, { timeout: COMMAND_TIMEOUT, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

function readProc(pid: number, file: string): string | undefined {
  return readText(`/proc/${pid}/${file}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
