import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../faultTexts.ts';

/** A path on the connection's server, ready to be sent. */
export interface RequestPath {
  /** With the query, percent-encoded. */
  readonly encoded: string;
  /** The names as the server reads them: decoded, without empty ones. `//collections/a%2Fb/` is `['collections', 'a/b']`. */
  readonly segments: readonly string[];
  /** The same segments, still encoded: the server compares its own words, such as `collections`, without decoding. */
  readonly raw: readonly string[];
  readonly query: URLSearchParams;
}

/** The host's limit. */
const MAX_LENGTH = 16_384;

const CONTROL = /\p{Cc}/u;
/** Characters that a path or query may have unencoded; `%` is checked separately. */
const TO_ENCODE = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+/gu;
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

/**
 * A path as people type it, with blanks, quotes and letters of every script. It can name nothing but a path on the server that the
 * connection names: no other host, however written.
 *
 * @throws DriverError `INVALID_INPUT`
 */
export function parsePath(typed: string): RequestPath {
  if (!typed.startsWith('/') || typed.startsWith('//') || typed.includes('\\') || CONTROL.test(typed)) {
    throw new DriverError('INVALID_INPUT', `Not a path on this server: ${typed.slice(0, 200)}`, {
      details: {
        advice: 'Begin the path with one slash, as in /collections, without host and without backslashes.',
        texts: faultTexts('fault.noPath', { path: typed.slice(0, 200) }, 'fault.noPath.advice'),
      },
    });
  }
  const cut = typed.indexOf('?');
  const path = cut === -1 ? typed : typed.slice(0, cut);
  const query = cut === -1 ? '' : typed.slice(cut + 1);
  // `&&` isn't meant as an empty parameter: it is the “and” of a filter, typed as in a filter.
  const encodedQuery = encodeTyped(query).replaceAll('&&', '%26%26');
  // The server skips empty segments: `/collections/x/` is `/collections/x`, and is sent as that.
  const raw = path
    .split('/')
    .filter((part) => part !== '')
    .map(encodeTyped)
    .map(encodeDots);
  const encoded = `/${raw.join('/')}` + (cut === -1 ? '' : `?${encodedQuery}`);
  if (encoded.length > MAX_LENGTH) {
    throw new DriverError('INVALID_INPUT', `The path is ${encoded.length} characters long; ${MAX_LENGTH} can be sent.`, {
      details: {
        advice: 'Send a long search as POST /multi_search.',
        texts: faultTexts('fault.longPath', { length: encoded.length, most: MAX_LENGTH }, 'fault.longPath.advice'),
      },
    });
  }
  return { encoded, segments: raw.map(decode), raw, query: new URLSearchParams(encodedQuery) };
}

function encodeTyped(text: string): string {
  return text.toWellFormed().replace(STRAY_PERCENT, '%25').replace(TO_ENCODE, encodeURIComponent);
}

/** `.` and `..` are names to the server, and steps to everything on the way. */
function encodeDots(segment: string): string {
  return segment === '.' || segment === '..' ? segment.replaceAll('.', '%2E') : segment;
}

/** The server reads a plus sign in a name as a space, in a path as in a query. */
function decode(segment: string): string {
  const spaced = segment.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
