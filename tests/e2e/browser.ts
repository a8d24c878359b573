import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { TEST_CHROMIUM_ARGUMENTS } from '../../scripts/testing/chromiumArguments.ts';
import { findChromium } from '../../scripts/testing/tools.ts';

/** Kept for people to look at; not in the repository. */
const SCREENSHOTS = join(import.meta.dirname, 'screenshots');

/** How long a page may take for one step. Nothing takes nearly so long on a machine that has nothing else to do. */
export const STEP_MILLISECONDS = 60_000;

/**
 * A real Chromium that talks to this machine alone.
 *
 * @param options.args - its command line; that of tests, which measure nothing, unless given
 * @param options.handleSIGINT - false: Ctrl-C ends it only when the program closes it; otherwise the program ends too, at once
 */
export async function startBrowser({
  args = TEST_CHROMIUM_ARGUMENTS,
  ...options
}: { readonly handleSIGINT?: boolean; readonly args?: readonly string[] } = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine.');
  return chromium.launch({ executablePath, args: [...args], ...options });
}

let shared: Promise<Browser> | undefined;

/** One Chromium for all the files of a process, which run one after the other. Each has a context of its own, and closes what it opened. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared ??= startBrowser());
  if (browser.isConnected()) return browser;
  shared = startBrowser();
  return shared;
}

/** Faults that a page met: script errors, and everything that the Content-Security-Policy refused. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
}

/** Of a run without pictures, those of tests that failed. */
const FAILURE_PREFIX = 'failed ';

/** Keeps a picture of what a person sees now, in a run with `TABULARIUM_SCREENSHOTS=1`. Nothing is compared with it, and the pictures of a run are many. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env['TABULARIUM_SCREENSHOTS'] !== '1' && !name.startsWith(FAILURE_PREFIX)) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
