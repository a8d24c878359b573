import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer, open } from '../../drivers/postgres/src/session.test-helper.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import type { TokenRequest } from '../../host/src/runtime/mcp/access/tokenStore.ts';

// A read of a client by a tool is judged as the statement that would read it: a table may run a program, and a view may call any function.

/** Every tool that reads rows of a table. */
const TOOLS: Readonly<Record<string, (table: string) => Record<string, unknown>>> = {
  browse_table: (table) => ({ table }),
  'browse_table from an offset': (table) => ({ table, offset: 3, maxRows: 1 }),
  count_rows: (table) => ({ table }),
  profile_table: (table) => ({ table }),
  export_table: (table) => ({ table, file: 'rows.jsonl' }),
};
const UNCERTAIN = ['runs_program', 'over_program', 'ends', 'guarded', 'ordered', 'elsewhere'];

describeWithServer('a client of MCP', (server) => {
  const folder = mkdtempSync(join(tmpdir(), 'uncertain-'));
  // The server runs as another user.
  chmodSync(folder, 0o777);
  const witness = join(folder, 'ran');
  const fixture = new McpFixture();
  const clients = new Map<TokenRequest['scope'], Client>();
  let session: Session;

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
       CREATE FOREIGN TABLE runs_program (a text) SERVER files OPTIONS (program 'touch ${witness}; echo x');
       CREATE VIEW over_program AS SELECT * FROM runs_program;
       CREATE FUNCTION touches() RETURNS text LANGUAGE plpgsql AS $$ BEGIN COPY (SELECT 1) TO PROGRAM 'touch ${witness}'; RETURN 'x'; END $$; CREATE VIEW touched AS SELECT touches() AS a;
       CREATE EXTENSION postgres_fdw; CREATE SERVER again FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${server().port}', dbname 'postgres');
       CREATE USER MAPPING FOR ${server().user} SERVER again OPTIONS (user '${server().user}', password '${server().password}'); CREATE FOREIGN TABLE elsewhere (a text) SERVER again OPTIONS (table_name 'touched');
       CREATE VIEW ends AS SELECT pg_terminate_backend(0) AS ended;
       CREATE FUNCTION purge(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN true; END $$;
       CREATE TABLE guarded (a text); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON guarded USING (purge(a));
       CREATE TABLE ordered (a text); CREATE INDEX ON ordered ((lower(a))) WHERE length(a) > 1; CREATE FUNCTION lies(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN public.purge('x'); END $$;
       CREATE INDEX ON ordered (a) WHERE lies(1); CREATE TABLE plain (a text); INSERT INTO plain VALUES ('x');
       CREATE FUNCTION claim() RETURNS text LANGUAGE sql STABLE AS $$ SELECT nullif(current_setting('request.claim', true), '') $$;
       CREATE FUNCTION is_member() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$ BEGIN RETURN EXISTS (SELECT 1 FROM public.plain p WHERE p.a = public.claim() OR p.a = 'x'); END $$;
       CREATE TABLE of_members (a text); INSERT INTO of_members VALUES ('y'); ALTER TABLE of_members ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON of_members USING (is_member());`,
    );
    session = await open(server());
    fixture.otherSession = session;
    fixture.exportFolders = [folder];
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
    const { url } = await fixture.start();
    for (const scope of ['readOnly', 'readWrite', 'fullAccess'] as const) {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const { text } = fixture.mint({ scope });
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${text}` } },
      });
      await client.connect(transport);
      clients.set(scope, client);
    }
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await fixture[Symbol.asyncDispose]();
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (scope: TokenRequest['scope'], tool: string, args: Record<string, unknown>) => {
    const answer = await clients
      .get(scope)
      ?.callTool({ name: tool.split(' ')[0] ?? '', arguments: { connection: READING_ROOM, ...args } });
    return answer as { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  };

  it.each(Object.keys(TOOLS).flatMap((tool) => UNCERTAIN.map((table) => ({ tool, table }))))(
    'reads $table by $tool no more than by a statement',
    async ({ tool, table }) => {
      for (const scope of clients.keys()) {
        const { isError, content } = await call(scope, tool, TOOLS[tool]?.(table) ?? {});
        expect(isError, content[0]?.text).toBe(true);
        expect(content[0]?.text).toContain("The driver isn't certain that this only reads: reading public.");
        const statement = await call(scope, 'execute_query', { statement: `SELECT * FROM ${table}` });
        expect(statement.content[0]?.text.split(' ')[0]).toBe(content[0]?.text.split(' ')[0]);
      }
      expect(existsSync(witness)).toBe(false);
    },
  );

  it('lists such tables, without counting them', async () => {
    const { content } = await call('readOnly', 'list_tables', { includeRowCounts: true });
    for (const table of UNCERTAIN) expect(content[0]?.text).toContain(table);
    expect(existsSync(witness)).toBe(false);
  });

  it.each(Object.keys(TOOLS).flatMap((tool) => ['plain', 'of_members'].map((table) => ({ tool, table }))))(
    'reads $table by $tool',
    async ({ tool, table }) => {
      const { isError, content } = await call('readOnly', tool, TOOLS[tool]?.(table) ?? {});
      expect(isError, content[0]?.text).toBeUndefined();
    },
  );

  it('calls functions that only read', async () => {
    for (const statement of ['SELECT is_member(), claim()', 'SELECT * FROM of_members WHERE is_member()']) {
      const { isError, content } = await call('readOnly', 'execute_query', { statement });
      expect(isError, content[0]?.text).toBeUndefined();
    }
    expect((await call('readOnly', 'execute_query', { statement: "SELECT purge('x')" })).isError).toBe(true);
  });

  it('may be asked to run such a statement, which says what it does', async () => {
    await call('fullAccess', 'confirm_destructive_operation', { statement: 'SELECT * FROM runs_program' });
    expect(existsSync(witness)).toBe(true);
  });
});
