import type { DriverContext } from '@tabularium/sdk';
import type { AskHost } from './askHost.ts';
import type { LogRate } from './logRate.ts';

const LONGEST_LINE = 2_000;
/** Lines under way to the host; what comes faster is dropped and counted. */
const LARGEST_BACKLOG = 16;

/** The `log` of one session. */
export class DriverLog {
  readonly #session: number;
  readonly #ask: AskHost;
  readonly #rate: LogRate;
  #inFlight = 0;

  /** @param rate - one for all sessions of the process */
  constructor(session: number, ask: AskHost, rate: LogRate) {
    this.#session = session;
    this.#ask = ask;
    this.#rate = rate;
  }

  readonly write: DriverContext['log'] = (level, message) => {
    if (this.#inFlight >= LARGEST_BACKLOG) this.#rate.drop(this.#tell);
    else if (this.#rate.take(this.#tell)) this.#send(level, String(message).slice(0, LONGEST_LINE));
  };

  readonly #tell = (dropped: number): void => {
    this.#send('warn', `${dropped} lines before this one were dropped: the driver writes faster than its log is read.`);
  };

  #send(level: Parameters<DriverContext['log']>[0], message: string): void {
    this.#inFlight += 1;
    this.#ask({ method: 'log', session: this.#session, params: { level, message } })
      .catch(() => undefined)
      .finally(() => {
        this.#inFlight -= 1;
      });
  }
}
