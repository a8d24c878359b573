import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expectNoDialogViolations } from './accessible.ts';
import { STEP_MILLISECONDS, screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { startGuardedServer, startIdentityProvider } from './identityProvider.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { memberDriver } from './memberDriver.ts';
import { cellOf, openTable, savedConnection, soon } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';

// A person signs in at a real authorization server, in the browser that has the window, and sees the rows of a server that requires its tokens.

const fixture = useOwnWindow({ products: 300, provokes: /Failed to load resource|net::ERR/ });

const BOTH = { id: 'members', title: 'Members', ways: ['browser', 'device'] } as const;
const DEVICE = { id: 'devices', title: 'Devices', ways: ['device'] } as const;

let provider: IdentityProvider;
let guarded: Awaited<ReturnType<typeof startGuardedServer>>;
let count = 0;
let name = '';

beforeAll(async () => {
  const { registry, sandbox } = fixture.application;
  provider = await startIdentityProvider();
  guarded = await startGuardedServer(provider, sandbox);
  for (const driver of [BOTH, DEVICE]) {
    await registry.publish(await memberDriver(provider.origin, driver));
    await fixture.application.command('drivers', 'install', driver.id);
  }
});
beforeEach(() => {
  count += 1;
  name = `Account ${String(count).padStart(2, '0')}`;
});
afterEach(async () => {
  provider.deviceSeconds = 600;
  await provider.listen();
});
afterAll(async () => {
  await guarded?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});

const dialog = (page = fixture.page): Locator => page.getByRole('dialog').last();

/** A picture in both sizes and both themes. */
async function picture(what: string, page = fixture.page): Promise<void> {
  for (const [width, height] of [
    [900, 600],
    [1280, 800],
  ] as const) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `sign-in ${what} ${width} ${colorScheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
    }
  }
}

/** The form of a new connection, filled in but for the sign-in. */
async function newForm({ title }: { readonly title: string }): Promise<Locator> {
  const { page } = fixture;
  await page.goto(new URL('#new', page.url()).href);
  await page.reload();
  await page.getByRole('button', { name: 'New connection' }).first().click();
  await dialog()
    .getByRole('button', { name: new RegExp(title) })
    .click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog().getByRole('textbox', { name: 'Host' }).fill('127.0.0.1');
  await dialog().getByRole('textbox', { name: 'Port' }).fill(String(guarded.port));
  return dialog();
}

/** Presses a button that opens the page of the provider in a tab of its own. */
async function opening(button: Locator): Promise<Page> {
  const [tab] = await Promise.all([fixture.page.context().waitForEvent('page', { timeout: STEP_MILLISECONDS }), button.click()]);
  tab.setDefaultTimeout(STEP_MILLISECONDS);
  return tab;
}

async function allow(tab: Page): Promise<void> {
  await tab.getByRole('button', { name: 'Allow' }).click();
  await tab.getByRole('heading', { name: 'Return to Tabularium' }).waitFor();
  await tab.close();
}

const signInButton = (within: Locator): Locator => within.getByRole('button', { name: 'Sign in…', exact: true });

const running = (within: Locator): Locator =>
  within.getByText(/^Sign in on the page of 127\.0\.0\.1:\d+ that opens in your browser\.$/);

/** A saved connection that is not signed in. */
async function savedOne({ id }: { readonly id: string } = BOTH): Promise<void> {
  await fixture.application.command(
    ...['connections', 'add', '--driver', id, '--name', name, '--external-clients', 'readWrite'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${guarded.port}`, '--set', 'sslMode=disabled'],
  );
}

/** The window's page in the place of a connection that isn't signed in. */
async function openSaved(page = fixture.page): Promise<Locator> {
  const isNew = page.url() === 'about:blank';
  await page.goto(new URL('#new', fixture.page.url()).href);
  // Another fragment alone loads nothing.
  if (!isNew) await page.reload();
  await savedConnection(page, name).click();
  const place = page.getByRole('region', { name: `Sign in to open “${name}”` });
  await place.waitFor();
  return place;
}

