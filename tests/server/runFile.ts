import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const runs = z.array(z.object({ prefix: z.string().regex(/^tabularium-check-[0-9a-f]{16}-$/), pid: z.int().positive() }));

/** Prefixes of runs that began on this machine, so that a later run recognizes the leftovers that it may remove. */
export class RunFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Call before the first thing is created. */
  begin(prefix: string, pid = process.pid): void {
    this.#write([...this.#runs(), { prefix, pid }]);
  }

  /** Call when nothing of the run is left. */
  end(prefix: string): void {
    this.#write(this.#runs().filter((run) => run.prefix !== prefix));
  }

  /** Whether a run with this prefix began here and has ended without removing everything. */
  isOver(prefix: string): boolean {
    const found = this.#runs().find((run) => run.prefix === prefix);
    return found !== undefined && !isRunning(found.pid);
  }

  #runs(): z.infer<typeof runs> {
    try {
      return runs.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      // No file, or one that something else wrote: then nothing is known to be ours.
      return [];
    }
  }

  #write(list: z.infer<typeof runs>): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(list)}\n`, { mode: 0o600 });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
