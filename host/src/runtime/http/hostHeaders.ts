import type { IncomingMessage } from 'node:http';

/** Whether a request names its host more than once. Node reads the first; something before it may have read another one. */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
