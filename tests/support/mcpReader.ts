import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { McpFixture, READING_ROOM, VAULT } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { toolAnswer } from './toolAnswer.ts';

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

/** A client of full access to the example's server, whose reading room may be changed without a question. */
export class McpReader implements AsyncDisposable {
  readonly fixture: McpFixture;
  readonly client: Client;

  private constructor(fixture: McpFixture, client: Client) {
    this.fixture = fixture;
    this.client = client;
  }

  static async connect(): Promise<McpReader> {
    const fixture = new McpFixture();
    fixture.history = [
      {
        connectionId: READING_ROOM,
        statement: 'read 1',
        isWhole: true,
        time: '2026-11-20T08:00:00.000Z',
        outcome: 'ok',
        milliseconds: 3,
        rows: 1,
      },
      { connectionId: VAULT, statement: 'read vault', isWhole: true, time: '2026-11-20T08:00:00.000Z', outcome: 'ok' },
    ];
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
    const { url } = await fixture.start();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const { text } = fixture.mint({ scope: 'fullAccess' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
    );
    return new McpReader(fixture, client);
  }

  /** Calls a tool of the reading room. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return (await this.client.callTool({ name, arguments: { connection: READING_ROOM, ...args } })) as ToolAnswer;
  }

  /** The answer of a tool that did not fail. */
  async said(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.call(name, args);
    expect(answer.isError, answer.content[0]?.text).toBeUndefined();
    return toolAnswer(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.fixture[Symbol.asyncDispose]();
  }
}
