import { randomUUID } from 'node:crypto';

/** A text that never changes, with a short name. */
interface NamedText {
  readonly text: string;
  readonly name?: string;
}

/** A statement by the name that it has at the server. */
export interface PreparedName {
  readonly name: string;
  /** Whether the server has it already. */
  readonly isThere: boolean;
}

/** The statements that one connection has parsed under a name: the server plans such a one once, where it would plan a large question for longer than it takes to answer it. */
export class PreparedStatements {
  // Functions of the database run on the same connection. They may look the name up, which is why a reader asks for more than the name.
  readonly #prefix = `tabularium_${randomUUID()}`;
  readonly #there = new Map<string, string>();

  /** The place of a statement; undefined for one without a name. */
  of({ name, text }: NamedText): PreparedName | undefined {
    if (name === undefined) return undefined;
    return { name: `${this.#prefix}_${name}`, isThere: this.#there.get(name) === text };
  }

  get hasAny(): boolean {
    return this.#there.size > 0;
  }

  /** After the server has answered them. */
  add(steps: readonly NamedText[]): void {
    for (const { name, text } of steps) if (name !== undefined) this.#there.set(name, text);
  }

  /** After an error, which leaves open what the server has, and after a statement that drops them. */
  clear(): void {
    this.#there.clear();
  }
}
