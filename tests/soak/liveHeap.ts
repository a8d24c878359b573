import { z } from 'zod';

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);
const usageSchema = z.object({ usedSize: z.number() });
/** An event of the inspector, such as that the process is ending and waits for this connection to be closed. */
const eventSchema = z.object({ method: z.string() });
const answerSchema = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });

const HOST_ENDED = 'The host has ended.';

/** The memory of a process that its program still reaches: what is left after a collection, which its resident memory doesn't show. */
export class LiveHeap implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;
  #hasEnded = false;

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
      const content: unknown = JSON.parse(String(data));
      const event = eventSchema.safeParse(content);
      if (event.success && event.data.method === 'NodeRuntime.waitingForDisconnect') socket.close();
      const message = answerSchema.safeParse(content);
      if (!message.success) return;
      const waiting = this.#waiting.get(message.data.id);
      this.#waiting.delete(message.data.id);
      if (message.data.error === undefined) waiting?.resolve(message.data.result);
      else waiting?.reject(new Error(JSON.stringify(message.data.error)));
    });
    socket.addEventListener('close', () => {
      this.#hasEnded = true;
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(HOST_ENDED));
    });
    this.#send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  }

  /** Bytes in use after a collection. @throws Error once the process is ending */
  async read(): Promise<number> {
    await this.#ask('HeapProfiler.enable');
    await this.#ask('HeapProfiler.collectGarbage');
    return usageSchema.parse(await this.#ask('Runtime.getHeapUsage')).usedSize;
  }

  #ask(method: string): Promise<unknown> {
    if (this.#hasEnded) return Promise.reject(new Error(HOST_ENDED));
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#send(method), waiting);
    return waiting.promise;
  }

  /** @returns the number of the request */
  #send(method: string, params: object = {}): number {
    const id = (this.#last += 1);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
