import { randomBytes } from 'node:crypto';
import type { Inject } from '../../container/inject.ts';
import type { ApprovalQuestion } from './approvalQuestion.ts';
import { BoundedEntries } from './boundedEntries.ts';

/** How long a question that a client puts to its person may be answered. */
export const TICKET_MILLISECONDS = 300_000;
/** Questions that are open at once; a further one makes the oldest void. */
const MOST_TICKETS = 1_000;
/** Of one principal; a further one makes its own oldest void. */
export const MOST_TICKETS_OF_ONE = 100;

type Asked = Pick<ApprovalQuestion, 'digest' | 'callDigest'>;

/**
 * The questions that clients were handed, to be put to their person. A ticket is 256 random bits and is kept here, so that it can neither
 * be made nor changed by anybody else; it is good for one answer to one question, for a while, until the host stops.
 */
export class ApprovalTickets {
  static readonly inject: Inject<typeof ApprovalTickets> = [];

  /** The questions, by ticket. */
  readonly #open: BoundedEntries<Asked>;

  constructor(now: () => number = Date.now) {
    this.#open = new BoundedEntries({ all: MOST_TICKETS, ofOne: MOST_TICKETS_OF_ONE, milliseconds: TICKET_MILLISECONDS }, now);
  }

  issue({ digest, callDigest }: Asked, principalId: string): string {
    const ticket = randomBytes(32).toString('base64url');
    this.#open.set(ticket, principalId, { digest, callDigest });
    return ticket;
  }

  /**
   * Whether the ticket was handed out for this question and is still good. It is used up in every case.
   *
   * @returns `changed` where it was handed out for the same call, which is another change now
   */
  redeem(ticket: string, { digest, callDigest }: Asked): 'good' | 'changed' | 'bad' {
    const asked = this.#open.take(ticket);
    if (asked === undefined) return 'bad';
    if (asked.digest === digest) return 'good';
    return asked.callDigest === callDigest ? 'changed' : 'bad';
  }
}
