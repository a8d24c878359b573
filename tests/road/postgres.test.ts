import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { writeFixture } from '../../drivers/postgres/src/fixture.test-helper.ts';
import {
  HARMLESS_STATEMENTS,
  HOSTILE_OBJECTS,
  HOSTILE_STATEMENTS,
  REFUSED_STATEMENTS,
} from '../../drivers/postgres/src/hostileStatements.test-helper.ts';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer } from '../../drivers/postgres/src/session.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import type { Application } from '../e2e/application.ts';
import { startApplication } from '../e2e/application.ts';

// A PostgreSQL server by commands and by a client over MCP: nothing before a person has let the driver have the password, and afterwards what every
// other connection gives. Its statements can do more than they look like.

const NAME = 'Shop';
const SERVER = 'Whole server';
const PASSWORD = 'E2E_POSTGRES_PASSWORD';

async function failureOf(command: Promise<unknown>): Promise<string> {
  return command.then(
    (answer) => `It was done: ${JSON.stringify(answer)}`,
    (error: unknown) => String(error),
  );
}

/** A way to the server that breaks when rows are sent, as long as that is wanted. */
async function cuttingProxy(
  target: number,
  cut: { readonly isWanted: boolean },
): Promise<AsyncDisposable & { readonly port: number }> {
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      if (cut.isWanted && chunk.includes('FROM STDIN')) client.destroy();
      else upstream.write(chunk);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

describeWithServer('a PostgreSQL server', (server) => {
  let application: Application;
  const clients: Client[] = [];

  beforeAll(async () => {
    process.env[PASSWORD] = server().password;
    [application] = await Promise.all([
      startApplication({ products: 50 }),
      writeFixture(server(), 'fixture').then(() => administer(server(), HOSTILE_OBJECTS, 'fixture')),
    ]);
    await application.registry.publish(join(root, 'drivers/postgres'));
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', NAME, '--host', '127.0.0.1', '--port', String(server().port)],
      ...['--database', 'fixture', '--user', server().user, '--password-env', PASSWORD],
      ...['--ai-policy', 'alwaysAllow', '--external-clients', 'readOnly'],
    );
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    await application?.[Symbol.asyncDispose]();
  });

  async function mcp(scope: 'readOnly' | 'readWrite' | 'fullAccess', connection = NAME) {
    const minted = z
      .looseObject({ token: z.string() })
      .parse(await application.command('tokens', 'create', '--name', `${scope} ${clients.length}`, '--scope', scope));
    const client = new Client({ name: 'a client', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(application.mcp), {
        requestInit: { headers: { authorization: `Bearer ${minted.token}` } },
      }),
    );
    clients.push(client);
    return async (name: string, args: Record<string, unknown> = {}): Promise<{ isError: boolean; text: string }> => {
      const answer = await client.callTool({ name, arguments: { connection, ...args } });
      return { isError: answer.isError === true, text: JSON.stringify(answer) };
    };
  }

  it('is not opened for a client or a command before a person lets its driver have the password', async () => {
    await expect(application.command('tables', NAME)).rejects.toThrow(/password/i);
    const call = await mcp('readOnly');
    const refused = await call('list_tables');
    expect(refused.isError).toBe(true);
    expect(refused.text).not.toContain(server().password);
    expect(await application.command('drivers', 'allow', 'postgres', 'secrets')).toEqual({ id: 'postgres', grants: ['secrets'] });
    expect((await call('list_tables')).isError).toBe(false);
  });

  it('is read, queried and exported by commands', async () => {
    expect(await application.command('tables', NAME)).toMatchObject({
      tables: expect.arrayContaining([expect.objectContaining({ name: 'shop.shelf', rows: 24 }) as unknown]) as unknown,
    });
    expect(await application.command('query', NAME, 'SELECT count(*) FROM shop.shelf')).toMatchObject({ rows: [{ count: 24 }] });
    const output = join(application.files, 'shelf.jsonl');
    await application.command('export', NAME, 'shop.shelf', '--format', 'jsonl', '--output', output);
    const lines = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(24);
    expect(lines.join('\n')).toContain('123456789012345678901');
  });

  it('gives a client that may read no statement that does more', async () => {
    const read = await mcp('readOnly');
    expect((await read('describe_table', { table: 'shelf' })).text).toContain('mood');
    expect((await read('browse_table', { table: 'shelf', namespace: ['shop'], maxRows: 4 })).text).toContain('title');
    for (const statement of HARMLESS_STATEMENTS) {
      const answer = await read('execute_query', { statement });
      expect(answer.isError, `${statement}: ${answer.text}`).toBe(false);
    }
    const done: string[] = [];
    for (const statement of [...HOSTILE_STATEMENTS, ...REFUSED_STATEMENTS])
      if (!(await read('execute_query', { statement })).isError) done.push(statement);
    expect(done).toEqual([]);
    const browsed = await read('browse_table', { table: 'victim', namespace: ['hostile'], filter: 'hostile.deletes() > 0' });
    expect(browsed.isError).toBe(true);
    expect((await read('count_rows', { table: 'victim' })).text).toContain('2');
  }, 1_200_000);

  it('lets a client that may write do no more than that', async () => {
    await application.command(
      ...[
        'connections',
        'add',
        '--driver',
        'postgres',
        '--name',
        'Open shop',
        '--host',
        '127.0.0.1',
        '--port',
        String(server().port),
      ],
      ...['--database', 'fixture', '--user', server().user, '--password-env', PASSWORD],
      ...['--ai-policy', 'alwaysAllow', '--external-clients', 'readWrite'],
    );
    const write = await mcp('readWrite', 'Open shop');
    expect(await write('execute_query', { statement: "UPDATE shop.shelf SET note = 'changed' WHERE id = 2" })).toMatchObject({
      isError: false,
    });
    for (const statement of HOSTILE_STATEMENTS.filter((text) =>
      /deletes|DELETE|TRUNCATE|terminate|PROGRAM|ALTER|GRANT|CALL|DO /.test(text),
    ))
      expect((await write('execute_query', { statement })).isError, statement).toBe(true);
    expect((await write('count_rows', { table: 'victim' })).text).toContain('2');
  }, 1_200_000);

  it('is reached with all its databases over one connection, each by the first name of a path', async () => {
    await administer(server(), 'CREATE DATABASE branch');
    await administer(
      server(),
      `CREATE SCHEMA shop; CREATE TABLE shop.shelf (id int PRIMARY KEY, title text);
      INSERT INTO shop.shelf VALUES (1, 'of the branch'), (2, 'of the branch too')`,
      'branch',
    );
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', SERVER, '--host', '127.0.0.1', '--port', String(server().port)],
      ...['--database', 'fixture', '--set', 'databases=all', '--user', server().user, '--password-env', PASSWORD],
      ...['--ai-policy', 'alwaysAllow', '--external-clients', 'readOnly'],
    );
    const shelves = (...databases: readonly string[]): unknown =>
      expect.arrayContaining(databases.map((database) => expect.objectContaining({ name: `${database}.shop.shelf` }) as unknown));
    expect(await application.command('tables', SERVER)).toMatchObject({
      tables: shelves('fixture'),
      notListed: expect.arrayContaining(['branch']) as unknown,
    });
    expect(await application.command('tables', SERVER, '--all')).toMatchObject({ tables: shelves('fixture', 'branch') });
    const ofBranch = [
      [1, 'of the branch'],
      [2, 'of the branch too'],
    ];
    expect(await application.command('rows', SERVER, 'branch.shop.shelf')).toMatchObject({ rows: ofBranch });
    expect(await application.command('rows', SERVER, 'fixture.shop.shelf')).toMatchObject({ total: 24 });
    // A name alone is one of the database where the connection begins: the others are read when they are named.
    expect(await application.command('rows', SERVER, 'shelf')).toMatchObject({ total: 24 });
    const count = 'SELECT count(*) FROM shop.shelf';
    expect(await application.command('query', SERVER, count)).toMatchObject({ rows: [{ count: 24 }] });
    expect(await application.command('query', SERVER, `\\connect branch\n${count}`)).toMatchObject({ rows: [{ count: 2 }] });
    const output = join(application.files, 'branch.jsonl');
    await application.command('export', SERVER, 'branch.shop.shelf', '--format', 'jsonl', '--output', output);
    expect((await readFile(output, 'utf8')).trimEnd().split('\n')).toHaveLength(2);

    const read = await mcp('readOnly', SERVER);
    expect((await read('describe_table', { table: 'shelf' })).text).toContain('mood');
    expect((await read('list_tables', {})).text).toContain('branch');
    expect((await read('list_tables', { namespace: ['branch', 'shop'] })).text).toContain('shelf');
    const namespace = ['branch', 'shop'];
    expect((await read('describe_table', { table: 'shelf', namespace })).text).not.toContain('mood');
    expect((await read('browse_table', { table: 'shelf', namespace })).text).toContain('of the branch too');
    expect((await read('count_rows', { table: 'shelf', namespace })).text).toContain('2');
    expect((await read('execute_query', { statement: `\\connect branch\n${count}` })).isError).toBe(false);
    const deletes = await read('execute_query', { statement: '\\connect branch\nDELETE FROM shop.shelf' });
    expect(deletes.isError).toBe(true);
    const across = await read('execute_query', { statement: 'SELECT * FROM branch.shop.shelf' });
    expect(across.text).toContain(String.raw`Write \\connect branch in a line before the statement`);
    expect(await application.command('rows', SERVER, 'branch.shop.shelf')).toMatchObject({ rows: ofBranch });
  });

  it('refuses what it would store otherwise, whichever way a value comes', async () => {
    await administer(
      server(),
      'CREATE TABLE shop.exact (id int PRIMARY KEY, price money, code varchar(3), took interval(0), sizes float4[])',
      'fixture',
    );
    const write = await mcp('readWrite', 'Open shop');
    const values = { price: '12.345', code: 'ab  ', took: '0.4 s', sizes: '{16777217}' };
    for (const [column, value] of Object.entries(values)) {
      const inserted = await write('insert_rows', { table: 'exact', namespace: ['shop'], rows: [{ id: 1, [column]: value }] });
      expect([column, inserted.isError, inserted.text]).toEqual([column, true, expect.stringContaining(column)]);
      const file = join(application.files, 'exact.jsonl');
      await writeFile(file, `${JSON.stringify({ id: 1, [column]: value })}\n`);
      await expect(application.command('import', NAME, 'shop.exact', '--file', file)).rejects.toThrow(/1 rejected|"rejected":1/);
    }
    expect(await application.command('rows', NAME, 'shop.exact')).toMatchObject({ total: 0 });
    const taken = await write('insert_rows', {
      table: 'exact',
      namespace: ['shop'],
      rows: [{ id: 1, price: '12.34', code: 'ab ', took: '4 s', sizes: '{0.5}' }],
    });
    expect(taken.text).toContain(String.raw`\"changed\":1`);
  });

  it('keeps its own catalogues from tools for rows, and asks before a statement changes them', async () => {
    await administer(server(), 'CREATE ROLE ordinary', 'fixture');
    const write = await mcp('readWrite', 'Open shop');
    const table = { table: 'pg_authid', namespace: ['pg_catalog'] };
    const key = { oid: 10 };
    for (const [tool, more] of [
      ['insert_rows', { rows: [{ oid: 99_999, rolname: 'sly' }] }],
      ['update_rows', { rows: [{ key, values: { rolcreatedb: false } }] }],
      ['import_rows', { rows: '{"oid":99999,"rolname":"sly"}' }],
    ] as const) {
      const { isError, text } = await write(tool, { ...table, ...more });
      expect([tool, isError, text]).toEqual([tool, true, expect.stringContaining('system catalogue of PostgreSQL')]);
    }
    expect((await write('delete_rows', { ...table, keys: [key] })).isError).toBe(true);
    for (const name of ['pg_catalog.pg_authid', 'pg_authid', '"pg_catalog"."pg_authid"']) {
      const statement = `UPDATE ${name} SET rolsuper = true WHERE rolname = 'ordinary'`;
      const { isError, text } = await write('execute_query', { statement });
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining('A statement that loses data')]);
    }
    const roles = await write('execute_query', {
      statement: "SELECT rolsuper FROM pg_roles WHERE rolname IN ('ordinary', 'sly')",
    });
    expect(roles.text).toContain('false');
    expect(roles.text).not.toContain('true');
  });

  it('makes a table with every column of a file, of types that hold its values', async () => {
    const file = join(application.files, 'made.csv');
    await writeFile(file, 'id,empty,big,flag\n1,,9223372036854775807,true\n2,,-123456789012345678901234567890,false\n');
    await expect(application.command('import', NAME, 'shop.', '--file', file, '--create')).rejects.toThrow(/no name of a table/);
    expect(await application.command('import', NAME, 'shop.made', '--file', file, '--create')).toMatchObject({ written: 2 });
    const columns = `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'made' ORDER BY ordinal_position`;
    expect(await application.command('query', NAME, columns)).toMatchObject({
      rows: [
        { column_name: 'id', data_type: 'bigint' },
        { column_name: 'empty', data_type: 'text' },
        { column_name: 'big', data_type: 'numeric' },
        { column_name: 'flag', data_type: 'boolean' },
      ],
    });
    const more = join(application.files, 'more.jsonl');
    await writeFile(more, '{"id":3,"big":1,"flag":1}\n{"id":4,"big":1,"flag":0}\n{"id":5,"big":1,"flag":2}\n');
    await expect(application.command('import', NAME, 'shop.made', '--file', more)).rejects.toThrow(
      /"read":3,"written":2,"rejected":1/,
    );
  });

  it('continues an import that broke in its first part in the table that it began with', async () => {
    const cut = { isWanted: true };
    await using proxy = await cuttingProxy(server().port, cut);
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', 'Cut', '--host', '127.0.0.1', '--port', String(proxy.port)],
      ...['--database', 'fixture', '--user', server().user, '--password-env', PASSWORD],
    );
    const make = 'CREATE TABLE shop.resumed (id int PRIMARY KEY, v text)';
    await administer(server(), make, 'fixture');
    const file = join(application.files, 'resumed.jsonl');
    await writeFile(file, Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, v: `row ${id}` })).join('\n'));
    const words = ['import', 'Cut', 'shop.resumed', '--file', file];
    const lost = await failureOf(application.command(...words));
    expect(lost).toContain(`The connection to 127.0.0.1:${proxy.port} was lost`);
    expect(lost).toContain('0 rows have an outcome, 0 were written. Up to 100 more may have been written.');
    expect(lost).toContain('--resume');
    cut.isWanted = false;
    await administer(server(), `ALTER TABLE shop.resumed RENAME TO resumed_before; ${make}`, 'fixture');
    const refused = await failureOf(application.command(...words, '--resume'));
    expect(refused).toContain('isn’t the table that this import began with');
    expect(refused).toContain('--other-table');
    expect(await application.command('rows', NAME, 'shop.resumed')).toMatchObject({ total: 0 });
    expect(await application.command(...words, '--resume', '--other-table')).toMatchObject({ read: 100, written: 100 });
  });

  it('is closed again when the password is taken back', async () => {
    await application.command('drivers', 'allow', 'postgres', '--withdraw');
    await expect(application.command('tables', NAME)).rejects.toThrow(/password/i);
  });
});
