/** Counts how often each driver version crashed lately, so that one that cannot run is not started again and again. */
export class CrashBudget {
  readonly #count: number;
  readonly #within: number;
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(
    { count, within }: { readonly count: number; readonly within: number },
    now: () => number = () => performance.now(),
  ) {
    this.#count = count;
    this.#within = within;
    this.#now = now;
  }

  add(key: string): void {
    this.#times.set(key, [...this.#recent(key), this.#now()]);
  }

  /** The rest of a sentence about the driver, when it may not be started now. */
  refusal(key: string): string | undefined {
    const recent = this.#recent(key);
    const [first] = recent;
    if (first === undefined || recent.length < this.#count) return undefined;
    const seconds = Math.ceil((first + this.#within - this.#now()) / 1_000);
    return `ended unexpectedly ${recent.length} times in ${Math.round(this.#within / 60_000)} minutes; it is started again in ${seconds} s at the earliest.`;
  }

  #recent(key: string): number[] {
    const since = this.#now() - this.#within;
    return (this.#times.get(key) ?? []).filter((time) => time > since);
  }
}
