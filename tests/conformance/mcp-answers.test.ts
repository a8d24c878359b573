import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { Page, PageCell, PageRequest, Session } from '@tabularium/sdk';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARCHIVE, McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

const ALWAYS = ['list_connections', 'list_tables', 'describe_table', 'execute_query', 'confirm_destructive_operation'];

let fixture: McpFixture;
let client: Client;
let token: string;

beforeEach(async () => {
  fixture = new McpFixture();
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
  await fixture.start();
  token = fixture.mint({ scope: 'fullAccess' }).text;
  client = await connected(token);
});
afterEach(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

async function connected(text: string): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await made.connect(
    new StreamableHTTPClientTransport(new URL(fixture.address.url), {
      requestInit: { headers: { authorization: `Bearer ${text}` } },
    }),
  );
  return made;
}
const browse = async (args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  toolAnswer(await client.callTool({ name: 'browse_table', arguments: { connection: READING_ROOM, table: 'books', ...args } }));
const listed = async (from: Client): Promise<string[]> => (await from.listTools()).tools.map(({ name }) => name);

describe('an answer', () => {
  it('has about 12,000 tokens, and the rest is read by continuing', async () => {
    const answer = await client.callTool({ name: 'browse_table', arguments: { connection: READING_ROOM, table: 'books' } });
    expect(countTokens(JSON.stringify(answer))).toBeLessThan(13_000);
    const seen: unknown[] = [];
    let pages = 0;
    for (let offset: unknown = 0; offset !== undefined; pages += 1) {
      const page = await browse({ offset, maxTokens: 6_000, maxRows: 10_000, columns: ['number'] });
      seen.push(...(page['rows'] as unknown[][]).map(([number]) => number));
      offset = page['nextOffset'];
    }
    expect(pages).toBeGreaterThan(3);
    expect(new Set(seen).size).toBe(2_500);
    expect(seen).toHaveLength(2_500);
  });

  it('appears once, as a text, and as structured content too for a program that asks for it', async () => {
    const call = { name: 'count_rows', arguments: { connection: READING_ROOM, table: 'books' } };
    const plain = await client.callTool(call);
    expect(plain).not.toHaveProperty('structuredContent');
    expect(toolAnswer(plain)).toEqual({ rows: 3, exact: true });
    const asked = await client.callTool({ ...call, _meta: { 'tabularium/structuredContent': true } });
    expect(asked.structuredContent).toEqual(toolAnswer(asked));
    for (const other of ['yes', 1, {}]) {
      const answer = await client.callTool({ ...call, _meta: { 'tabularium/structuredContent': other } });
      expect(answer).not.toHaveProperty('structuredContent');
    }
  });

  it('is the same for the first generation of clients', async () => {
    const first = new FirstClient({ name: 'test', version: '1' });
    await first.connect(
      new FirstTransport(new URL(fixture.address.url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    );
    await first.listTools();
    const call = { name: 'browse_table', arguments: { connection: READING_ROOM, table: 'books', maxRows: 2 } };
    expect(toolAnswer(await first.callTool(call))).toEqual(toolAnswer(await client.callTool(call)));
    await first.close();
  });

  it('names columns without a value instead of repeating null, unless they were asked for', async () => {
    expect(await browse({ maxRows: 1, offset: 2 })).toMatchObject({
      columns: ['library', 'number', '__proto__'],
      emptyColumns: ['title'],
    });
    const asked = await browse({ maxRows: 1, offset: 2, columns: ['title'] });
    expect(asked).toMatchObject({ columns: ['title'], rows: [[null]] });
    expect(asked).not.toHaveProperty('emptyColumns');
  });
});

describe('a table that is paged by cursor', () => {
  const ROWS = 400;
  const requests: PageRequest[] = [];
  beforeEach(() => {
    requests.length = 0;
    const { session } = fixture;
    const readPage = async (request: PageRequest): Promise<Page> => {
      requests.push(request);
      const from = request.position.from === 'cursor' ? Number(request.position.cursor) : 0;
      const count = Math.min(request.limit, ROWS - from);
      const rows = Array.from({ length: count }, (_, index): PageCell[] => [
        from + index,
        'words '.repeat(40),
        request.placeholders === undefined ? 'x'.repeat(30_000) : ['unread', { bytes: 30_000, start: 'x'.repeat(1_000) }],
      ]);
      const atEnd = from + count >= ROWS;
      const columns = [
        { name: 'id', kind: 'integer' as const },
        { name: 'text', kind: 'text' as const },
        { name: 'body', kind: 'text' as const },
      ].filter(({ name }) => request.columns === undefined || request.columns.includes(name));
      return {
        rowCount: count,
        atEnd,
        ...(atEnd ? {} : { nextCursor: String(from + count) }),
        droppedSorts: [],
        batch: encodeBatch({
          columns,
          rows: rows.map((row) => row.filter((_, index) => columns.some(({ name }) => name === ['id', 'text', 'body'][index]))),
        }),
      };
    };
    fixture.otherSession = Object.assign(Object.create(session) as Session, {
      readPage,
      describeTable: async () => ({
        ...(await session.describeTable({ namespace: [], name: 'books' }, { signal: new AbortController().signal })),
        paging: 'cursor',
        columns: [],
        key: ['id'],
      }),
      rows: { read: () => Promise.reject(new Error('Nothing reads by key here.')) },
    });
  });

  it('continues exactly after the last row of each answer, whatever fitted', async () => {
    const seen: unknown[] = [];
    for (let cursor: unknown, more = true; more; more = cursor !== undefined) {
      const page = await browse({ maxTokens: 3_000, ...(cursor === undefined ? {} : { cursor }) });
      expect(page).not.toHaveProperty('nextOffset');
      seen.push(...(page['rows'] as unknown[][]).map(([id]) => id));
      cursor = page['nextCursor'];
    }
    expect(seen).toEqual(Array.from({ length: ROWS }, (_, index) => index));
  });

  it('is read without long values, says how long they are, and gives one whole that is asked for', async () => {
    const [first] = (await browse({ maxRows: 1, maxTokens: 3_000 }))['rows'] as string[][];
    expect(first?.[2]).toMatch(/^x+… \(cut: 30000 bytes in all\)$/);
    expect(requests.every(({ placeholders }) => placeholders !== undefined)).toBe(true);
    const [whole] = (await browse({ maxRows: 1, columns: ['body'], cellCharacters: 30_000, maxTokens: 20_000 }))[
      'rows'
    ] as string[][];
    expect(whole?.[0]).toBe('x'.repeat(30_000));
    expect(requests.at(-1)?.placeholders).toBeUndefined();
  });
});

describe('the list of tools', () => {
  it.each([
    ['readOnly', false, false, false],
    ['readWrite', true, false, false],
    ['fullAccess', true, true, false],
    ['fullAccess', true, true, true],
  ] as const)(
    'has for a token of %s what it can use (write %j, destroy %j, export %j)',
    async (scope, write, destroy, exportFiles) => {
      fixture.exportFolders = exportFiles ? ['/granted'] : [];
      const other = await connected(fixture.mint({ scope }).text);
      const names = await listed(other);
      await other.close();
      expect(names).toEqual(expect.arrayContaining(ALWAYS));
      expect(names.includes('insert_rows')).toBe(write);
      expect(names.includes('update_rows')).toBe(write);
      expect(names.includes('delete_rows')).toBe(destroy);
      expect(names.includes('export_table')).toBe(exportFiles);
      expect(names).toEqual(TOOLS.map((tool) => tool.listed.name).filter((name) => names.includes(name)));
    },
  );

  it('has the five that everybody expects, and no other, for a token that reaches no connection', async () => {
    const other = await connected(fixture.mint({ scope: 'fullAccess', connections: [] }).text);
    expect((await listed(other)).toSorted()).toEqual(ALWAYS.toSorted());
    await other.close();
  });

  it("isn't a wall: a tool that is not listed answers what is missing", async () => {
    const other = await connected(fixture.mint({ scope: 'readOnly' }).text);
    const args = { connection: READING_ROOM, table: 'books', rows: [{ title: 'x' }] };
    const refused = await other.callTool({ name: 'insert_rows', arguments: args });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^ACCESS_FORBIDDEN|^READ_ONLY/) as string }],
    });
    expect(fixture.session.calls.filter((call) => call.startsWith('CHANGE'))).toEqual([]);
    await other.close();
  });

  it('is notified when it becomes another one, and only then', async () => {
    let heard = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (heard += 1));
    const stream = await client.listen({ toolsListChanged: true });
    fixture.exportFolders = ['/granted'];
    fixture.server.changes.abilitiesChanged();
    await expect.poll(() => heard).toBe(1);
    fixture.setAccess(READING_ROOM, { aiPolicy: 'askEachTime' });
    fixture.setAccess(READING_ROOM, { externalClients: 'readOnly' });
    // Not before the last connection that it may write to is gone.
    fixture.setAccess(ARCHIVE, { externalClients: 'readOnly' });
    await expect.poll(() => heard).toBe(2);
    expect(await listed(client)).not.toContain('insert_rows');
    await stream.close();
  });
});

