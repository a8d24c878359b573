import { DriverError } from '@tabularium/sdk';
import { RepeatedSecret } from '../repeatedSecret.ts';
import type { RequestCredential } from './requestCredential.ts';

// Credentials that are the same in each request.

/** A secret in headers, with a text before it. */
export function headerCredential(headers: readonly string[], prefix: string, secret: string): RequestCredential {
  const names = headers.map((name) => name.toLowerCase());
  const sought = new RepeatedSecret(secret);
  return {
    apply: (request) => {
      for (const name of names) request.headers.set(name, `${prefix}${secret}`);
    },
    isIn: (text, as) => sought.isIn(text, as),
  };
}

/** User name and password (RFC 7617), in UTF-8. */
export function basicCredential(user: string, password: string): RequestCredential {
  const encoded = Buffer.from(`${user}:${password}`).toString('base64');
  const sought = [new RepeatedSecret(encoded), ...(password === '' ? [] : [new RepeatedSecret(password)])];
  return {
    apply: (request) => void request.headers.set('authorization', `Basic ${encoded}`),
    isIn: (text, as) => sought.some((secret) => secret.isIn(text, as)),
  };
}

/** A secret as a parameter of the query. */
export function queryCredential(parameter: string, secret: string): RequestCredential {
  const sought = new RepeatedSecret(secret);
  return {
    apply: (request) => {
      request.path += `${request.path.includes('?') ? '&' : '?'}${encodeURIComponent(parameter)}=${encodeURIComponent(secret)}`;
    },
    isIn: (text, as) => sought.isIn(text, as),
  };
}

/**
 * Refuses a request whose query has a parameter of a credential already: of two servers take the first, or both.
 *
 * @throws DriverError `PERMISSION_DENIED`
 */
export function checkParameters(path: string, parameters: ReadonlySet<string>): void {
  if (parameters.size === 0) return;
  const [, query = ''] = /\?(.*)/.exec(path) ?? [];
  // Some servers also separate by semicolons.
  for (const part of query.split(/[&;]/)) {
    const name = decodedName(part.split('=', 1)[0] ?? '');
    if (!parameters.has(name)) continue;
    throw new DriverError(
      'PERMISSION_DENIED',
      `The driver asked for the parameter ${name}, which holds a credential and is added by the host. Nothing was sent.`,
    );
  }
}

function decodedName(text: string): string {
  const once = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_sequence, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return once === text ? once.trim() : decodedName(once);
}
