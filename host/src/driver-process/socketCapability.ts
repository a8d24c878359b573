import type { DriverSocket, SocketCapability } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { ReceivedBody } from '@tabularium/sdk/protocol';
import { HOST_METHODS } from '@tabularium/sdk/protocol';
import type { AskHost } from './askHost.ts';
import { SentBytes } from './sentBytes.ts';

interface Options {
  readonly session: number;
  readonly endpoint: { readonly address: string; readonly tls: SocketCapability['tls'] };
  readonly ask: AskHost;
}

/**
 * `context.socket`: every socket is one request to the host, whose bodies are the bytes both ways. It isn't bound to the call that is being served: the
 * one that asks a server to cancel a statement is opened when that call was stopped.
 */
export function socketCapability({ session, endpoint, ask }: Options): SocketCapability {
  return {
    endpoint: endpoint.address,
    tls: endpoint.tls,
    async open({ signal }) {
      const closing = new AbortController();
      const close = (): void => closing.abort(new DriverError('CANCELLED'));
      if (signal.aborted) throw new DriverError('CANCELLED');
      signal.addEventListener('abort', close);
      const sent = new SentBytes(endpoint.address);
      try {
        const answer = await ask({ method: 'socket.open', session, params: {}, body: sent, signal: closing.signal });
        const { socket, isEncrypted } = HOST_METHODS['socket.open'].result.parse(answer.result);
        return new WireSocket({ session, socket, isEncrypted, received: answer.body, sent, ask, close });
      } catch (error) {
        sent.close();
        throw error;
      } finally {
        signal.removeEventListener('abort', close);
      }
    },
  };
}

interface WireSocketOptions {
  readonly session: number;
  readonly socket: number;
  readonly isEncrypted: boolean;
  readonly received: ReceivedBody;
  readonly sent: SentBytes;
  readonly ask: AskHost;
  readonly close: () => void;
}

class WireSocket implements DriverSocket {
  readonly #options: WireSocketOptions;
  readonly received: AsyncIterable<Uint8Array>;
  #isEncrypted: boolean;
  #read = 0;

  constructor(options: WireSocketOptions) {
    this.#options = options;
    this.#isEncrypted = options.isEncrypted;
    this.received = this.#received();
  }

  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#options.sent.add(bytes);
  }

  async startTls(): Promise<void> {
    const { session, socket, ask } = this.#options;
    const read = this.#read;
    const answer = await ask({ method: 'socket.startTls', session, params: { socket } });
    const { plainBytes } = HOST_METHODS['socket.startTls'].result.parse(answer.result);
    if (plainBytes > read) {
      this.close();
      throw new DriverError('TLS_FAILED', 'The server sent data before the encryption began.');
    }
    this.#isEncrypted = true;
  }

  end(): void {
    this.#options.sent.end();
  }

  close(): void {
    this.#options.sent.close();
    this.#options.close();
  }

  async *#received(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of this.#options.received) {
        this.#read += chunk.length;
        yield chunk;
      }
    } finally {
      this.close();
    }
  }
}
