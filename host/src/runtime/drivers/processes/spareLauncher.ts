import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { spawnLauncher } from './walls/kernelWall.ts';

/**
 * Keeps one launcher ready that waits for its plan, so that the next driver does not wait for it. It holds nothing and knows nothing, and
 * ends with the host because its pipe does.
 */
export class SpareLauncher {
  readonly #node: string;
  readonly #launcher: string;
  readonly #keep: number;
  #waiting: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param keep - milliseconds after which an unused one is ended */
  constructor(node: string, launcher: string, keep: number) {
    this.#node = node;
    this.#launcher = launcher;
    this.#keep = keep;
  }

  /** Starts one where none waits. */
  warm(): void {
    if (this.#closed || this.#keep === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drop(), this.#keep).unref();
    if (this.#waiting !== undefined) return;
    const child = spawnLauncher(this.#node, this.#launcher);
    const forget = (): void => {
      if (this.#waiting === child) this.#waiting = undefined;
    };
    child.once('error', forget).once('exit', forget);
    // It may end at any time, and nothing was written yet that could be lost.
    child.stdio[3]?.on('error', () => undefined);
    // A host without anything else to do may end.
    child.unref();
    for (const stream of [child.stderr, child.stdio[3]]) if (stream instanceof Socket) stream.unref();
    this.#waiting = child;
  }

  /** A launcher that waits for its plan: the spare one, or a new one. */
  take(): ChildProcess {
    const child = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return spawnLauncher(this.#node, this.#launcher);
    }
    child.ref();
    for (const stream of [child.stderr, child.stdio[3]]) if (stream instanceof Socket) stream.ref();
    return child;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#waiting?.kill('SIGKILL');
    this.#waiting = undefined;
  }
}
