import type { SavedConnection } from '../../common/connection.ts';
import type { SecretReach } from '../../common/secretQuestion.ts';
import type { SignInState } from '../../common/signInSteps.ts';
import { sealEnvelope } from '../credentials/secretEnvelope.ts';
import { reachDigest } from '../credentials/secretReach.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { SignedInTokens } from '../credentials/signedInTokens.ts';
import type { SignInFacts, TokenHooks } from '../credentials/signedInTokens.ts';
import type { SavedChanges } from '../storage/savedChanges.ts';
import { accountOf } from './enteredSecrets.ts';
import type { EnteredSecrets } from './enteredSecrets.ts';
import type { SecretBindings } from './secretBindings.ts';
import { SharedSignIns } from './sharedSignIns.ts';
import type { UsedSecrets } from './usedSecrets.ts';

/** A value that a person entered for this run. */
const ENTERED = { kind: 'entered' } as const;

/** The parts of {@link ConnectionSignIns}. */
export interface ConnectionSignInsParts {
  readonly store: SecureStore;
  readonly bindings: SecretBindings;
  readonly changes: SavedChanges;
  readonly entered: EnteredSecrets;
  readonly used: UsedSecrets;
}

/** The hooks of a form's sign-in. */
export type FormHooks = Required<Pick<TokenHooks, 'seen'>> & {
  /** The form is saved or closed: its tokens are used no more. */
  readonly release: () => void;
};

/** The sign-ins of saved connections: the tokens that their sessions share, and where a new refresh token is stored. */
export class ConnectionSignIns {
  readonly #parts: ConnectionSignInsParts;
  readonly #shared = new SharedSignIns();
  #forms = 0;

  constructor(parts: ConnectionSignInsParts) {
    this.#parts = parts;
  }

  /** For the tokens of a form that is not saved: logs hide them. */
  hooksOfForm(): FormHooks {
    const { used } = this.#parts;
    this.#forms += 1;
    const field = `sign-in ${this.#forms}`;
    return {
      seen: (text, kind) => used.remember({ connectionId: '', field, kind }, text),
      release: () => used.release('', field),
    };
  }

  /** Notes facts that a provider gave of a sign-in that has just been stored. */
  note(connectionId: string, field: string, facts: SignInFacts): void {
    this.#shared.note(accountOf(connectionId, field), facts);
  }

  /** The store has no refresh token any more, or none that this data directory may spend. Open windows ask the person to sign in again. */
  noteMissing(connectionId: string, field: string): void {
    if (this.#shared.noteMissing(accountOf(connectionId, field))) this.#parts.changes.note('connections');
  }

  /** The sign-in of a field, as far as the host can say. Nothing is read or asked to find out. */
  stateOf({ id, secrets }: Pick<SavedConnection, 'id' | 'secrets'>, field: string): SignInState {
    const isEntered = this.#parts.entered.get(id, field) !== undefined;
    return this.#shared.stateOf(accountOf(id, field), isEntered ? ENTERED : secrets[field]);
  }

  /** Waits for a refresh that is in flight. */
  async settled(connectionId: string, field: string): Promise<void> {
    await this.#shared.current(accountOf(connectionId, field))?.settled();
  }

  /** A refresh that is in flight stores nothing any more. */
  drop(connectionId: string, field: string): void {
    this.#shared.drop(accountOf(connectionId, field));
  }

  /** The person has signed out, or the connection is gone. */
  forget(connectionId: string, field: string): void {
    this.#shared.forget(accountOf(connectionId, field));
  }

  /**
   * The tokens of a refresh token, the same for all sessions of a connection. A form that is not saved shares nothing.
   *
   * @param reach - that the refresh token is approved for
   */
  tokensOf(connectionId: string, field: string, value: string, reach: SecretReach | undefined): SignedInTokens | undefined {
    if (connectionId === '' || reach === undefined) return undefined;
    const account = accountOf(connectionId, field);
    const digest = reachDigest(reach);
    const known = this.#shared.get(account, digest);
    // A value that was read while it was being replaced is the spent one.
    if (known !== undefined) return known;
    const tokens: SignedInTokens = new SignedInTokens(value);
    this.#share(connectionId, field, digest, tokens);
    return tokens;
  }

  /**
   * The tokens of a form's sign-in are those of the connection that it was saved as: a test that still runs with them spends the refresh token of the
   * connection, and the next one has to be stored.
   */
  adopt(connectionId: string, field: string, tokens: SignedInTokens, facts: SignInFacts): void {
    this.note(connectionId, field, facts);
    const bound = this.#parts.bindings.get(connectionId, field);
    if (bound === undefined) return;
    this.#share(connectionId, field, reachDigest(bound.reach), tokens);
    for (const [index, text] of tokens.values.entries())
      this.#parts.used.remember({ connectionId, field, kind: index === 0 ? 'refresh' : 'access' }, text);
  }

  #share(connectionId: string, field: string, digest: string, tokens: SignedInTokens): void {
    const { used, changes } = this.#parts;
    const account = accountOf(connectionId, field);
    tokens.hookTo({
      seen: (text, kind) => used.remember({ connectionId, field, kind }, text),
      facts: (facts) => this.#shared.note(account, facts),
      // Open windows ask the person to sign in again.
      ended: () => changes.note('connections'),
      keep: (next) => this.#keep(connectionId, field, next, digest, () => this.#shared.isCurrent(account, tokens)),
    });
    this.#shared.set(account, digest, tokens);
  }

  async #keep(connectionId: string, field: string, next: string, digest: string, isCurrent: () => boolean): Promise<void> {
    const { store, bindings, entered } = this.#parts;
    if (!isCurrent()) return;
    const account = accountOf(connectionId, field);
    const isStored = bindings.get(connectionId, field)?.from.kind === 'store' && store.isReadOnly !== true;
    if (!isStored || entered.get(connectionId, field) !== undefined) {
      entered.keep(connectionId, field, next);
      return;
    }
    try {
      await store.set(account, sealEnvelope(next, digest));
      // Signed out, or removed, meanwhile: its entry must not come back.
      if (!isCurrent() && bindings.get(connectionId, field) === undefined) await store.delete(account);
    } catch {
      // A store that is locked now: the token serves until the host stops.
      entered.keep(connectionId, field, next);
    }
  }
}
