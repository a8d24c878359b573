import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MCP_CLIENTS } from '../../host/src/runtime/mcp/clients/clients.ts';
import { root } from '../../scripts/paths.ts';
import { expectNoDialogViolations } from './accessible.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { soon } from './openTable.ts';

// Settings, Integrations: how a person connects an AI client, and whether every pane can be read and reached by everybody.

const BRIDGE = join(root, 'host/bin/tabularium-mcp.mjs');
/** With the rest of a home's path, its socket has just fewer than the 104 bytes that every system takes. */
const DEEP_CHARACTERS = 62;
const PANES = ['Server', 'Authentication', 'Approvals', 'Activity', 'Clients', 'Connect'] as const;

let user: string;
let deep: string;
const before = { HOME: process.env['HOME'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'], TMPDIR: process.env['TMPDIR'] };
let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  // The files of clients lie in the person's folder: here an empty one.
  user = mkdtempSync(join(tmpdir(), 'tabularium-person-'));
  process.env['HOME'] = user;
  delete process.env['XDG_CONFIG_HOME'];
  // The entries of clients name the home, and a home may lie deep.
  deep = join(tmpdir(), 'd'.repeat(Math.max(1, DEEP_CHARACTERS - tmpdir().length - 1)));
  mkdirSync(deep, { recursive: true });
  process.env['TMPDIR'] = deep;
  [application, browser] = await Promise.all([startApplication({ products: 100, userFolder: user }), startBrowser()]);
});
beforeEach(async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  const { url } = (await application.command('url')) as { url: string };
  await page.goto(url);
  await openPane('Connect');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
  else expect(faults).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(user, { recursive: true, force: true });
  rmSync(deep, { recursive: true, force: true });
});

/** Controls that a person can't see whole: cut off by an element that hides its overflow, or by a panel that would scroll sideways. */
function cut(): Promise<string[]> {
  return page.getByRole('tabpanel', { name: 'Integrations' }).evaluate((panel) => {
    const found = panel.scrollWidth > panel.clientWidth + 1 ? ['the panel'] : [];
    for (const control of panel.querySelectorAll('button, input, label, textarea, [role="tab"]')) {
      const { right, width } = control.getBoundingClientRect();
      for (let parent = control.parentElement; parent !== null && panel.contains(parent); parent = parent.parentElement) {
        const hides = getComputedStyle(parent).overflowX === 'hidden' && width > 1;
        if (hides && right > parent.getBoundingClientRect().right + 1) found.push(control.textContent);
      }
      // A panel that has grown with a long line hides nothing itself; the dialog around it does.
      const edge = panel.closest('[role="dialog"]')?.getBoundingClientRect().right ?? 0;
      if (width > 1 && right > edge + 1) found.push(control.textContent);
    }
    return found;
  });
}

async function openPane(name: (typeof PANES)[number]): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Integrations' }).click();
  await page.getByRole('tab', { name, exact: true }).click();
}

async function choose(title: string): Promise<Locator> {
  await page.getByRole('combobox', { name: 'Client', exact: true }).click();
  await page.getByRole('option', { name: title, exact: true }).click();
  return page.getByRole('region', { name: `Entry for ${title}` });
}

function put(file: string, content: string): string {
  mkdirSync(dirname(join(user, file)), { recursive: true });
  writeFileSync(join(user, file), content);
  return join(user, file);
}

const dialog = (): Locator => page.getByRole('dialog', { name: /^Change / });

