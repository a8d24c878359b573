import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { expectNoDialogViolations } from './accessible.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { onceWindowAsks } from './onceWindowAsks.ts';
import { soon } from './openTable.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// The owner's side of the MCP server: tokens, the dialog that asks, the log, and the switch, against a running host with the sandbox.

const INSPECTOR = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const execFileAsync = promisify(execFile);

const fixture = useOwnWindow({ products: 500, externalClients: 'readWrite', sharesConnection: true });
const clients: Client[] = [];

afterEach(async () => {
  // A client that was cut off has nothing to close any more.
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
});

async function connect(url: string, withToken: string): Promise<Client> {
  const client = new Client({ name: 'a careful client', version: '7' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${withToken}` } } }),
  );
  clients.push(client);
  return client;
}

async function connectFirst(url: string, withToken: string): Promise<FirstClient> {
  const client = new FirstClient({ name: 'an older client', version: '1' });
  await client.connect(new FirstTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${withToken}` } } }));
  return client;
}

/** A new token, and where the server is now. */
async function newToken(name: string, scope: 'readOnly' | 'fullAccess'): Promise<{ mcp: string; token: string }> {
  const { application } = fixture;
  const minted = await application.command('tokens', 'create', '--name', name, '--scope', scope);
  const handshake: unknown = JSON.parse(readFileSync(join(application.home, 'mcp-handshake.json'), 'utf8'));
  const { port } = z.looseObject({ port: z.number() }).parse(handshake);
  return { mcp: `http://127.0.0.1:${port}/mcp`, token: z.looseObject({ token: z.string() }).parse(minted).token };
}

async function openIntegrations(section: string): Promise<void> {
  const { page } = fixture;
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Integrations' }).click();
  await page.getByRole('tab', { name: section, exact: true }).click();
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await onceWindowAsks(() => client.callTool({ name, arguments: { connection: 'Cluster', ...args } }))) as unknown as {
    isError?: boolean;
    content: [{ text: string }];
  };

