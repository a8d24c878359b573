import { WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

/** How much of one body may still be sent. */
export class SendGate {
  #credit: number = WIRE_LIMITS.window;
  #closed = false;
  #wake: (() => void) | undefined;

  /** @throws WireViolation when more is given back than was ever taken */
  add(bytes: number): void {
    if (this.#credit + bytes > WIRE_LIMITS.window) throw new WireViolation('more credit was given than the window holds');
    this.#credit += bytes;
    this.#wake?.();
  }

  /** Takes up to `wanted` bytes as soon as there are some; 0 when the exchange is over. */
  async take(wanted: number): Promise<number> {
    while (this.#credit === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if (this.#closed) return 0;
    const taken = Math.min(wanted, this.#credit);
    this.#credit -= taken;
    return taken;
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  get closed(): boolean {
    return this.#closed;
  }
}
