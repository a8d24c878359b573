import { DriverError } from '../errors.ts';
import { WireViolation } from './frame.ts';
import type { FrameWriter } from './frameWriter.ts';
import type { AnswerHead, RequestHead } from './heads.ts';
import { NO_BYTES } from './heads.ts';
import { WIRE_LIMITS } from './limits.ts';
import { ReceivedBody } from './receivedBody.ts';
import { SendGate } from './sendGate.ts';
import { toDriverError } from './wireError.ts';
import type { WireBody, WireRequest } from './wireRequest.ts';

/** The answer to a request. */
export interface WireAnswer {
  /** Not yet checked. */
  readonly result: unknown;
  /** Arrives as it is read. Must be read or discarded. */
  readonly body: ReceivedBody;
}

interface OutgoingOptions {
  readonly id: number;
  readonly request: WireRequest;
  readonly writer: FrameWriter;
  readonly cancelReason: () => DriverError;
  /** The caller has lost interest; the other side has yet to confirm it. */
  readonly onDraining: () => void;
  readonly onFinished: () => void;
}

/** An exchange that this side began. */
export class OutgoingExchange {
  readonly #options: OutgoingOptions;
  readonly #gate = new SendGate();
  readonly #answer = Promise.withResolvers<WireAnswer>();
  readonly #abort = (): void => this.#cancel(this.#options.cancelReason());
  #state: 'asked' | 'answered' | 'draining' | 'finished' = 'asked';
  /** While draining: whether the head of the answer was there before. */
  #wasAnswered = false;
  #body: ReceivedBody | undefined;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  get method(): string {
    return this.#options.request.method;
  }

  start(): Promise<WireAnswer> {
    const { id, request, writer } = this.#options;
    const { body } = request;
    const whole = body instanceof Uint8Array && body.length <= WIRE_LIMITS.body;
    const head: RequestHead = {
      method: request.method,
      ...(request.session === undefined ? {} : { session: request.session }),
      body: body === undefined ? 'none' : whole ? 'whole' : 'stream',
      ...(request.params === undefined ? {} : { params: request.params }),
    };
    try {
      writer.withBody('request', id, head, whole ? body : NO_BYTES);
    } catch (error) {
      this.#finish();
      throw error;
    }
    request.signal?.addEventListener('abort', this.#abort);
    if (body !== undefined && !whole) void this.#sendBody(body);
    return this.#answer.promise;
  }

  onAnswer(head: AnswerHead, bytes: Uint8Array): void {
    if (this.#state === 'answered' || this.#wasAnswered) throw new WireViolation('a request was answered twice');
    if (head.body !== 'whole' && bytes.length > 0) throw new WireViolation('an answer came with a body that it did not announce');
    if (this.#state === 'draining') {
      this.#wasAnswered = true;
      if (head.body !== 'stream') return this.#finish();
      this.#body = this.#newBody();
      this.#body.fail(new DriverError('CANCELLED'));
      return;
    }
    if (head.body !== 'stream') {
      const body = ReceivedBody.of(bytes);
      this.#finish();
      this.#answer.resolve({ result: head.result, body });
      return;
    }
    this.#state = 'answered';
    this.#body = this.#newBody();
    this.#answer.resolve({ result: head.result, body: this.#body });
  }

  onError(error: DriverError): void {
    this.fail(error);
  }

  onData(bytes: Uint8Array): void {
    if (this.#state === 'asked' || (this.#state === 'draining' && !this.#wasAnswered)) {
      throw new WireViolation('data came before the answer');
    }
    this.#body?.push(bytes);
  }

  onEnd(): void {
    if (this.#state === 'asked' || (this.#state === 'draining' && !this.#wasAnswered)) {
      throw new WireViolation('the end came before the answer');
    }
    const body = this.#body;
    this.#finish();
    body?.end();
  }

  onCredit(bytes: number): void {
    this.#gate.add(bytes);
  }

  fail(error: DriverError): void {
    const body = this.#body;
    this.#finish();
    this.#answer.reject(error);
    body?.breakOff(error);
  }

  #newBody(): ReceivedBody {
    return new ReceivedBody({
      giveCredit: (count) => this.#options.writer.control('credit', this.#options.id, { bytes: count }),
      abandon: () => this.#cancel(this.#options.cancelReason()),
    });
  }

  async #sendBody(body: WireBody): Promise<void> {
    try {
      await this.#options.writer.stream(this.#options.id, body, this.#gate);
    } catch (error) {
      // The source of the body failed: the other side must not take what it has for the whole.
      if (this.#state === 'finished') return;
      this.#cancel(toDriverError(error));
    }
  }

  #cancel(reason: DriverError): void {
    if (this.#state === 'finished' || this.#state === 'draining') return;
    this.#wasAnswered = this.#state === 'answered';
    this.#state = 'draining';
    this.#gate.close();
    this.#options.request.signal?.removeEventListener('abort', this.#abort);
    this.#options.writer.control('cancel', this.#options.id);
    this.#answer.reject(reason);
    this.#body?.fail(reason);
    this.#options.onDraining();
  }

  #finish(): void {
    if (this.#state === 'finished') return;
    this.#state = 'finished';
    this.#gate.close();
    this.#options.request.signal?.removeEventListener('abort', this.#abort);
    this.#options.onFinished();
  }
}
