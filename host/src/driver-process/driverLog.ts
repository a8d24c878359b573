import type { DriverContext } from '@tabularium/sdk';
import type { AskHost } from './askHost.ts';

const LONGEST_LINE = 2_000;
/** Lines under way to the host; what comes faster is dropped and counted. */
const LARGEST_BACKLOG = 16;

/** The `log` of one session. */
export class DriverLog {
  readonly #session: number;
  readonly #ask: AskHost;
  #inFlight = 0;
  #dropped = 0;

  constructor(session: number, ask: AskHost) {
    this.#session = session;
    this.#ask = ask;
  }

  readonly write: DriverContext['log'] = (level, message) => {
    if (this.#inFlight >= LARGEST_BACKLOG) {
      this.#dropped += 1;
      return;
    }
    const dropped = this.#dropped === 0 ? '' : ` (${this.#dropped} lines before this one were dropped)`;
    this.#dropped = 0;
    this.#inFlight += 1;
    const params = { level, message: `${String(message).slice(0, LONGEST_LINE - 60)}${dropped}` };
    this.#ask({ method: 'log', session: this.#session, params })
      .catch(() => undefined)
      .finally(() => {
        this.#inFlight -= 1;
      });
  };
}
