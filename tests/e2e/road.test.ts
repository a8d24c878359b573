import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { headerOf, openTable, soon } from './openTable.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// A new user's first steps: from an empty data directory to documents in a grid, and an AI client that sees the same collections.

const fixture = useOwnWindow({ products: 20_000 });

const grid = () => fixture.page.getByRole('grid', { name: 'Rows of products' });

const header = (name: string): Promise<Locator> => headerOf(fixture.page, grid(), name);

/** The texts of a column in the visible rows, top to bottom. */
async function column(name: string): Promise<string[]> {
  const index = await (await header(name)).getAttribute('aria-colindex');
  return grid()
    .locator(`[role="gridcell"][aria-colindex="${index}"]`)
    .evaluateAll((cells) =>
      cells
        .map((cell) => ({
          row: Number(cell.closest('[role="row"]')?.getAttribute('aria-rowindex')),
          text: cell.textContent ?? '',
        }))
        .sort((one, other) => one.row - other.row)
        .map(({ text }) => text),
    );
}

describe('the first steps', () => {
  it('lead from an empty data directory over the download of a driver and a tested connection to documents', async () => {
    const { application, page } = fixture;
    await page.goto('about:blank');
    await application.startOver();
    await page.goto(application.ui);
    await page.getByRole('heading', { name: 'Connect to a database' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await screenshot(page, '01-empty-home');

    // The type is offered before its driver exists, which is downloaded in sight.
    await page.getByRole('button', { name: 'Create the first connection' }).click();
    const tile = page.getByRole('button', { name: /Search Server \(Typesense\)/ });
    await tile.getByText('Not installed').waitFor();
    await screenshot(page, '02-chooser');
    await tile.click();
    const offer = page.getByRole('region', { name: 'Download the driver for Search Server (Typesense)?' });
    await offer.getByText(/^The Tabularium authors, as the package says\./).waitFor();
    await offer.getByText('Size', { exact: true }).waitFor();
    await screenshot(page, '03-offer');
    expect(await application.command('drivers', 'list')).toMatchObject({ drivers: [] });
    await offer.getByRole('button', { name: 'Download and install' }).click();
    await page.getByLabel('Host').waitFor();
    await screenshot(page, '03-form');
    const { drivers } = z
      .object({ drivers: z.array(z.looseObject({ id: z.string(), version: z.string() })) })
      .parse(await application.command('drivers', 'list'));
    expect(drivers).toMatchObject([{ id: 'search', current: true, publisher: { origin: 'localRegistry' } }]);

    // The test says line by line what is wrong.
    await page.getByRole('textbox', { name: 'Name' }).fill('My cluster');
    await page.getByLabel('Host').fill('127.0.0.1');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(application.sandbox.port));
    await page
      .getByLabel(/^API Key/)
      .first()
      .fill('not the key');
    const sessionOnly = page.getByRole('radio', { name: 'This session only' });
    if (await sessionOnly.isVisible()) await sessionOnly.check({ force: true });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection failed.').waitFor();
    await screenshot(page, '04-test-failed');
    await page
      .getByLabel(/^API Key/)
      .first()
      .fill(application.sandbox.apiKey);
    await page.getByRole('button', { name: /Test (again|connection)/ }).click();
    await page.getByText('Connected successfully.').waitFor();
    await screenshot(page, '05-test-passed');

    await page.getByRole('button', { name: 'Save & connect' }).click();
    const products = page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true });
    await products.waitFor();
    await page.getByText('20,000', { exact: true }).first().waitFor();
    await products.click();
    await grid().getByRole('gridcell').first().waitFor();
    await page.getByText('1–1,000 of 20,000').waitFor();
    await soon(() => grid().getAttribute('aria-rowcount')).toBe('20001');
    await soon(async () => (await column('id'))[0]).toBe('20000');
    expect((await column('barcode')).every((text) => /^9\d{15,}$/.test(text))).toBe(true);
    await screenshot(page, '06-grid');
  });
});

describe('the road', () => {
  it('sorts by a header, and says why another one cannot be sorted by', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    const price = await header('price');
    await price.click();
    await expect.poll(() => price.getAttribute('aria-sort')).toBe('ascending');
    await expect
      .poll(async () => {
        const prices = (await column('price')).map(Number);
        return prices.length > 5 && prices.every((value, at) => at === 0 || value >= (prices[at - 1] ?? 0));
      })
      .toBe(true);
    await screenshot(page, '07-sorted');
    const description = await header('description');
    await soon(() => description.getAttribute('aria-sort')).toBeNull();
    await description.hover();
    await page
      .getByText(/Can't be sorted:/)
      .first()
      .waitFor();
  });

  it('goes to the next page and to the last row', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('1,001–2,000 of 20,000').waitFor();
    await grid().getByRole('gridcell').first().waitFor();
    await screenshot(page, '08-next-page');
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText('19,001–20,000 of 20,000').waitFor();
    await grid().focus();
    await page.keyboard.press('Control+End');
    await grid().locator('[aria-rowindex="20001"] [role="gridcell"]').first().waitFor();
    await screenshot(page, '09-last-row');
  });

  it('holds at 900×600', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await page.setViewportSize({ width: 900, height: 600 });
    await grid().waitFor();
    await screenshot(page, '10-small');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(overflow).toBe(false);
  });

  it('lets an official MCP client list and describe the same collections, with a token from the command line', async () => {
    const { application, connection } = fixture;
    const minted = z
      .object({ token: z.string(), scope: z.literal('readOnly') })
      .parse(await application.command('tokens', 'create', '--name', 'e2e', '--scope', 'readOnly'));
    const client = new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(application.mcp), {
        requestInit: { headers: { authorization: `Bearer ${minted.token}` } },
      }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['list_connections', 'list_tables', 'describe_table']),
      );
      const connections = await client.callTool({ name: 'list_connections', arguments: {} });
      expect(JSON.stringify(connections)).toContain(connection);
      expect(JSON.stringify(connections)).not.toContain(application.sandbox.apiKey);
      const tables = await client.callTool({ name: 'list_tables', arguments: { connection } });
      expect(JSON.stringify(toolAnswer(tables))).toContain('products');
      const described = await client.callTool({
        name: 'describe_table',
        arguments: { connection, table: 'products' },
      });
      expect(JSON.stringify(toolAnswer(described))).toContain('seller.name');
    } finally {
      await client.close();
    }
  });

  it('shows the command line the same tables', async () => {
    const { application, connection } = fixture;
    const { tables } = z
      .object({ tables: z.array(z.object({ name: z.string(), rows: z.number() })) })
      .parse(await application.command('tables', connection));
    expect(tables).toContainEqual({ name: 'products', rows: 20_000 });
  });
});
