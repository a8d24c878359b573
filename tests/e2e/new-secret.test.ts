import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { screenshot } from './browser.ts';
import { onceWindowAsks } from './onceWindowAsks.ts';
import { soon } from './openTable.ts';
import { useOwnWindow } from './fixture.ts';
import { expectNoViolations } from './openTool.ts';
import { speak } from './speak.ts';

// A key that a client creates is shown in the window alone, until the person says that it is saved.

const fixture = useOwnWindow({ products: 50, clipboard: true, externalClients: 'readWrite', sharesConnection: true });
const clients: Client[] = [];

afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
});

const ENGLISH = {
  question: /^Allow .+ to destroy data in /,
  allow: 'Allow once',
  title: 'New secret',
  answer: 'Answer of the database',
  saved: 'I have saved it',
  copy: 'Copy',
  copied: 'Copied',
  done: 'Done',
} as const;
type Words = Readonly<Record<Exclude<keyof typeof ENGLISH, 'question'>, string>> & { readonly question: RegExp };

const GERMAN: Words = {
  question: /^Darf .+ Daten in .+ vernichten\?/,
  allow: 'Einmal erlauben',
  title: 'Neues Geheimnis',
  answer: 'Antwort der Datenbank',
  saved: 'Ich habe es gesichert',
  copy: 'Kopieren',
  copied: 'Kopiert',
  done: 'Fertig',
};

const dialogOf = (page: Page, { title }: Words): Locator => page.getByRole('dialog', { name: title });

async function fullAccessClient(name: string): Promise<Client> {
  const { application } = fixture;
  const minted = await application.command('tokens', 'create', '--name', name, '--scope', 'fullAccess');
  const { token } = z.looseObject({ token: z.string() }).parse(minted);
  const client = new Client({ name: 'a key maker', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(application.mcp), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  clients.push(client);
  return client;
}

/** Lets a client create a key. @returns everything that the client read, and the key that the dialog shows */
async function createKey(name: string, words: Words): Promise<{ readonly answer: string; readonly key: string }> {
  const { page } = fixture;
  const client = await fullAccessClient(name);
  const statement = `POST /keys\n{"actions":["documents:search"],"collections":["products"],"description":"${name}"}`;
  const answering = onceWindowAsks(() =>
    client.callTool({ name: 'confirm_destructive_operation', arguments: { connection: 'Cluster', statement } }),
  );
  const question = page.getByRole('dialog', { name: words.question });
  await question.getByRole('button', { name: words.allow }).click();
  const answer = JSON.stringify(await answering);
  const dialog = dialogOf(page, words);
  const shown: unknown = JSON.parse(await dialog.getByRole('region', { name: words.answer }).innerText());
  return { answer, key: z.looseObject({ value: z.string().min(16) }).parse(shown).value };
}

/** The server's answer to a search with a key. */
async function searchWith(key: string): Promise<number> {
  const url = `http://127.0.0.1:${fixture.application.sandbox.port}/collections/products/documents/search?q=*`;
  return (await fetch(url, { headers: { 'x-typesense-api-key': key } })).status;
}

/** The files of the home folder that hold a text. A running host replaces files, so it is listed again until none vanished before it was read. */
async function filesWith(text: string): Promise<readonly string[]> {
  for (let round = 0; round < 20; round += 1) {
    const found = await listedFilesWith(text);
    if (found !== undefined) return found;
  }
  throw new Error('Files of the home folder vanished in each of 20 rounds.');
}

/** Undefined where a listed file was gone before it was read. It may have its final name by now, which the list may not have. */
async function listedFilesWith(text: string): Promise<readonly string[] | undefined> {
  const { home } = fixture.application;
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(3);
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const content = await readFile(join(parentPath, name)).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
    if (content === undefined) return undefined;
    if (content.includes(text)) found.push(name);
  }
  return found;
}

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const hasFocus = (element: Locator) => soon(() => element.evaluate((found) => found === document.activeElement));

/** Tab, or Shift and Tab, until an element has the focus. */
async function tabTo(element: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    if (await element.evaluate((found) => found === document.activeElement)) return;
    await fixture.page.keyboard.press(key);
  }
  await hasFocus(element).toBe(true);
}

