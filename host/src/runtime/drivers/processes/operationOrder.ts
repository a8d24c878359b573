import type { OperationEvent } from '@tabularium/sdk';

/** How the events of one run follow one another: steps never go back, and the result is the last event. */
export class OperationOrder {
  #step = 0;
  #hasResult = false;

  /** @returns the fault of an event; undefined where it may come now */
  problem(event: OperationEvent): string | undefined {
    if (this.#hasResult) return `${event.type} came behind the result`;
    if (event.type === 'result') this.#hasResult = true;
    if (event.type !== 'progress') return undefined;
    if (event.step < this.#step) return `step ${event.step} came behind step ${this.#step}`;
    this.#step = event.step;
    return undefined;
  }
}
