import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { DriverError } from '@tabularium/sdk';
import { ByteQueue } from '@tabularium/sdk/protocol';
import { connectionError } from './connectionErrors.ts';
import { LEAST_BODY_BYTES } from './connections.ts';
import type { BrokerResponse } from './brokerResponse.ts';
import type { HttpGrant } from './httpGrant.ts';
import { responseHeaders } from './responseHeaders.ts';

/** Bytes of an answer held here before the server is made to wait. */
const LARGEST_QUEUE = 256 * 1024;

interface HttpExchangeOptions {
  readonly grant: HttpGrant;
  /** Milliseconds until the head of the answer must be there, counted from the last byte sent. */
  readonly timeout: number;
  /** Milliseconds of waiting in which the server has to send {@link LEAST_BODY_BYTES} of the body. */
  readonly bodyWindow: number;
  readonly signal: AbortSignal;
  /** Called once, when the connection is free again or broken. */
  readonly onDone: (complete: boolean) => void;
}

/** One request in flight: undici's handler on one side, a response with a body to read on the other. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #options: HttpExchangeOptions;
  readonly #response = Promise.withResolvers<BrokerResponse>();
  readonly #received = new ByteQueue();
  readonly #onAbort = (): void => this.#abort(this.#cancelled());
  /** Of the present window: bytes that have arrived, and milliseconds that the reader has waited. */
  #windowBytes = 0;
  #windowWaited = 0;
  #windowBegan = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #abortReason: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #done = false;
  #ended = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  /** Whether a byte of the answer has arrived. */
  answerBegun = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort);
    this.#restartTimer();
    if (options.signal.aborted) this.#onAbort();
  }

  /** Settles with the head of the answer. */
  get response(): Promise<BrokerResponse> {
    return this.#response.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
  }

  onBodySent(): void {
    // A long upload isn't a slow answer.
    if (!this.answerBegun) this.#restartTimer();
  }

  onResponseStarted(): void {
    this.answerBegun = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.answerBegun = true;
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#response.resolve({ status, headers: responseHeaders(headers, this.#options.grant), body: this.#body() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#received.push(chunk);
    this.#windowBytes += chunk.length;
    if (this.#windowBytes >= LEAST_BODY_BYTES) {
      this.#windowBytes = 0;
      this.#windowWaited = 0;
      this.#windowBegan = performance.now();
    }
    if (this.#received.length > LARGEST_QUEUE) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#finish(true);
    this.#wake?.();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#abortReason ?? error);
  }

  /** The request could not be sent, or was answered in no way. */
  giveUp(error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#ended = true;
    this.#response.reject(error);
    this.#finish(false);
    this.#wake?.();
  }

  async *#body(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#received.take();
        if (chunk !== undefined) {
          if (this.#received.length <= LARGEST_QUEUE / 2 && this.#controller?.paused === true) this.#controller.resume();
          yield chunk;
          continue;
        }
        if (this.#error !== undefined) throw connectionError(this.#error, this.#options.grant);
        if (this.#ended) return;
        await this.#nextEvent();
      }
    } finally {
      // A reader that stops closes the connection: the rest of the answer would have to be read before another request.
      if (!this.#ended) this.#abort(new DriverError('CANCELLED'));
    }
  }

  /** Waits for the server. A reader who takes a long time is not waiting, so its time does not count. */
  async #nextEvent(): Promise<void> {
    const { bodyWindow, grant } = this.#options;
    const began = performance.now();
    const timer = setTimeout(
      () =>
        this.#abort(
          new DriverError(
            'TIMEOUT',
            `${grant.address} sent less than ${LEAST_BODY_BYTES} bytes of its answer in ${bodyWindow / 1_000} s.`,
          ),
        ),
      Math.max(0, bodyWindow - this.#windowWaited),
    );
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    clearTimeout(timer);
    this.#windowWaited += performance.now() - Math.max(began, this.#windowBegan);
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    const { timeout, grant } = this.#options;
    this.#timer = setTimeout(
      () => this.#abort(new DriverError('TIMEOUT', `${grant.address} did not answer within ${timeout / 1_000} s.`)),
      timeout,
    );
  }

  #abort(reason: Error): void {
    if (this.#ended || this.#abortReason !== undefined) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    // Here alone: what a server sent before it broke off is read first.
    this.#received.clear();
    this.#fail(reason);
  }

  #cancelled(): DriverError {
    const { reason } = this.#options.signal as { readonly reason: unknown };
    return reason instanceof DriverError ? reason : new DriverError('CANCELLED');
  }

  #finish(complete: boolean): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.onDone(complete);
  }
}
