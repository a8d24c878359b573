import type { DriverContext } from '@tabularium/sdk';
import type { AskHost } from './askHost.ts';
import type { LogRate } from './logRate.ts';

const LONGEST_LINE = 2_000;
/** Lines of a session in flight to the host. Its requests share the wire with those of other sessions. */
const MOST_IN_FLIGHT = 16;
/** Lines of a session that wait for that: a second's, so that a driver that writes a hundred at once loses none. */
const MOST_WAITING = 200;

interface Line {
  readonly level: Parameters<DriverContext['log']>[0];
  readonly message: string;
}

/** The `log` of one session. Its lines arrive in the order in which they were written; what comes faster is dropped and counted. */
export class DriverLog {
  readonly #session: number;
  readonly #ask: AskHost;
  readonly #rate: LogRate;
  readonly #waiting: Line[] = [];
  #inFlight = 0;

  /** @param rate - one for all sessions of the process */
  constructor(session: number, ask: AskHost, rate: LogRate) {
    this.#session = session;
    this.#ask = ask;
    this.#rate = rate;
  }

  readonly write: DriverContext['log'] = (level, message) => {
    if (this.#waiting.length >= MOST_WAITING) this.#rate.drop(this.#notify);
    else if (this.#rate.take(this.#notify)) this.#add({ level, message: String(message).slice(0, LONGEST_LINE) });
  };

  readonly #notify = (dropped: number): void => {
    const message = `${dropped} lines before this one were dropped: the driver writes faster than its log is read.`;
    this.#add({ level: 'warn', message });
  };

  #add(line: Line): void {
    this.#waiting.push(line);
    this.#send();
  }

  #send(): void {
    if (this.#inFlight >= MOST_IN_FLIGHT) return;
    const line = this.#waiting.shift();
    if (line === undefined) return;
    this.#inFlight += 1;
    this.#ask({ method: 'log', session: this.#session, params: line })
      .catch(() => undefined)
      .finally(() => {
        this.#inFlight -= 1;
        this.#send();
      });
  }
}
