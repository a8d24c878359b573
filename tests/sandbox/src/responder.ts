import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';
import type { Answer } from './http.ts';
import { waitUntil } from './pace.ts';
import type { Pace } from './pace.ts';

const CHUNK_BYTES = 16_384;
const MILLISECONDS = 1000;

export const TYPES = {
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  stream: 'application/json',
} as const;

/** A fault in the middle of an answer. */
type BreaksOff = Extract<Fault, { readonly afterBytes: number }>;

/** Sends one answer: at the pace that is asked for, no faster than the client reads, and not at all once it is gone. */
export class Responder {
  readonly #response: ServerResponse;
  readonly #pace: Pace | undefined;
  readonly #started = performance.now();
  readonly #gone = new AbortController();
  readonly #breaksOff: BreaksOff | undefined;

  constructor(response: ServerResponse, pace: Pace | undefined, breaksOff?: BreaksOff) {
    this.#response = response;
    this.#pace = pace;
    this.#breaksOff = breaksOff;
    response.once('close', () => this.#gone.abort());
  }

  get elapsed(): number {
    return performance.now() - this.#started;
  }

  async send({ body, cost, status, type = 'json' }: Answer): Promise<void> {
    if (this.#pace !== undefined && cost !== undefined) {
      await waitUntil(this.#started, cost * this.#pace.searchFactor, this.#gone.signal);
    }
    if (this.#gone.signal.aborted) return;
    this.#response.writeHead(status, { 'content-type': TYPES[type], 'access-control-allow-origin': '*' });
    if (this.#breaksOff !== undefined) await this.#breakOff(this.#breaksOff, typeof body === 'string' ? [body] : body);
    else if (typeof body === 'string') this.#response.end(body);
    else await this.#stream(body);
  }

  async #breakOff({ kind, afterBytes }: BreaksOff, parts: Iterable<string>): Promise<void> {
    let left = afterBytes;
    for (const part of parts) {
      const bytes = Buffer.from(part).subarray(0, left);
      left -= bytes.length;
      // The bytes have to be out before the connection closes, or the client would never see them.
      await new Promise<void>((resolve) => this.#response.write(bytes, () => resolve()));
      if (left <= 0) break;
    }
    if (kind === 'cut') this.#response.destroy();
  }

  async #stream(parts: Iterable<string>): Promise<void> {
    const started = performance.now();
    const rate = this.#pace?.exportBytesPerSecond;
    let sent = 0;
    for (const part of parts) {
      const bytes = Buffer.from(part);
      sent += bytes.length;
      if (this.#gone.signal.aborted) return;
      if (!this.#response.write(bytes)) await this.#drained();
      else if (bytes.length > CHUNK_BYTES) await new Promise<void>((resolve) => setImmediate(resolve));
      if (rate !== undefined) await waitUntil(started, (sent / rate) * MILLISECONDS, this.#gone.signal);
    }
    this.#response.end();
  }

  async #drained(): Promise<void> {
    try {
      await once(this.#response, 'drain', { signal: this.#gone.signal });
    } catch (error) {
      if (!this.#gone.signal.aborted) throw error;
    }
  }
}
