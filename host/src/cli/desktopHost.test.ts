import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignIns } from '../runtime/data/signIns.ts';
import { openHome } from '../runtime/storage/home.ts';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { silentLogger } from '../runtime/storage/logger.ts';
import { pinnedNode } from '../runtime/program/pinnedNode.ts';
import { startDesktopHost } from './desktopHost.ts';
import type { DesktopHost, DesktopShell } from './desktopHost.ts';
import { serve } from './serve.ts';
import type { ReadyHost } from '../common/hostWindow.ts';
import { startRuntime } from './startRuntime.ts';

let home: string;
const ending: (() => Promise<unknown>)[] = [];
const env = () => ({ ...process.env, TABULARIUM_HOME: home, TABULARIUM_LOCAL_REGISTRY: join(home, 'no-registry.json') });
const byHand: DesktopShell = { isHidden: () => false, show: () => undefined };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-desktop-'));
});

afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  rmSync(home, { recursive: true, force: true });
});

async function desktop(shell: DesktopShell = byHand): Promise<DesktopHost | undefined> {
  const host = await startDesktopHost(env(), shell);
  if (host !== undefined) ending.push(async () => host[Symbol.asyncDispose]());
  return host;
}

/** A host as `tabularium serve` has it. */
async function headless(hidden: boolean): Promise<{ ready: ReadyHost; ended: Promise<void>; stop: () => void }> {
  const stop = new AbortController();
  const ready = Promise.withResolvers<ReadyHost>();
  const options = {
    ...{ home: await openHome(home), version: '1.0.0', env: env(), logger: silentLogger, startRuntime, hidden },
    ...{ rendererFolder: join(home, 'no-window'), port: undefined, mcpPort: 0, sampleConnection: undefined },
  };
  const ended = serve(options, stop.signal, ready.resolve);
  ended.catch(ready.reject);
  ending.push(() => (stop.abort(), ended.catch(() => undefined)));
  return { ready: await ready.promise, ended, stop: () => stop.abort() };
}

describe('a desktop shell in an unused data directory', () => {
  it('is the host: answers the API, owns the home until it is closed, and leaves it to the next one', async () => {
    const host = await desktop();
    const info = await host?.handler?.(new Request('tabularium-app://app/api/trpc/application.info'));
    expect(info?.status).toBe(200);
    expect(await info?.json()).toMatchObject({ result: { data: { home } } });
    await host?.[Symbol.asyncDispose]();

    const next = await desktop();
    expect(next?.handler).toBeDefined();
    expect(existsSync(join(home, 'tabularium.db'))).toBe(true);
  });
});

if (process.platform === 'linux') {
  it('a desktop shell registers the program for its addresses with the desktop: a host on the bundled Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-desktop-session-'));
    ending.push(async () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'xdg-mime'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const own = { PATH: `${folder}:/usr/bin:/bin`, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') };
    const host = await startDesktopHost({ ...env(), ...own, TABULARIUM_REGISTER_URL: 'always' }, byHand);
    ending.push(async () => host?.[Symbol.asyncDispose]());
    const entry = join(folder, 'data', 'applications', 'tabularium-url-handler.desktop');
    const launcher = join(hostPackage().folder, 'bin', 'tabularium.mjs');
    await expect
      .poll(() => (existsSync(entry) ? readFileSync(entry, 'utf8') : ''))
      .toContain(`Exec=${pinnedNode()} ${launcher} open-url --home ${home} %u`);
  });
}

describe('a desktop shell in a home where a host runs', () => {
  it.each([true, false])('shows the window on that one, which is hidden no more (hidden: %s)', async (hidden) => {
    const running = await headless(hidden);
    expect(running.ready.hidden).toBe(hidden ? true : undefined);
    const shown = await desktop();
    expect(shown?.handler).toBeUndefined();
    expect(shown?.pageUrl).toBe(new URL('/', running.ready.ui ?? '').href);
    // Its address opens the window once, and is another one than the host's own.
    const first = await fetch(shown?.firstUrl ?? '', { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect(first.headers.get('set-cookie')).toContain('=');
    expect(shown?.firstUrl).not.toBe(running.ready.ui);
    await shown?.ensureMcp();
    // The window stays when the shell has ended.
    await shown?.[Symbol.asyncDispose]();
    expect((await fetch(shown?.pageUrl ?? '', { redirect: 'manual' })).status).toBeLessThan(500);
  });

  it('asks that one whether a sign-in sends the person to an address', async () => {
    const asked = vi
      .spyOn(SignIns.prototype, 'sendsTo')
      .mockImplementation((address) => address === 'https://login.example/?state=1');
    ending.push(async () => asked.mockRestore());
    await headless(false);
    const shown = await desktop();
    expect(await shown?.sendsSignInTo('https://login.example/?state=1')).toBe(true);
    expect(await shown?.sendsSignInTo('https://login.example/?state=2')).toBe(false);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('has nothing to do for an address but to ask for the MCP server', async () => {
    const running = await headless(true);
    expect(await desktop({ isHidden: () => true, show: () => undefined })).toBeUndefined();
    // It is hidden still: a start by hand gets its window.
    const shown = await desktop();
    expect(shown?.pageUrl).toBe(new URL('/', running.ready.ui ?? '').href);
  });

  it('leaves it to another shell to come to the front', async () => {
    let shows = 0;
    await desktop({ isHidden: () => true, show: () => (shows += 1) });
    expect(await desktop()).toBeUndefined();
    expect(shows).toBe(1);
  });
});

it('a start on the command line shows the window of the desktop shell, and stays for as long as that runs', async () => {
  let shows = 0;
  const shell = await desktop({ isHidden: () => true, show: () => (shows += 1) });
  const { ready, ended } = await headless(false);
  expect(ready).toEqual({ ready: true, attached: true, ui: null, mcp: expect.stringContaining('/mcp') as string, home });
  expect(shows).toBe(1);
  await shell?.[Symbol.asyncDispose]();
  await ended;
});
