import { randomBytes } from 'node:crypto';
import type { Inject } from '../../container/inject.ts';

/** How long a question that a client puts to its person may be answered. */
export const TICKET_MILLISECONDS = 300_000;
/** Questions that are open at once; a further one makes the oldest void. */
const MOST_TICKETS = 1_000;

/**
 * The questions that clients were handed, to be put to their person. A ticket is 256 random bits and is kept here, so that it can neither
 * be made nor changed by anybody else; it is good for one answer to one question, for a while, until the host stops.
 */
export class ApprovalTickets {
  static readonly inject: Inject<typeof ApprovalTickets> = [];

  readonly #now: () => number;
  readonly #open = new Map<string, { readonly digest: string; readonly until: number }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param digest - of the question, see `questionDigest` */
  issue(digest: string): string {
    const now = this.#now();
    for (const [ticket, { until }] of this.#open) {
      if (until > now && this.#open.size < MOST_TICKETS) break;
      this.#open.delete(ticket);
    }
    const ticket = randomBytes(32).toString('base64url');
    this.#open.set(ticket, { digest, until: now + TICKET_MILLISECONDS });
    return ticket;
  }

  /** Whether the ticket was handed out for this question and is still good. It is used up in every case. */
  redeem(ticket: string, digest: string): boolean {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    return found !== undefined && found.digest === digest && this.#now() < found.until;
  }
}