describe('the Connect pane', () => {
  it('has the entry of every client, with the real path, and copies it', async () => {
    for (const { title, transport, signsIn } of MCP_CLIENTS) {
      const text = await (await choose(title)).innerText();
      if (transport === 'stdio') {
        expect(text, title).toContain(BRIDGE);
        // The home of this test is not the usual one.
        expect(text, title).toContain(application.home);
      } else {
        expect(text, title).toContain(application.mcp);
        if (signsIn === true) {
          expect(text, title).not.toContain('Bearer');
          await page.getByText('Switch on “Sign-in with OAuth”').waitFor();
        } else {
          expect(text, title).toContain('Bearer <ACCESS_TOKEN>');
          await page.getByText('Create a token under Authentication').waitFor();
        }
      }
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect((await page.evaluate(() => navigator.clipboard.readText())).trim(), title).toBe(text.trim());
    }
  });

  it('shows what it would change, writes it, and keeps the file as it was', async () => {
    const content = '{\n  // mine\n  "servers": {\n    "other": {\n      "command": "x", // first\n    },\n  },\n}\n';
    const file = put('.config/Code/User/mcp.json', content);
    await choose('Visual Studio Code (1.99 or newer)');
    await page.getByText(`Usually in ${file}`).waitFor();
    await page.getByRole('button', { name: 'Write it for me…' }).click();
    const diff = page.getByRole('region', { name: 'Changes' });
    await soon(() => diff.innerText()).toContain(`+       "command": "${BRIDGE}"`);
    expect(readFileSync(file, 'utf8')).toBe(content);
    await expectNoDialogViolations(page);
    await screenshot(page, 'connect-diff');
    await dialog().getByRole('button', { name: 'Write', exact: true }).click();
    await dialog().getByText('Written. Restart the client.').waitFor();
    const after = readFileSync(file, 'utf8');
    for (const original of ['// mine', '// first', '"other"']) expect(after).toContain(original);
    const [backup, ...more] = readdirSync(dirname(file)).filter((name) => name.includes('.before-tabularium-'));
    expect(more).toEqual([]);
    expect(readFileSync(join(dirname(file), backup ?? ''), 'utf8')).toBe(content);
    await dialog()
      .getByText(`Backup: ${join(dirname(file), backup ?? '')}`)
      .waitFor();
    await screenshot(page, 'connect-written');
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Write it for me…' }).click();
    await dialog().getByText('The entry already exists.').waitFor();
  });

  it('makes the file of a client that has none, in YAML too', async () => {
    await choose('Goose');
    await page.getByRole('button', { name: 'Write it for me…' }).click();
    await dialog().getByRole('button', { name: 'Write', exact: true }).click();
    await dialog().getByText('Written. Restart the client.').waitFor();
    expect(readFileSync(join(user, '.config/goose/config.yaml'), 'utf8')).toContain(`cmd: ${BRIDGE}`);
    expect(await dialog().getByText('Backup:').count()).toBe(0);
  });

  it('writes nothing into a file that it cannot read, or that was changed in the meantime, and says which', async () => {
    const broken = put('.config/zed/settings.json', '{ "context_servers": {');
    await choose('Zed');
    await page.getByRole('button', { name: 'Write it for me…' }).click();
    await dialog().getByText(`${broken} isn't valid JSON.`).waitFor();
    await dialog().getByText('Put the entry in by hand.').waitFor();
    await expectNoDialogViolations(page);
    await screenshot(page, 'connect-refused');
    expect(await dialog().getByRole('button', { name: 'Write', exact: true }).count()).toBe(0);
    // The dialog closes, and the settings below it do not.
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });

    const file = put('.cursor/mcp.json', '{}');
    await choose('Cursor');
    await page.getByRole('button', { name: 'Write it for me…' }).click();
    await page.getByRole('region', { name: 'Changes' }).waitFor();
    writeFileSync(file, '{"theme":"dark"}');
    await dialog().getByRole('button', { name: 'Write', exact: true }).click();
    await dialog().getByText(`${file} was changed in the meantime.`).waitFor();
    expect(readFileSync(file, 'utf8')).toBe('{"theme":"dark"}');
  });

  it('runs the bridge as a client would, and shows the tools or who refused', async () => {
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(/^The bridge answers in .+ with \d+ tools\.$/).waitFor({ timeout: 40_000 });
    await soon(() => page.getByRole('list', { name: 'Tools' }).innerText()).toContain('list_connections');
    await expectNoDialogViolations(page);
    await screenshot(page, 'connect-checked');
    await page.getByRole('tab', { name: 'Server', exact: true }).click();
    const toggle = page.getByRole('switch', { name: 'Enable MCP Server' });
    await toggle.click({ force: true });
    await page.getByText('Switched off').waitFor();
    await page.getByRole('tab', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText("The bridge couldn't connect (policy)").waitFor({ timeout: 40_000 });
    await page.getByText(/^The MCP server is disabled\./).waitFor();
    await screenshot(page, 'connect-refused-check');
    await page.getByRole('tab', { name: 'Server', exact: true }).click();
    await toggle.click({ force: true });
    await page.getByText('Running', { exact: true }).waitFor();
  });
});

describe('every pane', () => {
  it.each(['light', 'dark'] as const)('can be read by everybody, in both sizes (%s)', async (theme) => {
    await application.command('tokens', 'create', '--name', `For the pane, ${theme}`, '--scope', 'readOnly');
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const pane of PANES) {
        await page.getByRole('tab', { name: pane, exact: true }).click();
        await page.getByRole('tabpanel', { name: pane, exact: true }).waitFor();
        await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
        await expectNoDialogViolations(page);
        await screenshot(page, `integrations-${pane}-${theme}-${width}`);
        expect(await cut(), `${pane} at ${width}`).toEqual([]);
      }
    }
  });

  it('is reached by the keyboard, and left by it', async () => {
    await page.getByRole('tab', { name: 'Connect', exact: true }).focus();
    for (const pane of PANES.toReversed().slice(1)) {
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => page.getByRole('tab', { name: pane, exact: true }).getAttribute('aria-selected')).toBe('true');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
