import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { expectNoDialogViolations } from './accessible.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { onceWindowAsks } from './onceWindowAsks.ts';
import { openConnection, soon } from './openTable.ts';

// A server whose every text is hostile, seen through the command line and the window: no raw character of it reaches a person.

/** Bidi override and isolate, zero width, tag, terminal title, clipboard (OSC 52), erase line, a C1 control. */
const HOSTILE = '\u202e\u2066\u200b\u{e0041}\u001b]0;owned\u0007\u001b]52;c;YQ==\u001b\\\u001b[2K\u009b';
/** Names that a server accepts. */
const NAME = 'or\u202eders\u200b';
const FIELD = 'na\u2066me';
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];
let proxy: Server;
let failing = false;

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 20 }), startBrowser()]);
  const { port, apiKey } = application.sandbox;
  const ask = (method: string, path: string, body?: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  const created = await ask('POST', '/collections', JSON.stringify({ name: NAME, fields: [{ name: FIELD, type: 'string' }] }));
  expect(created.status).toBe(201);
  const document = JSON.stringify({ id: `1${'\u202e'}`, [FIELD]: `value ${HOSTILE} end` });
  expect((await ask('POST', `/collections/${encodeURIComponent(NAME)}/documents`, document)).status).toBe(201);
  proxy = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const json = { 'content-type': 'application/json' };
      if (failing) response.writeHead(400, json).end(JSON.stringify({ message: `Bad ${HOSTILE} request` }));
      else if (request.url === '/debug')
        response.writeHead(200, json).end(JSON.stringify({ state: 1, version: `29.0${HOSTILE}` }));
      else {
        const answer = await ask(
          request.method ?? 'GET',
          request.url ?? '/',
          chunks.length === 0 ? undefined : Buffer.concat(chunks).toString(),
        );
        response.writeHead(answer.status, json).end(Buffer.from(await answer.arrayBuffer()));
      }
    })();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  await application.command('drivers', 'install', 'search');
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', 'Hostile', '--api-key-env', 'E2E_API_KEY'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${(proxy.address() as AddressInfo).port}`, '--set', 'sslMode=disabled'],
    ...['--external-clients', 'readWrite'],
  );
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(application.ui);
});
afterEach(async ({ task }) => {
  failing = false;
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
  // The failing server answers with these.
  expect(faults.splice(0).filter((fault) => !/status of (400|500)/.test(fault))).toEqual([]);
});
afterAll(async () => {
  proxy?.close();
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

/** Both streams of a command, as a terminal gets them. */
async function bytesOf(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'host/bin/tabularium.mjs'), ...args], {
    env: { ...process.env, TABULARIUM_HOME: application.home, TABULARIUM_LOCAL_REGISTRY: application.registry.registryJsonPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return output;
}

const commands: readonly (readonly string[])[] = [
  ['connections', 'list'],
  ['connections', 'test', 'Hostile'],
  ['connections', 'export'],
  ['tables', 'Hostile'],
  ['query', 'Hostile', `GET /collections/${encodeURIComponent(NAME)}`],
  ['query', 'Hostile', `GET /collections/${encodeURIComponent(NAME)}/documents/search?q=*`],
  ['query', 'Hostile', `DELETE /collections/${NAME}`],
  ['drivers', 'list'],
  ['drivers', 'search'],
  ['drivers', 'trust'],
  ['tables', `No${HOSTILE.replaceAll('\u0000', '')}where`],
  [`--no${HOSTILE}option`],
];

describe('the command line', () => {
  it.each(
    commands.map(
      (words) =>
        [
          words
            .join(' ')
            .replaceAll(/[^ -~]/g, '')
            .slice(0, 60),
          words,
        ] as const,
    ),
  )('%s', async (_name, words) => {
    for (const json of [[], ['--json']]) {
      const output = await bytesOf(...words, ...json);
      expect(output).not.toMatch(RAW);
      expect(output).not.toBe('');
    }
  });

  it('says what a server answers in an error, marked', async () => {
    failing = true;
    for (const words of [
      ['connections', 'test', 'Hostile'],
      ['tables', 'Hostile'],
      ['query', 'Hostile', 'GET /collections'],
    ])
      for (const json of [[], ['--json']]) expect(await bytesOf(...words, ...json)).not.toMatch(RAW);
    expect(await bytesOf('query', 'Hostile', 'GET /collections')).toContain('⟨U+202E⟩');
  });

  it('keeps values exact in JSON', async () => {
    const answer = z
      .looseObject({ tables: z.array(z.looseObject({ name: z.string() })) })
      .parse(JSON.parse(await bytesOf('tables', 'Hostile', '--json')));
    expect(answer.tables.map(({ name }) => name)).toContain(NAME);
    expect(await bytesOf('tables', 'Hostile')).toContain('or⟨U+202E⟩ders⟨U+200B⟩');
    expect(await bytesOf('connections', 'test', 'Hostile')).toContain('29.0⟨U+202E⟩');
  });
});

/** Every text and every attribute that is shown or read aloud, of all that is in the page now. */
async function expectNothingRaw(where: string): Promise<void> {
  const texts = await page.evaluate(() => {
    const found = [document.title];
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'])
        found.push(element.getAttribute(name) ?? '');
      for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) found.push(child.nodeValue ?? '');
    }
    return found;
  });
  expect(
    texts.filter((text) =>
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(text),
    ),
    where,
  ).toEqual([]);
}

