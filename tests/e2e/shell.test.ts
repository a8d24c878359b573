import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, openTable, savedConnection, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// The frame around everything: commands, windows, connections. Against a real host, in a real browser.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 2_000 }), startBrowser()]);
});

let isFirst = true;
beforeEach(async () => {
  if (!isFirst) await application.startOver();
  isFirst = false;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
  await page?.context().close();
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const sidebar = (where = page) => where.getByRole('navigation', { name: 'Collections' });
const palette = (where = page) => where.getByRole('dialog', { name: 'Command palette' });
const focused = () => page.locator(':focus');

/** Goes through the palette with the keyboard alone. */
async function command(typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette().waitFor();
  await page.keyboard.type(typed);
  await palette().getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await palette().waitFor({ state: 'detached' });
}

/** Presses Tab until something has the focus, as a person without a mouse does. */
async function tabTo(name: string | RegExp, role: Parameters<Page['getByRole']>[0]): Promise<void> {
  const target = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }).first();
  await target.waitFor();
  for (let turn = 0; turn < 60; turn += 1) {
    if (await target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(
    `The keyboard does not reach ${String(name)}; the focus is on ${await focused().evaluate((one) => one.outerHTML)}`,
  );
}

describe('without a mouse', () => {
  it('leads from the first start over the sample to a connection of one’s own', async () => {
    await page.goto(application.ui);
    await page.getByRole('heading', { name: 'Connect to a database' }).waitFor();
    await expectNoViolations(page);
    await screenshot(page, 'shell-first-start');
    await addConnection(application, 'Sample cluster');
    await page.reload();

    // To the sample and to the rows of a table.
    await tabTo(/^Open Sample cluster/, 'button');
    await page.keyboard.press('Enter');
    await sidebar().getByText('products', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('prod');
    await page.keyboard.press('Enter');
    await tableGrid(page, 'products').getByRole('gridcell').first().waitFor();

    // The palette names what can be done, with keys and reasons.
    const before = await focused().evaluate((one) => one.closest('[data-region]')?.getAttribute('data-region'));
    expect(before).toBeTruthy();
    await page.keyboard.press('Control+k');
    const input = palette().getByRole('combobox');
    await input.waitFor();
    await soon(() => input.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('next tab');
    const option = palette().getByRole('option').first();
    await soon(() => option.getAttribute('aria-selected')).toBe('true');
    await soon(() => option.getAttribute('aria-disabled')).toBe('true');
    await soon(() => option.innerText()).toContain('There is only one tab.');
    await page.keyboard.press('Enter');
    expect(await palette().isVisible()).toBe(true);
    await expectNoViolations(page);
    await screenshot(page, 'shell-palette');
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    // The focus is back where it was.
    await soon(() => focused().evaluate((one) => one.closest('[data-region]')?.getAttribute('data-region'))).toBe(before);

    await command('show structure');
    await page.getByRole('grid', { name: 'Rows of products' }).waitFor({ state: 'hidden' });
    await command('articles');
    await page.getByRole('tab', { name: 'articles', selected: true }).waitFor();
    await page.keyboard.press('Alt+PageUp');
    await page.getByRole('tab', { name: 'products', selected: true }).waitFor();
    await page.keyboard.press('Alt+w');
    await soon(() => page.getByRole('tab').count()).toBe(1);

    // Settings, and away again.
    await page.keyboard.press('Control+,');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Control+k');
    expect(await palette().count()).toBe(0);
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'detached' });
    // A dialog gives the keyboard back, and so does a tab that was closed.
    await soon(() => focused().evaluate((one) => one.closest('[data-region]') !== null)).toBe(true);

    // Every key is named.
    await page.keyboard.press('Control+/');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('Command palette', { exact: true }).waitFor();
    await expectNoViolations(page);
    await screenshot(page, 'shell-shortcuts');
    await page.keyboard.type('undo');
    await soon(() => shortcuts.locator('dt').count()).toBe(1);
    await page.keyboard.press('Escape');

    // A connection of one's own.
    await command('new connection');
    const dialog = page.getByRole('dialog', { name: /New/ });
    await tabTo(/Typesense/, 'button');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
    await tabTo('Name', 'textbox');
    await page.keyboard.type('Mine');
    await tabTo('Host', 'textbox');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('127.0.0.1');
    await tabTo('Port', 'textbox');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(String(application.sandbox.port));
    await tabTo(/API Key/, 'textbox');
    await page.keyboard.type(application.sandbox.apiKey);
    const sessionOnly = dialog.getByRole('radio', { name: 'This session only' });
    for (let turn = 0; turn < 10 && !(await focused().evaluate((one) => (one as HTMLInputElement).type === 'radio')); turn += 1) {
      await page.keyboard.press('Tab');
    }
    for (let turn = 0; turn < 3 && !(await sessionOnly.isChecked()); turn += 1) await page.keyboard.press('ArrowRight');
    await tabTo('Test connection', 'button');
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Connected(?: successfully|, with a warning)\./).waitFor();
    const steps = await dialog.getByRole('region', { name: 'Test results' }).getByRole('listitem').allInnerTexts();
    expect(steps.length).toBeGreaterThanOrEqual(5);
    await screenshot(page, 'shell-test');
    await expectNoViolations(page);
    await tabTo('Save & connect', 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mine: switch connection' }).waitFor();
    await sidebar().getByText('products', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('goes along the parts of the window, and opens menus with the menu key', async () => {
    await addConnection(application, 'My cluster');
    await page.goto(application.ui);
    await savedConnection(page, 'My cluster').click();
    await openTable(page, 'products');
    await openTable(page, 'articles');
    const region = () => focused().evaluate((one) => one.closest('[data-region]')?.getAttribute('data-region'));
    const seen: (string | null | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await page.keyboard.press('F6');
      seen.push(await region());
    }
    expect(new Set(seen).size).toBe(4);
    await page.keyboard.press('Shift+F6');
    await soon(() => region()).toBe(seen[2]);

    await sidebar()
      .getByRole('button', { name: /products/ })
      .focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: /products/ });
    await menu.getByRole('menuitem', { name: 'Open structure' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'articles' }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Close other tabs' }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'articles' }).focus();
    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(['articles', 'products']);

    const edge = page.getByRole('separator', { name: 'Width of the sidebar' });
    await edge.focus();
    for (let turn = 0; turn < 4; turn += 1) await page.keyboard.press('ArrowRight');
    await soon(() => edge.getAttribute('aria-valuenow')).toBe('304');
    await page.keyboard.press('Control+b');
    await page.getByRole('navigation', { name: 'Folded sidebar' }).waitFor();
    await page.getByRole('button', { name: 'Console', exact: true }).click();
    await page.getByRole('tab', { name: 'Console' }).waitFor();
    await screenshot(page, 'shell-folded');
    await expectNoViolations(page);
    await page.keyboard.press('Control+b');
    await page.reload();
    await soon(() => edge.getAttribute('aria-valuenow')).toBe('304');
    expect(faults).toEqual([]);
  });
});

describe('windows', () => {
  it('have their own tabs, two at a time, and have them again after the host was restarted', async () => {
    await addConnection(application, 'My cluster');
    const saved: string[] = [];
    page.context().on('response', (response) => {
      if (response.url().includes('workspace.saveWindow')) saved.push(response.request().postData() ?? '');
    });
    await page.goto(application.ui);
    await savedConnection(page, 'My cluster').click();
    await openTable(page, 'products');
    await soon(() => page.title()).toBe('products – My cluster – Tabularium');
    const [second] = await Promise.all([page.context().waitForEvent('page'), command('open in a new window')]);
    second.setDefaultTimeout(STEP_MILLISECONDS);
    await sidebar(second).getByText('articles', { exact: true }).waitFor();
    expect(await second.getByRole('tab').count()).toBe(0);
    await openTable(second, 'articles');
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(['products']);
    // The host has saved the tabs of both before one of them is loaded again.
    await soon(() => saved.join('\n')).toMatch(/products/);
    await soon(() => saved.join('\n')).toMatch(/articles/);
    await second.reload();
    await second.getByRole('tab', { name: 'articles' }).waitFor();
    await soon(() => second.getByRole('tab').allInnerTexts()).toEqual(['articles']);

    await command('theme: dark');
    await soon(() => second.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');

    await application.restart();
    const address = application.ui;
    expect(new URL(address).origin).toBe(new URL(page.url()).origin);
    await second.close();
    await page.goto(address);
    const third = await page.context().newPage();
    await third.goto(page.url());
    const tabs = async (): Promise<string[]> =>
      (await Promise.all([page, third].map((one) => one.getByRole('tab').allInnerTexts()))).map((names) => names.join()).sort();
    await soon(tabs).toEqual(['articles', 'products']);
    await tableGrid(page, (await page.getByRole('tab').innerText()).trim())
      .getByRole('gridcell')
      .first()
      .waitFor();
  });

  it('begin in the colours and density that were chosen, without a shift', async () => {
    await addConnection(application, 'My cluster');
    await page.goto(application.ui);
    await savedConnection(page, 'My cluster').waitFor();
    await command('theme: dark');
    await command('density: compact');
    await soon(() => page.locator('html').getAttribute('data-density')).toBe('compact');
    const html = await (await page.request.get(page.url())).text();
    expect(/<html[^>]*>/.exec(html)?.[0]).toContain('data-mantine-color-scheme="dark"');
    expect(html.match(/<script(?![^>]*src=)/)).toBeNull();

    await page.addInitScript(() => {
      const seen = { shift: 0, schemes: [] as (string | null)[] };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      const note = (): void =>
        void seen.schemes.push(document.documentElement?.getAttribute('data-mantine-color-scheme') ?? null);
      new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
    });
    await page.reload();
    await savedConnection(page, 'My cluster').waitFor();
    const seen = await page.evaluate(() => (window as unknown as { seen: { shift: number; schemes: (string | null)[] } }).seen);
    expect(seen.shift).toBeLessThan(0.01);
    expect(new Set(seen.schemes.filter((scheme) => scheme !== null))).toEqual(new Set(['dark']));
    expect(faults).toEqual([]);
  });
});

describe('connections', () => {
  it('are grouped, found and ordered, and are duplicated without their credentials by default', async () => {
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']) await addConnection(application, name);
    await page.goto(application.ui);
    await page.getByRole('button', { name: 'More for Alpha' }).click();
    await page.getByRole('menuitem', { name: 'Move to a group…' }).click();
    await page
      .getByRole('combobox', { name: 'Group' })
      .or(page.getByRole('textbox', { name: 'Group' }))
      .first()
      .fill('Work');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('button', { name: /^Work\b.*, 1 connection/ }).waitFor();

    // By dragging, too.
    await savedConnection(page, 'Beta').dragTo(page.getByRole('button', { name: /^Work\b.*, 1 connection/ }));
    await page.getByRole('button', { name: /^Work\b.*, 2 connections/ }).waitFor();
    await lookEverywhere(page, 'shell-groups');
    await page.getByRole('button', { name: /^Work\b.*, 2 connections/ }).click();
    await savedConnection(page, 'Alpha').waitFor({ state: 'detached' });
    await page.reload();
    await savedConnection(page, 'Gamma').waitFor();
    await soon(() => savedConnection(page, 'Alpha').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Filter connections' }).fill('work alp');
    await savedConnection(page, 'Alpha').waitFor();
    await soon(() => page.getByRole('button', { name: /^Open / }).count()).toBe(1);
    await page.getByRole('textbox', { name: 'Filter connections' }).fill('zzz');
    await page.getByText('No connection matches “zzz”.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('created');
    await soon(async () => (await page.getByRole('button', { name: /^Open / }).allInnerTexts())[0]).toContain('Epsilon');

    await savedConnection(page, 'Delta').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename Delta' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('gamma');
    await renaming.getByRole('button', { name: 'Rename' }).click();
    await renaming.getByText('Another connection is named "gamma".').waitFor();
    await lookEverywhere(page, 'shell-rename');
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Zeta');
    await page.keyboard.press('Enter');
    await savedConnection(page, 'Zeta').waitFor();
    await savedConnection(page, 'Delta').waitFor({ state: 'detached' });

    await savedConnection(page, 'Gamma').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate Gamma' });
    await soon(() => dialog.getByRole('textbox', { name: 'Name of the copy' }).inputValue()).toBe('Gamma copy');
    await soon(() => dialog.getByRole('checkbox').isChecked()).toBe(false);
    await dialog.getByRole('checkbox').check();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('dialog', { name: 'Edit Gamma copy' }).waitFor();
    await page.getByRole('button', { name: 'Save & connect' }).click();
    await page.getByRole('button', { name: 'Gamma copy: switch connection' }).waitFor();
    await sidebar().getByText('products', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('go to a file without credentials and come back from one, seen before they are saved', async () => {
    await addConnection(application, 'Alpha');
    await addConnection(application, 'Beta');
    await page.goto(application.ui);
    await savedConnection(page, 'Alpha').waitFor();
    await command('export connections');
    const exporting = page.getByRole('dialog', { name: 'Export connections' });
    await expectNoViolations(page);
    await screenshot(page, 'shell-export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      exporting.getByRole('button', { name: 'Export 2 connections' }).click(),
    ]);
    const file = join(application.files, 'exported.json');
    await download.saveAs(file);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('"E2E_API_KEY"');
    expect(text).not.toContain(application.sandbox.apiKey);

    await application.command('connections', 'remove', 'Beta');
    await page.reload();
    await savedConnection(page, 'Alpha').waitFor();
    await command('import connections');
    const importing = page.getByRole('dialog', { name: 'Import connections' });
    const bad = join(application.files, 'bad.json');
    await writeFile(bad, text.replace('"connections": [', '"connections": ['.replace('[', '[,')));
    await importing.locator('input[type=file]').setInputFiles(bad);
    await importing.getByText(/Line 4, column \d+/).waitFor();
    await screenshot(page, 'shell-import-bad');
    await importing.locator('input[type=file]').setInputFiles(file);
    await importing.getByRole('checkbox', { name: 'Import Beta' }).waitFor();
    await soon(() => importing.getByRole('combobox', { name: 'Action for Alpha' }).inputValue()).toBe('skip');
    await importing.getByRole('combobox', { name: 'Action for Alpha' }).selectOption('rename');
    await lookEverywhere(page, 'shell-import');
    await importing.getByRole('button', { name: 'Import 2 connections' }).click();
    await importing.getByText('2 connections imported').waitFor();
    await importing.getByRole('button', { name: 'Done' }).click();
    for (const name of ['Alpha', 'Alpha 2', 'Beta'])
      await page.getByRole('button', { name: new RegExp(`^Open ${name} Search`) }).waitFor();
    await savedConnection(page, 'Beta').click();
    // A file may name any variable: nothing of it is sent before a person has seen where it goes.
    const asking = page.getByRole('dialog', { name: 'Check where the credentials of Beta go' });
    await asking.getByText('The environment variable E2E_API_KEY').first().waitFor();
    await lookEverywhere(page, 'shell-import-confirm');
    await asking.getByRole('button', { name: 'Confirm and use' }).click();
    await sidebar().getByText('products', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});
