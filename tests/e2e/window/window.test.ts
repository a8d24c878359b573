import { manifestSchema } from '@tabularium/sdk/manifest';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { axe } from '../axe.ts';
import type { FakeOptions } from '../../../host/src/renderer/testing/fakeServices.test-helper.ts';
import { createFakeServices } from '../../../host/src/renderer/testing/fakeServices.test-helper.ts';
import { bundleRenderer } from '../../../scripts/build/bundles.ts';
import { root } from '../../../scripts/paths.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from '../browser.ts';
import type { WindowServer } from './devServer.ts';
import { builtPages, serveWindow } from './devServer.ts';
import { savedConnection } from '../openTable.ts';

// Every state of the window, over a runtime in memory, under the policy of the web transport.

let folder: string;
let browser: Browser;
let manifest: z.output<typeof manifestSchema>;
const servers: WindowServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-window-'));
  const file = await readFile(join(root, 'drivers/search/package.json'), 'utf8');
  manifest = z.object({ tabularium: manifestSchema }).parse(JSON.parse(file)).tabularium;
  [browser] = await Promise.all([startBrowser(), bundleRenderer(root, join(folder, 'renderer'))]);
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  for (const server of servers.splice(0)) await server.close();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  readonly faults: readonly string[];
}

async function openWindow(options: Partial<FakeOptions> = {}, dark = false): Promise<Opened> {
  const services = createFakeServices({ manifests: [manifest], connections: ['Sample'], pace: 0.1, ...options });
  const server = await serveWindow(services, () => builtPages(join(folder, 'renderer')));
  servers.push(server);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  const faults = watchFaults(page);
  await page.goto(server.url);
  return { page, faults };
}

/** Waits until something is so: ten seconds, because the machine may have much else to do. */
const soon = <T>(read: () => T) => expect.poll(read);

async function openTable(page: Page, name: string): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true }).click();
  return page.getByRole('grid', { name: `Rows of ${name}` });
}

async function openSample(page: Page, table: string): Promise<Locator> {
  await savedConnection(page, 'Sample').click();
  const grid = await openTable(page, table);
  await grid.getByRole('gridcell').first().waitFor();
  return grid;
}

