import { z } from 'zod';

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);
const usageSchema = z.object({ usedSize: z.number() });
const answerSchema = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });

/** The memory of a process that its program still reaches: what is left after a collection, which its resident memory doesn't show. */
export class LiveHeap implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  /** @param port - of the process's inspector, on this machine */
  static async connect(port: number): Promise<LiveHeap> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [{ webSocketDebuggerUrl }] = targetsSchema.parse(await response.json());
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('The inspector of the host refuses.')));
    });
    return new LiveHeap(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = answerSchema.safeParse(JSON.parse(String(data)));
      if (!message.success) return;
      const waiting = this.#waiting.get(message.data.id);
      this.#waiting.delete(message.data.id);
      if (message.data.error === undefined) waiting?.resolve(message.data.result);
      else waiting?.reject(new Error(JSON.stringify(message.data.error)));
    });
    socket.addEventListener('close', () => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error('The host has ended.'));
    });
  }

  /** Bytes in use after a collection. */
  async read(): Promise<number> {
    await this.#ask('HeapProfiler.enable');
    await this.#ask('HeapProfiler.collectGarbage');
    return usageSchema.parse(await this.#ask('Runtime.getHeapUsage')).usedSize;
  }

  #ask(method: string): Promise<unknown> {
    const id = (this.#last += 1);
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method }));
    return waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
