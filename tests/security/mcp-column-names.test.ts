import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';

// A column may have the name of a member that every JavaScript object has. None of the tools may lose it, or take a member for a column.

const MEMBERS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'prototype', ''];

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

/** The answer as text, also where the arguments were refused. */
async function call(name: string, args: Record<string, unknown>): Promise<string> {
  try {
    return JSON.stringify(await client.callTool({ name, arguments: { connection: READING_ROOM, table: 'books', ...args } }));
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The last change that the driver received. */
function lastChange(): unknown {
  const text = fixture.session.calls.findLast((each) => each.startsWith('CHANGE')) ?? '';
  return JSON.parse(text.slice(text.indexOf('{')));
}

const row = fc
  .uniqueArray(fc.oneof(fc.constantFrom(...MEMBERS), fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 8 })
  .map((names) => names.map((name, place) => [name, `value ${place}`] as const))
  // An object lists names that are whole numbers first.
  .filter((entries) => entries.every(([name]) => !/^\d+$/.test(name)));

describe('columns of any name', () => {
  it('reach the driver from insert_rows and update_rows, each with its value', async () => {
    const key = { library: 'north', number: '1' };
    await fc.assert(
      fc.asyncProperty(row, async (entries) => {
        const assigned = entries.map(([column, value]) => ({ column, value }));
        const values = Object.fromEntries(entries);
        await call('insert_rows', { rows: [values] });
        expect(lastChange()).toEqual({ kind: 'insert', values: assigned });
        await call('update_rows', { rows: [{ key, values }] });
        expect(lastChange()).toEqual({ kind: 'update', key: ['north', '1'], assignments: assigned });
      }),
      { numRuns: 25, examples: [[MEMBERS.map((name, place) => [name, `value ${place}`] as const)]] },
    );
  });

  it.each(MEMBERS)('"%s" is not taken for a key, a filter column or a sort column of the table', async (name) => {
    const before = fixture.session.calls.filter((each) => each.startsWith('CHANGE')).length;
    const key = Object.fromEntries([
      ['library', 'north'],
      ['number', '1'],
      [name, 'x'],
    ]);
    expect(await call('delete_rows', { keys: [key] })).toContain('INVALID_INPUT');
    expect(await call('update_rows', { rows: [{ key, values: { title: 'x' } }] })).toContain('INVALID_INPUT');
    expect(fixture.session.calls.filter((each) => each.startsWith('CHANGE'))).toHaveLength(before);
    for (const args of [{ filters: [{ column: name, operator: 'equals', values: ['x'] }] }, { columns: [name] }]) {
      const answer = await call('browse_table', args);
      expect(answer).not.toMatch(/INTERNAL|native code|Something went wrong/);
    }
  });

  it('values that are not objects are refused', async () => {
    for (const wrong of [null, 'text', 5, ['a']])
      expect(await call('insert_rows', { rows: [wrong] })).toContain('expected an object');
  });
});
