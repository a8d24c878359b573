import { DriverError } from '@tabularium/sdk';
import { faultTexts, notProtocol } from '../fault.ts';

/** The fields that are used; https://www.postgresql.org/docs/current/protocol-error-fields.html */
const USED = new Set(Buffer.from('SVCMDHPctn'));
/** Bytes of a field. Texts are shown up to 2,000 characters. */
const MOST = 8 * 1024;
const ERROR = 'E'.charCodeAt(0);
const [SEVERITY, STABLE_SEVERITY, CODE, MESSAGE] = [...Buffer.from('SVCM')] as [number, number, number, number];

/**
 * An error or a notice of the server while it comes. Either may have hundreds of megabytes on any server, such as a value that a function reports: the
 * beginning of each field is kept, and the rest is passed over as it comes.
 */
export class SaidMessage {
  readonly #type: number;
  readonly #server: string;
  readonly #fields = new Map<number, Buffer>();
  #field: number | undefined;
  /** Of the field, where it is used. */
  #text: Buffer[] | undefined;
  #length = 0;
  #isOver = false;

  /** @param server - host and port, for errors */
  constructor(type: number, server: string) {
    this.#type = type;
    this.#server = server;
  }

  take(part: Buffer): void {
    for (let at = 0; at < part.length && !this.#isOver;) {
      if (this.#field === undefined) {
        const field = part[at] ?? 0;
        at += 1;
        if (field === 0) this.#isOver = true;
        else this.#begin(field);
        continue;
      }
      const found = part.indexOf(0, at);
      const end = found < 0 ? part.length : found;
      if (this.#text !== undefined && this.#length < MOST) {
        const text = part.subarray(at, Math.min(end, at + MOST - this.#length));
        // A copy: a view would keep all that came with it.
        this.#text.push(Buffer.from(text));
        this.#length += text.length;
      }
      if (found >= 0) this.#end();
      at = end + 1;
    }
  }

  /**
   * The message with the beginning of its fields, for the library to read.
   *
   * @throws DriverError `BAD_ANSWER` where it isn't in the form of one
   */
  whole(): Buffer {
    // The library would look for the end in what follows, and without an end when nothing follows.
    if (!this.#isOver) throw notProtocol();
    const fields = new Map(this.#fields);
    const stable = fields.get(STABLE_SEVERITY);
    if (this.#type === ERROR) {
      // The other one is in the server's language.
      if (stable !== undefined) fields.set(SEVERITY, stable);
      if (!fields.has(SEVERITY) || !/^[0-9A-Z]{5}$/.test(fields.get(CODE)?.toString('latin1') ?? '')) throw this.#strange();
    }
    fields.delete(STABLE_SEVERITY);
    const parts = [...fields].flatMap(([field, text]) => [Buffer.of(field), text, Buffer.of(0)]);
    const head = Buffer.alloc(5);
    head[0] = this.#type;
    const body = Buffer.concat([...parts, Buffer.of(0)]);
    head.writeUInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  }

  #begin(field: number): void {
    this.#field = field;
    this.#length = 0;
    this.#text = USED.has(field) && !this.#fields.has(field) ? [] : undefined;
  }

  #end(): void {
    if (this.#field !== undefined && this.#text !== undefined)
      this.#fields.set(this.#field, wholeCharacters(this.#text, this.#length));
    this.#field = undefined;
    this.#text = undefined;
  }

  #strange(): DriverError {
    const server = this.#server;
    const said = (this.#fields.get(MESSAGE) ?? Buffer.of()).toString().slice(0, 500);
    return new DriverError('BAD_ANSWER', `${server} reported an error that isn't in PostgreSQL's form: “${said}”.`, {
      details: { serverMessage: said, texts: faultTexts('link.strangeError', { server, said }) },
    });
  }
}

/** The bytes of a text that may be cut in the middle of a character. */
function wholeCharacters(parts: readonly Buffer[], length: number): Buffer {
  const text = Buffer.concat(parts, length);
  if (length < MOST) return text;
  let end = length - 1;
  while (end > length - 4 && ((text[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.subarray(0, end);
}
