import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DriverError } from '@tabularium/sdk';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolAnswer } from '../support/toolAnswer.ts';
import {
  ARCHIVE,
  LIBRARY_HOST,
  McpFixture,
  READING_ROOM,
  VAULT,
} from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';

/** The part that both generations of clients share, as far as the tests use it. */
interface AnyClient {
  listTools(params?: { cursor?: string }): Promise<{ tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  getServerVersion(): { name: string; title?: string | undefined; version: string } | undefined;
  getInstructions(): string | undefined;
  getServerCapabilities(): object | undefined;
  close(): Promise<void>;
}

interface ToolAnswer {
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

const CLIENTS: readonly { readonly label: string; connect(url: string, token: string): Promise<AnyClient> }[] = [
  ...(['2026-07-28', 'auto', 'legacy'] as const).map((mode) => ({
    label: `official client 2.x, ${mode}`,
    async connect(url: string, token: string): Promise<AnyClient> {
      const client = new ModernClient(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: mode === '2026-07-28' ? { pin: mode } : mode } },
      );
      await client.connect(new ModernTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
      return client;
    },
  })),
  {
    label: 'official client 1.x',
    async connect(url, token) {
      const client = new FirstClient({ name: 'test', version: '1' });
      await client.connect(new FirstTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
      return client;
    },
  },
];

describe.each(CLIENTS)('MCP with $label', ({ label, connect }) => {
  const speaksStateless = label.endsWith('2026-07-28') || label.endsWith('auto');
  let fixture: McpFixture;
  let client: AnyClient;

  beforeEach(async () => {
    fixture = new McpFixture();
    const { url } = await fixture.start();
    client = await connect(url, fixture.mint().text);
  });
  afterEach(async () => {
    await client.close();
    await fixture[Symbol.asyncDispose]();
  });

  const call = async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> =>
    (await client.callTool({ name, arguments: args })) as ToolAnswer;

  it('introduces itself, and declares only what it has', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'tabularium', title: 'Tabularium', version: '1.2.3' });
    expect(client.getInstructions()).toMatch(/Begin with list_connections.*describe_table before you write a statement/);
    // A session declares no notifications that it can't send: nothing reaches it that no request has asked for.
    expect(client.getServerCapabilities()).toEqual(
      speaksStateless
        ? { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} }
        : { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    );
  });

