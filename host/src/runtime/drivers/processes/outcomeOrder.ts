/**
 * Checks that a driver reports the outcome of each change at most once, and of no other change. The host collects outcomes in several places; without
 * this their number is the driver's choice.
 */
export class OutcomeOrder {
  readonly #changes: number;
  readonly #reported = new Set<number>();

  /** @param changes - how many the driver was given */
  constructor(changes: number) {
    this.#changes = changes;
  }

  /** @returns what is wrong with the next outcome, if anything is */
  problem(index: number): string | undefined {
    if (index >= this.#changes) return `it reported change ${index}, and was given ${this.#changes}`;
    if (this.#reported.has(index)) return `it reported change ${index} twice`;
    this.#reported.add(index);
    return undefined;
  }
}
