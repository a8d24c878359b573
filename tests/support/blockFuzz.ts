import { DRIVER_METHODS, HOST_METHODS } from '@tabularium/sdk/protocol';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROUTER_PATH } from '../../host/src/common/api.ts';
import { inputsOf } from '../../host/src/runtime/api/boundInputs.ts';
import { appRouter } from '../../host/src/runtime/api/router.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { openOwnerSocket, ownerCalls, startOwnerBench } from './ownerFuzz.ts';
import { exampleOf, hostileVariants } from './hostileInputs.ts';
import { steadyBlock } from './longestBlock.ts';
import { mcpFuzz } from './mcpFuzz.ts';

/** A call and how long it blocked the event loop, in milliseconds. */
export interface Block {
  readonly name: string;
  readonly milliseconds: number;
}

/** Each `step`-th of the cases, beginning with the first. */
function* eachNth<T>(cases: Iterable<T>, step: number): Generator<T> {
  let index = 0;
  for (const one of cases) {
    if (index % step === 0) yield one;
    index += 1;
  }
}

/** Every MCP method, in turn, with hostile values of `size` characters. `limit`: what is repeated to be sure; `step`: 3 for each third case. */
export async function* mcpBlocks(size: number, limit: number, step = 1): AsyncGenerator<Block> {
  await using fixture = new McpFixture({ requestsPerMinute: () => 10_000_000 });
  const { port } = await fixture.start();
  const token = fixture.mint({ scope: 'fullAccess' }).text;
  for (const { name, request } of eachNth(mcpFuzz(size), step)) {
    const body = Buffer.from(String(request.body));
    yield { name, milliseconds: await steadyBlock(() => rawRequest(port, { ...request, token, body }), limit) };
  }
}

/** Every procedure of the API that is sent as a body, in turn. Queries are part of an address, which is limited to 16 kB. */
export async function* apiBlocks(size: number, limit: number, step = 1): AsyncGenerator<Block> {
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-fuzz-'));
  const runtime = await Runtime.start({ home: await openHome(folder), env: {}, logger: silentLogger });
  try {
    for (const [path, [schema]] of inputsOf(appRouter)) {
      if (schema === undefined) continue;
      const example = exampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
      for (const { name, json } of eachNth(hostileVariants(example, size), step)) {
        const body = Buffer.from(json);
        const call = async (): Promise<void> => {
          const ending = new AbortController();
          const headers = { 'content-type': 'application/json' };
          const url = `http://127.0.0.1${ROUTER_PATH}/${path}`;
          const answer = await runtime.handler(new Request(url, { method: 'POST', headers, body, signal: ending.signal }));
          await answer.body?.cancel();
          ending.abort();
        };
        yield { name: `${path}: ${name}`, milliseconds: await steadyBlock(call, limit) };
      }
    }
  } finally {
    await runtime[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every call of the owner, in turn, over the owner's socket. */
export async function* commandBlocks(size: number, limit: number, step = 1): AsyncGenerator<Block> {
  await using bench = await startOwnerBench();
  await using socket = await openOwnerSocket(bench);
  for (const { name, path, json } of eachNth(ownerCalls(size, join(bench.folder, 'x')), step)) {
    const body = Buffer.from(json);
    yield { name, milliseconds: await steadyBlock(() => socket.send(path, body), limit) };
  }
}

/** Every message of a driver, in turn: reading its JSON and checking it. */
export async function* driverBlocks(size: number, limit: number, step = 1): AsyncGenerator<Block> {
  for (const [method, parts] of Object.entries({ ...DRIVER_METHODS, ...HOST_METHODS })) {
    for (const part of Object.values(parts)) {
      if (!(part instanceof z.ZodType)) continue;
      const example = exampleOf(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }));
      for (const { name, json } of eachNth(hostileVariants(example, size), step)) {
        const check = async (): Promise<unknown> => part.safeParse(JSON.parse(json)).error?.issues[0];
        yield { name: `${method}: ${name}`, milliseconds: await steadyBlock(check, limit) };
      }
    }
  }
}
