import type { IncomingMessage } from 'node:http';
import { toRequest } from '../../http/fetchAdapter.ts';

/** The one path. */
export const MCP_PATH = '/mcp';

/** What the protocol says in headers. All else is nobody's business behind the guard, the token first of all, and would be checked for nothing. */
const PROTOCOL_HEADER = /^(?:accept|content-type|last-event-id|mcp-.*)$/;

/** The request as the protocol library takes it: without its body, which is read already. */
export function protocolRequest(request: IncomingMessage): Request {
  return toRequest(request, { url: `http://127.0.0.1${MCP_PATH}`, keeps: (name) => PROTOCOL_HEADER.test(name) });
}
