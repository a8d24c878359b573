import type { FetchHandler } from '../../host/src/common/fetchHandler.ts';

/** Headers that belong to the connection between browser and development server. */
const REPLACED = ['origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'accept-encoding', 'content-length'];

/**
 * Signs in at a host with its one-time address, as a browser does.
 *
 * @param address - what the host printed: `http://127.0.0.1:<port>/?key=…`
 * @returns a handler that passes requests for `/api/…` to that host; its answers stream
 * @throws Error when the host rejects the key
 */
export async function signIn(address: string): Promise<FetchHandler> {
  const answer = await fetch(address, { redirect: 'manual' });
  const path = answer.headers.get('location');
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (answer.status !== 303 || path === null || cookie === undefined)
    throw new Error(`The host rejected its own key (status ${answer.status}).`);
  const window = new URL(path, address);
  return (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of REPLACED) headers.delete(name);
    headers.set('cookie', cookie);
    headers.set('origin', window.origin);
    headers.set('accept-encoding', 'identity');
    return fetch(new URL(`.${pathname}${search}`, window), {
      method: request.method,
      headers,
      signal: request.signal,
      ...(request.body === null ? {} : { body: request.body, duplex: 'half' }),
    });
  };
}
