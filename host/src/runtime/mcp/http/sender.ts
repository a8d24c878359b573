import type { IncomingMessage } from 'node:http';
import { repeatedHeader } from '../../http/repeatedHeader.ts';
import { MCP_CODES } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';
import { isListedOrigin } from './crossOrigin.ts';

/** Headers that decide who asks, what for and in which way. */
const DECIDING_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-encoding',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]);

/** The whole header and not the host that a URL parser makes of it: `evil.example@localhost` has the host name localhost too. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Refuses what a hostile page could make a browser send: requests to another host name than a loopback one (a name rebound to 127.0.0.1),
 * and requests from a page of another origin. Any port is fine, since an SSH forward has its own.
 *
 * @param allowedOrigins - exact origins that are let in besides the loopback ones
 */
export function refuseForeignSender(request: IncomingMessage, allowedOrigins: readonly string[]): Response | undefined {
  const repeated = repeatedHeader(request, DECIDING_HEADERS);
  if (repeated !== undefined) {
    return errorAnswer(
      400,
      MCP_CODES.invalidRequest,
      `Bad request: the header "${repeated}" is there more than once. Send it once.`,
    );
  }
  const { host = '', origin } = request.headers;
  if (!LOOPBACK_HOST.test(host)) {
    return errorAnswer(
      403,
      MCP_CODES.invalidRequest,
      'Forbidden: the Host header must name this machine (localhost, 127.0.0.1 or [::1]).',
    );
  }
  if (origin !== undefined && !LOOPBACK_ORIGIN.test(origin) && !isListedOrigin(origin, allowedOrigins)) {
    return errorAnswer(403, MCP_CODES.invalidRequest, 'Forbidden: requests from this origin are not accepted.');
  }
  return undefined;
}
