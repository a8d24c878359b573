import { DriverError } from '@tabularium/sdk';
import { CHECK_SERVER, faultTexts, notProtocol } from '../fault.ts';
import { largeAnswer } from './largeAnswer.ts';
import { largeMessage } from './largeMessage.ts';

const MEGABYTE = 1024 * 1024;
/** The largest row: a row is one message. The memory of the process is bounded, and a value of a gigabyte would end it. */
const LARGEST_ROW = 32 * MEGABYTE;
/** The largest description of columns. */
const LARGEST_DESCRIPTION = 4 * MEGABYTE;
/** The most that the messages of one answer may cost which is kept as a whole, in bytes. */
const LARGEST_ANSWER = 64 * MEGABYTE;
/** The cost of a message beside its bytes, however short it is: an object, and time. */
const MESSAGE_COST = 64;
/** The types of a server's messages; https://www.postgresql.org/docs/current/protocol-message-formats.html */
const TYPES = new Set(Buffer.from('RSKNEvZ123CDITtnsGHWdcAV'));
/** Messages of which nothing long is kept, so that they may be as long as the server can make them. */
const CUT = new Set(Buffer.from('ENSAd'));
/** Lists of numbers, one or two for each of 65,535 parameters or columns. */
const NUMBERS = new Set(Buffer.from('tGHW'));
const LARGEST_NUMBERS = 512 * 1024;
/** Of the other types: states, tags and what belongs to the sign-in. */
const LARGEST_OTHER = 64 * 1024;
const READY = 'Z'.charCodeAt(0);
const ROW = 'D'.charCodeAt(0);
const DESCRIPTION = 'T'.charCodeAt(0);
/** The largest message before the server is ready for the first statement: longer ones are of another protocol. */
const LARGEST_BEFORE = MEGABYTE;
/** The most that all messages before that may cost: a server sends some twenty, and what a trigger at the sign-in says. */
const LARGEST_SIGN_IN = 8 * MEGABYTE;

/** Judges the messages of a server by their heads and ends what would not fit into memory. */
export class MessageMeter {
  readonly #server: string;
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
   * A message begins.
   *
   * @param length - as its head says: four more than the bytes that follow the head
   * @throws DriverError `TOO_LARGE`, `BAD_ANSWER`
   */
  enter(type: number, length: number): void {
    if (type === READY && !this.#isReady) {
      this.#isReady = true;
      this.begin();
    }
    if (length < 4 || !TYPES.has(type) || (!this.#isReady && length > LARGEST_BEFORE)) throw notProtocol();
    if (type === ROW || type === DESCRIPTION) {
      const most = type === ROW ? LARGEST_ROW : LARGEST_DESCRIPTION;
      if (length > most) throw largeMessage(this.#server, length, most);
    } else if (!CUT.has(type) && length > (NUMBERS.has(type) ? LARGEST_NUMBERS : LARGEST_OTHER)) throw notProtocol();
  }

  /**
   * Counts bytes that have come, and the messages that ended in them.
   *
   * @throws DriverError `TOO_LARGE`, `BAD_ANSWER`
   */
  add(bytes: number, messages: number): void {
    this.#cost += bytes + messages * MESSAGE_COST;
    if (!this.#isReady && this.#cost > LARGEST_SIGN_IN)
      throw new DriverError('BAD_ANSWER', `${this.#server} sent more than the sign-in at a PostgreSQL server needs.`, {
        details: {
          advice: CHECK_SERVER,
          texts: faultTexts('signIn.flood', { server: this.#server }, 'signIn.check'),
        },
      });
    if (this.#cost > LARGEST_ANSWER) throw largeAnswer(this.#server, LARGEST_ANSWER);
  }
}
