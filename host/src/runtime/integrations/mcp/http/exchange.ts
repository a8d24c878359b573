import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The one path. */
export const MCP_PATH = '/mcp';

/** The request as the protocol library takes it: without its body, which is read already, and without the token. */
export function toWebRequest(request: IncomingMessage, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    if (name === 'authorization' || name === 'content-length' || value === undefined) continue;
    for (const item of value) headers.append(name, item);
  }
  return new Request(`http://127.0.0.1${MCP_PATH}`, {
    method: request.method ?? 'POST',
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Writes an answer as fast as the client takes it. A client that has gone away is no error. */
export async function send(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(answer.headers);
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  if ((headers['content-type'] ?? '').startsWith('application/json')) {
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body), response);
  } catch {
    response.destroy();
  }
}
