import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, sharedBrowser, watchFaults } from './browser.ts';
import { addConnection } from './openTable.ts';

/** The parts that a test of the window works with. Its members exist from the first test on. */
export interface Fixture {
  readonly application: Application;
  readonly browser: Browser;
  readonly page: Page;
  /** Script errors, and what the page's policy refused. */
  readonly faults: readonly string[];
}

export interface FixtureOptions {
  /** How many documents the largest collection has. */
  readonly products: number;
  /** The name of the connection to the sandbox. */
  readonly connection?: string;
  /** The entry below the tables that is opened. */
  readonly tool?: string;
  /** Whether the page may use the clipboard. */
  readonly clipboard?: boolean;
  /** The permissions of MCP clients for the connection; `readOnly` unless stated. */
  readonly externalClients?: 'readOnly' | 'readWrite';
}

export interface OwnWindow extends Fixture {
  /** The name of this test's connection. */
  readonly connection: string;
}

export interface OwnWindowOptions extends FixtureOptions {
  /** Faults that a test of the file provokes. Any other fails the test. */
  readonly provokes?: RegExp;
  /** Gives each test a window of its own on one connection, for tests that keep nothing on the connection. Its name has no number. */
  readonly sharesConnection?: boolean;
}

/**
 * Begins the tests of a file with a running application and a browser, and each test with a connection and a window of its own: nothing that another
 * test opened, staged, kept or ran is there, and any test passes alone.
 */
export function useOwnWindow(options: OwnWindowOptions): OwnWindow {
  const {
    products,
    connection = 'Cluster',
    tool,
    clipboard = false,
    externalClients,
    provokes,
    sharesConnection = false,
  } = options;
  const started: { -readonly [Name in keyof OwnWindow]?: OwnWindow[Name] } = {};
  let count = 0;
  let context: BrowserContext;
  let standby: Page;
  // The key in the first address is good for once. The cookie that it gives opens the address that follows.
  let address: string | undefined;

  beforeAll(async () => {
    [started.application, started.browser] = await Promise.all([startApplication({ products }), sharedBrowser()]);
    // The window keeps nothing in the browser but the cookie and, for each window, what is open. One context has the scripts compiled.
    context = await started.browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: clipboard ? ['clipboard-read', 'clipboard-write'] : [],
    });
    // An empty page of the same site: its process, and the scripts that are compiled there, are those of all windows that follow.
    standby = await context.newPage();
    await standby.goto(new URL('/standby', started.application.ui).href);
  });

  beforeEach(async () => {
    const { application } = fixture;
    count += 1;
    if (!sharesConnection || started.connection === undefined) {
      // No name is the beginning of another.
      const name = sharesConnection ? connection : `${connection} ${String(count).padStart(3, '0')}`;
      await addConnection(application, name, externalClients);
      started.connection = name;
    }
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    started.page = page;
    started.faults = watchFaults(page);
    // Otherwise a window continues with the tabs of the one before it.
    await page.goto(new URL('#new', address ?? application.ui).href);
    // A test of the second language leaves the host in German.
    await page.getByRole('button', { name: new RegExp(`^(?:Open|Öffnen):? ${fixture.connection}`) }).click();
    address = page.url();
    if (tool !== undefined) {
      await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: tool, exact: true }).click();
    }
  });

  afterEach(async ({ task }) => {
    const { application, page, faults } = fixture;
    application.sandbox.fault();
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
    if (page.url().startsWith('http')) address = page.url();
    for (const window of context.pages()) if (window !== standby) await window.close();
    expect(faults.filter((fault) => provokes === undefined || !provokes.test(fault))).toEqual([]);
  });

  afterAll(async () => {
    // Also those that a test of the file has opened.
    for (const opened of started.browser?.contexts() ?? []) await opened.close();
    await started.application?.[Symbol.asyncDispose]();
  });

  const fixture = onceStarted<OwnWindow>(started, ['application', 'browser', 'page', 'faults', 'connection']);
  return fixture;
}

/** Members that can be read from when they are there; before, reading one names it. */
function onceStarted<Members extends object>(started: Partial<Members>, names: readonly (keyof Members & string)[]): Members {
  const members = {};
  for (const name of names) {
    Object.defineProperty(members, name, {
      get: () => {
        if (started[name] === undefined) throw new Error(`The fixture has no ${name} yet.`);
        return started[name];
      },
    });
  }
  return members as Members;
}
