import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
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
const open = () => openWindow({ url, home, env: { PATH: `${programs}:/usr/bin:/bin` }, platform: 'linux', patience: 5_000 });

describe('opening the window', () => {
  it('takes the app mode of a browser, with a profile in the data directory', async () => {
    await program('google-chrome', 'exit 0');
    expect(await open()).toBe('app');
    const words = (await wordsOf('google-chrome')).trim().split('\n');
    expect(words).toEqual([
      `--app=file://${join(home, 'cache', 'open-window.html')}`,
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
    const page = join(home, 'cache', 'open-window.html');
    expect(await readFile(page, 'utf8')).toContain(`content="0;url=${url}"`);
    expect((await stat(page)).mode & 0o777).toBe(0o600);
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
