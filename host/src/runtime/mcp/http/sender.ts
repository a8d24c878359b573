import type { IncomingMessage } from 'node:http';
import { hasSeveralHosts } from '../../http/hostHeaders.ts';
import { MCP_CODES } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';

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
  if (hasSeveralHosts(request)) {
    return errorAnswer(400, MCP_CODES.invalidRequest, 'Bad request: send one Host header.');
  }
  const { host = '', origin } = request.headers;
  if (!LOOPBACK_HOST.test(host)) {
    return errorAnswer(
      403,
      MCP_CODES.invalidRequest,
      'Forbidden: the Host header must name this machine (localhost, 127.0.0.1 or [::1]).',
    );
  }
  if (origin !== undefined && !LOOPBACK_ORIGIN.test(origin) && !allowedOrigins.includes(origin)) {
    return errorAnswer(403, MCP_CODES.invalidRequest, 'Forbidden: requests from this origin are not accepted.');
  }
  return undefined;
}
