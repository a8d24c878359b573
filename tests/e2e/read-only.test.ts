import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { soon, tableGrid } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';

// A connection in read-only mode, from the outside: the command line, the window's API without the window, and the window.

const fixture = useOwnWindow({ products: 1_000, provokes: /status of 50[02]/ });
const table = { namespace: [], name: 'products' };

async function addReadOnly(name: string): Promise<string> {
  const saved = await fixture.application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name, '--read-only'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${fixture.application.sandbox.port}`, '--set', 'sslMode=disabled'],
    ...['--api-key-env', 'E2E_API_KEY', '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'],
  );
  return z.looseObject({ id: z.string() }).parse(saved).id;
}

/** The server's content: collections with their counts, and keys. */
async function serverState(): Promise<unknown> {
  const { port, apiKey } = fixture.application.sandbox;
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-typesense-api-key': apiKey } })).json();
  const collections = z.array(z.object({ name: z.string(), num_documents: z.number() })).parse(await ask('/collections'));
  return { collections, keys: await ask('/keys') };
}

/** A call of the window's API with its cookie, by hand. */
function call(path: string, input: unknown, accept = 'application/json'): Promise<{ status: number; text: string }> {
  return fixture.page.evaluate(
    async ([to, body, accepted]) => {
      const answer = await fetch(new URL(to, document.baseURI), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'trpc-accept': accepted },
        body,
      });
      return { status: answer.status, text: await answer.text() };
    },
    [path, JSON.stringify(input), accept] as const,
  );
}

describe('read-only mode', () => {
  it('changes nothing on the server, whatever is asked through command line and API', async () => {
    const name = 'Kept';
    const connectionId = await addReadOnly(name);
    const before = await serverState();
    for (const statement of [
      'DELETE /collections/products/documents?truncate=true',
      'POST /collections/products/documents {"id":"x","name":"x"}',
      'POST /keys {"description":"x","actions":["*"],"collections":["*"]}',
      'DELETE /collections/products',
    ]) {
      await expect(fixture.application.command('query', name, statement, '--yes'), statement).rejects.toThrow(/read-only mode/);
      const answer = await call('api/run', { connectionId, statement, agreedTo: 'destructive' });
      expect(answer.text, statement).toContain('CONNECTION_READ_ONLY');
    }
    const calls: Record<string, unknown> = {
      'editing.stage': { connectionId, table, edits: [{ kind: 'delete', row: { key: ['1'] } }] },
      'principals.create': { connectionId, input: { description: ['x'], actions: ['*'], collections: ['*'] } },
      'principals.remove': { connectionId, id: '1' },
      'tableOperations.run': { connectionId, table, operation: 'empty', confirmed: table, typedName: 'products' },
      'tableOperations.run ': { connectionId, table, operation: 'delete', confirmed: table, typedName: 'products' },
    };
    for (const [procedure, input] of Object.entries(calls)) {
      const { text } = await call(`api/trpc/${procedure.trim()}`, input);
      expect(text, procedure).toContain('CONNECTION_READ_ONLY');
    }
    // A stream, which has a head of its own.
    expect((await call('api/trpc/editing.save?batch=1', { 0: { connectionId, table } }, 'application/jsonl')).text).toContain(
      'CONNECTION_READ_ONLY',
    );
    expect(await serverState()).toEqual(before);
    // Reading still works.
    expect(await fixture.application.command('query', name, 'GET /collections/products')).toBeDefined();
  });

  it('says so in the window: a badge, cells that take no edit, no new keys', async () => {
    const { page } = fixture;
    await addReadOnly('Archive');
    await page.reload();
    await page.getByRole('button', { name: 'Switch connection' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByText('Read-only', { exact: true }).first().waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Collections' }).last();
    await sidebar.getByText('products', { exact: true }).click();
    const grid = tableGrid(page, 'products');
    await grid.getByRole('gridcell', { name: 'Tres Olivos' }).first().click();
    await page.keyboard.press('F2');
    await soon(() => page.getByText(/"Archive" is in read-only mode\./).count()).toBeGreaterThan(0);
    await screenshot(page, 'read-only-01-grid');
    await sidebar.getByRole('button', { name: 'API Keys', exact: true }).click();
    await page.getByText('"Archive" is in read-only mode.', { exact: true }).last().waitFor();
    expect(await page.getByRole('button', { name: /^Add API Key/ }).count()).toBe(0);
    await screenshot(page, 'read-only-02-keys');
    await expectNoViolations(page);
  });
});
