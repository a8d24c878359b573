import { hash, randomBytes } from 'node:crypto';

/** The prefix of every token, so that people and secret scanners recognise one. */
const TOKEN_MARK = 'tbm_';
/** How much of a token is kept readable, to distinguish tokens in a list. */
export const PREFIX_LENGTH = 8;
const RANDOM_BYTES = 32;
const SALT_BYTES = 16;

/** A new token: the text that is shown once, and what is kept of it. */
export interface TokenSecret {
  readonly text: string;
  readonly prefix: string;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

export function newTokenSecret(): TokenSecret {
  const text = TOKEN_MARK + randomBytes(RANDOM_BYTES).toString('base64url');
  const salt = randomBytes(SALT_BYTES);
  return { text, prefix: text.slice(0, PREFIX_LENGTH), salt, hash: hashToken(salt, text) };
}

/** One round of SHA-256 is enough: a token is 256 random bits, not a password that could be guessed from a list. */
export function hashToken(salt: Uint8Array, text: string): Uint8Array {
  return hash('sha256', Buffer.concat([salt, Buffer.from(text, 'utf8')]), 'buffer');
}
