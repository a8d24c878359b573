import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeDurably } from '../runtime/storage/durableFile.ts';
import { findAppBrowser } from './appBrowsers.ts';

/** Where the window was opened: in a window of its own, or in a tab of the person's browser. */
export type OpenedIn = 'app' | 'browser';

export interface OpenWindowOptions {
  /** A one-time address. */
  readonly url: string;
  /** The data directory, which only its owner can read. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** How long a browser may take to refuse, in milliseconds. */
  readonly patience?: number;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};
const PATIENCE_MILLISECONDS = 1_500;
const PAGE_PREFIX = 'open-window-';
/** A browser that is starting on a busy machine has read its page by then. */
const PAGE_MILLISECONDS = 30_000;

/**
 * Opens the window: in the app mode of Chrome, Edge or Chromium, with a profile of its own, else in the person's browser.
 *
 * Every user of a computer can read the arguments of every process, so that a one-time address is none of them: the browser gets the name of a page
 * that only its user can read, and the page leads to the address.
 *
 * @returns undefined where nothing could be opened
 */
export async function openWindow(options: OpenWindowOptions): Promise<OpenedIn | undefined> {
  const { url, home, env, platform = process.platform, patience = PATIENCE_MILLISECONDS } = options;
  const cache = join(home, 'cache');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await removeOldPages(cache);
  // Its own: where two windows open at once, each browser has to find its own key.
  const page = join(cache, `${PAGE_PREFIX}${randomUUID()}.html`);
  await writeDurably(page, leadingTo(url));
  setTimeout(() => void rm(page, { force: true }).catch(() => undefined), PAGE_MILLISECONDS).unref();
  const address = pathToFileURL(page).href;
  const browser = findAppBrowser(env, platform);
  // Extensions of the person's own profile could read the window, and its tabs would end with theirs.
  const profile = join(home, 'cache', 'window-profile');
  const words = [`--app=${address}`, `--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check'];
  if (browser !== undefined && (await starts(browser, words, env, patience))) return 'app';
  return (await openInBrowser({ address, env, platform, patience })) ? 'browser' : undefined;
}

export interface OpenInBrowserOptions extends Pick<OpenWindowOptions, 'env' | 'platform' | 'patience'> {
  /** Without a secret: every user of a computer can read it. */
  readonly address: string;
}

/** Opens an address in the person's browser. @returns whether one could be opened */
export async function openInBrowser(options: OpenInBrowserOptions): Promise<boolean> {
  const { address, env, platform = process.platform, patience = PATIENCE_MILLISECONDS } = options;
  const [opener = 'xdg-open', ...first] = OPENERS[platform] ?? ['xdg-open'];
  return starts(opener, [...first, address], env, patience);
}

/** Those of commands that ended before their pages could be removed. */
async function removeOldPages(cache: string): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (!name.startsWith(PAGE_PREFIX)) continue;
    const page = join(cache, name);
    const found = await stat(page).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - PAGE_MILLISECONDS)
      await rm(page, { force: true }).catch(() => undefined);
  }
}

/** A page without a script. The address is our own, of letters, digits and the signs of a URL. */
function leadingTo(url: string): string {
  const safe = new URL(url).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return (
    `<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
    `<meta http-equiv="refresh" content="0;url=${safe}"><title>Tabularium</title></head><body></body></html>\n`
  );
}

/** Whether a program starts, and does not refuse at once. A browser that runs already takes the window, and the new process ends well. */
async function starts(program: string, words: readonly string[], env: NodeJS.ProcessEnv, patience: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, words, { stdio: 'ignore', detached: true, env });
  const timer = setTimeout(() => resolve(true), patience);
  child.once('error', () => resolve(false));
  child.once('exit', (code) => resolve(code === 0));
  child.unref();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
