import { randomUUID } from 'node:crypto';
import type { ConnectionInput, SecretInput, StoredInput } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { SignedOut } from '../../common/signInSteps.ts';
import type { Inject } from '../container/inject.ts';
import type { SignedInTokens, SignInFacts } from '../credentials/signedInTokens.ts';
import { signInPlace } from '../drivers/broker/credentials/signInPlace.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { TokenRevocations } from './tokenRevocations.ts';
import type { Revoke } from './tokenRevocations.ts';

/** A person signed in for a form that is not saved yet. */
export interface HeldSignIn {
  readonly field: string;
  readonly tokens: SignedInTokens;
  /** The provider and the client, see `signInPlace`. */
  readonly place: string;
  readonly facts: SignInFacts;
  /** Ends the refresh token at the provider. */
  readonly revoke: Revoke;
  /** Called when it isn't held any more, whether it was saved or not. */
  readonly release?: () => void;
}

interface Held {
  readonly signIn: HeldSignIn;
  readonly timer: NodeJS.Timeout;
  /** How many forms are being saved with it. */
  saving: number;
  /** It is to be dropped, unless it is saved. */
  isDropped: boolean;
}

interface UsedSignIn {
  readonly ticket: string;
  readonly held: Held;
  readonly keepIn: 'store' | 'session';
}

/** As many forms can be open with a sign-in. The oldest goes first, and is revoked. */
const MOST_HELD = 32;
/** Milliseconds that one is held since it was last used. A window that crashed drops nothing. */
const HELD_TIME = 60 * 60_000;

/**
 * The sign-ins of forms that are not saved yet, in memory alone. A window has the ticket, never a token. One that is not saved is revoked: when its form is closed, after
 * {@link HELD_TIME}, and when the host stops.
 */
export class HeldSignIns implements Disposable {
  static readonly inject: Inject<typeof HeldSignIns> = [TokenRevocations];

  readonly #revocations: TokenRevocations;
  readonly #time: number;
  readonly #held = new Map<string, Held>();

  /** @param time - see {@link HELD_TIME}; shorter in tests */
  constructor(revocations: TokenRevocations = new TokenRevocations(), time: number = HELD_TIME) {
    this.#revocations = revocations;
    this.#time = time;
  }

  /** Revokes all of them, which {@link TokenRevocations} waits for. */
  [Symbol.dispose](): void {
    for (const ticket of this.#held.keys()) void this.drop(ticket);
  }

  /** @returns the ticket */
  hold(signIn: HeldSignIn): string {
    const ticket = randomUUID();
    const timer = setTimeout(() => void this.drop(ticket), this.#time).unref();
    this.#held.set(ticket, { signIn, timer, saving: 0, isDropped: false });
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break;
      void this.#forget(oldest);
    }
    return ticket;
  }

  /**
   * The sign-in of a ticket, for exactly the field and the place that the person signed in for.
   *
   * @throws HostError `INVALID_REQUEST` with the field
   */
  open(ticket: string, field: string, place: string | undefined): HeldSignIn {
    return this.#open(ticket, field, place).signIn;
  }

  /**
   * Saves a form: `save` gets its secrets as they are stored, in which a sign-in of the form is its refresh token, and its sign-ins. From then on they
   * belong to what was saved. None is refreshed until `save` ends. One that is dropped meanwhile is revoked only where saving fails.
   *
   * @throws HostError `INVALID_REQUEST` with the field, as {@link open} does; the errors of `save`
   */
  async save<Saved>(
    input: ConnectionInput,
    driver: SendingDriver,
    save: (input: StoredInput, signIns: readonly HeldSignIn[]) => Promise<Saved>,
  ): Promise<Saved> {
    const used: UsedSignIn[] = [];
    for (const [field, secret] of Object.entries(input.secrets)) {
      if (secret.kind !== 'signedIn') continue;
      const held = this.#open(secret.ticket, field, signInPlace(driver, input.settings, field));
      used.push({ ticket: secret.ticket, held, keepIn: secret.keepIn });
    }
    // In one order, so that no two forms with the same two sign-ins wait for each other.
    used.sort((one, other) => (one.ticket < other.ticket ? -1 : 1));
    for (const { held } of used) held.saving += 1;
    try {
      const others: Record<string, SecretInput> = {};
      for (const [field, secret] of Object.entries(input.secrets)) if (secret.kind !== 'signedIn') others[field] = secret;
      return await savedWith(used, others, async (secrets) => {
        const saved = await save(
          { ...input, secrets },
          used.map(({ held }) => held.signIn),
        );
        for (const { ticket } of used) this.#take(ticket);
        return saved;
      });
    } finally {
      for (const { ticket, held } of used) {
        held.saving -= 1;
        if (held.isDropped && held.saving === 0) void this.#forget(ticket);
      }
    }
  }

  /** Forgets a sign-in and revokes it; one that a form is being saved with stays for that. Never rejects. */
  async drop(ticket: string): Promise<SignedOut> {
    const held = this.#held.get(ticket);
    if (held === undefined || held.isDropped) return { wasSignedIn: false, revoked: false };
    held.isDropped = true;
    if (held.saving > 0) return { wasSignedIn: true, revoked: false };
    return { wasSignedIn: true, revoked: await this.#forget(ticket) };
  }

  #open(ticket: string, field: string, place: string | undefined): Held {
    const held = this.#held.get(ticket);
    const details = { field, advice: 'Sign in again.' };
    if (held === undefined || held.isDropped || held.signIn.field !== field)
      throw new HostError('INVALID_REQUEST', 'The sign-in of this form is no longer there.', { details });
    if (held.signIn.place !== place)
      throw new HostError('INVALID_REQUEST', 'The form names another provider than the one that you signed in at.', { details });
    held.timer.refresh();
    return held;
  }

  /** @returns whether the provider confirmed that it revoked it */
  async #forget(ticket: string): Promise<boolean> {
    const held = this.#take(ticket);
    return held === undefined ? false : this.#revocations.run(held.signIn.revoke);
  }

  #take(ticket: string): Held | undefined {
    const held = this.#held.get(ticket);
    if (held === undefined) return undefined;
    this.#held.delete(ticket);
    clearTimeout(held.timer);
    held.signIn.release?.();
    return held;
  }
}

/** Saves secrets together with the refresh tokens of sign-ins, none of which is spent meanwhile. */
async function savedWith<Saved>(
  [first, ...rest]: readonly UsedSignIn[],
  secrets: Readonly<Record<string, SecretInput>>,
  save: (secrets: Record<string, SecretInput>) => Promise<Saved>,
): Promise<Saved> {
  if (first === undefined) return save({ ...secrets });
  const { signIn } = first.held;
  return signIn.tokens.saved((value) => savedWith(rest, { ...secrets, [signIn.field]: { kind: first.keepIn, value } }, save));
}