describe('the schema of a connection', () => {
  const tableOf = (columns: number): Pick<Session, 'describeTable'> => ({
    describeTable: async (ref) => {
      if (ref.name === 'broken') throw new DriverError('ACCESS_REFUSED');
      return {
        ref,
        kind: 'table',
        key: ['id'],
        paging: 'offset',
        readsFromEnd: false,
        notes: [],
        columns: Array.from({ length: columns }, (_, index) => ({
          name: `column_with_a_name_${index}`,
          kind: 'text',
          type: 'string',
          nullable: true,
          editable: { allowed: true },
          sortable: { allowed: true },
        })),
      };
    },
  });
  const library = (names: readonly string[], columns: number): void => {
    fixture.otherSession = Object.assign(Object.create(fixture.session) as Session, {
      ...tableOf(columns),
      listTables: async () => names.map((name) => ({ ref: { namespace: [], name }, kind: 'table' })),
    });
  };
  const many = Array.from({ length: 90 }, (_, index) => `table_${index}`);

  it.each([
    ['many tables', many, 40, /^Only the first \d+ of 90 tables are here/],
    ['a very wide table', ['wide'], 5_000, /^Only the first \d+ of 5000 columns of "wide" are here: call describe_table\.$/],
    ['a table that cannot be described', ['one', 'broken', 'two'], 3, /^"broken" could not be described\.$/],
  ] as const)('fits an answer and says what was left out: %s', async (_, names, columns, note) => {
    library(names, columns);
    const resource = await client.readResource({ uri: `tabularium://connections/${READING_ROOM}/schema` });
    const [content] = resource.contents;
    const text = content !== undefined && 'text' in content ? content.text : '';
    expect(countTokens(text)).toBeLessThan(13_000);
    const { tables, notes } = JSON.parse(text) as { tables: unknown[]; notes: string[] };
    expect(notes).toEqual([expect.stringMatching(note) as string]);
    expect(tables.length).toBeGreaterThan(0);
    const prompt = await client.getPrompt({ name: 'explain_schema', arguments: { connection: READING_ROOM } });
    expect(countTokens(JSON.stringify(prompt.messages))).toBeLessThan(15_000);
  });
});

