import { DRIVER_METHODS, HOST_METHODS } from '@tabularium/sdk/protocol';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTER_PATH } from '../../host/src/common/api.ts';
import { inputsOf } from '../../host/src/runtime/api/boundInputs.ts';
import { appRouter } from '../../host/src/runtime/api/router.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { openOwnerSocket, ownerCalls, ownerPaths, startOwnerBench } from '../support/ownerFuzz.ts';
import { exampleOf, hostileVariants } from '../support/hostileInputs.ts';
import { mcpFuzz } from '../support/mcpFuzz.ts';

// Every call answers, whatever it is sent. How long the event loop is blocked is measured in fuzz.long.test.ts and in the bench.

const SIZE = 3_000;
/** Calls at the same time: most of a call is the way there and back. */
const AT_ONCE = 16;

/** Does the work for all inputs, several at the same time. */
async function inParallel<T, R>(inputs: Iterable<T>, work: (input: T) => Promise<R>): Promise<readonly R[]> {
  const left = Iterator.from(inputs);
  const results: R[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) results.push(await work(next.value));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

it('the MCP server answers every method', async () => {
  await using fixture = new McpFixture({ requestsPerMinute: () => 10_000_000 });
  const { port } = await fixture.start();
  const token = fixture.mint({ scope: 'fullAccess' }).text;
  const calls = await inParallel(mcpFuzz(SIZE), async ({ name, request }) => {
    const { status, json } = await rawRequest(port, { token, ...request });
    expect([200, 400, 404, 413], name).toContain(status);
    expect(json === undefined || typeof json !== 'object' || json === null || 'result' in json || 'error' in json, name).toBe(
      true,
    );
    expect(JSON.stringify(json), name).not.toContain('INTERNAL');
    return name;
  });
  expect(calls.length).toBeGreaterThan(1_000);
  expect(fixture.internalErrors).toEqual([]);
});

it('the API answers every procedure', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-fuzz-'));
  const unexpected: string[] = [];
  const logger = { ...silentLogger, error: (message: string, cause: unknown) => unexpected.push(`${message}: ${String(cause)}`) };
  const runtime = await Runtime.start({ home: await openHome(folder), env: {}, logger });
  try {
    for (const [path, inputs] of inputsOf(appRouter)) {
      const [schema] = inputs;
      if (schema === undefined) continue;
      const { type } = (appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)[path]?._def ?? {};
      const example = exampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
      for (const { name, json } of hostileVariants(example, SIZE)) {
        const url = `http://127.0.0.1${ROUTER_PATH}/${path}`;
        const ending = new AbortController();
        const answer = await runtime.handler(
          type === 'mutation'
            ? new Request(url, {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: json,
                signal: ending.signal,
              })
            : new Request(`${url}?input=${encodeURIComponent(json)}`, { signal: ending.signal }),
        );
        expect(answer.status, `${path}: ${name}`).toBeGreaterThanOrEqual(200);
        await answer.body?.cancel();
        ending.abort();
      }
    }
    expect(unexpected.slice(0, 5)).toEqual([]);
  } finally {
    await runtime[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
});

it('the host answers every call of its owner', async () => {
  await using bench = await startOwnerBench();
  await using socket = await openOwnerSocket(bench);
  const answers = await inParallel(ownerCalls(SIZE, join(bench.folder, 'x')), async ({ name, path, json }) => {
    const answer = await socket.send(path, Buffer.from(json));
    expect(answer, name).toMatch(/^\s*\{/);
    expect(answer, name).not.toContain('"INTERNAL"');
    return name;
  });
  expect(answers.length).toBeGreaterThan(ownerPaths.length * 30);
  expect(socket.faults).toEqual([]);
});

it('the messages of a driver are refused or read', () => {
  for (const [method, parts] of Object.entries({ ...DRIVER_METHODS, ...HOST_METHODS })) {
    for (const part of Object.values(parts)) {
      if (!(part instanceof z.ZodType)) continue;
      const example = exampleOf(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }));
      for (const { name, json } of hostileVariants(example, SIZE)) {
        const { success, error } = part.safeParse(JSON.parse(json));
        expect(success || (error?.issues.length ?? 0) > 0, `${method}: ${name}`).toBe(true);
      }
    }
  }
});
