import { mkdir, readFile, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(() => machine[Symbol.asyncDispose]());

async function build(): Promise<void> {
  await mkdir(machine.documentationFolder);
  await writeFile(join(machine.documentationFolder, 'index.html'), 'the start');
}

/** Runs `docs` until it has printed its answer, asks it for its first page, and interrupts it. */
async function docs(words: readonly string[], env: Record<string, string> = {}) {
  const stop = new AbortController();
  const printed = Promise.withResolvers<string>();
  const ended = machine.run(['docs', ...words], { signal: stop.signal, env, onOutput: (text) => printed.resolve(text) });
  void ended.then(({ err }) => printed.reject(new Error(`the command ended: ${err}`)));
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(await printed.promise)?.[0] ?? '';
  const page = await (await fetch(url)).text();
  return {
    url,
    page,
    end: async () => {
      stop.abort();
      return await ended;
    },
  };
}

describe('docs', () => {
  it('serves the documentation until it is interrupted, and starts no host', async () => {
    await build();
    const { url, page, end } = await docs(['--no-open']);
    expect(page).toBe('the start');
    const { code, out, err } = await end();
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`The documentation of Tabularium 1.2.3 is at ${url}\nCtrl-C ends it.\n`);
    await expect(fetch(url)).rejects.toThrow();
    expect(machine.started).toBe(0);
  });

  it('prints one line of JSON', async () => {
    await build();
    const { url, end } = await docs(['--no-open', '--json']);
    const { out } = await end();
    expect(out).toBe(`${JSON.stringify({ url, version: '1.2.3' })}\n`);
  });

  it('takes the port that is asked for', async () => {
    await build();
    const first = await docs(['--no-open']);
    await first.end();
    const { port } = new URL(first.url);
    const second = await docs(['--no-open', '--port', port]);
    expect(new URL(second.url).port).toBe(port);
    const { code, err } = await machine.run(['docs', '--no-open', '--port', port]);
    expect([code, err]).toEqual([
      1,
      `The documentation cannot be served on port ${port}: another program uses it.\nChoose another port, or 0 for any that is free.\n`,
    ]);
    await second.end();
  });

  it('opens the address in the browser, and says where none could be opened', async () => {
    await build();
    const programs = join(machine.documentationFolder, '..');
    await writeFile(
      join(programs, 'xdg-open'),
      `#!/bin/sh\nprintf '%s' "$1" > "${programs}/opened.tmp"\nmv "${programs}/opened.tmp" "${programs}/opened"\n`,
    );
    await chmod(join(programs, 'xdg-open'), 0o755);
    const { url, end } = await docs([], { PATH: `${programs}:/usr/bin:/bin` });
    expect(await vi.waitFor(() => readFile(join(programs, 'opened'), 'utf8'), { timeout: 120_000 })).toBe(url);
    await end();

    const stop = new AbortController();
    const { code, err } = await machine.run(['docs'], {
      signal: stop.signal,
      env: { PATH: '/nowhere' },
      onError: () => stop.abort(),
    });
    expect([code, err]).toEqual([0, 'Warning: No browser could be opened. Open the address yourself.\n']);
  });

  it('says how the documentation is built where it is not there', async () => {
    const { code, err } = await machine.run(['docs', '--no-open']);
    expect(code).toBe(1);
    expect(err).toBe('The documentation is missing.\nInstall Tabularium again; in a repository, run "npm run docs".\n');
    expect((await machine.run(['docs', '--port', 'x'])).code).toBe(2);
  });
});
