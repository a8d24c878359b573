import type { SecretReference } from '../../common/connection.ts';
import type { SignInState } from '../../common/signInSteps.ts';
import type { SignedInTokens, SignInFacts } from '../credentials/signedInTokens.ts';

/** The tokens of people who signed in, by account: all sessions of a connection share them, as long as their reach is the same. In memory alone. */
export class SharedSignIns {
  readonly #tokens = new Map<string, { readonly tokens: SignedInTokens; readonly digest: string }>();
  readonly #facts = new Map<string, SignInFacts>();
  readonly #missing = new Set<string>();

  /** @param digest - of the reach that they are for */
  get(account: string, digest: string): SignedInTokens | undefined {
    const found = this.#tokens.get(account);
    return found?.digest === digest ? found.tokens : undefined;
  }

  set(account: string, digest: string, tokens: SignedInTokens): void {
    this.#tokens.set(account, { tokens, digest });
    this.#missing.delete(account);
  }

  /** Whatever they are for. */
  current(account: string): SignedInTokens | undefined {
    return this.#tokens.get(account)?.tokens;
  }

  isCurrent(account: string, tokens: SignedInTokens): boolean {
    return this.#tokens.get(account)?.tokens === tokens;
  }

  /** A refresh that is in flight stores nothing any more. */
  drop(account: string): void {
    this.#tokens.delete(account);
  }

  /** The person has signed out, or the connection is gone. */
  forget(account: string): void {
    this.drop(account);
    this.#facts.delete(account);
    this.#missing.delete(account);
  }

  /** Notes facts that came with tokens. Those that didn't come again stay. */
  note(account: string, facts: SignInFacts): void {
    this.#facts.set(account, { ...this.#facts.get(account), ...facts });
    this.#missing.delete(account);
  }

  /** Notes that the store has no refresh token. @returns whether that is new */
  noteMissing(account: string): boolean {
    const isNew = !this.#missing.has(account);
    this.#missing.add(account);
    return isNew;
  }

  /** @param from - where the refresh token is; `entered`: it was given for this run */
  stateOf(account: string, from: SecretReference | { readonly kind: 'entered' } | undefined): SignInState {
    // One that was given for a run is gone with the run.
    if (from === undefined || from.kind === 'session') return { is: 'out' };
    if (from.kind === 'store' && this.#missing.has(account)) return { is: 'out' };
    return {
      is: this.#tokens.get(account)?.tokens.isEnded === true ? 'ended' : 'in',
      storedIn: from.kind === 'store' ? 'store' : 'session',
      ...this.#facts.get(account),
    };
  }
}