describe('Settings, Integrations', () => {
  it('mints a token and shows it once', async () => {
    const { page } = fixture;
    await openIntegrations('Authentication');
    await page.getByRole('button', { name: 'New token…' }).click();
    await expectNoDialogViolations(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Shown once');
    await page.getByRole('radio', { name: 'Full access' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByLabel('Token', { exact: true }).innerText()).trim();
    expect(token).toMatch(/^tbm_[\w-]{43}$/);
    await expectNoDialogViolations(page);
    await screenshot(page, '20-token');
    await page.getByRole('button', { name: 'Done' }).click();
    const list = page.getByRole('list', { name: 'Authentication' });
    await list.getByText('Shown once').waitFor();
    await soon(() => list.innerText()).toContain(`${token.slice(0, 8)}…`);
    expect(await page.content()).not.toContain(token);
  });

  it('asks in the window before a client changes something, and does what the answer says', async () => {
    const { page } = fixture;
    const { mcp, token } = await newToken('Careful', 'fullAccess');
    const client = await connect(mcp, token);
    const statement = 'POST /collections/products/documents\n{"id":"made-by-a-client","name":"Chair"}';
    const denied = call(client, 'execute_query', { statement });
    const dialog = page.getByRole('dialog', { name: /^Allow .+ to change data in / });
    await dialog.getByText('made-by-a-client').waitFor();
    await soon(() => dialog.innerText()).toContain('a careful client 7, by its own account');
    await expectNoDialogViolations(page);
    await screenshot(page, '21-approval');
    await dialog.getByRole('button', { name: 'Deny' }).click();
    expect((await denied).content[0].text).toMatch(/^APPROVAL_DECLINED/);
    await dialog.waitFor({ state: 'detached' });

    const allowed = call(client, 'execute_query', { statement });
    await dialog.getByRole('button', { name: 'Always allow' }).click();
    const answer = await allowed;
    // The document may lack fields that this collection requires; the test needs only the request to the server.
    expect(answer.content[0].text).not.toMatch(/^APPROVAL/);
    const again = await call(client, 'execute_query', { statement: 'PATCH /collections/products/documents/0\n{"name":"Stool"}' });
    expect(again.content[0].text).not.toMatch(/^APPROVAL/);

    const destroying = call(client, 'confirm_destructive_operation', { statement: 'DELETE /collections/products' });
    await page
      .getByRole('dialog', { name: /^Allow .+ to destroy data in / })
      .getByRole('button', { name: 'Deny' })
      .click();
    expect((await destroying).content[0].text).toMatch(/^APPROVAL_DECLINED/);
    expect(toolAnswer(await call(client, 'count_rows', { table: 'products' }))['rows']).toBeGreaterThanOrEqual(500);

    await openIntegrations('Approvals');
    const grants = page.getByRole('list', { name: 'Approvals' });
    await grants.getByText('Careful may change Cluster').waitFor();
    await expectNoDialogViolations(page);
    await grants.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('No standing approvals').waitFor();
  });

  it('shows what clients did, and who is there', async () => {
    const { page } = fixture;
    const { mcp, token } = await newToken('Watched', 'fullAccess');
    const client = await connect(mcp, token);
    await call(client, 'count_rows', { table: 'products' });
    const denied = call(client, 'confirm_destructive_operation', { statement: 'DELETE /collections/made-by-a-client' });
    await page
      .getByRole('dialog', { name: /^Allow .+ to destroy data in / })
      .getByRole('button', { name: 'Deny' })
      .click();
    expect((await denied).content[0].text).toMatch(/^APPROVAL_DECLINED/);
    await openIntegrations('Activity');
    const log = page.getByRole('table', { name: 'Activity' });
    await log.getByText('confirm_destructive_operation').first().waitFor();
    await soon(() => log.innerText()).toContain('APPROVAL_DECLINED');
    // Statements are kept only if the owner chose that.
    expect(await log.innerText()).not.toContain('made-by-a-client');
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/^All \d+ entries are unchanged\.$/).waitFor();
    await expectNoDialogViolations(page);
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('count_rows');
    await log.getByText('confirm_destructive_operation').first().waitFor({ state: 'detached' });
    await screenshot(page, '22-activity');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    expect((await saving).suggestedFilename()).toBe('tabularium-activity.csv');
    await page.getByRole('tab', { name: 'Clients' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Token Watched' }).getByText('a careful client 7').waitFor();
    await expectNoDialogViolations(page);
  });

  it('a token that is revoked on the command line is cut in the running host', async () => {
    const { mcp, token } = await newToken('Revoked', 'fullAccess');
    const client = await connect(mcp, token);
    const stream = await client.listen({ resourcesListChanged: true });
    await fixture.application.command('tokens', 'revoke', 'Revoked');
    await stream.closed;
    await expect(client.listTools()).rejects.toThrow(/401|revoked/);
  });

  it('switching off ends the server and takes the handshake away; switching on brings both back', async () => {
    const { application, page } = fixture;
    const handshake = join(application.home, 'mcp-handshake.json');
    const { mcp } = await newToken('Before', 'readOnly');
    expect(existsSync(handshake)).toBe(true);
    await openIntegrations('Server');
    const toggle = page.getByRole('switch', { name: 'Enable MCP Server' });
    await toggle.click({ force: true });
    await page.getByText('Switched off').waitFor();
    await expect(fetch(mcp, { method: 'POST' })).rejects.toThrow();
    expect(existsSync(handshake)).toBe(false);
    await toggle.click({ force: true });
    const address = page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await address.waitFor();
    expect(existsSync(handshake)).toBe(true);
    const { token } = await newToken('Another', 'readOnly');
    const client = await connect(await address.innerText(), token);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await screenshot(page, '23-server');
  });

  describe.each([
    ['2026-07-28, official client 2.x', 'modern'],
    ['2025-11-25, official client 1.x', 'first'],
  ] as const)('%s over the sandbox', (_, kind) => {
    it('lists, describes, browses, counts and runs', async () => {
      const { mcp, token: reading } = await newToken(kind, 'readOnly');
      const client = kind === 'modern' ? await connect(mcp, reading) : await connectFirst(mcp, reading);
      const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
        const answer = (await client.callTool({ name, arguments: args })) as unknown as {
          isError?: boolean;
          content: [{ text: string }];
        };
        expect(answer.isError, answer.content[0].text).not.toBe(true);
        return toolAnswer(answer);
      };
      expect(await ask('list_connections')).toMatchObject({ connections: [{ name: 'Cluster' }] });
      const of = { connection: 'Cluster', table: 'products' };
      expect(await ask('list_tables', { connection: 'Cluster' })).toHaveProperty('tables');
      expect(await ask('describe_table', of)).toMatchObject({ name: 'products', key: ['id'] });
      const page = await ask('browse_table', { ...of, maxRows: 2, columns: ['id', 'barcode'] });
      expect((page['rows'] as string[][])[0]?.[1]).toMatch(/^9\d{15,}$/);
      expect(await ask('execute_query', { connection: 'Cluster', statement: 'GET /collections/products' })).toMatchObject({
        effect: 'read',
      });
      expect(await ask('get_dashboard', { connection: 'Cluster' })).toHaveProperty('metrics');
      expect(await ask('list_principals', { connection: 'Cluster' })).toHaveProperty('principals');
      expect(await ask('get_table_definition', of)).toHaveProperty('text');
      const { resources } = await client.listResources();
      expect(resources.length).toBeGreaterThan(3);
      await client.close();
    });
  });

  it("the Inspector's command line", async () => {
    const { mcp, token: reading } = await newToken('inspector', 'readOnly');
    for (const era of ['modern', 'legacy']) {
      const { stdout } = await execFileAsync(process.execPath, [
        ...[INSPECTOR, '--cli', mcp, '--transport', 'http', '--header', `Authorization: Bearer ${reading}`],
        ...['--method', 'tools/call', '--tool-name', 'list_connections', '--format', 'json', '--protocol-era', era],
      ]);
      expect(stdout).toContain('Cluster');
    }
  });
});
