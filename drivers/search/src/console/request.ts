import { DriverError, wholeStart } from '@tabularium/sdk';
import type { HttpRequest } from '@tabularium/sdk';
import type { RequestPath } from './requestPath.ts';
import { parsePath } from './requestPath.ts';
import { requestTextOf } from './requestText.ts';
import { namesInPath } from './routeEffects.ts';
import { faultTexts } from '../faultTexts.ts';

/** One request of the console. */
export interface ConsoleRequest {
  readonly method: HttpRequest['method'];
  readonly path: RequestPath;
  /** Byte for byte as written; empty when there is none. */
  readonly body: string;
}

const METHODS: readonly HttpRequest['method'][] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HINT = 'Enter a request like: GET /collections';
const SQL =
  /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|DROP|TRUNCATE|SHOW|DESCRIBE|EXPLAIN|USE|SET|GRANT|REVOKE|BEGIN|COMMIT|ROLLBACK|CALL)\b/i;
/** Text that people paste with a request of another tool. */
const HTTP_VERSION = /(?<!\s)\s+HTTP\/\d(?:\.\d)?$/i;
const HEADER_LINE = /^[A-Za-z][A-Za-z0-9-]*:(?:\s|$)/;

/** @throws DriverError `INVALID_INPUT` for text that isn't a request; nothing is sent then */
export function parseRequest(statement: string): ConsoleRequest {
  const text = requestTextOf(statement);
  if (text === undefined) {
    throw new DriverError('INVALID_INPUT', 'One request runs at a time, and the input has none or several.', {
      details: { advice: HINT, texts: faultTexts('fault.oneRequest', {}, 'fault.likeThis') },
    });
  }
  const [, word = '', rest = ''] = /^(\S+)(?:\s+(\S.*)?)?$/s.exec(text.requestLine) ?? [];
  const method = METHODS.find((known) => known === word.toUpperCase());
  const typed = rest.replace(HTTP_VERSION, '').trim();
  if (method === undefined || !looksLikePath(typed)) throw noRequest(text.requestLine);
  if (HEADER_LINE.test(text.body)) {
    throw new DriverError(
      'INVALID_INPUT',
      'A request has no headers here: the connection adds the key, and the body follows the first line.',
      {
        details: {
          advice: 'Delete the header lines.',
          texts: faultTexts('fault.noHeaders', {}, 'fault.noHeaders.advice'),
        },
      },
    );
  }
  const path = parsePath(typed);
  const [area, key, ...deeper] = path.segments;
  if (method === 'GET' && area === 'keys' && key !== undefined && key !== '' && deeper.length === 0 && !/^\d+$/.test(key)) {
    throw new DriverError('INVALID_INPUT', "An API key is read by its number; the server doesn't answer other paths.", {
      details: {
        advice: 'Find the number with GET /keys.',
        texts: faultTexts('fault.keyNumber', {}, 'fault.keyNumber.advice'),
      },
    });
  }
  refuseSecondNames(method, path);
  return { method, path, body: text.body };
}

/**
 * The server takes a name from the query before it takes it from the path: `DELETE /collections/a?collection=b` deletes b. Such a request
 * does something else than it shows.
 *
 * @throws DriverError `INVALID_INPUT`
 */
function refuseSecondNames(method: HttpRequest['method'], { raw, query }: RequestPath): void {
  const twice = namesInPath(method, raw).find((name) => query.has(name));
  if (twice === undefined) return;
  throw new DriverError('INVALID_INPUT', `The query parameter “${twice}” replaces a name of the path.`, {
    details: {
      advice: `Write the name in the path, and delete “${twice}” from the query.`,
      texts: faultTexts('fault.secondName', { name: twice }, 'fault.secondName.advice', { name: twice }),
    },
  });
}

/** Text that begins like a path or an address is checked as one; `FROM books` does not. */
function looksLikePath(typed: string): boolean {
  return typed.startsWith('/') || typed.startsWith('\\') || /^[a-z][a-z0-9+.-]*:/i.test(typed);
}

function noRequest(line: string): DriverError {
  const shown = line.length > 80 ? `${wholeStart(line, 80)}…` : line;
  const why = SQL.test(line)
    ? "it looks like SQL, which the search server doesn't support"
    : "it doesn't begin with a method and a path";
  return new DriverError('INVALID_INPUT', `“${shown}” was not sent: ${why}.`, {
    details: {
      advice: HINT,
      texts: faultTexts('fault.noRequest', { line: shown, why: SQL.test(line) ? 'sql' : 'other' }, 'fault.likeThis'),
    },
  });
}