/** A picture and a check at one size and scheme: the dialog and its buttons are in sight. */
async function look(name: string, dialog: Locator, colorScheme: 'light' | 'dark', [width, height]: readonly [number, number]) {
  const { page } = fixture;
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  for (const button of await dialog.getByRole('button').all()) {
    const box = await button.boundingBox();
    expect(box === null ? 0 : box.y + box.height).toBeLessThanOrEqual(height);
    expect(await button.evaluate((found) => found.scrollWidth > found.clientWidth + 1)).toBe(false);
  }
  expect(await dialog.evaluate((found) => found.scrollWidth > found.clientWidth + 1)).toBe(false);
  await screenshot(page, `new-secret-${name}-${colorScheme}-${width}`);
  await expectNoViolations(page);
}

/** Copies the answer, says that it is saved, and closes the dialog, all by keyboard. */
async function finishByKeyboard(words: Words, key: string): Promise<void> {
  const { page } = fixture;
  const dialog = dialogOf(page, words);
  const copy = dialog.getByRole('button', { name: words.copy, exact: true });
  await tabTo(copy, 'Tab');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: words.copied }).waitFor();
  await soon(() => page.evaluate(() => navigator.clipboard.readText())).toContain(key);
  const done = dialog.getByRole('button', { name: words.done });
  await soon(() => done.isDisabled()).toBe(true);
  await tabTo(dialog.getByRole('checkbox', { name: words.saved }), 'Shift+Tab');
  await page.keyboard.press('Space');
  await tabTo(done, 'Tab');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

describe('a key that a client creates', () => {
  it('is not created while no window is open', async () => {
    const { application, page } = fixture;
    await page.goto('about:blank');
    const client = await fullAccessClient('Early');
    const statement = 'POST /keys\n{"actions":["documents:search"],"collections":["products"],"description":"early"}';
    const answer = await client.callTool({
      name: 'confirm_destructive_operation',
      arguments: { connection: 'Cluster', statement },
    });
    expect(JSON.stringify(answer)).toContain('APPROVAL_REQUIRED');
    const keys = await fetch(`http://127.0.0.1:${application.sandbox.port}/keys`, {
      headers: { 'x-typesense-api-key': application.sandbox.apiKey },
    });
    expect(await keys.text()).not.toContain('early');
  });

  it('is shown in the window and not to the client, and Escape and a reload keep it', async () => {
    const { page } = fixture;
    await speak(page, 'en');
    const { answer, key } = await createKey('Maker', ENGLISH);
    expect(answer).toContain('The Tabularium window shows it');
    expect(answer).not.toContain(key);
    expect(await searchWith(key)).toBe(200);
    expect(await searchWith(`${key}x`)).not.toBe(200);

    const dialog = dialogOf(page, ENGLISH);
    await dialog.getByText(/A client with the token Maker created a secret on “Cluster”/).waitFor();
    await hasFocus(dialog.getByRole('button', { name: ENGLISH.copy, exact: true })).toBe(true);
    await look('english', dialog, 'dark', [1280, 800]);
    await look('english', dialog, 'dark', [900, 600]);
    await look('english', dialog, 'light', [1280, 800]);

    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await soon(() => dialog.getByRole('region', { name: ENGLISH.answer }).innerText()).toContain(key);
    await page.reload();
    await soon(() => dialog.getByRole('region', { name: ENGLISH.answer }).innerText()).toContain(key);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);

    await finishByKeyboard(ENGLISH, key);
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await filesWith(key)).toEqual([]);
  });

  it('is shown in German', async () => {
    const { page } = fixture;
    await page.setViewportSize({ width: 1280, height: 800 });
    await speak(page, 'de');
    const { answer, key } = await createKey('Schlüssel', GERMAN);
    expect(answer).not.toContain(key);
    const dialog = dialogOf(page, GERMAN);
    await look('german', dialog, 'dark', [1280, 800]);
    await look('german', dialog, 'light', [900, 600]);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await finishByKeyboard(GERMAN, key);
  });
});
