import { DriverError } from '@tabularium/sdk';
import { CHECK_SERVER, faultTexts, notProtocol } from '../fault.ts';
import { largeAnswer } from './largeAnswer.ts';

/** The largest message that is read: a row is one message. The memory of the process is bounded, and a value of a gigabyte would end it. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;
/** The most that the messages of one answer may cost which is kept as a whole, in bytes. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** The cost of a message beside its bytes, however short it is: an object, and time. */
const MESSAGE_COST = 64;
/** Messages that are read before others have their turn. */
const MESSAGES_IN_A_TURN = 1_000;
/** Type and length. */
const HEAD = 5;
/** The types of a server's messages; https://www.postgresql.org/docs/current/protocol-message-formats.html */
const TYPES = new Set(Buffer.from('RSKNEvZ123CDITtnsGHWdcAV'));
const READY = 'Z'.charCodeAt(0);
/** The largest message before the server is ready for the first statement: longer ones are of another protocol. */
const LARGEST_BEFORE = 1024 * 1024;
/** The most that all messages before that may cost: a server sends some twenty, and what a trigger at the sign-in says. */
const LARGEST_SIGN_IN = 8 * 1024 * 1024;

/** Follows the messages of a server by their heads and ends what would not fit into memory. */
export class MessageMeter {
  readonly #server: string;
  /** Bytes of the current message's body that are still to come. */
  #rest = 0;
  #head: number[] = [];
  #cost = 0;
  #isReady = false;

  /** @param server - host and port, for errors */
  constructor(server: string) {
    this.#server = server;
  }

  /** Begins an answer, or a piece of one that is streamed. */
  begin(): void {
    this.#cost = 0;
  }

  /**
   * Counts the messages that begin in these bytes, so many as may be read in one turn.
   *
   * @param from - where the bytes begin that are not counted yet
   * @returns where the counted ones end
   * @throws DriverError `TOO_LARGE`, `BAD_ANSWER`
   */
  count(bytes: Uint8Array, from: number): number {
    let at = from;
    let messages = 0;
    while (at < bytes.length && messages < MESSAGES_IN_A_TURN) {
      if (this.#rest === 0) {
        this.#head.push(bytes[at] ?? 0);
        at += 1;
        if (this.#head.length < HEAD) continue;
        this.#endHead();
      }
      const taken = Math.min(this.#rest, bytes.length - at);
      this.#rest -= taken;
      at += taken;
      if (this.#rest === 0) messages += 1;
    }
    this.#add(at - from + messages * MESSAGE_COST);
    return at;
  }

  #add(cost: number): void {
    this.#cost += cost;
    if (!this.#isReady && this.#cost > LARGEST_SIGN_IN)
      throw new DriverError('BAD_ANSWER', `${this.#server} sent more than the sign-in at a PostgreSQL server needs.`, {
        details: {
          advice: CHECK_SERVER,
          texts: faultTexts('signIn.flood', { server: this.#server }, 'signIn.check'),
        },
      });
    if (this.#cost > LARGEST_ANSWER) throw largeAnswer(this.#server, LARGEST_ANSWER);
  }

  #endHead(): void {
    const [type = 0] = this.#head;
    const length = Buffer.from(this.#head).readUInt32BE(1);
    this.#head = [];
    if (type === READY && !this.#isReady) {
      this.#isReady = true;
      this.begin();
    }
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
