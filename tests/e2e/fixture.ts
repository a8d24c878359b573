import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection } from './openTable.ts';

/** What a test of the window works with. Its members are there from the first test on. */
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
  /** What the connection to the sandbox is called. */
  readonly connection?: string;
  /** The entry below the tables that is opened. */
  readonly tool?: string;
  /** Whether the page may use the clipboard. */
  readonly clipboard?: boolean;
  /** What MCP clients may do with the connection; `readOnly` unless stated. */
  readonly externalClients?: 'readOnly' | 'readWrite';
}

/** Begins the tests of a file with a running application and one open connection to the sandbox, and ends with neither. */
export function useFixture({
  products,
  connection = 'Cluster',
  tool,
  clipboard = false,
  externalClients,
}: FixtureOptions): Fixture {
  const started: { application?: Application; browser?: Browser; page?: Page; faults?: readonly string[] } = {};

  beforeAll(async () => {
    [started.application, started.browser] = await Promise.all([startApplication({ products }), startBrowser()]);
    await addConnection(started.application, connection, externalClients);
    const context = await started.browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: clipboard ? ['clipboard-read', 'clipboard-write'] : [],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    started.page = page;
    started.faults = watchFaults(page);
    await page.goto(started.application.ui);
    await page.getByRole('button', { name: `Open ${connection}` }).click();
    if (tool !== undefined) {
      await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: tool, exact: true }).click();
    }
  }, 180_000);

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || started.page === undefined) return;
    await screenshot(started.page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
  });

  afterAll(async () => {
    await started.browser?.close();
    await started.application?.[Symbol.asyncDispose]();
  });

  const there = <Name extends keyof Fixture>(name: Name): Fixture[Name] => {
    const value = started[name];
    if (value === undefined) throw new Error(`The fixture has no ${name} yet.`);
    return value as Fixture[Name];
  };
  return {
    get application() {
      return there('application');
    },
    get browser() {
      return there('browser');
    },
    get page() {
      return there('page');
    },
    get faults() {
      return there('faults');
    },
  };
}
