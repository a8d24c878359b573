import { DriverError, wholeStart } from '@tabularium/sdk';
import type { DriverErrorCode, DriverErrorDetails, DriverText, DriverTexts } from '@tabularium/sdk';
import type { ErrorRule } from './errorRules/errorRule.ts';
import { errorRuleFor } from './errorRules/errorRules.ts';
import { isObject, textOfField } from './guards.ts';
import type { NeededAction } from './keyActions.ts';

/** A request for people: method and path, never the query, in which somebody may have written a key. */
export function requestLine(method: string, path: string): string {
  return `${method} ${path.split('?', 1)[0] ?? path}`.slice(0, 2_000);
}

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
    // 30.0-dev puts quotes into its message without escaping them. A proxy's page, or an empty body, is shown as it is.
    const [, message] = /^\{\s*"message"\s*:\s*"(.{1,2000})"\s*\}$/s.exec(body.trim().slice(0, 2_100)) ?? [];
    if (message !== undefined) return message;
  }
  return body.trim();
}

/**
 * The error for an answer of 400 and above.
 *
 * @param request - from {@link requestLine}
 * @param words - what the server said, from {@link serverWords}
 * @param accepted - given when the server has accepted the key for another request: what this one needs, where that is known. The server
 *   answers to a wrong key and to one that lacks an action in the same words. `before`: it has accepted the key for the same request.
 */
export function serverError(
  status: number,
  words: string,
  request: string,
  accepted?: { readonly needed: NeededAction | undefined; readonly before?: boolean },
): DriverError {
  const details = { request, status: String(status), ...(words === '' ? {} : { serverMessage: words.slice(0, 2_000) }) };
  if (status === 401 || status === 403) {
    if (accepted?.before === true) return ended(details);
    if (accepted !== undefined) return lacking(accepted.needed, request, details);
    return new DriverError(
      'ACCESS_REFUSED',
      `The server rejected the API key for ${request}: it is wrong, or lacks the permission.`,
      {
        details: {
          ...details,
          advice: 'Correct the API Key field of the connection, or use a key with the action that this needs.',
          texts: { message: { id: 'error.key', values: { request: request.slice(0, 400) } }, advice: { id: 'error.key.advice' } },
        },
      },
    );
  }
  const found = errorRuleFor(words);
  if (found !== undefined) {
    const { rule, group } = found;
    const message =
      rule.message?.replace('$1', () => group.slice(0, 300)) ?? `The server rejected the request: ${sentence(words)}`;
    return new DriverError(rule.code, message, {
      details: { ...details, advice: rule.advice, texts: textsOf(rule, group, words) },
    });
  }
  if (status === 404 && /^(?:Collection not found|Not Found)\.?$/i.test(words)) {
    return new DriverError('NOT_FOUND', `The server found nothing at ${request}.`, {
      details: { ...details, texts: { message: { id: 'error.nothing', values: { request: request.slice(0, 400) } } } },
    });
  }
  const known = byStatus[status] ?? { code: status >= 500 ? ('SERVER_ERROR' as const) : ('INVALID_INPUT' as const) };
  if (looksLikePage(words) && known.code !== 'SERVER_NOT_READY') {
    return new DriverError(
      status >= 500 ? known.code : 'BAD_ANSWER',
      `A proxy in front of the search server answered ${status} to ${request}.`,
      {
        details: {
          ...details,
          texts: { message: { id: 'error.proxy', values: { status, request: request.slice(0, 400) } } },
        },
      },
    );
  }
  const message =
    known.code === 'SERVER_NOT_READY'
      ? `The server is starting, or this node lags behind its cluster: ${sentence(words)}`
      : `The server answered ${status} to ${request}${words === '' ? '.' : `: ${sentence(words)}`}`;
  return new DriverError(known.code, message, {
    details: {
      ...details,
      ...(known.advice === undefined ? {} : { advice: known.advice }),
      texts: {
        message:
          known.code === 'SERVER_NOT_READY'
            ? { id: 'error.starting', values: { words: sentence(words) } }
            : { id: 'error.status', values: { status, request: request.slice(0, 400), words: sentence(words) } },
      },
    },
  });
}

function textsOf({ id, message }: ErrorRule, group: string, words: string): DriverTexts {
  const rejected: DriverText = { id: 'error.rejected', values: { words: sentence(words) } };
  const own = id === undefined ? undefined : { id: `error.${id}`, values: { value: group.slice(0, 300) } };
  const said = message === undefined ? rejected : own;
  return {
    ...(said === undefined ? {} : { message: said }),
    ...(id === undefined ? {} : { advice: { id: `error.${id}.advice` } }),
  };
}

/** Whether an error says that the key works for nothing any more, and not that it lacks an action. */
export function saysKeyEnded({ details }: DriverError): boolean {
  return details.texts?.['message']?.id === 'error.keyEnded';
}

/** A key that the server let pass for the same request before. */
function ended(details: DriverErrorDetails): DriverError {
  return new DriverError('ACCESS_REFUSED', 'The API key no longer works: it has expired, or it was deleted.', {
    details: {
      ...details,
      advice: 'Make a new key, and enter it in the API Key field of the connection.',
      texts: { message: { id: 'error.keyEnded' }, advice: { id: 'error.keyEnded.advice' } },
    },
  });
}

/** A key that works, and not for this; or it was deleted or has expired since. */
function lacking(needed: NeededAction | undefined, request: string, details: DriverErrorDetails): DriverError {
  const lacks = needed === undefined ? `the permission for ${request}` : `the action ${needed.action}`;
  const where = needed?.collection === undefined ? '' : ` for “${needed.collection.slice(0, 200)}”`;
  return new DriverError('ACCESS_REFUSED', `The API key lacks ${lacks}${where}.`, {
    details: {
      ...details,
      advice: 'Use a key that has it. If this worked before, the key has expired or was deleted.',
      texts: {
        message: {
          id: 'error.keyLacks',
          values: {
            is: needed === undefined ? 'request' : 'action',
            what: (needed?.action ?? request).slice(0, 400),
            scope: needed?.collection === undefined ? 'all' : 'one',
            collection: (needed?.collection ?? '').slice(0, 200),
          },
        },
        advice: { id: 'error.keyLacks.advice' },
      },
    },
  });
}

function looksLikePage(words: string): boolean {
  return words.startsWith('<');
}

/** The server's words as the end of a sentence. */
function sentence(words: string): string {
  const short = words.length > 300 ? `${wholeStart(words, 300)}…` : words;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
