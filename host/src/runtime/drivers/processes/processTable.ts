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

/** The command line of a process, words joined by blanks; undefined when there is no such process. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readProc(pid, 'cmdline')?.replaceAll('\0', ' ').trim();
  const [program, words] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`]]
      : ['ps', ['-o', 'command=', '-p', String(pid)]];
  try {
    const { stdout } = await run(program, words, { timeout: COMMAND_TIMEOUT });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
