import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NO_FILTER } from '@tabularium/sdk';
import { startSandbox } from '@tabularium/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { PAGE_PATH } from '../../host/src/common/api.ts';
import { RUN_PATH } from '../../host/src/common/console.ts';
import { connectTo, KEY, startHost, startMachine, windowOf } from './machine.ts';
import type { RoadMachine } from './machine.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// A client that listens hears of what a person does in the window.

let machine: RoadMachine;

beforeAll(async () => {
  machine = await startMachine();
});
afterAll(() => machine[Symbol.asyncDispose]());

it('a client hears that the window has changed tables, and hears nothing of what only reads', async () => {
  await using stack = new AsyncDisposableStack();
  const sandbox = await startSandbox({ apiKey: KEY, sampleData: { products: 50 } });
  stack.defer(() => sandbox.close());
  const runtime = stack.use(await startHost(machine));
  const connectionId = await connectTo(runtime, sandbox.url);
  const window = windowOf(runtime.handler);
  const url = await runtime.startMcp(0);
  if (url === undefined) throw new Error('the server is off');
  const { text } = await window.integrations.mintToken.mutate({ name: 'Listener', scope: 'readOnly' });
  const client = new Client({ name: 'listens', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
  );
  stack.defer(() => client.close());
  const uri = `tabularium://connections/${connectionId}/tables`;
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  await client.listen({ resourceSubscriptions: [uri] });

  const post = async (path: string, body: object): Promise<string> =>
    (await runtime.handler(new Request(`http://host${path}`, { method: 'POST', body: JSON.stringify(body) }))).text();
  const table = { namespace: [], name: 'products' };
  const request = { table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 };
  await post(PAGE_PATH, { connectionId, request });
  await post(RUN_PATH, { connectionId, statement: 'GET /collections', agreedTo: 'read' });
  expect(await post(RUN_PATH, { connectionId, statement: 'DELETE /collections/articles', agreedTo: 'destructive' })).toContain(
    '200 OK',
  );
  await expect.poll(() => heard.length).toBe(1);

  const page = await client.callTool({
    name: 'browse_table',
    arguments: { connection: connectionId, table: 'products', maxRows: 1, columns: ['id', 'name'] },
  });
  const { rows } = z.object({ rows: z.array(z.tuple([z.string(), z.string()])) }).parse(toolAnswer(page));
  const cells = [{ column: 'name', value: 'Changed by a person', original: rows[0]?.[1] ?? '' }];
  await window.editing.stage.mutate({
    connectionId,
    table,
    edits: [{ kind: 'update', row: { key: [rows[0]?.[0] ?? ''] }, cells }],
  });
  const events: string[] = [];
  for await (const { type } of await window.editing.save.mutate({ connectionId, table })) events.push(type);
  expect(events).toContain('end');
  await expect.poll(() => heard.length).toBe(2);
  expect(heard).toEqual([uri, uri]);
});
