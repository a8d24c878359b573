import { createHash } from 'node:crypto';
import type { SecretReach } from '../../common/secretQuestion.ts';

/** A reach as one text in a fixed order: two reaches are the same exactly when their texts are. */
export function reachText(reach: SecretReach): string {
  const { driver, publisher, origins, verification, authorityFile, sentAs, grants, through, further } = reach;
  const facts = ['tabularium secret reach 1', driver, publisher, origins, verification, authorityFile, sentAs, grants];
  // Only where there is one: the digest of what was approved before is still the same.
  if (further === undefined) return JSON.stringify(through === undefined ? facts : [...facts, through]);
  const each = further.map((one) => [one.origin, one.verification, one.authorityFile, one.sentAs]);
  return JSON.stringify([...facts, through ?? '', each]);
}

/** SHA-256 of a reach, hex: what a stored secret carries with it. */
export function reachDigest(reach: SecretReach): string {
  return createHash('sha256').update(reachText(reach)).digest('hex');
}

/** Whether two reaches are the same, a publisher that was not known yet aside. */
export function isSameReach(a: SecretReach, b: SecretReach): boolean {
  const publisher = a.publisher === '' || b.publisher === '' ? { publisher: '' } : {};
  return reachText({ ...a, ...publisher }) === reachText({ ...b, ...publisher });
}
