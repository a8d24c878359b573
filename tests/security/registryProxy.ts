import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface RegistryProxyOptions {
  /** The registry behind. */
  readonly target: string;
  /** Rejects requests without this header. */
  readonly token?: string;
  /** Sends everything on to another address. */
  readonly redirectTo?: string;
  /** Redirects requests for an archive to another address. */
  readonly redirectArchivesTo?: string;
  /** Answers nothing to a search. */
  readonly withoutSearch?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** As a proxy: rejects requests without `name:password`. */
  readonly proxyLogin?: string;
  /** Handles an answer before it is passed on; true: the answer is complete. */
  readonly meddle?: (url: URL, outgoing: ServerResponse, answer: IncomingMessage) => boolean;
}

export interface RegistryProxy extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path` of everything that was asked. */
  readonly asked: string[];
  /** The Authorization headers that came. */
  readonly tokens: (string | undefined)[];
}

/** A server in front of a registry: a private one, one behind TLS, one that redirects, a proxy. Keeps the Host header. */
export async function createRegistryProxy(options: RegistryProxyOptions): Promise<RegistryProxy> {
  const { target, tls, proxyLogin, meddle } = options;
  const mayPass = ({ headers }: IncomingMessage): boolean =>
    proxyLogin === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(proxyLogin).toString('base64')}`;
  const asked: string[] = [];
  const tokens: (string | undefined)[] = [];
  const listener: RequestListener = (incoming, outgoing) => {
    // A proxy is asked for whole addresses.
    const url = new URL(incoming.url ?? '/', 'http://front');
    asked.push(`${incoming.method} ${url.host === 'front' ? '' : url.host}${url.pathname}`);
    tokens.push(incoming.headers.authorization);
    if (!mayPass(incoming)) {
      outgoing.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
    } else if (options.token !== undefined && incoming.headers.authorization !== `Bearer ${options.token}`) {
      outgoing.writeHead(401).end('{}');
    } else if (options.redirectTo !== undefined) {
      outgoing.writeHead(302, { location: new URL(url.pathname, options.redirectTo).href }).end();
    } else if (options.redirectArchivesTo !== undefined && url.pathname.endsWith('.tgz')) {
      outgoing.writeHead(302, { location: new URL(url.pathname, options.redirectArchivesTo).href }).end();
    } else if (options.withoutSearch === true && url.pathname.startsWith('/-/v1/search')) {
      outgoing.writeHead(404).end('{}');
    } else {
      forward(incoming, new URL(url.pathname + url.search, target));
    }
    function forward(from: IncomingMessage, to: URL): void {
      const { authorization: _authorization, ...headers } = from.headers;
      const forwarded = request(
        to,
        { method: from.method ?? 'GET', headers: { ...headers, ...(tls === undefined ? {} : { 'x-forwarded-proto': 'https' }) } },
        (answer) => {
          if (meddle?.(url, outgoing, answer) === true) return;
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      forwarded.on('error', () => outgoing.destroy());
      from.pipe(forwarded);
    }
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer({ ...tls }, listener);
  server.on('connect', (incoming: IncomingMessage, socket, head) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`);
    if (!mayPass(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
      return;
    }
    const through = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`,
    asked,
    tokens,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
