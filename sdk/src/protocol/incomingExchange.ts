import { DriverError } from '../errors.ts';
import { WireViolation } from './frame.ts';
import type { FrameWriter } from './frameWriter.ts';
import type { RequestHead } from './heads.ts';
import { NO_BYTES } from './heads.ts';
import { WIRE_LIMITS } from './limits.ts';
import { ReceivedBody } from './receivedBody.ts';
import { SendGate } from './sendGate.ts';
import { toWireError } from './wireError.ts';
import type { WireBody } from './wireRequest.ts';

/** A request of the other side. */
export interface IncomingRequest {
  readonly method: string;
  readonly session: number | undefined;
  /** Not yet checked. */
  readonly params: unknown;
  readonly body: ReceivedBody;
  /** Aborted when the other side has cancelled, or is gone. */
  readonly signal: AbortSignal;
  /** Answers, once; resolves when the body has gone out or isn't needed any more. */
  answer(result: unknown, body?: WireBody): Promise<void>;
}

interface IncomingOptions {
  readonly id: number;
  readonly head: RequestHead;
  /** The body, where it came whole. */
  readonly body: Uint8Array;
  readonly writer: FrameWriter;
  readonly onFinished: (requestEnded: boolean) => void;
}

/** An exchange that the other side began. */
export class IncomingExchange {
  readonly #options: IncomingOptions;
  readonly #gate = new SendGate();
  readonly #abort = new AbortController();
  readonly #body: ReceivedBody;
  #requestEnded: boolean;
  #answered = false;
  #finished = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#requestEnded = options.head.body !== 'stream';
    this.#body = this.#requestEnded
      ? ReceivedBody.of(options.body)
      : new ReceivedBody({
          giveCredit: (bytes) => {
            if (!this.#finished) options.writer.control('credit', options.id, { bytes });
          },
          abandon: () => undefined,
        });
  }

  /** Answers with what the handler says, or with its error. */
  async serve(handler: (request: IncomingRequest) => Promise<void>): Promise<void> {
    const { head } = this.#options;
    try {
      await handler({
        method: head.method,
        session: head.session,
        params: head.params,
        body: this.#body,
        signal: this.#abort.signal,
        answer: (result, body) => this.#answer(result, body),
      });
      if (!this.#answered) await this.#answer({});
    } catch (error) {
      this.#fail(error);
    }
  }

  onData(bytes: Uint8Array): void {
    if (this.#requestEnded) throw new WireViolation('data came after the end of a request');
    this.#body.push(bytes);
  }

  onEnd(): void {
    if (this.#requestEnded) throw new WireViolation('a request ended twice');
    this.#requestEnded = true;
    this.#body.end();
  }

  onCredit(bytes: number): void {
    this.#gate.add(bytes);
  }

  /** The other side needs no answer. It still gets one end, when the handler has stopped. */
  abort(reason: DriverError): void {
    this.#gate.close();
    this.#body.fail(reason);
    this.#abort.abort(reason);
  }

  async #answer(result: unknown, body?: WireBody): Promise<void> {
    if (this.#answered || this.#finished) throw new DriverError('DRIVER_FAULT', 'A request was answered twice.');
    const { id, writer } = this.#options;
    if (this.#abort.signal.aborted) throw this.#abort.signal.reason;
    if (body === undefined || (body instanceof Uint8Array && body.length <= WIRE_LIMITS.body)) {
      const bytes = body ?? NO_BYTES;
      writer.withBody('answer', id, { body: bytes.length === 0 ? 'none' : 'whole', result }, bytes);
      this.#answered = true;
      this.#finish();
      return;
    }
    writer.withBody('answer', id, { body: 'stream', result }, NO_BYTES);
    this.#answered = true;
    if (await writer.stream(id, body, this.#gate)) this.#finish();
    else this.#fail(this.#abort.signal.reason ?? new DriverError('CANCELLED'));
  }

  #fail(error: unknown): void {
    if (this.#finished) return;
    const { id, writer } = this.#options;
    const sent = toWireError(error);
    try {
      writer.control('error', id, sent);
    } catch {
      // Too large for a head, as one with many translations is: its code and its message fit.
      writer.control('error', id, { code: sent.code, message: sent.message, details: {} });
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#gate.close();
    // An error costs its stack: not for a body that has been read.
    if (!this.#body.finished) this.#body.fail(new DriverError('CANCELLED'));
    this.#options.onFinished(this.#requestEnded);
  }
}
