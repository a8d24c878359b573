import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY_KEY } from '../../host/src/runtime/mcp/server/libraryFacets.test-helper.ts';
import { ARCHIVE, McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

let fixture: McpFixture;
let client: Client;

beforeEach(async () => {
  fixture = new McpFixture();
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
  const { url } = await fixture.start();
  client = new Client({ name: 'test', version: '1' });
  const { text } = fixture.mint({ scope: 'readWrite' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
  );
});
afterEach(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

async function call(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const answer = await client.callTool({ name: tool, arguments: { connection: READING_ROOM, ...args } });
  const [content] = answer.content;
  const text = content?.type === 'text' ? content.text : '';
  return answer.isError === true ? { error: text } : toolAnswer(answer);
}

describe('run_saved_request', () => {
  it('lists the requests of the connection and those for every one, with their variables', async () => {
    expect(await call('run_saved_request')).toEqual({
      requests: [],
      notes: [expect.stringMatching(/saved no request/) as string],
    });
    fixture.savedRequests = [
      { name: 'First rows', text: 'read {{count}}', connectionId: READING_ROOM },
      { name: 'Elsewhere', text: 'read 1', connectionId: ARCHIVE },
      { name: 'Everywhere', text: 'read 2' },
    ];
    expect(await call('run_saved_request')).toEqual({
      requests: [
        { id: 'request 0', name: 'First rows', text: 'read {{count}}', variables: ['count'] },
        { id: 'request 2', name: 'Everywhere', text: 'read 2' },
      ],
    });
    expect(fixture.session.calls.filter((one) => /run/.test(one))).toEqual([]);
  });

  it('runs one with values for its variables, by name or id, its own before one for every connection', async () => {
    fixture.savedRequests = [
      { name: 'First rows', text: 'read 1' },
      { name: 'First rows', text: 'read {{count}}', connectionId: READING_ROOM },
    ];
    const two = await call('run_saved_request', { request: 'First rows', variables: { count: '2' } });
    expect(two).toMatchObject({ effect: 'read', results: [{ rows: [expect.anything(), expect.anything()] }] });
    expect(await call('run_saved_request', { request: 'request 0' })).toMatchObject({ results: [{ rows: [expect.anything()] }] });
  });

  it('says what is missing, unknown, doubled or empty, with what there is', async () => {
    fixture.savedRequests = [
      { name: 'Count of books', text: 'read {{count}}' },
      { name: 'Twice', text: 'read 1' },
      { name: 'Twice', text: 'read 2' },
      { name: 'Empty', text: ' \n' },
      { name: 'Steps', text: 'read 1\nwrite it' },
    ];
    const errorOf = async (args: Record<string, unknown>): Promise<unknown> => (await call('run_saved_request', args))['error'];
    expect(await errorOf({ request: 'count of book' })).toMatch(/^NOT_FOUND: .*"Count of books".*There are: /s);
    expect(await errorOf({ request: 'Count of books' })).toMatch(/lacks variables: count\. It takes: count\./);
    expect(await errorOf({ request: 'Count of books', variables: { count: '1', other: '2' } })).toMatch(/no variable other/);
    expect(await errorOf({ request: 'Twice' })).toMatch(/Several.*request 1, request 2/s);
    expect(await errorOf({ request: 'Empty' })).toMatch(/is empty/);
    expect(await errorOf({ request: 'Steps' })).toMatch(/has 2 statements\. .*statement 1 to 2/);
    expect(await errorOf({ request: 'Steps', statement: 3 })).toMatch(/no statement 3/);
    expect(fixture.session.calls.filter((one) => /run/.test(one))).toEqual([]);
    expect(await call('run_saved_request', { request: 'Steps', statement: 2 })).toMatchObject({ effect: 'write' });
  });

  it('classifies the text with its values: one that destroys is refused, whatever the request looked like', async () => {
    fixture.savedRequests = [{ name: 'Harmless', text: '{{what}} books' }];
    const { error } = await call('run_saved_request', { request: 'Harmless', variables: { what: 'destroy' } });
    expect(error).toMatch(/^ACCESS_FORBIDDEN: .*confirm_destructive_operation/);
    const more = await call('run_saved_request', { request: 'Harmless', variables: { what: 'read 1\ndestroy' } });
    expect(more['error']).toMatch(/are 2 statements/);
    expect(fixture.session.calls.filter((one) => one.startsWith('CHANGE'))).toEqual([]);
  });

  it('counts statements in what was saved: no value moves one to another number', async () => {
    fixture.savedRequests = [{ name: 'Steps', text: 'read {{count}}\nread 2' }];
    const args = { request: 'Steps', variables: { count: '1\nwrite it' } };
    expect(await call('run_saved_request', { ...args, statement: 2 })).toMatchObject({ effect: 'read' });
    expect((await call('run_saved_request', { ...args, statement: 1 }))['error']).toMatch(/are 2 statements/);
    expect((await call('run_saved_request', { ...args, statement: 3 }))['error']).toMatch(/no statement 3/);
    expect(fixture.session.calls.filter((one) => one.startsWith('CHANGE'))).toEqual([]);
  });

  it('refuses values that would make the text too large, with its length', async () => {
    fixture.savedRequests = [{ name: 'Bomb', text: `read ${'{{a}}'.repeat(3_900)}` }];
    const { error } = await call('run_saved_request', { request: 'Bomb', variables: { a: 'y'.repeat(100_000) } });
    expect(error).toMatch(/^TOO_LARGE: .*has 390000005 characters/);
  });

  it('does not show a text that holds a secret for the driver', async () => {
    fixture.savedRequests = [
      { name: 'Make', text: 'key {{value}}' },
      { name: 'Both', text: 'read 1\nkey my-own-value' },
      { name: 'Plain', text: 'read 1' },
    ];
    expect((await call('run_saved_request'))['requests']).toEqual([
      { id: 'request 0', name: 'Make', variables: ['value'] },
      { id: 'request 1', name: 'Both' },
      { id: 'request 2', name: 'Plain', text: 'read 1' },
    ]);
  });

  it('neither shows nor runs a text that may hold a secret', async () => {
    fixture.savedRequests = [
      { name: 'Key of the connection', text: `read 1 ${LIBRARY_KEY}` },
      { name: 'Password', text: `write x PASSWORD 'hunter2hunter2'` },
    ];
    expect(await call('run_saved_request')).toEqual({
      requests: [
        { id: 'request 0', name: 'Key of the connection' },
        { id: 'request 1', name: 'Password' },
      ],
    });
    for (const request of ['request 0', 'request 1'])
      expect((await call('run_saved_request', { request }))['error']).toMatch(
        /^UNSUPPORTED: .*may hold a secret.*Ask the person/,
      );
    expect(fixture.session.calls).toEqual([]);
    expect(JSON.stringify(fixture.reports)).not.toMatch(/hunter2|library-key/);
  });
});

describe('explain_filter', () => {
  it('returns what the driver sends, and what it leaves out', async () => {
    const asked: unknown[] = [];
    fixture.otherSession = Object.assign(Object.create(fixture.session) as Session, {
      expressions: {
        ofRead: async (request: { filter: { conditions: unknown[] } }) => {
          asked.push(request);
          if (request.filter.conditions.length === 0) return { parts: [], droppedSorts: [] };
          return {
            parts: [{ label: 'WHERE', text: 'title = 1' }],
            droppedSorts: [{ column: 'number', reason: 'It has no order.' }],
          };
        },
      },
    });
    const filters = [{ column: 'title', operator: 'equals', values: ['Book 1'] }];
    expect(await call('explain_filter', { table: 'books', filters, sorts: [{ column: 'number' }] })).toEqual({
      sent: [{ label: 'WHERE', text: 'title = 1' }],
      notes: ['Not sorted by number: It has no order.'],
    });
    expect(asked).toMatchObject([
      { filter: { conditions: [{ column: 'title', operator: 'equals', values: ['Book 1'] }] }, sorts: [{ column: 'number' }] },
    ]);
    expect((await call('explain_filter', { table: 'books' }))['notes']).toEqual([expect.stringMatching(/^Nothing is sent/)]);
  });

  it('says so where the driver cannot say, and refuses what does not fit the table', async () => {
    expect((await call('explain_filter', { table: 'books' }))['notes']).toEqual([
      expect.stringMatching(/cannot show what it sends/),
    ]);
    const wrong = await call('explain_filter', {
      table: 'books',
      filters: [{ column: 'titel', operator: 'equals', values: ['x'] }],
    });
    expect(wrong['error']).toMatch(/^INVALID_INPUT: There is no column "titel"\. .*"title"/);
    fixture.otherSession = Object.assign(Object.create(fixture.session) as Session, {
      expressions: {
        ofRead: async () => {
          throw new DriverError('UNSUPPORTED', 'The server has no such filter.');
        },
      },
    });
    expect((await call('explain_filter', { table: 'books' }))['error']).toMatch(/^UNSUPPORTED: The server has no such filter/);
  });
});
