import { DriverError } from '@tabularium/sdk';
import { faultTexts, notProtocol } from '../fault.ts';

/** The largest message that is read: a row is one message. The memory of the process is bounded, and a value of a gigabyte would end it. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;
/** Bytes that one answer may have which is kept as a whole. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** Type and length. */
const HEAD = 5;
/** The types of a server's messages; https://www.postgresql.org/docs/current/protocol-message-formats.html */
const TYPES = new Set(Buffer.from('RSKNEvZ123CDITtnsGHWdcAV'));
const READY = 'Z'.charCodeAt(0);
/** The largest message before the server is ready for the first statement: longer ones are of another protocol. */
const LARGEST_BEFORE = 1024 * 1024;

/** Follows the messages of a server by their heads and ends what would not fit into memory. */
export class MessageMeter {
  /** Bytes of the current message's body that are still to come. */
  #rest = 0;
  #head: number[] = [];
  #answered = 0;
  #isReady = false;

  /** Begins an answer, or a piece of one that is streamed. */
  begin(): void {
    this.#answered = 0;
  }

  /** @throws DriverError `TOO_LARGE`, `BAD_ANSWER` */
  count(bytes: Uint8Array): void {
    this.#answered += bytes.length;
    if (this.#answered > LARGEST_ANSWER)
      throw new DriverError('TOO_LARGE', `The server's answer is larger than ${LARGEST_ANSWER / 1024 / 1024} MB.`, {
        details: {
          advice: 'Ask for fewer rows or columns, or export the table.',
          texts: faultTexts('link.largeAnswer', { most: LARGEST_ANSWER / 1024 / 1024 }, 'link.largeAnswer.advice'),
        },
      });
    let at = 0;
    while (at < bytes.length) {
      if (this.#rest > 0) {
        const taken = Math.min(this.#rest, bytes.length - at);
        this.#rest -= taken;
        at += taken;
        continue;
      }
      this.#head.push(bytes[at] ?? 0);
      at += 1;
      if (this.#head.length === HEAD) this.#endHead();
    }
  }

  #endHead(): void {
    const [type = 0] = this.#head;
    const length = Buffer.from(this.#head).readUInt32BE(1);
    this.#head = [];
    if (type === READY) this.#isReady = true;
    if (length < 4 || !TYPES.has(type) || (!this.#isReady && length > LARGEST_BEFORE)) throw notProtocol();
    if (length > LARGEST_MESSAGE)
      throw new DriverError(
        'TOO_LARGE',
        `The server sent a message of ${length.toLocaleString('en')} bytes, and ${LARGEST_MESSAGE.toLocaleString('en')} are read at most.`,
        {
          details: {
            advice: 'Leave the column with the large value out, or read a part of it, such as substr(data, 1, 1000000).',
            texts: faultTexts('link.largeMessage', { size: length, most: LARGEST_MESSAGE }, 'link.largeMessage.advice'),
          },
        },
      );
    this.#rest = length - 4;
  }
}
