/** A shorter chunk is copied: as a part of what the socket read it would keep 64 KiB alive. */
const COPY_BELOW = 16 * 1024;
const BLOCK = 16 * 1024;

/**
 * Bytes in the order in which they came. What it holds on to is in proportion to the bytes in it, however small the pieces are in which they come:
 * a piece of one byte costs one byte and not an object, nor the block that the socket read it into.
 */
export class ByteQueue {
  readonly #chunks: Uint8Array[] = [];
  /** Small pieces are put together here. */
  #block: Uint8Array | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (chunk.length >= COPY_BELOW) {
      this.#seal();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#used + chunk.length > BLOCK) this.#seal();
    this.#block ??= new Uint8Array(BLOCK);
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  /** The next bytes, or undefined when there are none. */
  take(): Uint8Array | undefined {
    if (this.#chunks.length === 0) this.#seal();
    const chunk = this.#chunks.shift();
    this.#length -= chunk?.length ?? 0;
    return chunk;
  }

  /** Everything in one piece; the queue is empty after it. */
  takeAll(): Uint8Array {
    this.#seal();
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) {
      this.clear();
      return first;
    }
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    this.clear();
    return whole;
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#block = undefined;
    this.#used = 0;
    this.#length = 0;
  }

  #seal(): void {
    if (this.#block === undefined || this.#used === 0) return;
    // Of a block that is nearly empty the bytes alone are kept, and the block is filled again.
    if (this.#used < BLOCK / 2) this.#chunks.push(this.#block.slice(0, this.#used));
    else {
      this.#chunks.push(this.#block.subarray(0, this.#used));
      this.#block = undefined;
    }
    this.#used = 0;
  }
}
