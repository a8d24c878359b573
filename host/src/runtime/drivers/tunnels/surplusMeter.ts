import type { SshLimits } from './sshLimits.ts';

/** Bytes around each byte of a channel that are in order: a packet with one byte has about forty more. */
const AROUND = 8;
/** An exchange of keys counts as this many bytes: it costs milliseconds of the host, however short its packets are. */
const KEY_EXCHANGE = 32 * 1024;

/**
 * Bounds what an SSH server sends beside the data of the channels: requests, empty messages, exchanges of keys. Each costs the host as much as data does,
 * and no window holds it back.
 */
export class SurplusMeter {
  readonly #limits: Pick<SshLimits, 'surplus' | 'surplusRate'>;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(limits: Pick<SshLimits, 'surplus' | 'surplusRate'>, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#left = limits.surplus;
    this.#at = now();
  }

  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Bytes of a channel, in either direction. */
  carried(bytes: number): void {
    this.#add(bytes * AROUND);
  }

  /** Bytes of the server, of any kind. */
  received(bytes: number): void {
    const now = this.#now();
    this.#add(((now - this.#at) / 1_000) * this.#limits.surplusRate);
    this.#at = now;
    this.#left -= bytes;
  }

  keysExchanged(): void {
    this.received(KEY_EXCHANGE);
  }

  #add(bytes: number): void {
    this.#left = Math.min(this.#limits.surplus, this.#left + bytes);
  }
}