/** A connection that is signed in, with a table open. */
async function openSignedIn(): Promise<Locator> {
  await savedOne();
  const place = await openSaved();
  await allow(await opening(signInButton(place)));
  return openTable(fixture.page, 'products');
}

/** Reads the code, opens its page in a browser without anything of the window, and allows it. */
async function allowDevice(within: Locator): Promise<void> {
  const code = await within.locator('code').first().innerText();
  const context = await fixture.browser.newContext();
  try {
    const tab = await context.newPage();
    tab.setDefaultTimeout(STEP_MILLISECONDS);
    await tab.goto(`${provider.origin}/device`);
    await tab.getByRole('textbox').fill(code);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Allow' }).click();
    await tab.getByText(/Sign-in Success/i).waitFor();
  } finally {
    await context.close();
  }
}

/** The answer of a tool to an MCP client that may read and write. */
async function asClient(tool: string, more: Readonly<Record<string, unknown>> = {}): Promise<{ isError: boolean; text: string }> {
  const { application } = fixture;
  const minted = await application.command('tokens', 'create', '--name', `Of ${name}`, '--scope', 'readWrite');
  const { token } = z.looseObject({ token: z.string() }).parse(minted);
  const client = new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(application.mcp), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  try {
    const answer = await client.callTool({ name: tool, arguments: { connection: name, ...more } });
    return { isError: answer.isError === true, text: JSON.stringify(answer) };
  } finally {
    await client.close();
    const { id } = z.looseObject({ id: z.string() }).parse(minted);
    await application.command('tokens', 'revoke', id);
  }
}

/** Says that a person has to sign in, and gives a client nothing to sign in with. */
function expectSignInNeeded({ isError, text }: { readonly isError: boolean; readonly text: string }): void {
  expect(isError).toBe(true);
  expect(text).toContain('The person at this computer has to sign in: in the window of Tabularium');
  for (const part of [new URL(provider.origin).host, 'http:', '/auth', '/device', 'client_id']) expect(text).not.toContain(part);
}

describe('an MCP client of a connection that needs a sign-in', () => {
  it('reads that the person has to sign in in the window, before a sign-in, during it and after its end', async () => {
    const { page } = fixture;
    await savedOne();
    expectSignInNeeded(await asClient('list_tables'));
    const place = await openSaved();
    await place.getByRole('button', { name: 'With a code…' }).click();
    await place.getByText(/^Enter this code on the page of/).waitFor();
    const code = await place.locator('code').first().innerText();
    const meanwhile = await asClient('browse_table', { table: 'products' });
    expectSignInNeeded(meanwhile);
    expect(meanwhile.text).not.toContain(code);
    await allowDevice(place);
    await openTable(page, 'products');
    const read = await asClient('list_tables');
    expect(read).toMatchObject({ isError: false, text: expect.stringContaining('products') as string });
    await provider.endSignIns();
    expectSignInNeeded(await asClient('list_tables'));
    expectSignInNeeded(await asClient('browse_table', { table: 'products' }));
    expect((await asClient('get_connection_status')).text).not.toContain(new URL(provider.origin).host);
  });
});

