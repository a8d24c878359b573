import { SHORTEST_SOUGHT, hideValue } from './hideValue.ts';

/** Every secret value that was handed out in this run, by connection. The key of a connection that is not saved yet is the empty string. */
export class UsedSecrets {
  readonly #values = new Map<string, Set<string>>();

  /** A value that is too short to be looked for in a text is left out. */
  remember(connectionId: string, value: string): void {
    if (value.length < SHORTEST_SOUGHT) return;
    const values = this.#values.get(connectionId) ?? new Set();
    this.#values.set(connectionId, values.add(value));
  }

  of(connectionId: string): readonly string[] {
    return [...(this.#values.get(connectionId) ?? [])];
  }

  /** A text without any of the values. */
  redact(text: string): string {
    let result = text;
    for (const values of this.#values.values()) for (const value of values) result = hideValue(result, value);
    return result;
  }
}
