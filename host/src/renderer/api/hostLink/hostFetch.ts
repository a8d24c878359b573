import { hostIsUp, lookForHost } from './hostLink.ts';
import { ownPath } from './ownPath.ts';

/** The path that this page was loaded under. */
const firstPath = ownPath();

/**
 * Asks the host. While it is gone nothing is sent: another program may listen at its address. A request that goes unanswered, or that the host does not
 * let in, makes the window look for it.
 *
 * @param input - an address below this window's path, also the one from before a restart of the host
 * @throws TypeError while the host is gone, as a browser does
 */
export async function hostFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (!hostIsUp()) throw new TypeError('The host is gone.');
  try {
    const response = await fetch(input instanceof Request ? input : underOwnPath(String(input)), init);
    if (response.status === 401) lookForHost();
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) lookForHost();
    throw error;
  }
}

function underOwnPath(address: string): string {
  const path = ownPath();
  if (firstPath === undefined || path === undefined || path === firstPath) return address;
  return address.replace(`${location.origin}${firstPath}`, `${location.origin}${path}`);
}
