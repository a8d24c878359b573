import { randomUUID } from 'node:crypto';
import type { ConnectionInput, SecretInput, StoredInput } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { Inject } from '../container/inject.ts';
import type { SignedInTokens, SignInFacts } from '../credentials/signedInTokens.ts';
import { signInPlace } from '../drivers/broker/credentials/signInPlace.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';

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

/** As many forms can be open with a sign-in. The oldest goes first, and is revoked. */
const MOST_HELD = 32;
/** Milliseconds that revoking one may take that gives way. */
const REVOCATION_TIME = 15_000;

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
      // The provider would take it until its end, though nothing here has it any more.
      this.drop(oldest)
        ?.revoke(AbortSignal.timeout(REVOCATION_TIME))
        .catch(() => undefined);
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

  /**
   * The secrets of a form as they are stored: a sign-in of the form becomes its refresh token.
   *
   * @throws HostError `INVALID_REQUEST` with the field, as {@link open} does
   */
  async redeemed(input: ConnectionInput, driver: SendingDriver): Promise<StoredInput> {
    const secrets: Record<string, SecretInput> = {};
    for (const [field, secret] of Object.entries(input.secrets)) {
      if (secret.kind !== 'signedIn') {
        secrets[field] = secret;
        continue;
      }
      const { tokens } = this.open(secret.ticket, field, signInPlace(driver, input.settings, field));
      secrets[field] = { kind: secret.keepIn, value: await tokens.settled() };
    }
    return { ...input, secrets };
  }

  /** Forgets the sign-ins of a form that is saved now. @returns their facts, by field */
  adopted({ secrets }: ConnectionInput): ReadonlyMap<string, SignInFacts> {
    const facts = new Map<string, SignInFacts>();
    for (const [field, secret] of Object.entries(secrets)) {
      const held = secret.kind === 'signedIn' ? this.drop(secret.ticket) : undefined;
      if (held !== undefined) facts.set(field, held.facts);
    }
    return facts;
  }

  /** Forgets a sign-in. @returns it, where it was there */
  drop(ticket: string): HeldSignIn | undefined {
    const found = this.#held.get(ticket);
    this.#held.delete(ticket);
    return found;
  }
}
