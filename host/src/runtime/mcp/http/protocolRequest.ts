import type { IncomingMessage } from 'node:http';
import { toRequest } from '../../http/fetchAdapter.ts';

/** The one path. */
export const MCP_PATH = '/mcp';

/** The protocol's own headers. The code behind the guard must not see the others, above all not the token. */
const PROTOCOL_HEADER = /^(?:accept|content-type|last-event-id|mcp-.*)$/;

/** The request as the protocol library takes it: without its body, which is read already. */
export function protocolRequest(request: IncomingMessage): Request {
  return toRequest(request, { url: `http://127.0.0.1${MCP_PATH}`, passes: (name) => PROTOCOL_HEADER.test(name) });
}
