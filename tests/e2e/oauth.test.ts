import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError as FirstUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryProvider } from '../support/memoryProvider.ts';
import { axe } from './axe.ts';
import { expectNoDialogViolations } from './accessible.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { soon } from './openTable.ts';

// Clients sign in with their own OAuth, a person allows it in the window, and a browser's tab goes between them: all of them real.

const fixture = useOwnWindow({ products: 500, externalClients: 'readOnly', sharesConnection: true });
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The client's own address, to which the browser comes back. */
async function listenForReturn(): Promise<{ readonly redirect: string; readonly returned: Promise<URLSearchParams> }> {
  const returned = Promise.withResolvers<URLSearchParams>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/callback') returned.resolve(url.searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back in the client</title><p>Back in the client');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, returned: returned.promise };
}

async function openIntegrations(section: string): Promise<void> {
  const { page } = fixture;
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Integrations' }).click();
  await page.getByRole('tab', { name: section, exact: true }).click();
}

async function switchOn(): Promise<void> {
  await openIntegrations('Server');
  const toggle = fixture.page.getByRole('switch', { name: 'Sign-in with OAuth' });
  if (!(await toggle.isChecked())) await toggle.click({ force: true });
  await soon(() => toggle.isChecked()).toBe(true);
  await fixture.page.keyboard.press('Escape');
}

const question = (): Locator => fixture.page.getByRole('dialog', { name: /^Allow “.+” to connect\?$/ });

/** The tab that the client opens in the person's browser. */
async function openTab(url: string): Promise<Page> {
  const tab = await fixture.page.context().newPage();
  open.push(() => tab.close());
  await tab.goto(url);
  return tab;
}

async function chooseCluster(): Promise<void> {
  const { page } = fixture;
  await question().getByPlaceholder('Choose connections').click();
  await page.getByRole('option', { name: 'Cluster' }).click();
  await question().getByText('Your browser must show').click();
}

const rowsOf = async (client: Pick<Client, 'callTool'>): Promise<string> => {
  const answer = (await client.callTool({
    name: 'browse_table',
    arguments: { connection: 'Cluster', table: 'products', maxRows: 2 },
  })) as unknown as { content: [{ text: string }] };
  return answer.content[0].text;
};

describe('a client that signs in with OAuth', () => {
  it('reads rows once a person has allowed it in the window, and none once its access is revoked', async () => {
    const { page, application } = fixture;
    await switchOn();
    const { redirect, returned } = await listenForReturn();
    const provider = new MemoryProvider('Notebook assistant', redirect);
    const connect = async (): Promise<{ client: Client; transport: StreamableHTTPClientTransport; connected: Promise<void> }> => {
      const client = new Client({ name: 'notebook', version: '3' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const transport = new StreamableHTTPClientTransport(new URL(application.mcp), { authProvider: provider as never });
      open.push(() => client.close().catch(() => undefined));
      return { client, transport, connected: client.connect(transport) };
    };
    const first = await connect();
    const stopped = expect(first.connected).rejects.toThrow();
    const tab = await openTab(await provider.begun.promise);
    await stopped;
    const number = await tab.locator('.number strong').innerText();
    await tab.getByRole('heading', { name: 'Answer in Tabularium’s window' }).waitFor();
    expect((await axe(tab).analyze()).violations).toEqual([]);
    await page.bringToFront();
    await question().getByText(number).waitFor();
    await expectNoDialogViolations(page);
    // The least is chosen: nothing is allowed before a person names a connection.
    expect(await question().getByRole('radio', { name: 'Read', exact: true }).isChecked()).toBe(true);
    await page.waitForTimeout(1_000);
    expect(await question().getByRole('button', { name: 'Allow', exact: true }).isDisabled()).toBe(true);
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const shown of [page, tab]) {
          await shown.setViewportSize({ width, height });
          await shown.emulateMedia({ colorScheme });
          await screenshot(shown, `oauth ${shown === page ? 'window' : 'tab'} ${width} ${colorScheme}`);
        }
        expect((await axe(tab).analyze()).violations).toEqual([]);
        await expectNoDialogViolations(page);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: null });
    await chooseCluster();
    await question().getByRole('button', { name: 'Allow', exact: true }).click();
    await question().waitFor({ state: 'detached' });
    await tab.getByText('Back in the client').waitFor();
    const back = await returned;
    expect(back.get('state')).toBe('its own state');
    await first.transport.finishAuth(back);
    const second = await connect();
    await second.connected;
    expect(await rowsOf(second.client)).toContain('"rows"');

    await openIntegrations('Authentication');
    const row = page.getByRole('listitem').filter({ hasText: 'Notebook assistant' });
    await row.getByText('OAuth', { exact: true }).waitFor();
    await expectNoDialogViolations(page);
    await screenshot(page, 'oauth tokens');
    await row.getByRole('button', { name: 'Revoke Notebook assistant' }).click();
    await page
      .getByRole('dialog', { name: /Revoke/ })
      .getByRole('button', { name: 'Revoke', exact: true })
      .click();
    await row.getByText('Revoked').waitFor();
    await expect(rowsOf(second.client)).rejects.toThrow();
  });

  it('of the first generation works too, and one that a person denies gets access_denied', async () => {
    const { page, application } = fixture;
    await switchOn();
    const { redirect, returned } = await listenForReturn();
    const provider = new MemoryProvider('Older assistant', redirect);
    const client = new FirstClient({ name: 'older', version: '1' });
    const transport = new FirstTransport(new URL(application.mcp), { authProvider: provider });
    await expect(client.connect(transport as never)).rejects.toThrow(FirstUnauthorizedError);
    const tab = await openTab(await provider.begun.promise);
    await page.bringToFront();
    await question().waitFor();
    await chooseCluster();
    await question().getByRole('button', { name: 'Allow', exact: true }).click();
    await tab.getByText('Back in the client').waitFor();
    await transport.finishAuth(String((await returned).get('code')));
    const again = new FirstClient({ name: 'older', version: '1' });
    open.push(() => again.close());
    await again.connect(new FirstTransport(new URL(application.mcp), { authProvider: provider }));
    expect(await rowsOf(again as never)).toContain('"rows"');

    const other = await listenForReturn();
    const denied = new MemoryProvider('Denied assistant', other.redirect);
    const asking = new Client({ name: 'denied', version: '1' });
    const asked = new StreamableHTTPClientTransport(new URL(application.mcp), { authProvider: denied as never });
    await expect(asking.connect(asked)).rejects.toThrow(UnauthorizedError);
    const last = await openTab(await denied.begun.promise);
    await page.bringToFront();
    await question().getByRole('button', { name: 'Deny' }).click();
    await last.getByText('Back in the client').waitFor();
    const refused = await other.returned;
    expect(refused.get('error')).toBe('access_denied');
    await expect(asked.finishAuth(refused)).rejects.toThrow();
  });
});
