import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { IncomingMessage } from 'node:http';
import { MCP_CODES } from '../codes.ts';
import { errorAnswer } from './answers.ts';

/**
 * Refuses what a hostile page could make a browser send: requests to another host name than a loopback one (a name rebound to 127.0.0.1),
 * and requests from a page of another origin. Any port is fine, since an SSH forward has its own.
 *
 * @param allowedOrigins - exact origins that are let in besides the loopback ones
 */
export function refuseForeignSender(request: IncomingMessage, allowedOrigins: readonly string[]): Response | undefined {
  if (!validateHostHeader(request.headers.host, localhostAllowedHostnames()).ok) {
    return errorAnswer(
      403,
      MCP_CODES.invalidRequest,
      'Forbidden: the Host header must name this machine (localhost, 127.0.0.1 or [::1]).',
    );
  }
  const { origin } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  if (!validateOriginHeader(origin, localhostAllowedOrigins()).ok) {
    return errorAnswer(403, MCP_CODES.invalidRequest, 'Forbidden: requests from this origin are not accepted.');
  }
  return undefined;
}
