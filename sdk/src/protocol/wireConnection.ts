import { DriverError } from '../errors.ts';
import type { ByteStream } from './byteStream.ts';
import type { Frame } from './frame.ts';
import { FrameReader, WireViolation } from './frame.ts';
import { FrameWriter } from './frameWriter.ts';
import { answerHeadSchema, creditHeadSchema, NO_BYTES, parseHead, requestHeadSchema } from './heads.ts';
import type { IncomingRequest } from './incomingExchange.ts';
import { IncomingExchange } from './incomingExchange.ts';
import { LateAllowance } from './lateAllowance.ts';
import { WIRE_LIMITS } from './limits.ts';
import type { WireAnswer } from './outgoingExchange.ts';
import { OutgoingExchange } from './outgoingExchange.ts';
import { wireErrorSchema } from './schemas.ts';
import type { WireRequest } from './wireRequest.ts';

/** Why a connection ended. */
export type WireEnd = { readonly kind: 'ended' } | { readonly kind: 'violation'; readonly reason: string };

/** How a connection is set up. */
export interface WireOptions {
  readonly side: 'host' | 'driver';
  readonly stream: ByteStream;
  /** Serves the other side. Whatever it does not answer is answered when it settles. */
  readonly serve: (request: IncomingRequest) => Promise<void>;
  /** The first frame of a driver's process; the host alone gets it, exactly once. @throws WireViolation */
  readonly onReady?: (head: Uint8Array) => void;
  /** Called once. The owner then ends the process and calls {@link WireConnection.fail}. */
  readonly onEnd: (end: WireEnd) => void;
  /**
   * Lets others have their turn, then calls back. Given by the host: thousands of small frames in one piece of the pipe would hold up
   * everything else it does.
   */
  readonly takeTurns?: (resume: () => void) => void;
  /** How long the other side may take to confirm a cancel, and what to do when it does not. */
  readonly cancelGrace?: { readonly milliseconds: () => number; readonly onExpired: (method: string) => void };
}

const LARGEST_ID = 0xffff_ffff;
/** In one piece of what the pipe gives, at most 64 KiB. An ordinary answer has a handful. */
const MANY_FRAMES = 256;

/**
 * One side of the wire. Requests go both ways; the host's have even numbers, the driver's odd ones. Every request gets exactly one end:
 * a whole answer, an answer with a body and its `end`, or an error, also after a cancel.
 */