/** The text of one cell; rows and columns counted from 0. The first column of the grid holds the numbers of the rows. */
const cell = (grid: Locator, row: number, column: number): Locator =>
  grid.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`);

describe('the grid', () => {
  it.each([
    ['products', 200_000],
    ['big', 2_000_000],
    ['vast', 9_000_000],
  ])('reaches the last row of %s by the keyboard and by its scroll bar', async (name, rows) => {
    const { page } = await openWindow();
    const grid = await openSample(page, name);
    await grid.focus();
    await page.keyboard.press('Control+End');
    await soon(() => cell(grid, rows - 1, 0).innerText()).toBe(String(rows - 1));
    await page.keyboard.press('Control+Home');
    await soon(() => cell(grid, 0, 0).innerText()).toBe('0');
    await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await soon(() => cell(grid, rows - 1, 0).innerText()).toBe(String(rows - 1));
    await screenshot(page, `window-end-of-${name}`);
  });

  it('moves by a notch of the wheel, however long the table is', async () => {
    const { page } = await openWindow();
    const grid = await openSample(page, 'vast');
    await grid.hover();
    for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 280);
    await cell(grid, 105, 0).waitFor();
    const first = await grid.locator('[data-row]').first().getAttribute('data-row');
    expect(Number(first)).toBeGreaterThan(80);
    expect(Number(first)).toBeLessThanOrEqual(100);
  });

  it('shows digits exactly, and null, absent and empty apart', async () => {
    const { page } = await openWindow();
    const grid = await openSample(page, 'products');
    await soon(() => cell(grid, 0, 2).innerText()).toBe('9007199254740993');
    await soon(() => cell(grid, 3, 4).getAttribute('data-tone')).toBe('empty');
    await soon(() => cell(grid, 0, 5).getAttribute('data-tone')).toBe('absent');
    await cell(grid, 0, 2).click();
    await page.keyboard.press('Control+c');
    await page.getByText('Copied big_number').waitFor();
    await soon(() => page.evaluate(() => navigator.clipboard.readText())).toBe('9007199254740993');
  });

  it('is walked with the keyboard: cells, header, sorting, the whole value', async () => {
    const { page } = await openWindow();
    const grid = await openSample(page, 'products');
    await cell(grid, 0, 1).click();
    await page.keyboard.press('ArrowUp');
    const header = grid.getByRole('columnheader', { name: 'available' });
    await page.keyboard.press('Enter');
    await soon(() => header.getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Enter');
    await soon(() => header.getAttribute('aria-sort')).toBe('descending');
    await soon(() => cell(grid, 0, 0).innerText()).toBe('199999');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Value' }).getByText('available').waitFor();
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('complementary', { name: 'Value' }).count()).toBe(0);
    await soon(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('sorts by several columns up to the limit, and says what it is', async () => {
    const { page } = await openWindow();
    // All columns are on the screen, whatever widths their values give them: a header beside it is not drawn.
    await page.setViewportSize({ width: 2_600, height: 800 });
    const grid = await openSample(page, 'products');
    for (const name of ['available', 'big_number', 'dimensions.depth', 'dimensions.width']) {
      const header = grid.getByRole('columnheader').filter({ has: page.getByText(name, { exact: true }) });
      await header.getByRole('button').click({ modifiers: ['Shift'] });
    }
    await page.getByText('At most 3 columns can be sorted by at once.').waitFor();
    await soon(() => grid.locator('[aria-sort="ascending"]').count()).toBe(3);
    const refused = grid.getByRole('columnheader', { name: 'brand' });
    await soon(() => refused.getAttribute('aria-description')).toContain("Can't be sorted");
  });

  it('keeps a page that failed in place, with a way to try again', async () => {
    const { page } = await openWindow();
    const grid = await openSample(page, 'page 3 fails');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('1,001–2,000 of 20,000').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText("Rows 2,001–3,000 couldn't be read").waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await soon(() => cell(grid, 3_000, 0).innerText()).toBe('3000');
    await soon(() => page.getByText("Rows 2,001–3,000 couldn't be read").count()).toBe(0);
  });

  it('reads a table of cursors on and on, to its end', async () => {
    const { page } = await openWindow();
    const grid = await openSample(page, 'cursor');
    for (let turn = 0; turn < 4; turn += 1) {
      await grid.focus();
      await page.keyboard.press('Control+End');
      await expect
        .poll(async () => Number(await grid.getAttribute('aria-rowcount')))
        .toBeGreaterThan(Math.min(3_500, (turn + 1) * 1_000));
    }
    await page.keyboard.press('Control+End');
    await soon(() => cell(grid, 3_499, 0).innerText()).toBe('3499');
    await soon(() => grid.getAttribute('aria-rowcount')).toBe('3501');
  });

  it('says that a table is empty', async () => {
    const { page } = await openWindow();
    await savedConnection(page, 'Sample').click();
    await openTable(page, 'empty');
    await page.getByRole('heading', { name: 'No documents' }).waitFor();
  });

  it('waits for a structure until the person cancels, and reads it on request', async () => {
    const { page, faults } = await openWindow({ pace: 1 });
    await savedConnection(page, 'Sample').click();
    await openTable(page, 'structure slow');
    await page.getByRole('contentinfo').getByText('Reading structure slow').waitFor();
    await screenshot(page, 'structure-awaited');
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    const alert = page.getByRole('alert', { name: "The structure of “structure slow” couldn't be read" });
    await alert.getByText('You cancelled reading it.').waitFor();
    await screenshot(page, 'structure-cancelled');
    await soon(() => page.getByRole('contentinfo').getByText('Reading structure slow').count()).toBe(0);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).waitFor();
    await page.getByRole('button', { name: 'Cancel: Reading structure slow' }).click();
    await alert.waitFor();
    expect(faults).toEqual([]);
  });
});

describe('opening a connection', () => {
  it('asks for the one credential that is gone, by its name', async () => {
    const { page } = await openWindow({ connections: ['Key gone'] });
    await savedConnection(page, 'Key gone').click();
    await page.getByRole('textbox', { name: 'API Key' }).fill('xyz');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('navigation', { name: 'Collections' }).waitFor();
  });

  it('says what is wrong, with details and ways on', async () => {
    const { page } = await openWindow({ connections: ['Out of reach'] });
    await savedConnection(page, 'Out of reach').click();
    const alert = page.getByRole('alert', { name: "Out of reach couldn't be opened" });
    await alert.getByText('Nothing is listening at localhost:8108.').waitFor();
    await alert.getByText('Details', { exact: true }).click();
    await alert.getByText('connect ECONNREFUSED 127.0.0.1:8108').waitFor();
    await alert.getByRole('button', { name: 'Edit connection…' }).click();
    await page.getByRole('dialog', { name: /Edit Out of reach/ }).waitFor();
  });

  it('can be cancelled', async () => {
    const { page } = await openWindow({ connections: ['Slow'], pace: 1 });
    await savedConnection(page, 'Slow').click();
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Opening was cancelled.').waitFor();
  });

  it('installs the driver of a saved connection without asking', async () => {
    const { page } = await openWindow({ installed: false, pace: 0.3 });
    await savedConnection(page, 'Sample').click();
    await page.getByText('Installing the driver').waitFor();
    await page.getByRole('navigation', { name: 'Collections' }).waitFor();
  });
});

describe('the connection dialog', () => {
  it('keeps what was entered over panes, refusals and a closed question', async () => {
    const { page } = await openWindow();
    await page.getByRole('button', { name: 'New connection' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Typesense/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('SAMPLE');
    await dialog.getByRole('textbox', { name: 'Port' }).fill('99999');
    await dialog.getByRole('tab', { name: 'Advanced' }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('2 fields need your attention.').waitFor();
    await soon(() => dialog.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('99999');
    await dialog.getByText('Enter at most 65,535.').waitFor();
    await dialog.getByRole('textbox', { name: 'Port' }).fill('8108');
    await dialog.getByRole('textbox', { name: 'API Key' }).fill('xyz');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Another connection is called “SAMPLE”.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await soon(() => dialog.getByRole('textbox', { name: 'API Key' }).inputValue()).toBe('xyz');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Second');
    await dialog.getByRole('button', { name: 'Save & connect' }).click();
    await page.getByRole('navigation', { name: 'Collections' }).waitFor();
  });

  it('never shows a saved credential again, and offers no store where there is none', async () => {
    const { page } = await openWindow({ secureStore: { available: false, name: 'Secret Service', reason: 'Nobody answers.' } });
    await page.getByRole('button', { name: 'More for Sample' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await page.getByText('Saved in Secret Service').waitFor();
    await page.getByRole('button', { name: 'Replace…' }).click();
    await soon(() => page.getByRole('radio', { name: 'Secure store' }).isDisabled()).toBe(true);
    await soon(() => page.getByRole('radio', { name: 'This session only' }).isChecked()).toBe(true);
    await page.getByText('Tabularium never writes an unencrypted credential to disk.').waitFor();
  });

  it('removes a connection after naming it', async () => {
    const { page } = await openWindow();
    await page.getByRole('button', { name: 'More for Sample' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove Sample' }).click();
    await page.getByRole('heading', { name: 'Connect to a database' }).waitFor();
  });
});

describe('the frame', () => {
  it('folds the sidebar below 900 pixels and brings it with /', async () => {
    const { page } = await openWindow();
    await page.setViewportSize({ width: 860, height: 600 });
    await openSampleFolded(page);
    const sidebar = page.getByRole('navigation', { name: 'Collections' });
    await soon(() => sidebar.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await soon(() => sidebar.isVisible()).toBe(true);
    await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.type('odd');
    await sidebar.getByText('articles', { exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /odd names/ }).waitFor();
    await soon(() => sidebar.isVisible()).toBe(false);
  });

  it('keeps a connection as it is while another one is shown, and what is open over a reload', async () => {
    const { page } = await openWindow({ connections: ['Sample', 'Second'] });
    const grid = await openSample(page, 'products');
    await grid.focus();
    await page.keyboard.press('Control+End');
    await soon(() => cell(grid, 199_999, 0).innerText()).toBe('199999');
    await page.getByRole('button', { name: /switch connection/ }).click();
    await page.getByRole('menuitem', { name: 'Second' }).click();
    await openTable(page, 'articles');
    await page.getByRole('button', { name: /switch connection/ }).click();
    await page.getByRole('menuitem', { name: 'Sample' }).click();
    await soon(() => cell(grid, 199_999, 0).innerText()).toBe('199999');
    await page.reload();
    await page.getByRole('tab', { name: 'products' }).waitFor();
    await soon(() => cell(grid, 0, 0).innerText()).toBe('0');
    await page.getByText('1–1,000 of 200,000').waitFor();
  });

  it('keeps theme and density', async () => {
    const { page } = await openWindow();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.getByText('Compact', { exact: true }).click();
    const html = page.locator('html');
    await soon(() => html.getAttribute('data-mantine-color-scheme')).toBe('dark');
    await soon(() => html.getAttribute('data-density')).toBe('compact');
    await page.reload();
    await soon(() => html.getAttribute('data-mantine-color-scheme')).toBe('dark');
    await soon(() => html.getAttribute('data-density')).toBe('compact');
  });
});

/** In a narrow window the tables are folded away at first. */
async function openSampleFolded(page: Page): Promise<void> {
  await savedConnection(page, 'Sample').click();
  await page.getByRole('heading', { name: 'Open a collection' }).waitFor();
}

describe.each([
  ['light', false],
  ['dark', true],
])('everybody can use it, %s', (scheme, dark) => {
  it('on every screen', async () => {
    const { page, faults } = await openWindow({}, dark);
    const check = async (screen: string): Promise<void> => {
      await page.evaluate(() =>
        Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))),
      );
      // Between the themes nothing differs but colours.
      const { violations } = await (dark ? axe(page).withRules(['color-contrast']) : axe(page)).analyze();
      expect(violations.map(({ id, nodes }) => [screen, id, nodes[0]?.html])).toEqual([]);
      await screenshot(page, `window-${screen}-${scheme}`);
    };
    await savedConnection(page, 'Sample').waitFor();
    await check('start');
    await page.getByRole('button', { name: 'New connection' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Typesense/ })
      .waitFor();
    await check('chooser');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Typesense/ })
      .click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.getByRole('button', { name: 'Save & connect' }).click();
    await check('form');
    for (const pane of ['SSL', 'Options', 'Advanced']) {
      await page.getByRole('tab', { name: pane }).click();
      await check(`form-${pane.toLowerCase()}`);
    }
    await page.getByRole('button', { name: 'Close' }).click();
    const grid = await openSample(page, 'products');
    await check('grid');
    await cell(grid, 3, 4).dblclick();
    await page.getByRole('complementary', { name: 'Value' }).waitFor();
    // The grid has drawn its active cell again, beside the value.
    await soon(() =>
      grid.evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '') !== null),
    ).toBe(true);
    await check('value');
    await page.getByRole('tabpanel', { name: 'products' }).getByText('Structure', { exact: true }).click();
    await page.getByRole('region', { name: 'Structure of products' }).waitFor();
    await check('structure');
    await openTable(page, 'empty');
    await page.getByRole('heading', { name: 'No documents' }).waitFor();
    await check('empty');
    for (const section of ['Appearance', 'Drivers', 'About']) {
      if (section === 'Appearance') await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: section }).click();
      await check(`settings-${section.toLowerCase()}`);
    }
    expect(faults).toEqual([]);
  });
});
