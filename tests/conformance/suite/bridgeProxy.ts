import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { BRIDGE } from '../../support/bridgeHome.ts';

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
});

/** A running proxy. */
export interface BridgeProxy extends AsyncDisposable {
  readonly url: string;
}

/** One bridge and the answers that are waited for. */
class Bridge {
  readonly #child: ChildProcess & { stdin: NonNullable<ChildProcess['stdin']>; stdout: NonNullable<ChildProcess['stdout']> };
  readonly #waiting = new Map<string | number, (line: string) => void>();

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, [BRIDGE], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.#child.stdout).on('line', (line) => {
      const { id, method } = messageSchema.parse(JSON.parse(line));
      // A message with a method is the server's own: no scenario that runs over the bridge waits for one.
      if (id === undefined || method !== undefined) return;
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    });
  }

  /** @returns the answer's line; undefined for a message that has none */
  async send(body: string): Promise<string | undefined> {
    const { id, method } = messageSchema.parse(JSON.parse(body));
    const answer = id === undefined || method === undefined ? undefined : Promise.withResolvers<string>();
    if (answer !== undefined && id !== undefined) this.#waiting.set(id, answer.resolve);
    this.#child.stdin.write(`${JSON.stringify(JSON.parse(body))}\n`);
    return answer?.promise;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exit;
  }
}

/**
 * Lets the public conformance package, which speaks HTTP, talk to the bridge, which speaks over its standard streams: a bridge for each session, and one for all
 * requests without a session.
 */
export async function startBridgeProxy(env: Record<string, string>): Promise<BridgeProxy> {
  const bridges = new Map<string, Bridge>();
  const bridgeOf = (session: string): Bridge => {
    const bridge = bridges.get(session) ?? new Bridge(env);
    bridges.set(session, bridge);
    return bridge;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const body = await text(request);
    const { method } = messageSchema.parse(JSON.parse(body));
    const session = method === 'initialize' ? randomUUID() : String(request.headers['mcp-session-id'] ?? '');
    const answer = await bridgeOf(session).send(body);
    if (answer === undefined) response.writeHead(202).end();
    else {
      const headers = { 'content-type': 'application/json', ...(session === '' ? {} : { 'mcp-session-id': session }) };
      response.writeHead(200, headers).end(answer);
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const bridge of bridges.values()) await bridge.end();
    },
  };
}
