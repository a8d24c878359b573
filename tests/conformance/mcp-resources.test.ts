import type { Client } from '@modelcontextprotocol/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARCHIVE, DIARY, READING_ROOM, VAULT } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import type { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { McpReader } from '../support/mcpReader.ts';

let reader: McpReader;
let fixture: McpFixture;
let client: Client;

beforeEach(async () => {
  reader = await McpReader.connect();
  ({ fixture, client } = reader);
});
afterEach(() => reader[Symbol.asyncDispose]());

describe('resources', () => {
  it('are listed for what is open, and read through the policy', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'tabularium://connections',
      ...[ARCHIVE, READING_ROOM].flatMap((id) =>
        ['schema', 'tables', 'history'].map((section) => `tabularium://connections/${id}/${section}`),
      ),
    ]);
    const read = async (uri: string): Promise<unknown> => {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      expect(content).toMatchObject({ uri, mimeType: 'application/json' });
      return JSON.parse(content !== undefined && 'text' in content ? content.text : '');
    };
    expect(await read('tabularium://connections')).toMatchObject({
      connections: [{ name: 'Archive' }, { name: 'Reading room' }],
    });
    const base = `tabularium://connections/${READING_ROOM}`;
    expect(await read(`${base}/tables`)).toMatchObject({ total: 6 });
    expect(await read(`${base}/tables/books`)).toMatchObject({ name: 'books', key: ['library', 'number'] });
    expect(await read(`${base}/tables/loans?namespace=south`)).toMatchObject({ namespace: ['south'] });
    expect(await read('tabularium://connections/Reading%20room/schema')).toMatchObject({
      tables: [{ name: 'books' }, {}, {}, {}, {}, {}],
    });
    expect(await read(`${base}/history?limit=5`)).toMatchObject({ entries: [{ statement: 'read 1' }] });
    expect(fixture.reports.filter(({ kind }) => kind === 'resource')).toHaveLength(6);
  });

  it.each([VAULT, DIARY, 'Vault', 'Diary', 'There is none'])(
    'answer -33007 for what is under the connection %s',
    async (connection) => {
      for (const section of ['schema', 'tables', 'history', 'tables/books', 'tables/books/definition']) {
        const uri = `tabularium://connections/${encodeURIComponent(connection)}/${section}`;
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -33_007 });
      }
      expect(fixture.session.calls).toEqual([]);
    },
  );

  it('that do not exist are -32602', async () => {
    const base = `tabularium://connections/${READING_ROOM}`;
    for (const uri of [
      'tabularium://',
      'tabularium://other',
      `${base}/no`,
      `${base}/tables/books/no`,
      `${base}/tables/no`,
      `${base}/tables/%E0%A4%A`,
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32_602 });
    }
  });

  it('have templates whose variables are completed from what is open', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(5);
    const complete = async (name: string, value: string, around?: Record<string, string>): Promise<readonly string[]> => {
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'tabularium://connections/{connection}/tables/{table}{?namespace}' },
        argument: { name, value },
        ...(around === undefined ? {} : { context: { arguments: around } }),
      });
      return completion.values;
    };
    expect(await complete('connection', '')).toEqual([ARCHIVE, READING_ROOM]);
    expect(await complete('table', 'lo', { connection: READING_ROOM })).toEqual(['loans']);
    expect(await complete('table', 'oo', { connection: READING_ROOM })).toEqual(['books']);
    await expect(complete('table', '', { connection: VAULT })).rejects.toMatchObject({ code: -33_007 });
    await expect(complete('no', '')).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('prompts', () => {
  it('are made of what is there now', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'explain_schema',
      'explain_table',
      'audit_data_quality',
      'question_to_query',
      'review_statement',
      'summarize_history',
    ]);
    for (const { name, arguments: known = [] } of prompts) {
      const args = Object.fromEntries(
        known.map((argument) => [
          argument.name,
          { connection: 'Reading room', table: 'books' }[argument.name] ?? 'some ``` text',
        ]),
      );
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(JSON.stringify(messages)).toMatch(/books|read 1/);
      await expect(client.getPrompt({ name, arguments: { ...args, connection: 'Vault' } }), name).rejects.toMatchObject({
        code: -33_007,
      });
      await expect(client.getPrompt({ name, arguments: {} }), name).rejects.toMatchObject({ code: -32_602 });
    }
    await expect(client.getPrompt({ name: 'no' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('complete their connection by name', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'explain_table' },
      argument: { name: 'connection', value: 'r' },
    });
    expect(completion.values).toEqual(['Reading room', 'Archive']);
  });
});

describe('subscriptions', () => {
  const listen = async (
    uris: string[],
  ): Promise<{ heard: string[]; until: (count: number) => Promise<void>; close: () => Promise<void> }> => {
    const heard: string[] = [];
    let onHeard = (): void => undefined;
    const hear = (what: string): void => {
      heard.push(what);
      onHeard();
    };
    const until = (count: number): Promise<void> =>
      new Promise((resolve) => {
        onHeard = () => (heard.length >= count ? resolve() : undefined);
        onHeard();
      });
    client.setNotificationHandler('notifications/resources/list_changed', () => hear('list'));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      hear(params.uri.replace('tabularium://connections', '')),
    );
    const stream = await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris });
    return { heard, until, close: () => stream.close() };
  };

  it('report changes to open connections only', async () => {
    const history = `tabularium://connections/${READING_ROOM}/history`;
    const tables = `tabularium://connections/${READING_ROOM}/tables`;
    const { heard, until, close } = await listen([history, tables, 'tabularium://connections']);
    fixture.setAccess(VAULT, { aiPolicy: 'askEachTime' });
    fixture.setAccess(DIARY, { externalClients: 'readOnly' });
    await reader.said('execute_query', { statement: 'write it' });
    await until(2);
    expect(heard).toEqual([`/${READING_ROOM}/history`, `/${READING_ROOM}/tables`]);
    fixture.setAccess(VAULT, { externalClients: 'readOnly' });
    await until(4);
    fixture.setAccess(READING_ROOM, { externalClients: 'blocked' });
    await until(6);
    expect(heard.slice(2)).toEqual(['list', '', 'list', '']);
    await close();
  });

  it('leave out what is not open, and keep the rest', async () => {
    const history = `tabularium://connections/${READING_ROOM}/history`;
    const hidden = [VAULT, 'There is none'].map((id) => `tabularium://connections/${encodeURIComponent(id)}/history`);
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    const stream = await client.listen({ resourceSubscriptions: [...hidden, history, 'file:///etc/passwd'] });
    expect(stream.honoredFilter.resourceSubscriptions).toEqual([history, 'file:///etc/passwd']);
    await reader.said('execute_query', { statement: 'write it' });
    await expect.poll(() => heard).toEqual([history]);
    await stream.close();
  });

  it('to nothing but what is not open are -33007', async () => {
    for (const id of [VAULT, 'There is none']) {
      await expect(
        client.listen({ resourceSubscriptions: [`tabularium://connections/${encodeURIComponent(id)}/tables`] }),
      ).rejects.toMatchObject({
        code: -33_007,
      });
    }
  });
});

it('a long call reports its progress in growing numbers', async () => {
  const progress: number[] = [];
  fixture.exportFolders = [mkdtempSync(join(tmpdir(), 'tabularium-progress-'))];
  await client.callTool(
    { name: 'export_table', arguments: { connection: READING_ROOM, table: 'books', file: 'books.jsonl' } },
    { onprogress: (step) => progress.push(step.progress) },
  );
  expect(progress.length).toBeGreaterThan(0);
  expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  rmSync(fixture.exportFolders[0] ?? '', { recursive: true });
});
