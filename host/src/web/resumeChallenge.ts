import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { resumeStatement } from '../common/windowSession.ts';
import type { PublicKey } from '../common/windowSession.ts';

const VALID_MILLISECONDS = 30_000;

/**
 * Questions that a window answers by a signature. Each is good for half a minute, once, and in this run of the host alone: an answer that somebody
 * else has got is worth nothing. Only answered ones are remembered, so that asking for many costs no memory.
 */
export class ResumeChallenge {
  readonly #key = randomBytes(32);
  readonly #used = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  nonce(): string {
    const body = `${randomBytes(16).toString('base64url')}.${this.#now() + VALID_MILLISECONDS}`;
    return `${body}.${this.#sealOf(body)}`;
  }

  /** Whether a window with a key signed this nonce for this origin. True once for each nonce. */
  accepts(answer: { readonly nonce: string; readonly signature: string; readonly origin: string }, key: PublicKey): boolean {
    const { nonce, signature, origin } = answer;
    if (!this.#isOpen(nonce) || !isSigned(resumeStatement(origin, nonce), signature, key)) return false;
    const now = this.#now();
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used);
    this.#used.set(nonce, now + VALID_MILLISECONDS);
    return true;
  }

  #isOpen(nonce: string): boolean {
    const [random = '', until = '', seal = ''] = nonce.split('.');
    const expected = Buffer.from(this.#sealOf(`${random}.${until}`));
    const given = Buffer.from(seal);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    return Number(until) > this.#now() && !this.#used.has(nonce);
  }

  #sealOf(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

function isSigned(statement: string, signature: string, { x, y }: PublicKey): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return verify('sha256', Buffer.from(statement), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  } catch {
    // No point of the curve.
    return false;
  }
}