  it('lists its tools in a fixed order, a harmless one first, with schemas, titles and hints', async () => {
    const { tools } = await client.listTools();
    const usable = { read: true, write: false, destroy: false, exportFiles: false, history: true, savedRequests: true };
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.filter((tool) => tool.isFor(usable)).map(({ listed }) => listed.name));
    expect(tools[0]?.name).toBe('list_connections');
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String) as string,
        description: expect.any(String) as string,
        inputSchema: { type: 'object', additionalProperties: false },
        annotations: { readOnlyHint: expect.any(Boolean) as boolean },
      });
      // Answers are text: a client with a schema for them would refuse a text.
      expect(tool).not.toHaveProperty('outputSchema');
    }
  });

  it('lists the connections that are open to it, and nothing secret of them', async () => {
    const answer = await call('list_connections');
    expect(toolAnswer(answer)).toEqual({
      connections: [
        { id: ARCHIVE, name: 'Archive', type: { id: 'unheard-of' }, state: 'closed', readOnly: true, aiPolicy: 'alwaysAllow' },
        {
          id: READING_ROOM,
          name: 'Reading room',
          type: { id: 'library', title: 'Library' },
          state: 'open',
          readOnly: true,
          aiPolicy: 'askEachTime',
        },
      ],
    });
    expect(answer.content).toHaveLength(1);
    expect(answer).not.toHaveProperty('structuredContent');
    expect(JSON.stringify(answer)).not.toContain(LIBRARY_HOST);
  });

  it('lists tables, by the name of the connection and by its id', async () => {
    const byName = await call('list_tables', { connection: 'reading ROOM' });
    expect(toolAnswer(byName)).toEqual({
      tables: [
        { name: 'books' },
        { name: 'recent', kind: 'view' },
        { name: 'loans', namespace: ['north'] },
        { name: 'loans', namespace: ['south'] },
        { name: 'fines', namespace: ['south'] },
        { name: 'volumes', aliasOf: 'books' },
      ],
      total: 6,
    });
    expect(toolAnswer(await call('list_tables', { connection: READING_ROOM }))).toEqual(toolAnswer(byName));
  });

  it('counts rows when asked, and says which it could not count', async () => {
    const answer = toolAnswer(await call('list_tables', { connection: READING_ROOM, includeRowCounts: true }));
    expect(answer['tables']).toMatchObject([
      { name: 'books', rows: 12_345 },
      { name: 'recent', rows: 3 },
      { name: 'loans', rows: 7, rowsExact: false },
      { name: 'loans', rows: 8 },
      { name: 'fines' },
      { name: 'volumes', rows: 3 },
    ]);
    expect(answer['notes']).toEqual(['The rows of 1 tables could not be counted.']);
  });

  it('describes a table', async () => {
    expect(toolAnswer(await call('describe_table', { connection: READING_ROOM, table: 'books' }))).toEqual({
      name: 'books',
      kind: 'table',
      columns: [
        { name: 'library', type: 'string', kind: 'text', nullable: false, sortable: false, filter: 'text' },
        { name: 'number', type: 'int64', kind: 'integer', nullable: false, filter: 'number' },
        { name: 'title', type: 'string', kind: 'text', sortable: false, filter: 'text', note: 'As printed.' },
        { name: 'scan', type: 'blob', kind: 'bytes', sortable: false },
      ],
      filterOperators: { text: ['equals', 'contains'], number: ['equals', 'lessThan'] },
      key: ['library', 'number'],
      maxSorts: 2,
      notes: ['Kept in memory.', 'Only numbers can be sorted by.'],
    });
  });

  it('finds a table in a namespace, and asks which one is meant', async () => {
    expect(toolAnswer(await call('describe_table', { connection: READING_ROOM, table: 'fines' }))).toMatchObject({
      name: 'fines',
      namespace: ['south'],
    });
    const south = await call('describe_table', { connection: READING_ROOM, table: 'loans', namespace: ['south'] });
    expect(toolAnswer(south)).toMatchObject({
      name: 'loans',
      namespace: ['south'],
      foreignKeys: [
        { columns: ['library', 'number'], table: 'fines', namespace: ['south'], referencedColumns: ['library', 'number'] },
      ],
      referredBy: [{ columns: ['loan'], table: 'fines', namespace: ['south'], referencedColumns: ['number'] }],
    });
    const several = await call('describe_table', { connection: READING_ROOM, table: 'loans' });
    expect(several).toMatchObject({ isError: true });
    expect(several.content[0]?.text).toContain('namespace: ["north"], ["south"]');
    const none = await call('describe_table', { connection: READING_ROOM, table: 'nothing' });
    expect(none).toMatchObject({ isError: true });
    expect(none.content[0]?.text).toBe(
      'NOT_FOUND: There is no table "nothing". The tables are: books, recent, loans, loans, fines, volumes.',
    );
  });

  it.each(['Vault', VAULT, 'Diary', 'There is none', ''.padEnd(36, '0')])(
    'answers -33007, always with the same words, for the connection %j',
    async (connection) => {
      for (const [tool, more] of [['list_tables', {}] as const, ['describe_table', { table: 'books' }] as const]) {
        await expect(client.callTool({ name: tool, arguments: { connection, ...more } })).rejects.toMatchObject({
          code: -33_007,
          message: expect.stringContaining(
            "Forbidden: the connection doesn't exist, or this client isn't allowed to use it.",
          ) as string,
        });
      }
      expect(fixture.session.calls).toEqual([]);
    },
  );

  it.each([
    ['list_connections', { verbose: true }],
    ['list_tables', {}],
    ['list_tables', { connection: 5 }],
    ['list_tables', { connection: READING_ROOM, includeRowCounts: 'yes' }],
    ['describe_table', { connection: READING_ROOM, table: 'books', schema: 'x' }],
    ['describe_table', { connection: READING_ROOM, table: 'books', namespace: 'x' }],
  ])('answers %s with %j as a failed call, so that the model sees what is valid', async (name, args) => {
    const answer = await call(name, args);
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/^INVALID_ARGUMENTS: .* Nothing was done\. Correct the arguments and call again\.$/);
    expect(fixture.session.calls).toEqual([]);
  });

  it('refuses a tool that there is not as -32602', async () => {
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  it('refuses a cursor that it did not hand out', async () => {
    await expect(client.listTools({ cursor: 'bm90aGluZw' })).rejects.toMatchObject({ code: -32_602 });
  });

  it("returns the driver's message, with advice and without addresses", async () => {
    fixture.session.fault = new DriverError(
      'CONNECTION_REFUSED',
      `Nothing is listening at ${LIBRARY_HOST}:8108 (10.2.3.4:8108).`,
    );
    const answer = await call('list_tables', { connection: READING_ROOM });
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/^CONNECTION_REFUSED: Nothing is listening at .* Check the host and port/);
    expect(JSON.stringify(answer)).not.toMatch(/library\.internal|10\.2\.3\.4/);
  });

  it('hides the details of internal errors', async () => {
    fixture.session.fault = new TypeError('cannot read properties of /home/ada/secret');
    const answer = await call('list_tables', { connection: READING_ROOM });
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/^INTERNAL: /);
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(fixture.internalErrors).toEqual([fixture.session.fault]);
  });

  it('reports every call, and no argument of it', async () => {
    await call('list_connections');
    await call('list_tables', { connection: READING_ROOM });
    await call('list_tables', { connection: 'Vault' }).catch(() => undefined);
    await call('describe_table', {}).catch(() => undefined);
    fixture.session.fault = new DriverError('TIMEOUT');
    await call('list_tables', { connection: READING_ROOM });
    expect(fixture.reports).toMatchObject([
      { tool: 'list_connections', outcome: 'done', principal: { name: 'Test', kind: 'user' }, client: { name: 'test' } },
      { tool: 'list_tables', outcome: 'done', connection: { id: READING_ROOM, name: 'Reading room' } },
      { tool: 'list_tables', outcome: 'refused', code: 'ACCESS_FORBIDDEN' },
      { tool: 'describe_table', outcome: 'invalid', code: 'INVALID_ARGUMENTS' },
      { tool: 'list_tables', outcome: 'failed', code: 'TIMEOUT', connection: { name: 'Reading room' } },
    ]);
    expect(fixture.reports[2]).not.toHaveProperty('connection');
  });

  it('answers all the same when a listener fails', async () => {
    const problem = new Error('The log is full.');
    fixture.server.onCall(() => {
      throw problem;
    });
    expect((await call('list_connections')).isError).toBeUndefined();
    expect(fixture.internalErrors).toEqual([problem]);
  });
});
