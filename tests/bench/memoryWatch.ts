import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const SAMPLE_EVERY_MILLISECONDS = 20;
const run = promisify(execFile);
const pidFileSchema = z.object({ processes: z.array(z.object({ pid: z.number() })) });

/** How much the resident memory of this process and of the home's driver processes grows while it runs. */
export class MemoryWatch implements AsyncDisposable {
  readonly #read: () => Promise<number>;
  readonly #start: number;
  readonly #timer: NodeJS.Timeout;
  #reading: Promise<void> = Promise.resolve();
  #most: number;

  static async start(home: string): Promise<MemoryWatch> {
    const pidFile: unknown = JSON.parse(await readFile(join(home, 'cache', 'driver-processes.json'), 'utf8'));
    const drivers = pidFileSchema.parse(pidFile).processes.map(({ pid }) => pid);
    const read = async (): Promise<number> => {
      const sizes = await Promise.all(drivers.map(residentBytes));
      return process.memoryUsage.rss() + sizes.reduce((sum, bytes) => sum + bytes, 0);
    };
    return new MemoryWatch(read, await read());
  }

  private constructor(read: () => Promise<number>, start: number) {
    this.#read = read;
    this.#start = start;
    this.#most = start;
    this.#timer = setInterval(() => {
      this.#reading = this.#reading.then(async () => {
        this.#most = Math.max(this.#most, await this.#read());
      });
    }, SAMPLE_EVERY_MILLISECONDS);
  }

  get growth(): number {
    return this.#most - this.#start;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }
}

async function residentBytes(pid: number): Promise<number> {
  // Cheap where it is there; a program for each look takes time from what is measured.
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  if (pages !== undefined) return Number(pages.split(' ')[1]) * 4_096;
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) * 1_024;
}
