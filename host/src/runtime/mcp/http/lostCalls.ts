import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { MCP_CODES } from '../server/codes.ts';
import type { RpcId } from './answers.ts';

/** The first version whose clients take an event without data. */
const RESUMING_VERSION = '2025-11-25';
/** Characters of a request's id that an event carries. Official clients count their requests. */
const LONGEST_ID = 200;
/** Characters of an event's id that are read. */
const LONGEST_EVENT_ID = 1_000;
/** How many calls are remembered whose connection was lost while this server ran. */
const MOST_LOST = 1_000;
/** How long a client waits before it asks. It asks twice, so a host may take twice as long to be back. */
const RETRY_MILLISECONDS = 3_000;

const LOST_MESSAGE =
  'The connection was lost before the answer came, perhaps because Tabularium was started again. The call may have been carried out; check before you send it again.';

const eventSchema = z.tuple([z.string(), z.union([z.string(), z.number()])]);

/**
 * Answers calls whose connection was lost. A client of 2025-11-25 does not take a broken stream for a lost call: it waits until its own time is over,
 * a minute for most. Unless the stream began with an event that has an id: then it comes back with `Last-Event-ID`. That id names the run of the
 * server and the call, so that nothing is stored: of another run's call it is known that its answer is lost.
 */
export class LostCalls {
  readonly #run = randomUUID();
  /** Calls of this run whose stream broke, oldest first: sessions and ids. */
  readonly #lost = new Set<string>();

  /** Whether a client asks for the answer of a call, and not for the stream of notifications that this server does not have. */
  static asksForOne({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
    return method === 'GET' && headers['last-event-id'] !== undefined;
  }

  /** The answer, with an event before its first that lets the client ask for it again. An answer that is whole at once stays as it is. */
  resumable(answer: Response, request: Request, id: RpcId | undefined): Response {
    const { body } = answer;
    if (
      body === null ||
      id === undefined ||
      String(id).length > LONGEST_ID ||
      request.headers.get('mcp-protocol-version') !== RESUMING_VERSION ||
      answer.headers.get('content-type') !== 'text/event-stream'
    ) {
      return answer;
    }
    const lost = lostKey(request, id);
    const reader = body.getReader();
    let isOver = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        // In the turn in which the head of a slow answer leaves. A quick one needs no event.
        setImmediate(() => {
          if (!isOver)
            controller.enqueue(new TextEncoder().encode(`id: ${this.#eventId(id)}\nretry: ${RETRY_MILLISECONDS}\ndata: \n\n`));
        });
      },
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (isOver) return;
          if (!done) return controller.enqueue(value);
          isOver = true;
          controller.close();
        } catch (error) {
          isOver = true;
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        if (!isOver) this.#remember(lost);
        isOver = true;
        await reader.cancel(reason);
      },
    });
    return new Response(stream, { status: answer.status, headers: answer.headers });
  }

  /** The error for the call that the request's `Last-Event-ID` names. @returns undefined for a call that was answered, and for an id of another kind */
  answer(request: Request): Response | undefined {
    const event = eventOf(request.headers.get('last-event-id') ?? '');
    if (event === undefined) return undefined;
    const [run, id] = event;
    if (run === this.#run && !this.#lost.delete(lostKey(request, id))) return undefined;
    const error = { jsonrpc: '2.0', id, error: { code: MCP_CODES.unavailable, message: LOST_MESSAGE } };
    // Some clients ask again after an error: the id is now one of a call of this run that was answered.
    return new Response(`id: ${this.#eventId(id)}\nevent: message\ndata: ${JSON.stringify(error)}\n\n`, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    });
  }

  #eventId(id: RpcId): string {
    return Buffer.from(JSON.stringify([this.#run, id])).toString('base64url');
  }

  #remember(lost: string): void {
    this.#lost.add(lost);
    if (this.#lost.size > MOST_LOST) for (const oldest of [...this.#lost].slice(0, 1)) this.#lost.delete(oldest);
  }
}

function lostKey(request: Request, id: RpcId): string {
  return JSON.stringify([request.headers.get('mcp-session-id'), id]);
}

function eventOf(text: string): z.infer<typeof eventSchema> | undefined {
  if (text.length > LONGEST_EVENT_ID) return undefined;
  try {
    return eventSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
