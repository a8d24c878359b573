import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON of the body, or of the last event of a stream; undefined when it has none. */
  readonly json: unknown;
}

/** A request exactly as it is given: `fetch` would not send a foreign Host or a GET with a body. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly token?: string;
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
}

export function rawRequest(port: number, options: RawRequest): Promise<RawAnswer> {
  const { method = 'POST', path = '/mcp', token, body } = options;
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...options.headers,
  };
  for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function parse(text: string): unknown {
  const lastEvent = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .at(-1);
  const json = lastEvent === undefined ? text : lastEvent.slice('data:'.length);
  return json.trim() === '' ? undefined : (JSON.parse(json) as unknown);
}

/** The metadata of a request of 2026-07-28, besides its own parameters. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;

/** A whole request of 2026-07-28: body and the headers that must agree with it. */
export function modernRequest(method: string, params: Record<string, unknown> = {}, id: number | string = 1): RawRequest {
  const { name } = params;
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: MODERN_META } },
  };
}

export function initializeBody(protocolVersion: unknown, id: number | string = 1): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
}
