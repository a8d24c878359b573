import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../access/tokenText.ts';

/** `access` opens the MCP server for an hour, `refresh` the next hour, once. */
export type GrantTextKind = 'access' | 'refresh';

const MARKS: Readonly<Record<GrantTextKind, string>> = { access: 'tbo_', refresh: 'tbr_' };
const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
/** The mark, 22 characters of the family, 43 of the secret, in base64url. */
const FORM = /^(?<mark>tbo_|tbr_)(?<family>[\w-]{22})(?<secret>[\w-]{43})$/;

/** The part of a text that is stored. */
export interface GrantSecret {
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

/** The part that all texts of one grant have in common, so that an old one is known to be old and not a guess. It is as secret as the rest. */
export function newFamily(): string {
  return randomBytes(FAMILY_BYTES).toString('base64url');
}

export function hashFamily(family: string): Uint8Array {
  return hash('sha256', family, 'buffer');
}

export function newGrantText(kind: GrantTextKind, family: string): GrantSecret & { readonly text: string } {
  const text = MARKS[kind] + family + randomBytes(SECRET_BYTES).toString('base64url');
  const salt = randomBytes(SALT_BYTES);
  return { text, salt, hash: hashToken(salt, text) };
}

/** @returns the family; undefined for a text that this host never made */
export function familyOf(kind: GrantTextKind, text: string): string | undefined {
  const parts = FORM.exec(text)?.groups;
  return parts?.['mark'] === MARKS[kind] ? parts['family'] : undefined;
}

export function isGrantText(text: string): boolean {
  return text.startsWith(MARKS.access);
}

/** In constant time. */
export function provesSecret({ salt, hash: stored }: GrantSecret, text: string): boolean {
  return timingSafeEqual(hashToken(salt, text), stored);
}

/** In constant time. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashFamily(one), hashFamily(other));
}
