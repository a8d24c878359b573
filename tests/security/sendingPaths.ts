import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NO_FILTER } from '@tabularium/sdk';
import { expect } from 'vitest';
import { PAGE_PATH } from '../../host/src/common/api.ts';
import type { SavedConnection } from '../../host/src/common/connection.ts';
import { windowOf } from '../road/machine.ts';
import type { SecretBench } from './secretBench.ts';

export const NOT_CONFIRMED = 'SECRET_NOT_CONFIRMED';
export const FORBIDDEN = 'POLICY_FORBIDS';
const table = { namespace: [], name: 'a' };
const { signal } = new AbortController();

export async function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) void item;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'data' in error
    ? (error.data as { report?: { code?: unknown } }).report?.code
    : (error as { code?: unknown } | undefined)?.code;

/** Where a path answers with a sentence instead of a code. */
const isForbidden = (said: string): boolean =>
  /POLICY_FORBIDS|The administrator of this computer|The policy file .* is invalid/.test(said);

/** Everything that makes a host send something to a connection's server, each as its caller asks for it; gives the code of the error. */
export const sendingPaths = (bench: SecretBench): Readonly<Record<string, (connectionId: string) => Promise<unknown>>> => ({
  'opening in the window': async (id) =>
    codeOf(
      await caught(windowOf(bench.runtime.handler).connections.open.mutate({ connectionId: id, secrets: {} }).then(drained)),
    ),
  'a test of the saved connection': async (id) => {
    const { name, driver, settings, access, color } = savedConnection(bench, id);
    const failed: string[] = [];
    const test = async (): Promise<void> => {
      const input = { name, driver, settings, access, color, secrets: {} };
      for await (const { outcome, message } of bench.runtime.services.connectionTest.run(input, id, signal))
        if (outcome === 'failed') failed.push(message);
    };
    const code = codeOf(await caught(test()));
    return code ?? (isForbidden(failed.join(' ')) ? FORBIDDEN : undefined);
  },
  'a ping': async (id) =>
    codeOf(await caught(bench.runtime.sessions.use(id, ({ session }) => session.ping({ signal }), { signal }))),
  'the list of tables': async (id) =>
    codeOf(await caught(windowOf(bench.runtime.handler).tables.list.query({ connectionId: id }))),
  'a page of rows': async (id) => {
    const request = { table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 };
    const body = JSON.stringify({ connectionId: id, request });
    const answer = await bench.runtime.handler(new Request(`http://host${PAGE_PATH}`, { method: 'POST', body }));
    return ((await answer.json()) as { code: unknown }).code;
  },
  'a count': async (id) =>
    codeOf(await caught(windowOf(bench.runtime.handler).tables.count.query({ connectionId: id, table, filter: NO_FILTER }))),
  metrics: async (id) => codeOf(await caught(windowOf(bench.runtime.handler).metrics.read.query({ connectionId: id }))),
  'the console': async (id) =>
    codeOf(await caught(windowOf(bench.runtime.handler).console.classify.mutate({ connectionId: id, statement: 'x' }))),
  'an export': async (id) => {
    const { exports } = bench.runtime;
    const started = await caught(
      Promise.resolve(
        exports.start({
          connectionId: id,
          table,
          filter: NO_FILTER,
          format: 'jsonl',
          whenRowsDiffer: 'fail',
          file: join(bench.folder, 'out.jsonl'),
          overwrite: true,
          csv: { header: true, guardFormulas: false },
        }),
      ),
    );
    if (started !== undefined) return codeOf(started);
    await expect.poll(() => exports.list().every(({ state }) => state !== 'running')).toBe(true);
    return exports.list().at(-1)?.error?.code;
  },
  'a copy with its credentials': async (id) => {
    const copy = await bench.runtime.connections.duplicate(id, `Copy ${Math.random()}`, true);
    return codeOf(await caught(bench.runtime.sessions.use(copy.id, ({ session }) => session.ping({ signal }), { signal })));
  },
  'a tool of an MCP client': async (id) => {
    const url = await bench.runtime.startMcp(0);
    const { token, text } = { token: '', ...bench.runtime.tokens.mint({ name: `T${Math.random()}`, scope: 'fullAccess' }) } as {
      token: string;
      text: string;
    };
    const client = new Client({ name: 'asks', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const headers = { authorization: `Bearer ${text || token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(String(url)), { requestInit: { headers } }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).filter((name) => /secret|credential|confirm_conn/i.test(name))).toEqual([]);
      const answer = await client.callTool({ name: 'list_tables', arguments: { connection: id } });
      const said = JSON.stringify(answer);
      expect(said).not.toContain(String(bench.evil.port));
      if (said.includes(NOT_CONFIRMED) || said.includes('Nothing was sent')) return NOT_CONFIRMED;
      return isForbidden(said) ? FORBIDDEN : said;
    } finally {
      await client.close();
    }
  },
});

export function savedConnection(bench: SecretBench, id: string): SavedConnection {
  const found = bench.runtime.services.connectionStore.list().find((connection) => connection.id === id);
  if (found === undefined) throw new Error('The connection is gone.');
  return found;
}

/** Tries every path; each must end with the code, and no server may see as much as a connection. */
export async function expectNothingSent(bench: SecretBench, code = NOT_CONFIRMED, paths = sendingPaths(bench)): Promise<void> {
  for (const server of bench.servers) server.forget();
  for (const [path, ask] of Object.entries(paths)) expect([path, await ask(bench.connectionId)]).toEqual([path, code]);
  for (const { connections, received } of bench.servers)
    expect({ connections, received }).toEqual({ connections: 0, received: '' });
}
