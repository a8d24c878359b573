import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEW_KEY } from '../../host/src/runtime/mcp/server/libraryFacets.test-helper.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { MODERN_META, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

// A new key belongs to the person: the window shows its value, and no client ever has it. What a statement loses is judged by its driver, and
// judged again right before it runs.

let fixture: McpFixture;
let port: number;
let closeWindow: AbortController;

beforeAll(async () => {
  fixture = new McpFixture({ limits: { requestsPerMinute: 1_000_000 } });
  ({ port } = await fixture.start());
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  closeWindow = new AbortController();
});
afterEach(() => {
  closeWindow.abort();
  fixture.session.calls.splice(0);
  fixture.reports.splice(0);
});

async function shown(): Promise<readonly { readonly id: string; readonly text: string }[]> {
  return (await fixture.newSecrets.watch(closeWindow.signal).next()).value ?? [];
}

async function call(scope: 'readWrite' | 'fullAccess', tool: string, args: object): Promise<string> {
  const { json } = await rawRequest(port, {
    token: fixture.mint({ name: scope, scope, connections: [READING_ROOM] }).text,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: { connection: READING_ROOM, ...args }, _meta: MODERN_META },
    },
  });
  return JSON.stringify(json);
}
const changes = (): string[] => fixture.session.calls.filter((name) => name.startsWith('CHANGE'));

describe('a statement that creates a key', () => {
  it('is refused before it is sent while no window is open', async () => {
    const answer = await call('fullAccess', 'confirm_destructive_operation', { statement: 'key' });
    expect(answer).toContain('APPROVAL_REQUIRED: The answer holds a new secret, which only the Tabularium window shows');
    expect(changes()).toEqual([]);
  });

  it('is shown in the window and not to the client', async () => {
    await shown();
    const answer = await call('fullAccess', 'confirm_destructive_operation', { statement: 'key' });
    expect(answer).toContain('The Tabularium window shows it');
    expect(answer).not.toContain(NEW_KEY);
    expect(changes()).toHaveLength(1);
    const [secret] = await shown();
    expect(secret).toMatchObject({ text: `{"value":"${NEW_KEY}"}`, principalName: 'fullAccess', summary: 'Statement: key' });
    expect(JSON.stringify(fixture.reports)).not.toContain(NEW_KEY);
    fixture.newSecrets.dismiss(secret?.id ?? '');
    expect(await shown()).toEqual([]);
  });

  it('is refused where the client chooses the value, and the log does not keep it', async () => {
    await shown();
    const answer = await call('fullAccess', 'confirm_destructive_operation', { statement: `key ${NEW_KEY}` });
    expect(answer).toContain('ACCESS_FORBIDDEN: The statement chooses the value of a new secret');
    expect(changes()).toEqual([]);
    expect(JSON.stringify(fixture.reports)).not.toContain(NEW_KEY);
  });

  it.each(['execute_query', 'confirm_destructive_operation'])('is nothing for a Read & Write token: %s', async (tool) => {
    await shown();
    expect(await call('readWrite', tool, { statement: 'key' })).toContain('ACCESS_FORBIDDEN');
    expect(changes()).toEqual([]);
  });
});

describe('a statement that does something else by the time it runs', () => {
  it('is not run', async () => {
    const { console } = fixture.session;
    if (console === undefined) throw new Error('The library has a console.');
    const classify = console.classify.bind(console);
    let asked = 0;
    console.classify = async (statement, options) => {
      asked += 1;
      return { ...(await classify(statement, options)), effect: asked === 1 ? 'write' : 'destructive' };
    };
    try {
      expect(await call('readWrite', 'execute_query', { statement: 'write it' })).toContain(
        'CONFLICT: The statement would do something else now than when it was checked.',
      );
    } finally {
      console.classify = classify;
    }
    expect(changes()).toEqual([]);
  });
});

describe('rows whose change loses others', () => {
  const insert = { table: 'books', rows: [{ title: 'sets off a loss' }] };
  const update = { table: 'books', rows: [{ key: { library: 'north', number: '1' }, values: { title: 'sets off a loss' } }] };

  it.each([
    ['insert_rows', insert],
    ['update_rows', update],
  ])('%s needs full access', async (tool, args) => {
    expect(await call('readWrite', tool, args)).toContain('ACCESS_FORBIDDEN: Only a token with full access');
    expect(changes()).toEqual([]);
    expect(await call('fullAccess', tool, args)).not.toContain('isError');
    expect(changes()).toHaveLength(1);
  });
});
