import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentationFolderOf } from '../../host/src/cli/serve.ts';
import { DocumentationServer } from '../../host/src/web/documentationServer.ts';
import { root } from '../../scripts/paths.ts';
import { axe } from './axe.ts';
import { STEP_MILLISECONDS, screenshot, sharedBrowser, watchFaults } from './browser.ts';

// The documentation as `tabularium docs` serves it, in a browser: read, searched and walked by the keyboard, in both colours and at small sizes.

let server: DocumentationServer;
beforeAll(async () => {
  server = await DocumentationServer.start({ folder: documentationFolderOf(join(root, 'host')), port: 0 });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
let faults: string[];
/** The origins of everything that any page of the test asked for. */
let origins: Set<string>;

async function open(options: Parameters<Awaited<ReturnType<typeof sharedBrowser>>['newContext']>[0] = {}): Promise<void> {
  await context?.close();
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(STEP_MILLISECONDS);
  context.on('request', (request) => origins.add(new URL(request.url()).origin));
  page = await context.newPage();
  faults = watchFaults(page);
}

beforeEach(async () => {
  origins = new Set();
  await open();
});
afterAll(() => context?.close());

const go = (path = ''): Promise<unknown> => page.goto(`${server.url}${path}`);
const field = () => page.getByRole('combobox', { name: 'Search the documentation' });
const results = () => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

async function expectNoViolations(): Promise<void> {
  const { violations } = await axe(page).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

/** Nothing was refused by the policy, and no request left this computer. */
function expectQuiet(): void {
  expect(faults).toEqual([]);
  expect([...origins]).toEqual([new URL(server.url).origin]);
}

const PAGES = ['', 'guide/window/browsing.html', 'reference/keyboard.html', 'reference/sdk/cli.html', 'decisions/'];

describe('the documentation in a browser', () => {
  it.each(['light', 'dark'] as const)('has no fault for assistive technology in %s colours', async (colorScheme) => {
    await open({ colorScheme });
    for (const path of PAGES) {
      await go(path);
      await expectNoViolations();
    }
    await page.keyboard.press('/');
    await page.keyboard.type('import');
    await results().first().waitFor();
    await expectNoViolations();
    expectQuiet();
  });

  it('is searched by the keyboard, and a result leads to its section', async () => {
    await go('guide/window/browsing.html');
    await page.keyboard.press('/');
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('rejected rows');
    await results().first().waitFor();
    await expect.poll(() => page.getByRole('status').first().textContent()).toMatch(/^\d+ results?$/);
    expect(await results().first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await field().getAttribute('aria-activedescendant')).toBe('hit-1');
    await page.keyboard.press('ArrowUp');
    const named = (await results().first().locator('.where').textContent()) ?? '';
    await screenshot(page, 'documentation search');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash !== '' || !url.pathname.endsWith('browsing.html'));
    const [title = '', heading = ''] = named.split(' › ');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    if (heading !== '') expect(await page.locator(':target').textContent()).toBe(heading);
    expectQuiet();
  });

  it('says that nothing was found, and closes the results with Escape', async () => {
    await go();
    await field().fill('xyzzyplugh');
    await page.getByText('No page has all these words.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No page has all these words.').waitFor({ state: 'hidden' });
  });

  it('takes a slash as a letter where somebody types', async () => {
    await go();
    await field().fill('');
    await field().press('a');
    await field().press('/');
    expect(await field().inputValue()).toBe('a/');
  });

  it('copies code', async () => {
    await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await go('project/readme.html');
    const block = page.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByText('Copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm ci && npm start\n');
  });

  it('keeps the chosen colours from page to page', async () => {
    await go();
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark');
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe('rgb(22, 23, 25)');
    await go('guide/drivers.html');
    expect(await background()).toBe('rgb(22, 23, 25)');
    expectQuiet();
  });

  // 900 × 600, the same at 200 %, and 320 wide, which is a window of 1280 at 400 %.
  it.each([
    [900, 600],
    [450, 300],
    [320, 512],
  ])('has every page in a width of %i, without scrolling sideways', async (width, height) => {
    await open({ viewport: { width, height } });
    for (const path of [...PAGES, 'reference/command-line.html', 'reference/sdk/main.html', 'project/readme.html']) {
      await go(path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), path).toBe(
        0,
      );
    }
    await expectNoViolations();
    expectQuiet();
  });

  it('hides the navigation behind a button in a narrow window', async () => {
    await open({ viewport: { width: 450, height: 600 } });
    await go('guide/drivers.html');
    const navigation = page.getByRole('navigation', { name: 'Documentation' });
    const button = page.getByRole('button', { name: 'Pages' });
    expect(await navigation.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await navigation.getByRole('link', { name: 'Write a driver', exact: true }).focus();
    await page.keyboard.press('Escape');
    expect(await navigation.isVisible()).toBe(false);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('lets the keyboard reach the content first, and scroll what is wide', async () => {
    await open({ viewport: { width: 900, height: 600 } });
    await go('reference/mcp.html');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    const wide = page.locator('.code pre, .table').filter({ visible: true });
    const missed = await wide.evaluateAll(
      (boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth !== box.hasAttribute('tabindex')).length,
    );
    expect(missed).toBe(0);
  });

  it('is read without scripts', async () => {
    await open({ javaScriptEnabled: false });
    await go('guide/window/browsing.html');
    await page.getByRole('heading', { name: 'Browsing and filtering' }).waitFor();
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Searching' }).click();
    await page.getByRole('heading', { name: 'Searching', level: 1 }).waitFor();
    expect(await field().isVisible()).toBe(false);
  });

  it('has a page for an address that does not exist, which searches from there', async () => {
    await go('guide/nothing/here.html');
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await expectNoViolations();
    await page.keyboard.press('/');
    await page.keyboard.type('write a driver');
    await results().first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/write-a-driver\.html/);
  });
});
