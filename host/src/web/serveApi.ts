import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveFetch } from '../runtime/http/fetchAdapter.ts';
import type { ServeOptions } from '../runtime/http/fetchAdapter.ts';

/** Headers that the transport has handled, or that belong to Node. The runtime trusts its transport and gets no keys. */
const WITHHELD_HEADERS: readonly string[] = [
  'cookie',
  'authorization',
  'host',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
];

/**
 * Serves a request of the window by the runtime's API.
 *
 * @throws BodyTooLarge before an answer has begun, and what the handler or its answer's body throws
 */
export function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  options: Omit<ServeOptions, 'passes'>,
): Promise<void> {
  return serveFetch(request, response, { ...options, passes: (header) => !WITHHELD_HEADERS.includes(header) });
}
