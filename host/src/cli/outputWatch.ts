import type { Writable } from 'node:stream';
import { write } from './terminal.ts';

const FAILED = 1;

/**
 * Standard output that takes nothing any more ends the command as Ctrl-C does, not the process: other commands may use its runtime, and what it
 * has in temporary folders is removed.
 */
export class OutputWatch {
  readonly #lost = new AbortController();
  #failed = false;

  /** @param onFailure - called when the answer could not be written, also after the command has ended */
  constructor(stdout: Writable, stderr: Writable, onFailure: () => void) {
    // Each later write fails again.
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      this.#lost.abort(new DOMException('Standard output is closed.', 'AbortError'));
      // A reader that has read enough isn't a failure.
      if (error.code === 'EPIPE' || this.#failed) return;
      this.#failed = true;
      onFailure();
      // Trying again would make a second change.
      const advice =
        'Check where standard output goes, and the space left there. What the command changed stays changed: look before you run it again.';
      void write(stderr, `The answer could not be written to standard output (${error.code ?? error.message}).\n${advice}\n`);
    });
  }

  /** Aborted when nothing reads the answer any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** The exit code of a command. @param own - as it says itself */
  exitCode(own: number): number {
    return this.#failed && own === 0 ? FAILED : own;
  }
}
