import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { sampleDatabase } from '../../scripts/start/sampleDatabase.ts';
import type { Application } from '../e2e/application.ts';
import { startApplication } from '../e2e/application.ts';

// The second kind of database by commands and by a client over MCP, with the sample that `npm start` brings: nothing before a person has
// allowed its driver to leave the sandbox, and afterwards what every other connection gives.

const NAME = 'Bookshop';

let application: Application;
let folder: string;
let file: string;
const clients: Client[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-bookshop-'));
  [application, file] = await Promise.all([startApplication({ products: 50 }), sampleDatabase(folder)]);
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command(
    ...['connections', 'add', '--driver', 'sqlite', '--name', NAME, '--set', `file=${file}`],
    ...['--ai-policy', 'alwaysAllow', '--external-clients', 'readOnly'],
  );
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await application?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function mcp(
  scope: 'readOnly' | 'readWrite' | 'fullAccess',
  connection = NAME,
): Promise<(name: string, args?: Record<string, unknown>) => Promise<{ isError: boolean; text: string }>> {
  const minted = z
    .looseObject({ token: z.string() })
    .parse(await application.command('tokens', 'create', '--name', scope, '--scope', scope));
  const client = new Client({ name: 'a client', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(application.mcp), {
      requestInit: { headers: { authorization: `Bearer ${minted.token}` } },
    }),
  );
  clients.push(client);
  return async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: { connection, ...args } });
    return { isError: answer.isError === true, text: JSON.stringify(answer) };
  };
}

describe('a SQLite file', () => {
  it('is not opened for a client or a command before a person has allowed it', async () => {
    await expect(application.command('tables', NAME)).rejects.toThrow(/asks to leave the sandbox/);
    const call = await mcp('readOnly');
    const refused = await call('list_tables');
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/asks to leave the sandbox/);
    await expect(application.command('drivers', 'allow', 'sqlite', 'network')).rejects.toThrow(
      /hasn't requested this permission/,
    );
    expect(await application.command('drivers', 'allow', 'sqlite', 'sqlite')).toEqual({ id: 'sqlite', grants: ['sqlite'] });
    expect((await call('list_tables')).isError).toBe(false);
  });

  it('is read, queried and exported by commands', async () => {
    expect(await application.command('tables', NAME)).toMatchObject({
      tables: expect.arrayContaining([
        { name: 'books', rows: 1_200 },
        { name: 'bestsellers', rows: null },
      ]) as unknown,
    });
    expect(await application.command('query', NAME, 'SELECT name FROM authors WHERE id = 1')).toMatchObject({
      rows: [{ name: 'Ada Almeida' }],
    });
    const output = join(folder, 'orders.jsonl');
    await application.command('export', NAME, 'orders', '--format', 'jsonl', '--output', output);
    const lines = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(6_000);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ number: 'B-00001', line: 1 });
  });

  it('is read by a client, which may not write under read only, and is held to what a statement does', async () => {
    const read = await mcp('readOnly');
    expect((await read('list_tables')).text).toContain('bestsellers');
    expect((await read('describe_table', { table: 'books' })).text).toContain('price_with_tax');
    expect((await read('browse_table', { table: 'books', maxRows: 4 })).text).toContain('Lantern');
    expect((await read('execute_query', { statement: 'SELECT max(id) FROM books' })).text).toContain('1200');
    const written = await read('execute_query', { statement: "UPDATE authors SET name = 'x'" });
    expect(written.isError).toBe(true);
    expect((await read('execute_query', { statement: 'WITH x AS (SELECT 1) DELETE FROM authors' })).isError).toBe(true);
    const full = await mcp('fullAccess');
    // The connection itself is read only for clients, whatever their token says.
    expect((await full('execute_query', { statement: 'DROP TABLE orders' })).isError).toBe(true);
    expect((await full('execute_query', { statement: `ATTACH '${file}' AS other` })).text).toMatch(/ATTACH is not run here/);
    expect((await read('count_rows', { table: 'orders' })).text).toContain('6000');
  });

  it('may be written by a client where that is open to it, and not destroyed by one that may only write', async () => {
    await application.command(
      ...['connections', 'add', '--driver', 'sqlite', '--name', 'Open shop', '--set', `file=${file}`],
      ...['--ai-policy', 'alwaysAllow', '--external-clients', 'readWrite'],
    );
    const write = await mcp('readWrite', 'Open shop');
    const updated = await write('execute_query', { statement: "UPDATE authors SET name = 'Changed' WHERE id = 2" });
    expect(updated).toMatchObject({ isError: false });
    const destroyed = await write('execute_query', { statement: '/* SELECT */ WITH x AS (SELECT 1) DELETE FROM orders' });
    expect(destroyed.isError).toBe(true);
    expect((await write('count_rows', { table: 'orders' })).text).toContain('6000');
  });

  it('is closed to everybody again when that is taken back', async () => {
    await application.command('drivers', 'allow', 'sqlite', '--withdraw');
    await expect(application.command('tables', NAME)).rejects.toThrow(/asks to leave the sandbox/);
  });
});
