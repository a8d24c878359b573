import type { IncomingHttpHeaders } from 'node:http';
import type { HttpGrant } from './httpGrant.ts';

/** Those of one hop mean nothing behind the broker. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);

/** The answer's headers for the driver. One that repeats a credential is left out: the driver must not learn it from a server that echoes. */
export function responseHeaders(headers: IncomingHttpHeaders, grant: HttpGrant): Record<string, string> {
  const allowed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_HEADERS.has(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (grant.repeatsSecret(text)) continue;
    allowed.push([name, text]);
  }
  return Object.fromEntries(allowed);
}
