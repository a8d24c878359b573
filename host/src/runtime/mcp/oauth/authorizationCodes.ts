import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Inject } from '../../container/inject.ts';
import type { Consent, ConsentDecision } from './consentQueue.ts';

/** How long a code is good. A client redeems it at once. */
export const CODE_MILLISECONDS = 60_000;
/** How long a used code is remembered, to end the access that it gave when it comes again. */
const REMEMBERED_MILLISECONDS = 600_000;
const MOST_CODES = 200;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** A code comes with these. */
export interface Redemption {
  readonly clientId: string | undefined;
  readonly redirect: string | undefined;
  readonly verifier: string | undefined;
  readonly resource: string;
}

/** `reused`: it was redeemed before, and `tokenId` is the access that it gave. `refused`: used, expired, or it belongs to something else. */
export type Redeemed =
  | {
      readonly outcome: 'redeemed';
      readonly consent: Consent;
      readonly decision: ConsentDecision;
      readonly settle: (tokenId: string) => void;
    }
  | { readonly outcome: 'reused'; readonly tokenId: string | undefined }
  | { readonly outcome: 'refused'; readonly proof: boolean }
  | { readonly outcome: 'unknown' };

interface Issued {
  readonly consent: Consent;
  readonly decision: ConsentDecision;
  readonly issuedAt: number;
  used: boolean;
  tokenId: string | undefined;
}

/** Codes that browsers carry from here to clients. In memory, by their hashes: a restart makes them worthless. */
export class AuthorizationCodes {
  static readonly inject: Inject<typeof AuthorizationCodes> = [];

  readonly #now: () => number;
  readonly #codes = new Map<string, Issued>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  issue(consent: Consent, decision: ConsentDecision): string {
    const now = this.#now();
    for (const [key, { issuedAt }] of this.#codes) {
      if (now - issuedAt >= REMEMBERED_MILLISECONDS || this.#codes.size >= MOST_CODES) this.#codes.delete(key);
    }
    const code = randomBytes(32).toString('base64url');
    this.#codes.set(keyOf(code), { consent, decision, issuedAt: now, used: false, tokenId: undefined });
    return code;
  }

  /** Uses a code up, also where it is refused: there is no second guess at its verifier. */
  redeem(code: string, { clientId, redirect, verifier, resource }: Redemption): Redeemed {
    const issued = this.#codes.get(keyOf(code));
    if (issued === undefined) return { outcome: 'unknown' };
    if (issued.used) return { outcome: 'reused', tokenId: issued.tokenId };
    issued.used = true;
    const { consent, decision } = issued;
    const { request } = consent;
    if (this.#now() - issued.issuedAt >= CODE_MILLISECONDS) return { outcome: 'refused', proof: true };
    if (!provesChallenge(verifier, request.challenge)) return { outcome: 'refused', proof: false };
    const fits = clientId === request.client.id && redirect === request.redirect && resource === request.resource;
    if (!fits) return { outcome: 'refused', proof: true };
    return { outcome: 'redeemed', consent, decision, settle: (tokenId) => void (issued.tokenId = tokenId) };
  }

  clear(): void {
    this.#codes.clear();
  }
}

function keyOf(code: string): string {
  return hash('sha256', code, 'base64');
}

/** S256 alone (RFC 7636). */
function provesChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  const proof = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}