export class WireConnection {
  readonly #options: WireOptions;
  readonly #stream: ByteStream;
  readonly #writer: FrameWriter;
  readonly #outgoing = new Map<number, OutgoingExchange>();
  readonly #incoming = new Map<number, IncomingExchange>();
  readonly #late = new LateAllowance();
  readonly #waitingForSlot: (() => void)[] = [];
  #nextId: number;
  #highestIncoming = 0;
  #ready = false;
  #ended: WireEnd | undefined;
  #failure: ((method: string) => DriverError) | undefined;
  #readingPaused = false;
  #turnAwaited = false;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#stream = options.stream;
    this.#writer = new FrameWriter(options.stream);
    this.#nextId = options.side === 'host' ? 2 : 1;
    let frames = 0;
    const reader = new FrameReader((frame) => {
      frames += 1;
      if (this.#ended === undefined) this.#onFrame(frame);
    });
    this.#stream.on('data', (chunk) => {
      if (this.#ended !== undefined) return;
      try {
        reader.push(chunk);
      } catch (error) {
        this.#end({ kind: 'violation', reason: error instanceof WireViolation ? error.message : String(error) });
        return;
      }
      this.#pauseReadingWhenFull();
      if (frames > MANY_FRAMES) this.#takeTurns();
      frames = 0;
    });
    this.#stream.on('drain', () => {
      if (!this.#readingPaused) return;
      this.#readingPaused = false;
      this.#resumeReading();
    });
    this.#stream.on('error', () => this.#end({ kind: 'ended' }));
    this.#stream.on('end', () => this.#end({ kind: 'ended' }));
    this.#stream.on('close', () => this.#end({ kind: 'ended' }));
  }

  /** Whether requests can still be sent. */
  get open(): boolean {
    return this.#ended === undefined;
  }

  /** How many requests of this side have not come to their end. */
  get pendingRequests(): number {
    return this.#outgoing.size;
  }

  /** How many requests of the other side have not come to their end. */
  get servedRequests(): number {
    return this.#incoming.size;
  }

  /** Sends the first frame. For the driver's side. */
  sendReady(head: unknown): void {
    this.#writer.control('ready', 0, head);
  }

  /**
   * Sends a request and waits for the head of the answer. Waits for its turn while too many are open.
   *
   * @throws DriverError what the other side answered, or the signal's reason, or what {@link fail} was given
   */
  async request(request: WireRequest): Promise<WireAnswer> {
    const { signal } = request;
    while (this.#outgoing.size >= WIRE_LIMITS.openRequests && this.#ended === undefined) {
      if (signal?.aborted === true) throw cancelled(signal);
      await this.#slot(signal);
    }
    if (signal?.aborted === true) {
      // The turn that this request may have had goes to the next one.
      this.#waitingForSlot.shift()?.();
      throw cancelled(signal);
    }
    if (this.#ended !== undefined) throw this.#failureFor(request.method);
    if (this.#nextId > LARGEST_ID) {
      this.#end({ kind: 'ended' });
      throw this.#failureFor(request.method);
    }
    const id = this.#nextId;
    this.#nextId += 2;
    const exchange = new OutgoingExchange({
      id,
      request,
      writer: this.#writer,
      cancelReason: () => cancelled(signal),
      onDraining: () => this.#watchDraining(id, request.method),
      onFinished: () => {
        this.#outgoing.delete(id);
        this.#waitingForSlot.shift()?.();
      },
    });
    this.#outgoing.set(id, exchange);
    return exchange.start();
  }

  /** Ends the connection without a reason of the other side's. */
  close(): void {
    this.#end({ kind: 'ended' });
  }

  /** Rejects everything that is in flight, and every later request. */
  fail(errorFor: (method: string) => DriverError): void {
    this.#failure = errorFor;
    this.#end({ kind: 'ended' });
    for (const exchange of [...this.#outgoing.values()]) exchange.fail(errorFor(exchange.method));
    for (const exchange of [...this.#incoming.values()]) exchange.abort(new DriverError('CANCELLED'));
    this.#outgoing.clear();
    this.#incoming.clear();
    for (const wake of this.#waitingForSlot.splice(0)) wake();
  }

  #failureFor(method: string): DriverError {
    return this.#failure?.(method) ?? new DriverError('DRIVER_CRASHED', "The connection to the driver's process has ended.");
  }

  #slot(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        const index = this.#waitingForSlot.indexOf(wake);
        if (index >= 0) this.#waitingForSlot.splice(index, 1);
        resolve();
      };
      signal?.addEventListener('abort', wake);
      this.#waitingForSlot.push(wake);
    });
  }

  #watchDraining(id: number, method: string): void {
    const grace = this.#options.cancelGrace;
    if (grace === undefined) return;
    setTimeout(() => {
      if (this.#outgoing.has(id) && this.#ended === undefined) grace.onExpired(method);
    }, grace.milliseconds());
  }

  #pauseReadingWhenFull(): void {
    if (this.#options.side !== 'host' || this.#readingPaused) return;
    if (this.#stream.writableLength <= WIRE_LIMITS.pauseReading) return;
    this.#readingPaused = true;
    this.#stream.pause();
  }

  #takeTurns(): void {
    const { takeTurns } = this.#options;
    if (takeTurns === undefined || this.#turnAwaited) return;
    this.#turnAwaited = true;
    this.#stream.pause();
    takeTurns(() => {
      this.#turnAwaited = false;
      this.#resumeReading();
    });
  }

  #resumeReading(): void {
    if (!this.#readingPaused && !this.#turnAwaited && this.#ended === undefined) this.#stream.resume();
  }

  #end(end: WireEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    this.#writer.close();
    this.#stream.destroy();
    this.#options.onEnd(end);
  }

  #onFrame(frame: Frame): void {
    if (this.#options.side === 'host' && !this.#ready) {
      if (frame.kind !== 'ready' || frame.id !== 0) throw new WireViolation(`the first frame was of the kind ${frame.kind}`);
      this.#ready = true;
      this.#options.onReady?.(frame.head);
      return;
    }
    if (frame.kind === 'ready') throw new WireViolation('a second frame of the kind ready arrived');
    if (frame.id === 0) throw new WireViolation('a frame without a number arrived');
    if ((frame.id % 2 === 0) === (this.#options.side === 'host')) this.#onAnswering(frame);
    else this.#onAsking(frame);
  }

  /** A frame of an exchange that this side began. */
  #onAnswering(frame: Frame): void {
    const exchange = this.#outgoing.get(frame.id);
    // The other side ends each exchange exactly once and says nothing after it, so nothing of it can come late.
    if (exchange === undefined)
      throw new WireViolation(`a frame of the kind ${frame.kind} came for an exchange that is over or never was`);
    switch (frame.kind) {
      case 'answer':
        return exchange.onAnswer(parseHead(frame.head, answerHeadSchema, 'an answer'), frame.body);
      case 'error': {
        const { code, message, details } = parseHead(frame.head, wireErrorSchema, 'an error');
        return exchange.onError(new DriverError(code, message, { details }));
      }
      case 'data':
        return exchange.onData(frame.body);
      case 'end':
        return exchange.onEnd();
      case 'credit':
        return exchange.onCredit(parseHead(frame.head, creditHeadSchema, 'credit').bytes);
      default:
        throw new WireViolation(`a frame of the kind ${frame.kind} came for an exchange of this side`);
    }
  }

  /** A frame of an exchange that the other side began. */
  #onAsking(frame: Frame): void {
    if (frame.kind === 'request') return this.#onRequest(frame);
    const exchange = this.#incoming.get(frame.id);
    if (exchange === undefined) {
      if (frame.id > this.#highestIncoming) throw new WireViolation(`a frame of the kind ${frame.kind} came for no exchange`);
      // It was sent before the other side knew that the exchange was over.
      return this.#late.use(frame);
    }
    switch (frame.kind) {
      case 'cancel':
        return exchange.abort(new DriverError('CANCELLED'));
      case 'data':
        return exchange.onData(frame.body);
      case 'end':
        return exchange.onEnd();
      case 'credit':
        return exchange.onCredit(parseHead(frame.head, creditHeadSchema, 'credit').bytes);
      default:
        throw new WireViolation(`a frame of the kind ${frame.kind} came for an exchange of the other side`);
    }
  }

  #onRequest(frame: Frame): void {
    if (frame.id <= this.#highestIncoming) throw new WireViolation('the number of a request was used again');
    this.#highestIncoming = frame.id;
    if (this.#incoming.size >= WIRE_LIMITS.openRequests)
      throw new WireViolation(`more than ${WIRE_LIMITS.openRequests} requests were open`);
    const head = parseHead(frame.head, requestHeadSchema, 'a request');
    if (head.body !== 'whole' && frame.body.length > 0)
      throw new WireViolation('a request came with a body that it did not announce');
    const exchange = new IncomingExchange({
      id: frame.id,
      head,
      body: head.body === 'whole' ? frame.body : NO_BYTES,
      writer: this.#writer,
      onFinished: (requestEnded) => {
        if (this.#incoming.delete(frame.id)) this.#late.grow(requestEnded);
      },
    });
    this.#incoming.set(frame.id, exchange);
    void exchange.serve(this.#options.serve);
  }
}

function cancelled(signal: AbortSignal | undefined): DriverError {
  return signal?.reason instanceof DriverError ? signal.reason : new DriverError('CANCELLED');
}
