import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../fault.ts';

const derive = promisify(pbkdf2);
const MOST_PASSWORD = 1_000;

/**
 * A password as the server stores it for SCRAM-SHA-256: the statement has no password that somebody could sign in with, nor has the server's log.
 *
 * @param iterations - `scram_iterations` of the server
 */
export async function scramVerifier(password: string, iterations: number, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}

/**
 * Clients prepare a password in ways that differ for some characters (SASLprep): one that they would prepare alike is asked for.
 *
 * @throws DriverError `INVALID_INPUT`
 */
export function checkPassword(password: string): void {
  if (password.length > MOST_PASSWORD)
    throw invalid(`The password is longer than ${MOST_PASSWORD} characters.`, 'password', { id: 'role.longPassword' });
  if (
    password !== password.normalize('NFKC') ||
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Variation_Selector}]|\u034f/u.test(password.replaceAll(' ', ''))
  )
    throw invalid(
      "The password has characters that programs send in different ways, so some couldn't sign in. Use letters, digits, punctuation and plain spaces.",
      'password',
      { id: 'role.unevenPassword' },
    );
}
