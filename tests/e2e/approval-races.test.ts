import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STEP_MILLISECONDS } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { onceWindowAsks } from './onceWindowAsks.ts';
import { savedConnection } from './openTable.ts';

// Two clients that ask at the same time, a person who is about to press something else, and two windows: what was meant for one question never
// answers another one.

const fixture = useOwnWindow({
  products: 20,
  externalClients: 'readWrite',
  sharesConnection: true,
  provokes: /net::ERR|status of 401/,
});
const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

async function connectClient(name: string): Promise<(id: string) => Promise<string>> {
  const { application } = fixture;
  const minted = await application.command(
    'tokens',
    'create',
    '--name',
    `${name} ${crypto.randomUUID()}`,
    '--scope',
    'readWrite',
  );
  const { token } = z.looseObject({ token: z.string() }).parse(minted);
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(application.mcp), { requestInit: { headers } }));
  open.push({ [Symbol.asyncDispose]: async () => void (await Promise.allSettled([client.close()])) });
  const answerSchema = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) });
  return async (id) => {
    const statement = `POST /collections/products/documents\n{"id":"${id}","name":"Chair"}`;
    const answer = await onceWindowAsks(() =>
      client.callTool({ name: 'execute_query', arguments: { connection: 'Cluster', statement } }),
    );
    return answerSchema.parse(answer).content[0]?.text ?? '';
  };
}

const question = (page: Page): Locator => page.getByRole('dialog', { name: /^Allow .+ data in / });
const allowOnce = (page: Page): Locator => question(page).getByRole('button', { name: 'Allow once' });
const deny = (page: Page): Locator => question(page).getByRole('button', { name: 'Deny' });

async function anotherWindow(): Promise<Page> {
  const page = await fixture.page.context().newPage();
  open.push({ [Symbol.asyncDispose]: async () => page.close() });
  page.setDefaultTimeout(STEP_MILLISECONDS);
  await page.goto(`${fixture.page.url()}#new`);
  await savedConnection(page, 'Cluster').waitFor();
  return page;
}

describe('a question to a person', () => {
  it('that takes the place of another one is not answered by the press that was meant for that one', async () => {
    const { page } = fixture;
    const [first, second] = [await connectClient('first'), await connectClient('second')];
    const other = await anotherWindow();
    const harmless = first('harmless');
    await question(page).getByText('harmless').waitFor();
    const harmful = second('harmful');
    await question(page)
      .getByText(/1 more/)
      .waitFor();
    await question(other).getByText('harmless').waitFor();
    // The press lands in the very moment in which the questions change places.
    await page.evaluate(() => {
      const press = new MutationObserver(() => {
        const shown = document.querySelector('[role="dialog"]');
        if (shown === null || !(shown.textContent ?? '').includes('harmful')) return;
        const buttons = [...shown.querySelectorAll('button')];
        buttons.at(-1)?.click();
        buttons.at(-2)?.click();
      });
      press.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      setTimeout(() => press.disconnect(), 300);
    });
    await deny(other).click();
    expect(await harmless).toMatch(/^APPROVAL_DECLINED/);
    await question(page).getByText('harmful').waitFor();
    await page.waitForTimeout(600);
    expect(await question(page).getByText('harmful').count()).toBe(1);
    await deny(page).click();
    expect(await harmful).toMatch(/^APPROVAL_DECLINED/);
  });

  it.each(['Enter', 'Space', 'Escape'])('is not answered by %s held down for something else', async (key) => {
    const { page } = fixture;
    const ask = await connectClient('holds');
    await page.keyboard.press('Control+k');
    await page.keyboard.down(key);
    const asked = ask('held');
    await question(page).getByText('held').waitFor();
    for (let times = 0; times < 30; times += 1) {
      await page.keyboard.down(key);
      await page.waitForTimeout(50);
    }
    await page.keyboard.up(key);
    await page.waitForTimeout(200);
    expect(await question(page).getByText('held').count()).toBe(1);
    // A press of its own is an answer.
    await deny(page).focus();
    await page.keyboard.press('Enter');
    expect(await asked).toMatch(/^APPROVAL_DECLINED/);
  });

  it.each([
    ['the command palette', 'Control+k'],
    ['the list of shortcuts', 'Control+/'],
  ])('takes the place of %s, which would be over it and keep it out of reach', async (_, key) => {
    const { page } = fixture;
    const ask = await connectClient('late');
    await page.locator('body').press(key);
    await page.locator('dialog[open]').waitFor();
    const asked = ask('oak');
    await question(page).getByText('oak').waitFor();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await deny(page).click();
    expect(await asked).toMatch(/^APPROVAL_DECLINED/);
  });

  it('is answered once, by whichever of two windows comes first', async () => {
    const { page } = fixture;
    const ask = await connectClient('hurried');
    const other = await anotherWindow();
    const asked = ask('twice');
    await question(other).getByText('twice').waitFor();
    await question(page).getByText('twice').waitFor();
    await Promise.allSettled([deny(page).click({ timeout: 5_000 }), allowOnce(other).click({ timeout: 5_000 })]);
    expect(await asked).not.toBe('');
    await question(page).waitFor({ state: 'detached' });
    await question(other).waitFor({ state: 'detached' });
  });

  it('ends when the host ends, and nothing was sent', async () => {
    const { application, page } = fixture;
    const ask = await connectClient('patient');
    const asked = ask('left').catch((error: unknown) => `ended: ${String(error)}`);
    await question(page).getByText('left').waitFor();
    await application.restart();
    expect(await asked).toMatch(/^(ended|APPROVAL)/);
    expect(await application.command('tables', 'Cluster')).toMatchObject({ tables: expect.any(Array) as unknown[] });
  });
});