describe('signing in for a new connection', () => {
  it('shows the rows once the person has allowed it on the page of the provider', async () => {
    const { page } = fixture;
    const form = await newForm(BOTH);
    await form.getByText('Not signed in.').waitFor();
    await picture('01 form before');
    const tab = await opening(signInButton(form));
    expect(new URL(tab.url()).origin).toBe(provider.origin);
    await running(form).waitFor();
    await picture('02 form running');
    await expectNoDialogViolations(page);
    await allow(tab);
    await form.getByText('Signed in as ada@example.org.').waitFor();
    await picture('03 form signed in');
    await expectNoDialogViolations(page);
    await form.getByRole('button', { name: 'Save & connect' }).click();
    const grid = await openTable(page, 'products');
    expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
    await picture('04 rows');
    await expectNoViolations(page);
  });

  it('tests the connection with the sign-in, and revokes it when the form is closed without saving', async () => {
    const form = await newForm(BOTH);
    await form.getByRole('button', { name: 'Test connection' }).click();
    await form.getByText("You aren't signed in yet. Sign in, then try again.").waitFor();
    await picture('05 form test without');
    await allow(await opening(signInButton(form).first()));
    await form.getByText('Signed in as ada@example.org.').waitFor();
    await form.getByRole('button', { name: /^Test/ }).click();
    await form.getByText('The server answers', { exact: false }).waitFor();
    await picture('06 form tested');
    const before = provider.revoked();
    await fixture.page.keyboard.press('Escape');
    await fixture.page.getByRole('button', { name: 'Discard' }).click();
    await soon(() => provider.revoked()).toBe(before + 1);
  });

  it('says that the person refused, in its own words, and loses nothing of the form', async () => {
    const form = await newForm(BOTH);
    const tab = await opening(signInButton(form));
    await tab.getByRole('button', { name: 'Deny' }).click();
    await tab.getByRole('heading', { name: 'Return to Tabularium' }).waitFor();
    await tab.close();
    await form.getByText(`The sign-in was denied (${new URL(provider.origin).host}).`).waitFor();
    expect(await form.innerText()).not.toContain('person');
    await picture('07 form denied');
    await expectNoDialogViolations(fixture.page);
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name);
    // Again, from there.
    await allow(await opening(signInButton(form)));
    await form.getByText('Signed in as ada@example.org.').waitFor();
  });

  it('shows a code for another device, and signs in when it is entered there', async () => {
    const form = await newForm(DEVICE);
    await signInButton(form).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
    await picture('08 form device');
    await expectNoDialogViolations(fixture.page);
    await allowDevice(form);
    await form.getByText('Signed in as ada@example.org.').waitFor();
    await form.getByRole('button', { name: 'Save & connect' }).click();
    await openTable(fixture.page, 'products');
  });

  it('offers the code where the driver has both ways', async () => {
    const form = await newForm(BOTH);
    await form.getByRole('button', { name: 'With a code…' }).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
    await allowDevice(form);
    await form.getByText('Signed in as ada@example.org.').waitFor();
  });

  it('says that a code has expired, and gives another', async () => {
    provider.deviceSeconds = 3;
    const form = await newForm(DEVICE);
    await signInButton(form).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
    const first = await form.locator('code').first().innerText();
    await form.getByText(/^The code for signing in at 127\.0\.0\.1:\d+ has expired\.$/).waitFor();
    await picture('09 form expired');
    provider.deviceSeconds = 600;
    await signInButton(form).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
    expect(await form.locator('code').first().innerText()).not.toBe(first);
  });

  it('says that the provider is offline', async () => {
    await provider.stop();
    const form = await newForm(DEVICE);
    await signInButton(form).click();
    await form.getByText(/^The token server 127\.0\.0\.1:\d+ could not be reached\.$/).waitFor();
    await picture('10 form offline');
    await provider.listen();
    await signInButton(form).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
  });

  it('is cancelled by Escape, and the form keeps what was typed', async () => {
    const { page } = fixture;
    const form = await newForm(BOTH);
    const tab = await opening(signInButton(form));
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await form.getByText('The sign-in was cancelled.').waitFor();
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name);
    // The page of the provider is too late.
    await tab.getByRole('button', { name: 'Allow' }).click();
    await soon(() => tab.url()).toMatch(/chrome-error|\/callback/);
    expect(await form.getByText('Signed in as').count()).toBe(0);
    await tab.close();
    await form.getByRole('button', { name: 'With a code…' }).click();
    await form.getByText(/^Enter this code on the page of/).waitFor();
    await page.keyboard.press('Escape');
    await form.getByText('The sign-in was cancelled.').waitFor();
    expect(await form.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('127.0.0.1');
    await picture('11 form cancelled');
  });

  it('has its buttons on the screen in the smallest window', async () => {
    const { page } = fixture;
    await page.setViewportSize({ width: 900, height: 600 });
    const form = await newForm(BOTH);
    const tab = await opening(signInButton(form));
    await page.bringToFront();
    await soon(() =>
      form.getByRole('button', { name: 'Open the page again' }).evaluate((button) => document.activeElement === button),
    ).toBe(true);
    await screenshot(page, 'sign-in 12 small');
    for (const button of ['Open the page again', 'Copy address', 'Cancel']) {
      const box = await form.getByRole('button', { name: button }).boundingBox();
      const line = await form.getByText(/^Requests and credentials go to/).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(line?.y ?? 0);
    }
    await tab.close();
  });
});

