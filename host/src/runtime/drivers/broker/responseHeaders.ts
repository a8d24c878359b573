import type { IncomingHttpHeaders } from 'node:http';
import type { HttpGrant } from './httpGrant.ts';

/** A credential shorter than this is looked for as a whole value only: it would be found by chance. */
const SHORTEST_SOUGHT = 4;
/** Those of one hop mean nothing behind the broker. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);

/** The answer's headers for the driver. One that repeats a credential is left out: the driver must not learn it from a server that echoes. */
export function responseHeaders(headers: IncomingHttpHeaders, grant: HttpGrant): Record<string, string> {
  const secrets = [...grant.secretHeaders().values()];
  const allowed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_HEADERS.has(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (secrets.some((secret) => text === secret || (secret.length >= SHORTEST_SOUGHT && text.includes(secret)))) continue;
    allowed.push([name, text]);
  }
  return Object.fromEntries(allowed);
}