const hostileTable = () => page.getByRole('navigation', { name: 'Collections' }).getByText('or⟨U+202E⟩ders⟨U+200B⟩');

/** Opens the rows of the hostile collection. */
async function openHostileTable(): Promise<void> {
  await hostileTable().click();
  await page.getByRole('gridcell').first().waitFor();
}

describe('the window', () => {
  /** A window that begins with nothing: the one before it may have kept its tabs. */
  beforeEach(async () => {
    await openConnection(page, 'Hostile');
    await hostileTable().waitFor();
  });

  it('marks the names, columns and values of a server, in tabs, titles and the grid', async () => {
    const table = hostileTable();
    await expectNothingRaw('the list of tables');
    await openHostileTable();
    await page.getByText('na⟨U+2066⟩me').first().waitFor();
    await expectNothingRaw('the grid');
    await soon(() => page.title()).toContain('or⟨U+202E⟩ders');
    await screenshot(page, '60-hostile-grid');
    await table.hover();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.waitFor();
    await page.keyboard.type('ders');
    await expectNothingRaw('the command palette');
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return palette.isVisible();
      })
      .toBe(false);
  });

  it('shows a request to approve whole, at 900×600 and in the dark, with its facts and buttons in view', async () => {
    const minted = z
      .looseObject({ token: z.string() })
      .parse(await application.command('tokens', 'create', '--name', 'Careful', '--scope', 'fullAccess'));
    const client = new Client(
      { name: `Cli${HOSTILE}ent`, version: `1${HOSTILE}` },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(application.mcp), {
        requestInit: { headers: { authorization: `Bearer ${minted.token}` } },
      }),
    );
    const lines = Array.from({ length: 80 }, (_, place) => `  "field${place}": "${'x'.repeat(60)}",`).join('\n');
    const statement = `POST /collections/products/documents\n{\n${lines}\n"id":"a\u202eb\u2066"${'\n'.repeat(300)},"аdmin":"the end"}`;
    const denied = onceWindowAsks(() =>
      client.callTool({ name: 'execute_query', arguments: { connection: 'Hostile', statement } }),
    ).catch(String);
    const dialog = page.getByRole('dialog', { name: /^Allow .+ to change data in / });
    const allow = dialog.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await expectNothingRaw('the question');
    const whole = await dialog.getByRole('region').innerText();
    expect(whole).toContain('"id":"a⟨U+202E⟩b⟨U+2066⟩"\n⟨⏎×299⟩\n,"аdmin":"the end"}');
    await soon(() => dialog.innerText()).toContain('аdmin (U+0430)');
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const part of [
          allow,
          dialog.getByRole('button', { name: 'Deny' }),
          dialog.getByText('Changes data'),
          dialog.getByText('Answer by'),
        ]) {
          const box = await part.boundingBox();
          expect(box === null ? height : box.y + box.height, `${width} ${scheme}`).toBeLessThanOrEqual(height);
          expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
        }
        await screenshot(page, `61-approval-${width}-${scheme}`);
      }
      await expectNoDialogViolations(page);
    }
    // A text that needs scrolling is unread without it. The keyboard scrolls there.
    await soon(() => allow.isDisabled()).toBe(true);
    await dialog.getByRole('region').focus();
    await page.keyboard.press('End');
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Deny' }).click();
    expect(JSON.stringify(await denied)).toContain('APPROVAL_DECLINED');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await client.close();
  });

  it('marks what a server says in an error', async () => {
    await openHostileTable();
    failing = true;
    await page
      .getByRole('button', { name: /^Reload/ })
      .first()
      .click();
    await page
      .getByText(/Bad ⟨U\+202E⟩/)
      .first()
      .waitFor();
    await expectNothingRaw('an error');
  });
});
