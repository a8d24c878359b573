import type { Writable } from 'node:stream';

const NEWLINE = Buffer.from('\n');

/** Where messages go to the client: whole lines, one after the other, no faster than the client reads. */
export class Output {
  readonly #stream: Writable;
  #drained: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Writes a line. Resolves when there is room for the next one; the line is in its place at once. */
  write(line: Buffer): Promise<void> | undefined {
    if (this.#stream.destroyed) return undefined;
    this.#stream.cork();
    this.#stream.write(inOneLine(line));
    this.#stream.write(NEWLINE);
    this.#stream.uncork();
    if (!this.#stream.writableNeedDrain) return undefined;
    this.#drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#stream.once('drain', done).once('close', done);
    });
    return this.#drained;
  }

  /** Resolves when everything is written. */
  flush(): Promise<void> {
    if (this.#stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.once('close', resolve);
      this.#stream.write('', () => resolve());
    });
  }
}

/** JSON has line ends between its tokens only. The bytes stay as they are where there are none. */
function inOneLine(line: Buffer): Buffer {
  if (!line.includes(0x0a) && !line.includes(0x0d)) return line;
  return Buffer.from(line.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
