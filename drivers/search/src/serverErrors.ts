import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode, DriverErrorDetails } from '@tabularium/sdk';
import { isObject, textOfField } from './guards.ts';
import type { NeededAction } from './keyActions.ts';

/** A request for people: method and path, never the query, in which somebody may have written a key. */
export function requestLine(method: string, path: string): string {
  return `${method} ${path.split('?', 1)[0] ?? path}`.slice(0, 2_000);
}

interface Rule {
  readonly when: RegExp;
  readonly code: DriverErrorCode;
  /** The message; `$1` is the pattern's group. */
  readonly message?: string;
  readonly advice: string;
}

/** The rejection of more hits than one search may have; its group is the limit. */
export const TOO_MANY_HITS = /^Only up ?to (\d+) hits can be fetched/s;

/** The refusal of a value in which the server finds no word; its group is the field. */
export const NO_WORD = /^Error with filter field `(.*)`: Filter value cannot be empty/s;

/** Messages of the server, and their meaning. The first match counts. */
const rules: readonly Rule[] = [
  {
    when: /^Could not find a filter field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no field “$1” to filter by.',
    advice: 'Reload the structure: a field of an auto-schema collection exists only after a document has brought it.',
  },
  {
    when: /^Could not find a facet field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no facet “$1”.',
    advice: 'Create the field with “facet”, or count the values of another field.',
  },
  {
    when: /^Could not find a field named `(.*)` in the schema for sorting/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection cannot be sorted by “$1”.',
    advice: 'Sort by another field, or create the field with “sort”, then reload the structure.',
  },
  {
    when: /^Could not find a field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no field “$1”.',
    advice: 'Reload the structure and use a field that it lists.',
  },
  {
    when: /^Cannot filter on non-indexed field `(.*)`/s,
    code: 'UNSUPPORTED',
    message: 'The field “$1” is not indexed, so the server cannot filter by it.',
    advice: 'Filter by another field.',
  },
  {
    when: TOO_MANY_HITS,
    code: 'INVALID_INPUT',
    message: 'The server gives at most $1 documents for one search.',
    advice: 'Page with “offset” and “limit”, or put several searches into one POST /multi_search.',
  },
  {
    when: /Not an int(?:32|64)|must be an int(?:32|64)|exceeds the range of an int/s,
    code: 'INVALID_INPUT',
    advice: 'Send a whole number that the field’s type can hold.',
  },
  {
    when: /^Rejecting write: .*OUT_OF_DISK/s,
    code: 'SERVER_ERROR',
    message: 'The server rejects writes because its disk is almost full.',
    advice: 'Free disk space on the server, or raise its --disk-used-max-percentage. Reading still works.',
  },
  {
    when: /^Rejecting write: .*OUT_OF_MEMORY/s,
    code: 'SERVER_ERROR',
    message: 'The server rejects writes because its memory is almost full.',
    advice: 'Give the server more memory, delete data, or raise its --memory-used-max-percentage. Reading still works.',
  },
  {
    when: NO_WORD,
    code: 'INVALID_INPUT',
    message: 'The server found no word in the value for “$1”.',
    advice:
      'Filter by a value with letters or digits. For Chinese, Japanese, Korean or Thai, the field needs its locale in the schema.',
  },
  {
    when: /^Could not parse the filter|^Error with filter field|^Values? of filter field/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the filter; its raw part must be in the server’s own syntax.',
  },
  {
    when: /^Query string exceeds max allowed length/s,
    code: 'INVALID_INPUT',
    advice: 'Send the search as POST /multi_search, which has no limit of length.',
  },
];

const byStatus: Readonly<Record<number, { readonly code: DriverErrorCode; readonly advice?: string }>> = {
  400: { code: 'INVALID_INPUT' },
  404: { code: 'NOT_FOUND' },
  405: { code: 'INVALID_INPUT' },
  408: { code: 'TIMEOUT' },
  409: { code: 'CONFLICT' },
  413: { code: 'TOO_LARGE', advice: 'Send less at once.' },
  422: { code: 'INVALID_INPUT' },
  429: { code: 'RATE_LIMITED' },
  503: { code: 'SERVER_NOT_READY' },
  504: { code: 'TIMEOUT' },
};

/** The words of an error answer: `message` (or `error` in a search of several), else the text itself. */
export function serverWords(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return textOfField(value, 'message') ?? textOfField(value, 'error') ?? body.trim();
  } catch {
    // A proxy's page, or an empty body: shown as it is.
  }
  return body.trim();
}

/**
 * The error for an answer of 400 and above.
 *
 * @param request - from {@link requestLine}
 * @param words - what the server said, from {@link serverWords}
 * @param accepted - given when the server has accepted the key for another request: what this one needs, where that is known. The server
 *   answers to a wrong key and to one that lacks an action in the same words.
 */
export function serverError(
  status: number,
  words: string,
  request: string,
  accepted?: { readonly needed: NeededAction | undefined },
): DriverError {
  const details = { request, status: String(status), ...(words === '' ? {} : { serverMessage: words.slice(0, 2_000) }) };
  if (status === 401 || status === 403) {
    if (accepted !== undefined) return lacking(accepted.needed, request, details);
    return new DriverError(
      'ACCESS_REFUSED',
      `The server rejected the API key for ${request}: it is wrong, or lacks the permission.`,
      {
        details: {
          ...details,
          advice: 'Correct the API Key field of the connection, or use a key with the action that this needs.',
        },
      },
    );
  }
  for (const rule of rules) {
    const match = status < 500 ? rule.when.exec(words) : null;
    if (match !== null) {
      const message = rule.message?.replace('$1', () => match[1] ?? '') ?? `The server rejected the request: ${sentence(words)}`;
      return new DriverError(rule.code, message, { details: { ...details, advice: rule.advice } });
    }
  }
  if (status === 404 && /^(?:Collection not found|Not Found)\.?$/i.test(words)) {
    return new DriverError('NOT_FOUND', `The server found nothing at ${request}.`, { details });
  }
  const known = byStatus[status] ?? { code: status >= 500 ? ('SERVER_ERROR' as const) : ('INVALID_INPUT' as const) };
  if (looksLikePage(words) && known.code !== 'SERVER_NOT_READY') {
    return new DriverError(
      status >= 500 ? known.code : 'BAD_ANSWER',
      `A proxy in front of the search server answered ${status} to ${request}.`,
      {
        details,
      },
    );
  }
  const message =
    known.code === 'SERVER_NOT_READY'
      ? `The server is starting, or this node lags behind its cluster: ${sentence(words)}`
      : `The server answered ${status} to ${request}${words === '' ? '.' : `: ${sentence(words)}`}`;
  return new DriverError(known.code, message, {
    details: { ...details, ...(known.advice === undefined ? {} : { advice: known.advice }) },
  });
}

/** A key that works, and not for this; or it was deleted or has expired since. */
function lacking(needed: NeededAction | undefined, request: string, details: DriverErrorDetails): DriverError {
  const lacks = needed === undefined ? `the permission for ${request}` : `the action ${needed.action}`;
  const where = needed?.collection === undefined ? '' : ` for “${needed.collection.slice(0, 200)}”`;
  return new DriverError('ACCESS_REFUSED', `The API key lacks ${lacks}${where}.`, {
    details: { ...details, advice: 'Use a key that has it. If this worked before, the key has expired or was deleted.' },
  });
}

function looksLikePage(words: string): boolean {
  return words.startsWith('<');
}

/** The server's words as the end of a sentence. */
function sentence(words: string): string {
  const short = words.length > 300 ? `${words.slice(0, 300)}…` : words;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