describe('a saved connection that is not signed in', () => {
  it('asks for the sign-in in its own place, and opens after it', async () => {
    const { page } = fixture;
    await savedOne();
    const place = await openSaved();
    await picture('20 page');
    await expectNoViolations(page);
    const tab = await opening(signInButton(place));
    await running(place).waitFor();
    await picture('21 page running');
    await expectNoViolations(page);
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await place.getByText('The sign-in was cancelled.').waitFor();
    await tab.close();
    await allow(await opening(signInButton(place)));
    const grid = await openTable(page, 'products');
    expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
  });

  it('leaves Escape to a dialog above it', async () => {
    const { page } = fixture;
    await savedOne();
    const place = await openSaved();
    const tab = await opening(signInButton(place));
    await page.bringToFront();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'detached' });
    expect(await running(place).count()).toBe(1);
    await allow(tab);
    await openTable(page, 'products');
  });

  it('opens in a second window, too, once the person has signed in in the first', async () => {
    const { page } = fixture;
    await savedOne();
    const place = await openSaved();
    const second = await page.context().newPage();
    second.setDefaultTimeout(STEP_MILLISECONDS);
    await openSaved(second);
    await allow(await opening(signInButton(place)));
    await openTable(page, 'products');
    await openTable(second, 'products');
  });
});

describe('a sign-in that ends while its connection is open', () => {
  it('is asked for again with a message, and the typed text stays in its cell', async () => {
    const { page } = fixture;
    const grid = await openSignedIn();
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.type('Typed before the end');
    await provider.endSignIns();
    // Found by a command, here: the window hears of it without asking the server itself.
    await expect(fixture.application.command('tables', name)).rejects.toThrow(/has expired or was revoked/);
    const bar = page.getByRole('region', { name: `The sign-in of “${name}” has ended.` });
    await bar.waitFor();
    await picture('30 bar');
    await expectNoViolations(page);
    await bar.getByRole('button', { name: 'Sign in again…' }).click();
    const asked = page.getByRole('dialog', { name: `Sign in to “${name}”` });
    await asked.getByText('Your provider ended the sign-in.').waitFor();
    await picture('31 bar dialog');
    await expectNoDialogViolations(page);
    const tab = await opening(signInButton(asked));
    await page.bringToFront();
    await picture('32 bar dialog running');
    // The first Escape ends the sign-in, the second one the dialog, and none the edit below.
    await page.keyboard.press('Escape');
    await asked.getByText('The sign-in was cancelled.').waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await tab.close();
    await bar.getByRole('button', { name: 'Sign in again…' }).click();
    await allow(await opening(signInButton(asked)));
    await asked.waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    await picture('33 after');
    await page.getByText('1 change', { exact: true }).waitFor();
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Typed before the end');
  });

  it('stays where it is while the provider is offline, and works again with it', async () => {
    const { page } = fixture;
    const grid = await openSignedIn();
    await provider.endAccessTokens();
    await provider.stop();
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await page
      .getByText(/^The token server 127\.0\.0\.1:\d+ could not be reached\./)
      .first()
      .waitFor();
    await picture('34 offline');
    expect(await page.getByRole('region', { name: /The sign-in of/ }).count()).toBe(0);
    await provider.listen();
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await soon(() => page.getByText(/could not be reached/).count()).toBe(0);
    expect(await grid.getByRole('gridcell').count()).toBeGreaterThan(20);
  });

  it('is said in every window when the person signs out, and revoked at the provider', async () => {
    const { page } = fixture;
    await openSignedIn();
    const before = provider.revoked();
    expect(await fixture.application.command('connections', 'sign-out', name)).toMatchObject({
      wasSignedIn: true,
      revoked: true,
    });
    expect(provider.revoked()).toBe(before + 1);
    await page.getByRole('region', { name: `You are signed out of “${name}”.` }).waitFor();
    await picture('35 signed out');
  });
});
