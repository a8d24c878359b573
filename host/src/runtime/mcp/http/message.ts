import { MCP_CODES, REFUSED_VERSIONS, SUPPORTED_VERSIONS } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';
import type { RpcId } from './answers.ts';

/** A body that is one JSON-RPC message. */
export interface RpcMessage {
  readonly body: Readonly<Record<string, unknown>>;
  readonly id: RpcId | undefined;
  /** Absent for a response to a request of the server. */
  readonly method: string | undefined;
}

/** Looks whether a body is one JSON-RPC message. Several at once were part of versions that are refused. */
export function toMessage(body: unknown): RpcMessage | Response {
  if (Array.isArray(body)) {
    return errorAnswer(
      400,
      MCP_CODES.invalidRequest,
      'Invalid request: batches are not part of the supported protocol versions.',
    );
  }
  if (typeof body !== 'object' || body === null) {
    return errorAnswer(400, MCP_CODES.invalidRequest, 'Invalid request: the body must be one JSON-RPC message.');
  }
  const message = body as Readonly<Record<string, unknown>>;
  const { id, method, jsonrpc, params } = message;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
  const isResponse = method === undefined && known !== undefined && ('result' in message || 'error' in message);
  const hasForm =
    jsonrpc === '2.0' &&
    (typeof method === 'string' || isResponse) &&
    (id === undefined || known !== undefined) &&
    (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params)));
  if (!hasForm) {
    return errorAnswer(400, MCP_CODES.invalidRequest, "Invalid request: the body isn't a JSON-RPC 2.0 message.", { id: known });
  }
  return { body: message, id: known, method: typeof method === 'string' ? method : undefined };
}

/**
 * Refuses `initialize` for a published version that is not supported. The protocol would rather have a counter-offer; a client that has
 * only such a version would then continue with batches and other unsupported features. A version that isn't published yet gets the counter-offer.
 */
export function refuseOldVersion({ body, id, method }: RpcMessage): Response | undefined {
  if (method !== 'initialize') return undefined;
  const { params } = body;
  const requested =
    typeof params === 'object' && params !== null && 'protocolVersion' in params ? params.protocolVersion : undefined;
  return typeof requested === 'string' && REFUSED_VERSIONS.includes(requested) ? unsupportedVersion(requested, id) : undefined;
}

export function unsupportedVersion(requested: string, id: RpcId | undefined): Response {
  return errorAnswer(400, MCP_CODES.invalidParams, 'Unsupported protocol version', {
    id,
    data: { supported: SUPPORTED_VERSIONS, requested: requested.slice(0, 40) },
  });
}
