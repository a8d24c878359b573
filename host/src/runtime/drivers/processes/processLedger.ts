import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { commandLine } from './processTable.ts';

const ledgerSchema = z.object({
  version: z.literal(1),
  processes: z.array(z.object({ pid: z.number().int().min(2), runner: z.string().min(1) })),
});
type Entry = z.output<typeof ledgerSchema>['processes'][number];

/**
 * The list of running driver processes, on disk. A host that was killed leaves it behind, and with it a driver that is in a busy loop and
 * does not notice; the next host ends it. A number that belongs to another program by now is left alone.
 */
export class ProcessLedger {
  readonly #file: string;
  readonly #entries = new Map<number, Entry>();
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Ends what an earlier host left behind. @returns the numbers of the processes that were ended */
  async sweep(): Promise<readonly number[]> {
    const ended: number[] = [];
    for (const { pid, runner } of await this.#read()) {
      if (this.#entries.has(pid) || pid === process.pid) continue;
      const command = await commandLine(pid);
      if (command === undefined || !command.includes(runner) || !command.includes('--permission')) continue;
      try {
        process.kill(pid, 'SIGKILL');
        ended.push(pid);
      } catch {
        // It ended by itself in between.
      }
    }
    await this.#write();
    return ended;
  }

  async add(pid: number, runner: string): Promise<void> {
    this.#entries.set(pid, { pid, runner });
    await this.#write();
  }

  async remove(pid: number): Promise<void> {
    if (this.#entries.delete(pid)) await this.#write();
  }

  /** Waits until the file is as the list is. */
  settled(): Promise<void> {
    return this.#writing.catch(() => undefined);
  }

  async #read(): Promise<readonly Entry[]> {
    try {
      return ledgerSchema.parse(JSON.parse(await readFile(this.#file, 'utf8'))).processes;
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
        const text = JSON.stringify({ version: 1, processes: [...this.#entries.values()] });
        await mkdir(dirname(this.#file), { recursive: true });
        await writeFile(`${this.#file}.new`, text, { mode: 0o600 });
        await rename(`${this.#file}.new`, this.#file);
      });
    return this.#writing;
  }
}
