import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BridgeHome } from './bridgeHome.ts';

export interface Seen {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An application that proves itself, and answers as a test requires. */
export class ProvingApplication implements AsyncDisposable {
  /** Every request but challenges. */
  readonly seen: Seen[] = [];
  /** How often it was asked for a proof. */
  challenges = 0;
  readonly #server;

  /**
   * Listens, and writes its handshake into the home.
   *
   * @param options - `proves`: whether it proves itself this time, else it closes the connection; `reads`: false leaves what it is sent in the pipes
   */
  static async start(
    home: BridgeHome,
    answer: (seen: Seen, ...rest: Parameters<RequestListener>) => void,
    { proves = () => true, reads = true }: { proves?: (challenge: number) => boolean; reads?: boolean } = {},
  ): Promise<ProvingApplication> {
    const secret = 'cd'.repeat(32);
    const application = new ProvingApplication(secret, answer, proves, reads);
    const server = application.#server;
    server.listen({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    await home.forge({ port: (server.address() as AddressInfo).port, proofSecret: secret });
    return application;
  }

  private constructor(
    secret: string,
    answer: (seen: Seen, ...rest: Parameters<RequestListener>) => void,
    proves: (challenge: number) => boolean,
    reads: boolean,
  ) {
    this.#server = createServer((request, response) => {
      if (request.url !== '/proof' && !reads) return;
      void text(request).then((body) => {
        if (request.url === '/proof') {
          this.challenges += 1;
          if (!proves(this.challenges)) {
            request.socket.destroy();
            return;
          }
          const { instanceId, nonce } = JSON.parse(body) as { instanceId: string; nonce: string };
          const signed = `tabularium mcp proof 1\nhost to bridge\n${request.socket.localPort}\n${instanceId}\n${nonce}`;
          const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('hex');
          const bytes = JSON.stringify({ version: 1, proof });
          response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
          return;
        }
        const seen: Seen = { method: request.method, headers: request.headers, body };
        this.seen.push(seen);
        answer(seen, request, response);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The headers of an answer. */
export const JSON_TYPE = { 'content-type': 'application/json' };
export const EVENTS_TYPE = { 'content-type': 'text/event-stream' };
