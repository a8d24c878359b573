import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createApiHandler } from '../../../host/src/runtime/api/handler.ts';
import type { ApiContext } from '../../../host/src/runtime/api/context.ts';
import type { FetchHandler } from '../../../host/src/common/fetchHandler.ts';
import { silentLogger } from '../../../host/src/runtime/storage/logger.ts';

/** The server of the window's files. */
export interface Pages {
  serve(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built window, under the Content-Security-Policy of the web transport. */
export function builtPages(folder: string): Pages {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = path === '/' ? 'index.html' : path.slice(1);
    try {
      const content = await readFile(join(folder, file));
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      response.end(file === 'index.html' ? content.toString('utf8').replaceAll('__CSP_NONCE__', nonce) : content);
    } catch {
      response.writeHead(404).end();
    }
  };
  return { serve: (request, response) => void serve(request, response), close: async () => undefined };
}

async function answerApi(handler: FetchHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  const method = request.method ?? 'GET';
  const chunks: Buffer[] = [];
  if (method !== 'GET') for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await handler(
    new Request(`http://localhost${request.url ?? '/'}`, {
      method,
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
      ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
      signal: abort.signal,
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => undefined);
}

export interface WindowServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the window and its API on a free loopback port (or the given one). */
export async function serveWindow(
  services: ApiContext,
  pages: (server: Server) => Pages | Promise<Pages>,
  port = 0,
): Promise<WindowServer> {
  const handler = createApiHandler(services, silentLogger);
  const server = createServer();
  const files = await pages(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/api/') === true) void answerApi(handler, request, response);
    else files.serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      await files.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
