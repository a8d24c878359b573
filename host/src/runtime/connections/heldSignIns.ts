import { randomUUID } from 'node:crypto';
import { HostError } from '../../common/errors.ts';
import type { Inject } from '../container/inject.ts';
import type { SignedInTokens, SignInFacts } from '../credentials/signedInTokens.ts';

/** A person signed in for a form that is not saved yet. */
export interface HeldSignIn {
  readonly field: string;
  readonly tokens: SignedInTokens;
  /** The provider and the client, see `signInPlace`. */
  readonly place: string;
  readonly facts: SignInFacts;
  /** Ends the refresh token at the provider. @returns whether the provider said so */
  readonly revoke: (signal: AbortSignal) => Promise<boolean>;
}

/** As many forms can be open with a sign-in. The oldest goes first. */
const MOST_HELD = 32;

/** The sign-ins of forms that are not saved yet, in memory alone. A window has the ticket, never a token. */
export class HeldSignIns {
  static readonly inject: Inject<typeof HeldSignIns> = [];

  readonly #held = new Map<string, HeldSignIn>();

  /** @returns the ticket */
  hold(signIn: HeldSignIn): string {
    const ticket = randomUUID();
    this.#held.set(ticket, signIn);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break;
      this.#held.delete(oldest);
    }
    return ticket;
  }

  /**
   * The sign-in of a ticket, for exactly the field and the place that the person signed in for.
   *
   * @throws HostError `INVALID_REQUEST` with the field
   */
  open(ticket: string, field: string, place: string | undefined): HeldSignIn {
    const found = this.#held.get(ticket);
    const details = { field, advice: 'Sign in again.' };
    if (found === undefined || found.field !== field)
      throw new HostError('INVALID_REQUEST', 'The sign-in of this form is no longer there.', { details });
    if (found.place !== place)
      throw new HostError('INVALID_REQUEST', 'The form names another provider than the one that you signed in at.', { details });
    return found;
  }

  /** Forgets a sign-in. @returns it, where it was there */
  drop(ticket: string): HeldSignIn | undefined {
    const found = this.#held.get(ticket);
    this.#held.delete(ticket);
    return found;
  }
}
