import type { IncomingMessage } from 'node:http';

/**
 * The first of these headers that a request has more than once. Node takes the first one, or puts them together; something before it may have
 * decided by another one.
 *
 * @param names - in lower case
 */
export function repeatedHeader({ rawHeaders }: IncomingMessage, names: ReadonlySet<string>): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!names.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
