import type { MessageMeter } from './messageMeter.ts';
import { SaidMessage } from './saidMessage.ts';

/** Type and length. */
const HEAD = 5;
/** Messages that are read before others have their turn. */
const MESSAGES_IN_A_TURN = 1_000;
const SAID = new Set(Buffer.from('EN'));
/** Messages of which nothing is used, with a body that stands for theirs. */
const UNUSED = new Map<number, Buffer>([
  ['S'.charCodeAt(0), Buffer.alloc(2)],
  ['A'.charCodeAt(0), Buffer.alloc(6)],
  ['d'.charCodeAt(0), Buffer.alloc(0)],
]);

/** A message while it comes. */
interface Coming {
  take(part: Buffer): void;
  /** The message that the library is given for it. */
  whole(): Buffer;
}

/**
 * Puts the bytes of a server together to whole messages. The library would join what it has with what comes in buffers of twice the size, again and
 * again; here a message has room once, and what is not used of it has none.
 */
export class MessageFrames {
  readonly #meter: MessageMeter;
  readonly #server: string;
  readonly #head = Buffer.alloc(HEAD);
  #headLength = 0;
  #coming: Coming | undefined;
  /** Bytes of its body that are still to come. */
  #rest = 0;

  /** @param server - host and port, for errors */
  constructor(meter: MessageMeter, server: string) {
    this.#meter = meter;
    this.#server = server;
  }

  /** Bytes of memory for the message that has come in part. */
  get retainedBytes(): number {
    return this.#coming instanceof WholeMessage ? this.#coming.filled : 0;
  }

  /**
   * Takes the messages in these bytes, so many as may be read in one turn.
   *
   * @param from - where the bytes begin that are not taken yet
   * @returns where the taken ones end, and the messages that are whole by then
   * @throws DriverError `TOO_LARGE`, `BAD_ANSWER`
   */
  read(bytes: Buffer, from: number): { readonly end: number; readonly pieces: readonly Buffer[] } {
    const pieces: Buffer[] = [];
    let at = from;
    /** Where the messages begin that are whole in these bytes and pass as they are. */
    let run = from;
    let messages = 0;
    while (at < bytes.length && messages < MESSAGES_IN_A_TURN) {
      if (this.#coming === undefined) {
        const end = this.#wholeAt(bytes, at);
        if (end !== undefined) {
          at = end;
          messages += 1;
          continue;
        }
        if (at > run) pieces.push(bytes.subarray(run, at));
        const taken = Math.min(HEAD - this.#headLength, bytes.length - at);
        bytes.copy(this.#head, this.#headLength, at, at + taken);
        this.#headLength += taken;
        at += taken;
        run = at;
        if (this.#headLength < HEAD) continue;
        this.#begin();
      }
      const taken = Math.min(this.#rest, bytes.length - at);
      if (taken > 0) this.#coming?.take(bytes.subarray(at, at + taken));
      this.#rest -= taken;
      at += taken;
      run = at;
      if (this.#rest > 0) continue;
      messages += 1;
      pieces.push(this.#end());
    }
    if (at > run) pieces.push(bytes.subarray(run, at));
    this.#meter.add(at - from, messages);
    return { end: at, pieces };
  }

  /** The end of the message that begins here, where it passes as it is. */
  #wholeAt(bytes: Buffer, at: number): number | undefined {
    if (this.#headLength > 0 || bytes.length - at < HEAD) return undefined;
    const type = bytes[at] ?? 0;
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length || SAID.has(type) || UNUSED.has(type)) return undefined;
    this.#meter.enter(type, end - at - 1);
    return end;
  }

  #begin(): void {
    const type = this.#head[0] ?? 0;
    const length = this.#head.readUInt32BE(1);
    this.#headLength = 0;
    this.#meter.enter(type, length);
    this.#rest = length - 4;
    const unused = UNUSED.get(type);
    if (SAID.has(type)) this.#coming = new SaidMessage(type, this.#server);
    else this.#coming = unused === undefined ? new WholeMessage(this.#head, this.#rest) : new UnusedMessage(type, unused);
  }

  #end(): Buffer {
    const whole = this.#coming?.whole() ?? Buffer.alloc(0);
    this.#coming = undefined;
    return whole;
  }
}

/** One that is read as it is. */
class WholeMessage implements Coming {
  readonly #bytes: Buffer;
  filled = HEAD;

  constructor(head: Buffer, rest: number) {
    // The memory is used when it is written: a server that announces a message and sends none takes nothing.
    this.#bytes = Buffer.allocUnsafe(HEAD + rest);
    head.copy(this.#bytes);
  }

  take(part: Buffer): void {
    part.copy(this.#bytes, this.filled);
    this.filled += part.length;
  }

  whole(): Buffer {
    return this.#bytes;
  }
}

/** One whose content is passed over. */
class UnusedMessage implements Coming {
  readonly #whole: Buffer;

  constructor(type: number, body: Buffer) {
    const head = Buffer.alloc(HEAD);
    head[0] = type;
    head.writeUInt32BE(body.length + 4, 1);
    this.#whole = Buffer.concat([head, body]);
  }

  take(): void {
    // Nothing of it is kept.
  }

  whole(): Buffer {
    return this.#whole;
  }
}
