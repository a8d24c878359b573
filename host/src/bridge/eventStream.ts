import { LineReader } from './lines.ts';

/** Events of a server carry one message each; a message is as large as an answer may be. */
const LARGEST_LINE_BYTES = 256 * 1024 * 1024;
const DATA = Buffer.from('data:');
const BLANK = 0x20;

/** Reads the messages out of a `text/event-stream`. Everything but the data of events is passed over. */
export class EventReader {
  readonly #lines: LineReader;
  readonly #onMessage: (message: Buffer) => void;
  #data: Buffer[] = [];

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage;
    this.#lines = new LineReader(
      LARGEST_LINE_BYTES,
      (line) => this.#onLine(line),
      () => undefined,
      () => this.#onEmptyLine(),
    );
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  #onLine(line: Buffer): void {
    if (!line.subarray(0, DATA.length).equals(DATA)) return;
    this.#data.push(line.subarray(line[DATA.length] === BLANK ? DATA.length + 1 : DATA.length));
  }

  #onEmptyLine(): void {
    if (this.#data.length === 0) return;
    const [first] = this.#data;
    // Lines of one message are joined by line ends, which JSON has between its tokens only; one blank says the same in one line.
    const message = this.#data.length === 1 && first !== undefined ? first : joined(this.#data);
    this.#data = [];
    if (message.length > 0) this.#onMessage(message);
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(' '), part])));
}
