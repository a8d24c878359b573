import type { PermittedStatement } from '@tabularium/sdk';

const MOST = 5_000;

/** Remembers what was said of things before they run, by their texts: a caller that runs one then has agreed to that and to no more. */
export class Agreements {
  readonly #said = new Map<string, PermittedStatement>();

  /** The last thing that was said counts. */
  say(text: string, does: PermittedStatement): void {
    this.#said.delete(text);
    if (this.#said.size >= MOST) for (const oldest of [...this.#said.keys()].slice(0, MOST / 10)) this.#said.delete(oldest);
    this.#said.set(text, does);
  }

  /** Undefined where nothing was said of it. */
  of(text: string): PermittedStatement | undefined {
    return this.#said.get(text);
  }
}
