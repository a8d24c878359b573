/** Callbacks of clients are much shorter. In UTF-16 code units. */
const LONGEST = 500;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::(?<port>\d{1,5}))?(?<path>\/[^?#\\]*)?$/i;

/**
 * Whether a client may be sent back here: plain HTTP on this machine, and nothing that a browser and a client could read in two ways (user names,
 * backslashes, queries, fragments, hidden characters).
 */
export function isLoopbackRedirect(uri: string): boolean {
  if (uri.length > LONGEST || !/^[\x21-\x7E]+$/.test(uri)) return false;
  const port = LOOPBACK.exec(uri)?.groups?.['port'];
  // A dot segment would name another path than it says.
  return LOOPBACK.test(uri) && URL.canParse(uri) && !/\/\.{1,2}(?:\/|$)|%2e/i.test(uri) && Number(port ?? 80) <= 65_535;
}

/** The same address but for its port, which a native client chooses each time it starts (RFC 8252, 7.3). Host name and path are exact. */
export function isRegisteredRedirect(uri: string, registered: readonly string[]): boolean {
  return isLoopbackRedirect(uri) && registered.some((known) => withoutPort(known) === withoutPort(uri));
}

/** The address with the parameters of an answer. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  return `${url.hostname}${url.pathname}`;
}
