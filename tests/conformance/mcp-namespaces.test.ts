import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeNamespaces, THREE_DATABASES } from '../../host/src/runtime/data/fakeNamespaces.test-helper.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// A connection whose namespaces are listed when they are asked for, as an MCP client reads it.

let fixture: McpFixture;
let client: Client;
let server: FakeNamespaces;

beforeEach(async () => {
  fixture = new McpFixture();
  await fixture.start();
  await serve(new FakeNamespaces(THREE_DATABASES));
  const { text } = fixture.mint({ scope: 'readOnly' });
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(fixture.address.url), {
      requestInit: { headers: { authorization: `Bearer ${text}` } },
    }),
  );
});
afterEach(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

async function serve(databases: FakeNamespaces): Promise<void> {
  server = databases;
  fixture.otherSession = Object.assign(Object.create(fixture.session) as Session, databases.members);
}

const LONG_LIST = Array.from({ length: 600 }, (_, index) => `t${index}`);

const call = (name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: { connection: READING_ROOM, ...args } });
const list = async (args: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
  toolAnswer(await call('list_tables', args));
const namesOf = (answer: Record<string, unknown>): readonly string[] =>
  (answer['tables'] as { readonly name: string }[]).map(({ name }) => name);

it('list_tables lists the namespaces where a person begins, and names the others', async () => {
  const answer = await list();
  expect(namesOf(answer)).toEqual(['articles', 'orders']);
  expect(answer).toMatchObject({ total: 2, namespaces: [['sales'], ['stock']] });
  expect(answer['notes']).toEqual(['namespaces names those whose tables are not here: call again with one of them.']);
  expect(server.asked.some((asked) => asked.includes('sales') || asked.includes('stock'))).toBe(false);
});

it('list_tables lists what is in a namespace, and reaches no other', async () => {
  expect(await list({ namespace: ['sales'] })).toMatchObject({
    tables: [],
    namespaces: [
      ['sales', 'public'],
      ['sales', 'more.of'],
    ],
  });
  expect(namesOf(await list({ namespace: ['sales', 'public'] }))).toEqual(['articles', 'invoices']);
  expect(namesOf(await list({ namespace: ['shop', 'public'] }))).toEqual(['articles', 'orders']);
  expect(server.asked.some((asked) => asked.includes('stock'))).toBe(false);
});

it('list_tables continues where a page ended, each table once, also where names are so long that few fit', async () => {
  const names = Array.from({ length: 1_203 }, (_, index) => `t${index} ${'long '.repeat(60)}`);
  await serve(new FakeNamespaces({ 'shop/public': ['articles'], 'sales/public': names }));
  const seen: string[] = [];
  let after: unknown;
  do {
    const answer = await list({ namespace: ['sales', 'public'], ...(after === undefined ? {} : { after }) });
    seen.push(...namesOf(answer));
    after = answer['next'];
  } while (after !== undefined);
  expect(seen).toEqual(names);
});

it('list_tables rejects a next of another list, and says why a namespace refuses', async () => {
  expect(await call('list_tables', { namespace: ['sales'], after: 'x' })).toMatchObject({ isError: true });
  await serve(new FakeNamespaces({ 'shop/public': ['articles'], 'sales/a': LONG_LIST, 'sales/b': LONG_LIST }));
  const next = String((await list({ namespace: ['sales', 'a'] }))['next']);
  const changed = next.replace('t499', 't49z');
  expect(changed).not.toBe(next);
  const wrong = [
    { namespace: ['sales', 'b'], after: next },
    { after: next },
    { namespace: ['sales', 'a'], after: changed },
    { namespace: ['shop', 'public'], after: next },
    { namespace: ['sales', 'a'], after: '["t499",null]' },
  ];
  for (const args of wrong) {
    const answer = await call('list_tables', args);
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).toContain('INVALID_INPUT');
  }
  expect(namesOf(await list({ namespace: ['sales', 'a'], after: next }))[0]).toBe('t500');
  server.refused.set('sales', new DriverError('ACCESS_REFUSED', 'The server lets nobody in.'));
  expect(JSON.stringify(await call('list_tables', { namespace: ['sales'] }))).toContain('The server lets nobody in.');
});

it('a table of a namespace that is not listed is described by its namespace', async () => {
  expect(toolAnswer(await call('describe_table', { table: 'invoices', namespace: ['sales', 'public'] }))).toMatchObject({
    name: 'invoices',
  });
  expect(JSON.stringify(await call('describe_table', { table: 'invoices' }))).toContain('list_tables names them');
});

it('a table that is not found in a namespace is compared with the tables of that namespace alone', async () => {
  await serve(new FakeNamespaces({ ...THREE_DATABASES, 'norights/public': [] }));
  const advice = async (...namespace: string[]): Promise<string> =>
    JSON.stringify(await call('describe_table', { table: 'articless', namespace }));
  const stock = await advice('stock', 'public');
  expect(stock).toContain('In that namespace are: ');
  expect(stock).toContain('shelves');
  expect(stock).not.toContain('orders');
  const none = await advice('norights', 'public');
  expect(none).toContain('No table is listed in namespace');
  expect(none).not.toContain('orders');
  expect(await advice('shop', 'public')).toContain('orders');
  expect(await advice('shop', 'gone')).toContain('The namespaces are: ');
});

it('a filtered list of a connection that lists every table has what is in the namespace', async () => {
  fixture.otherSession = undefined;
  expect(namesOf(await list({ namespace: ['south'] }))).toEqual(['loans', 'fines']);
});