describe('ranked search', () => {
  const search = async (args: Record<string, unknown>): Promise<Record<string, unknown>> =>
    toolAnswer(
      await client.callTool({
        name: 'ranked_search',
        arguments: { connection: READING_ROOM, table: 'books', text: 'sea', ...args },
      }),
    );
  const refused = async (args: Record<string, unknown>): Promise<string> => {
    const answer = await client.callTool({
      name: 'ranked_search',
      arguments: { connection: READING_ROOM, table: 'books', text: 'sea', ...args },
    });
    expect(answer.isError).toBe(true);
    return (answer.content as readonly { readonly text: string }[])[0]?.text ?? '';
  };

  it('gives the best rows with exact numbers, the marks of those that have some, and counted values', async () => {
    expect(await search({ maxHits: 2, facets: ['library'] })).toEqual({
      found: 60,
      columns: ['library', 'number', 'title', 'shelf'],
      rows: [
        ['north', '9007199254740993', 'A book of sea', { row: 0 }],
        ['north', '9007199254740993', 'A book of sea', { row: 1 }],
      ],
      marks: [{ row: 0, marks: ['Pinned: A rule put it here.'] }],
      facets: { library: [['north', 60]] },
      nextOffset: 2,
    });
  });

  it('is read to its end by nextOffset, each row once, however long its values are', async () => {
    const seen: unknown[] = [];
    for (let offset: unknown = 0; offset !== undefined;) {
      const page = await search({ text: 'long', offset, maxHits: 50, maxTokens: 2_000 });
      expect(countTokens(JSON.stringify(page))).toBeLessThan(2_400);
      seen.push(...(page['rows'] as [unknown, unknown, unknown, { row: number }][]).map((row) => row[3].row));
      offset = page['nextOffset'];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  it('names what is there for a field, a facet or a column that is not', async () => {
    expect(await refused({ by: ['titel'] })).toMatch(/cannot be looked for in "titel".*Did you mean "title"\?.*There are: title/);
    expect(await refused({ facets: ['title'] })).toMatch(/There is no facet "title".*There are: library/);
    expect(await refused({ columns: ['titel'] })).toMatch(/There is no column "titel"/);
    expect(fixture.session.calls.filter((call) => call.startsWith('search sea'))).toEqual([]);
  });

  it('says of a database without it what to use instead', async () => {
    fixture.otherSession = Object.assign(Object.create(fixture.session) as Session, { search: undefined });
    expect(await refused({})).toMatch(/^UNSUPPORTED: .* has no ranked search.*browse_table/);
  });
});
