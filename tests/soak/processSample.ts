import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A look at the host and its drivers. */
export interface ProcessSample {
  readonly seconds: number;
  /** Resident bytes. */
  readonly host: number;
  readonly drivers: number;
  readonly driverProcesses: number;
  /** Open files, sockets and pipes of the host. */
  readonly handles: number;
  readonly threads: number;
  /** Bytes of the host's heap in use after a collection; not in every sample. */
  readonly liveHeap?: number;
}

const PAGE_BYTES = 4_096;
const pidFileSchema = z.object({ processes: z.array(z.object({ pid: z.number() })) });

/** The processes that run drivers. */
export async function driverPids(pidFile: string): Promise<readonly number[]> {
  const text = await readFile(pidFile, 'utf8').catch(() => '{"processes":[]}');
  try {
    return pidFileSchema.parse(JSON.parse(text)).processes.map(({ pid }) => pid);
  } catch {
    // The host is writing it.
    return [];
  }
}

/** Takes a sample. Linux only: it reads /proc. @throws Error when the host is gone */
export async function processSample(pid: number, pidFile: string, seconds: number): Promise<ProcessSample> {
  const drivers = await driverPids(pidFile);
  const sizes = await Promise.all(drivers.map(residentBytes));
  const [host, handles, threads] = await Promise.all([
    residentBytes(pid),
    readdir(`/proc/${pid}/fd`).then((names) => names.length),
    readdir(`/proc/${pid}/task`).then((names) => names.length),
  ]);
  if (host === undefined) throw new Error('The host has ended.');
  const running = sizes.filter((size) => size !== undefined);
  return {
    ...{ seconds, host, handles, threads },
    drivers: running.reduce((sum, bytes) => sum + bytes, 0),
    driverProcesses: running.length,
  };
}

async function residentBytes(pid: number): Promise<number | undefined> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  return pages === undefined ? undefined : Number(pages.split(' ')[1]) * PAGE_BYTES;
}
