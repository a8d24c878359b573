import { inspect } from 'node:util';
import type { OriginPlace, SecretReach } from '../../common/secretQuestion.ts';
import { HostError } from '../../common/errors.ts';
import { SignedInTokens } from './signedInTokens.ts';
import { reachText } from './secretReach.ts';

/** A secret's value and the one reach that it may be used for; without one it stays closed. */
export interface SealedSecret {
  readonly value: string;
  readonly approved: SecretReach | undefined;
  /** Of a refresh token: what all sessions of the connection share. */
  readonly tokens?: SignedInTokens;
}

/** An origin that a person has entered or confirmed. */
export interface ApprovedOrigin {
  readonly id: string;
  readonly place: OriginPlace;
}

/**
 * Secret values that open for the destination that they are approved for, and for nothing else. The HTTP grant is made from this: a caller
 * that forgets to ask a person gets an error, not the value. Printing, inspecting or serialising shows no value.
 */
export class SealedSecrets {
  readonly #secrets: ReadonlyMap<string, SealedSecret>;
  readonly #origins: readonly ApprovedOrigin[];

  /** @param origins - those that a person has entered or confirmed; default: none */
  constructor(secrets: ReadonlyMap<string, SealedSecret>, origins: readonly ApprovedOrigin[] = []) {
    this.#secrets = secrets;
    this.#origins = origins;
  }

  /**
   * Whether the driver may reach an origin with what it reads elsewhere.
   *
   * @param url - of the origin, with its path prefix
   * @throws HostError `SECRET_NOT_CONFIRMED`
   */
  requireOrigin(id: string, url: string): void {
    if (this.#origins.some((one) => one.id === id && one.place.origins.includes(url))) return;
    throw new HostError('SECRET_NOT_CONFIRMED');
  }

  /** Whether there is any secret in it. */
  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /**
   * The value of a field, for exactly this reach; undefined when the field has none.
   *
   * @throws HostError `SECRET_NOT_CONFIRMED`
   */
  open(field: string, reach: SecretReach): string | undefined {
    return this.#opened(field, reach)?.value;
  }

  /**
   * The tokens of a person who signed in, for exactly this reach; undefined when there are none.
   *
   * @throws HostError `SECRET_NOT_CONFIRMED`
   */
  openTokens(field: string, reach: SecretReach): SignedInTokens | undefined {
    const secret = this.#opened(field, reach);
    return secret === undefined ? undefined : (secret.tokens ?? new SignedInTokens(secret.value));
  }

  #opened(field: string, reach: SecretReach): SealedSecret | undefined {
    const secret = this.#secrets.get(field);
    if (secret === undefined) return undefined;
    if (secret.approved === undefined || reachText(secret.approved) !== reachText(reach)) {
      throw new HostError('SECRET_NOT_CONFIRMED');
    }
    return secret;
  }

  toJSON(): unknown {
    return { fields: [...this.#secrets.keys()] };
  }

  [inspect.custom](): string {
    return `SealedSecrets(${[...this.#secrets.keys()].join(', ')})`;
  }
}
