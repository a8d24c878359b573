import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findAppBrowser } from './appBrowsers.ts';
import { openWindow } from './openWindow.ts';

const KEY = 'hunter2-hunter2';
const url = `http://127.0.0.1:40123/?key=${KEY}`;

let folder: string;
let home: string;
let programs: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-open-'));
  [home, programs] = [join(folder, 'home'), join(folder, 'bin')];
  await mkdir(home, { mode: 0o700 });
  await mkdir(programs);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that notes its arguments and ends with a code, or stays for a while. */
async function program(name: string, end: string): Promise<void> {
  const file = join(programs, name);
  await writeFile(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${join(folder, name)}.tmp"\nmv "${join(folder, name)}.tmp" "${join(folder, name)}.words"\n${end}\n`,
  );
  await chmod(file, 0o755);
}
const wordsOf = (name: string): Promise<string> =>
  vi.waitFor(() => readFile(join(folder, `${name}.words`), 'utf8'), { timeout: 120_000 });
const open = (address = url) =>
  openWindow({ url: address, home, env: { PATH: `${programs}:/usr/bin:/bin` }, platform: 'linux', patience: 5_000 });

const pages = async (): Promise<string[]> =>
  (await readdir(join(home, 'cache'))).filter((name) => name.startsWith('open-window')).map((name) => join(home, 'cache', name));

describe('opening the window', () => {
  it('takes the app mode of a browser, with a profile in the data directory', async () => {
    await program('google-chrome', 'exit 0');
    expect(await open()).toBe('app');
    const words = (await wordsOf('google-chrome')).trim().split('\n');
    expect(words).toEqual([
      expect.stringMatching(/^--app=file:.*\/home\/cache\/open-window-[-0-9a-f]{36}\.html$/),
      `--user-data-dir=${join(home, 'cache', 'window-profile')}`,
      '--no-first-run',
      '--no-default-browser-check',
    ]);
  });

  it('gives no program the one-time address, which other users could read in its arguments', async () => {
    await program('google-chrome', 'exit 1');
    await program('xdg-open', 'exit 0');
    expect(await open()).toBe('browser');
    expect((await wordsOf('google-chrome')) + (await wordsOf('xdg-open'))).not.toContain(KEY);
    const [page = ''] = await pages();
    expect(await readFile(page, 'utf8')).toContain(`content="0;url=${url}"`);
    expect((await stat(page)).mode & 0o777).toBe(0o600);
  });

  it('gives each window a page of its own, so that two at once redeem two keys, and removes it after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await program('google-chrome', 'exit 0');
      await Promise.all(['first', 'second'].map((key) => open(`${url}-${key}`)));
      const texts = await Promise.all((await pages()).map((page) => readFile(page, 'utf8')));
      expect(texts.map((text) => /hunter2-(first|second)"/.exec(text)?.[1]).sort()).toEqual(['first', 'second']);
      await vi.advanceTimersByTimeAsync(60_000);
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(async () => expect(await pages()).toEqual([]));
  });

  it('removes the page of a command that ended before', async () => {
    await program('google-chrome', 'exit 0');
    await open();
    const [old = ''] = await pages();
    await utimes(old, 1_000, 1_000);
    await open();
    expect(await pages()).toHaveLength(1);
    expect(await pages()).not.toContain(old);
  });

  it('says that nothing was opened where no browser starts', async () => {
    await program('google-chrome', 'exit 1');
    await program('xdg-open', 'exit 3');
    expect(await open()).toBeUndefined();
  });
});

describe('the browser with an app mode', () => {
  it('is the first that is on the path, and none from a snap, which could not read the page', async () => {
    await program('chromium', 'exit 0');
    await program('microsoft-edge', 'exit 0');
    expect(findAppBrowser({ PATH: `relative:${programs}` }, 'linux')).toBe(join(programs, 'microsoft-edge'));
    expect(findAppBrowser({ PATH: '/snap/bin' }, 'linux')).toBeUndefined();
    expect(findAppBrowser({}, 'win32')).toBeUndefined();
  });
});
