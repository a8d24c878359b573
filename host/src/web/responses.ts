import type { IncomingMessage, ServerResponse } from 'node:http';

/** A plain sentence, for a person who asks by hand. */
export function say(request: IncomingMessage, response: ServerResponse, status: number, sentence: string): void {
  if (status === 405) response.setHeader('allow', 'GET, HEAD, POST');
  // An unread body would keep the connection.
  if (request.method !== 'GET' && request.method !== 'HEAD') response.setHeader('connection', 'close');
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
    .end(request.method === 'HEAD' ? undefined : `${sentence}\n`);
}

/** A page. */
export function sendPage(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(request.method === 'HEAD' ? undefined : text);
}

/** A value as JSON. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
