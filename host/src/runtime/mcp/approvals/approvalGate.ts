import { CLIENT_BOUND, fits, WINDOW_BOUND } from '../../../common/approvalText.ts';
import type { ApprovalQuestion } from './approvalQuestion.ts';
import { ApprovalQueue } from './approvalQueue.ts';
import { ApprovalTickets } from './approvalTickets.ts';
import { GrantStore } from './grantStore.ts';
import { IntegrationSettingsStore } from '../access/integrationSettings.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** How a change came to be approved. */
export type ApprovedBy = 'client' | 'window' | 'grant';

export type ApprovalOutcome =
  | { readonly outcome: 'approved'; readonly by: ApprovedBy }
  /** The client is to put the question to its person and come back with the ticket. */
  | { readonly outcome: 'askClient'; readonly ticket: string }
  /** `client`: the client says that its person declined, or gave an answer that isn't one. */
  | { readonly outcome: 'declined'; readonly by: 'window' | 'client' }
  /** The ticket is not one for this question: made up, used, expired, or handed out for other arguments. */
  | { readonly outcome: 'badTicket' }
  /** The client's person was asked about the same call, which is another change now: a function or a view was replaced meanwhile. */
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'noAnswer' | 'tooMany' }
  /** No window is open, and the client was not asked. Why not: it cannot, the owner has not allowed it, or the text is too long for its dialog. */
  | { readonly outcome: 'nobody'; readonly client: 'cannotAsk' | 'mayNotAsk' | 'tooLong' }
  /** A person could not read the whole of it. */
  | { readonly outcome: 'tooLong' };

/** The abilities of a client, and the answer that it sent. */
export interface ClientSide {
  /** Whether it can put a question to its person. */
  readonly canAsk: boolean;
  readonly ticket?: string | undefined;
  /** Its person's answer, when it brought one. */
  readonly answer?: 'accept' | 'decline' | undefined;
}

/** Gets a person's approval of one change: one given before, by the client's person, or by one in the window. */
export class ApprovalGate {
  static readonly inject: Inject<typeof ApprovalGate> = {
    tickets: ApprovalTickets,
    queue: ApprovalQueue,
    grants: GrantStore,
    clientsMayAsk: from([IntegrationSettingsStore], (settings) => () => settings.get().approvals === 'client'),
  };

  readonly #tickets: ApprovalTickets;
  readonly #queue: ApprovalQueue;
  readonly #grants: GrantStore;
  readonly #clientsMayAsk: () => boolean;

  constructor(parts: {
    readonly tickets: ApprovalTickets;
    readonly queue: ApprovalQueue;
    readonly grants: GrantStore;
    /** The owner's choice: whether a client's own question counts, or only the window's. */
    readonly clientsMayAsk: () => boolean;
  }) {
    this.#tickets = parts.tickets;
    this.#queue = parts.queue;
    this.#grants = parts.grants;
    this.#clientsMayAsk = parts.clientsMayAsk;
  }

  async approve(question: ApprovalQuestion, client: ClientSide, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { principal, connection, effect } = question;
    if (client.ticket !== undefined) {
      const redeemed = this.#tickets.redeem(client.ticket, question);
      if (redeemed === 'bad' || !this.#clientsMayAsk()) return { outcome: 'badTicket' };
      if (redeemed === 'changed') return { outcome: 'changed' };
      return client.answer === 'accept' ? { outcome: 'approved', by: 'client' } : { outcome: 'declined', by: 'client' };
    }
    // A destructive change is asked about every time.
    if (effect !== 'destructive' && this.#grants.use(principal.id, connection)) return { outcome: 'approved', by: 'grant' };
    if (!fits(question.shown, WINDOW_BOUND)) return { outcome: 'tooLong' };
    if (this.#queue.redeemLate(question.digest)) return { outcome: 'approved', by: 'window' };
    const fitsClient = fits(question.shown, CLIENT_BOUND);
    if (client.canAsk && fitsClient && this.#clientsMayAsk())
      return { outcome: 'askClient', ticket: this.#tickets.issue(question, principal.id) };
    const decision = await this.#queue.ask(question, signal);
    switch (decision) {
      case 'allowed':
        return { outcome: 'approved', by: 'window' };
      case 'denied':
        return { outcome: 'declined', by: 'window' };
      case 'nobody':
        return { outcome: 'nobody', client: !client.canAsk ? 'cannotAsk' : this.#clientsMayAsk() ? 'tooLong' : 'mayNotAsk' };
      case 'noAnswer':
      case 'tooMany':
        return { outcome: decision };
    }
  }
}
