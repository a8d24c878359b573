import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { visibleText } from '@tabularium/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';

// A client's host draws an error beside its own words, often in a terminal. Nothing that is quoted in one may move, hide or erase what is around it.

const HIDDEN = ['\u202E', '\u200B', '\u0007', '\u001B[2J', '\uFEFF', '\u2066', '\u00AD', '\u{E0041}', '\u2028'];

let fixture: McpFixture;
let client: Client;

beforeAll(async () => {
  fixture = new McpFixture();
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
  const { url } = await fixture.start();
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const { text } = fixture.mint({ scope: 'fullAccess' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
  );
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

/** The text of a refusal, from the answer or from the error of the protocol. */
async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    const answer = (await work()) as { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };
    expect(answer.isError).toBe(true);
    return answer.content?.map(({ text }) => text ?? '').join('\n') ?? '';
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
    return error.message;
  }
}

const tool = (name: string, args: Record<string, unknown>) => () =>
  client.callTool({ name, arguments: { connection: READING_ROOM, ...args } });

/** Places of a call whose text an error may quote. */
const PLACES: Readonly<Record<string, (name: string) => () => Promise<unknown>>> = {
  'a connection': (name) => tool('list_tables', { connection: name }),
  'a table': (name) => tool('browse_table', { table: name }),
  'a column': (name) => tool('browse_table', { table: 'books', columns: [name] }),
  'a sort': (name) => tool('browse_table', { table: 'books', sort: [{ column: name, descending: true }] }),
  'an argument': (name) => tool('browse_table', { table: 'books', [name]: 1 }),
  'a statement': (name) => tool('execute_query', { statement: name }),
  'a saved request': (name) => tool('run_saved_request', { request: name }),
  'a variable': (name) => tool('run_saved_request', { request: 'Count', variables: { [name]: '1', count: '1' } }),
  'a value': (name) => tool('insert_rows', { table: name, rows: [{ [name]: name }] }),
  'a tool': (name) => tool(name, {}),
  'a resource': (name) => () => client.readResource({ uri: `tabularium://connections/${encodeURIComponent(name)}/tables` }),
  'a prompt': (name) => () => client.getPrompt({ name }),
};

describe('a hidden character in what a client sent', () => {
  it.each(Object.keys(PLACES))('is a mark in the refusal of %s', async (place) => {
    fixture.savedRequests = [{ name: 'Count', text: 'read {{count}}' }];
    for (const hidden of HIDDEN) {
      const text = await refusal(PLACES[place]?.(`nowhere ${hidden}tsil`) ?? (async () => undefined));
      expect(text.length).toBeGreaterThan(10);
      expect(text).toBe(visibleText(text, 'text', Infinity));
    }
  });
});

describe('a saved request with hidden characters in its name', () => {
  it('is run by the name as it was saved, and by the name as it is listed', async () => {
    const name = fc
      .tuple(fc.constantFrom(...HIDDEN), fc.string({ maxLength: 12 }))
      .map(([hidden, text]) => `rows${hidden}${text}`);
    await fc.assert(
      fc.asyncProperty(name, async (saved) => {
        fixture.savedRequests = [{ name: saved, text: 'read 1' }];
        for (const request of [saved, visibleText(saved)]) {
          const answer = await tool('run_saved_request', { request })();
          expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is not found by a name that holds a secret: that would confirm a guess', async () => {
    const [secret = ''] = fixture.secrets;
    fixture.savedRequests = [{ name: `With ${secret}`, text: 'read 1' }];
    expect(await refusal(tool('run_saved_request', { request: `With ${secret}` }))).toMatch(/NOT_FOUND/);
  });
});
