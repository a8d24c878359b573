import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { startOf } from './processTable.ts';

const pidFileSchema = z.object({
  version: z.literal(2),
  processes: z.array(z.object({ pid: z.number().int().min(2), started: z.string().min(1) })),
});
type Entry = z.output<typeof pidFileSchema>['processes'][number];

/**
 * The list of running driver processes, on disk. A host that was killed leaves it behind, and with it perhaps a driver in a busy loop that
 * has not noticed. The next host ends it. A process is known by its number and its start, which it cannot change; a number that another
 * program has by now is left alone.
 */
export class PidFile {
  readonly #file: string;
  readonly #entries = new Map<number, Entry>();
  readonly #adding = new Set<number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Ends what an earlier host left behind. @returns the numbers of the processes that were ended */
  async sweep(): Promise<readonly number[]> {
    const ended: number[] = [];
    for (const { pid, started } of await this.#read()) {
      if (this.#entries.has(pid) || pid === process.pid) continue;
      if ((await startOf(pid)) !== started) continue;
      try {
        process.kill(pid, 'SIGKILL');
        ended.push(pid);
      } catch {
        // It ended in between.
      }
    }
    await this.#write();
    return ended;
  }

  /** @param pid - of a process that this host has just started */
  async add(pid: number): Promise<void> {
    this.#adding.add(pid);
    const started = await startOf(pid);
    // It may have ended meanwhile.
    if (!this.#adding.delete(pid) || started === undefined) return;
    this.#entries.set(pid, { pid, started });
    await this.#write();
  }

  async remove(pid: number): Promise<void> {
    this.#adding.delete(pid);
    if (this.#entries.delete(pid)) await this.#write();
  }

  /** Waits until the file is as the list is. */
  settled(): Promise<void> {
    return this.#writing.catch(() => undefined);
  }

  async #read(): Promise<readonly Entry[]> {
    try {
      return pidFileSchema.parse(JSON.parse(await readFile(this.#file, 'utf8'))).processes;
    } catch {
      // There is none yet, or it was written half; then there is nothing to go by.
      return [];
    }
  }

  #write(): Promise<void> {
    // One failed write does not keep the next one from being tried.
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const text = JSON.stringify({ version: 2, processes: [...this.#entries.values()] });
        await mkdir(dirname(this.#file), { recursive: true });
        await writeFile(`${this.#file}.new`, text, { mode: 0o600 });
        await rename(`${this.#file}.new`, this.#file);
      });
    return this.#writing;
  }
}
