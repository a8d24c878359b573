import type { IncomingMessage } from 'node:http';
import { repeatedHeader } from '../runtime/http/repeatedHeader.ts';

/** Why a request is refused, before anything else is looked at. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/** Headers that decide who asks and how a body is read. */
const DECIDING_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'cookie',
  'content-type',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
]);

const METHODS = ['GET', 'HEAD', 'POST'];

/**
 * The rules for every request, from any sender: for this host by its own name (a name that somebody else's DNS points here is not), by a method
 * that is used, and not from another site's page.
 */
export function refuseForeign(request: IncomingMessage, port: number): Refusal | undefined {
  const repeated = repeatedHeader(request, DECIDING_HEADERS);
  if (repeated !== undefined) return { status: 400, sentence: `The request has the header "${repeated}" more than once.` };
  const host = request.headers.host;
  if (host === undefined || !ownHosts(port).includes(host)) {
    return { status: 421, sentence: 'This host answers to its own name only.' };
  }
  if (request.url?.startsWith('/') !== true) return { status: 400, sentence: 'The request names no path.' };
  if (!METHODS.includes(request.method ?? '')) return { status: 405, sentence: 'This method is not used here.' };
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, sentence: 'Pages of other sites have no business here.' };
  }
  return undefined;
}

/**
 * A page that somebody opens: typed, clicked or reloaded, in a tab of its own. Browsers say so; a request without Sec-Fetch-Site doesn't come from
 * a browser's page (Node's own fetch sends a mode all the same).
 */
export function isOpenedPage(request: IncomingMessage): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (request.headers['sec-fetch-site'] === undefined) return true;
  return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
}

/** Whether another page led here: another site, or another port of this machine. */
export function isLedHere(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'none' && site !== 'same-origin';
}

/** Fetched ahead by a browser or a mail program, and not opened by anybody. */
export function isPrefetch(request: IncomingMessage): boolean {
  return request.headers['sec-purpose'] !== undefined || request.headers['purpose'] !== undefined;
}

/**
 * Whether the window's own page sent the request. What changes something must say so by its Origin. A browser sends none with a GET, but
 * then it sends Sec-Fetch-Site, which no page can forge.
 */
export function isFromOwnPage(request: IncomingMessage): boolean {
  if (request.headers.origin !== undefined) return request.headers.origin === `http://${request.headers.host ?? ''}`;
  return request.method !== 'POST' && request.headers['sec-fetch-site'] === 'same-origin';
}

function ownHosts(port: number): readonly string[] {
  // A browser leaves out the port that the scheme implies.
  return ['127.0.0.1', 'localhost'].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}
