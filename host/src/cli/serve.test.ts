import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';
import type { ReadyHost } from '../common/hostWindow.ts';

let machine: FakeMachine;
const hosts: { stop: AbortController; ended: Promise<{ code: number; out: string; err: string }> }[] = [];

beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(async () => {
  for (const { stop, ended } of hosts.splice(0)) {
    stop.abort();
    await ended;
  }
  await machine[Symbol.asyncDispose]();
});

/** A host that runs until it is stopped. */
async function serve(words: readonly string[] = []): Promise<{ ready: ReadyHost; stop: () => Promise<number> }> {
  const stop = new AbortController();
  const ready = Promise.withResolvers<ReadyHost>();
  const ended = machine.run(['serve', ...words], {
    signal: stop.signal,
    env: { HOSTS_OWN: '1' },
    onOutput: (text) => ready.resolve(JSON.parse(text) as ReadyHost),
  });
  hosts.push({ stop, ended });
  void ended.then(({ err }) => ready.reject(new Error(`the host ended: ${err}`)));
  return {
    ready: await ready.promise,
    stop: async () => {
      stop.abort();
      return (await ended).code;
    },
  };
}

describe('health', () => {
  it('says whether a host can be used, with its exit code, and starts none', async () => {
    const health = () => machine.run(['health', '--json']);
    const before = await health();
    expect([before.code, JSON.parse(before.out)]).toEqual([1, { status: 'stopped' }]);
    const { ready, stop } = await serve();
    const started = machine.started;
    const during = await health();
    expect([during.code, JSON.parse(during.out)]).toEqual([0, { status: 'ready' }]);
    expect(await (await fetch(new URL('/health', String(ready.ui)))).json()).toEqual({ status: 'ready' });
    await stop();
    const after = await health();
    expect([after.code, JSON.parse(after.out)]).toEqual([1, { status: 'stopped' }]);
    expect(machine.started).toBe(started);
  });
});

describe('serve', () => {
  it('prints one line when it is ready, and exits cleanly on request', async () => {
    const { ready, stop } = await serve(['--mcp-port', '4321']);
    expect(ready).toEqual({
      ready: true,
      ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{43}$/) as string,
      mcp: 'http://127.0.0.1:4321/mcp',
      home: expect.stringContaining('home') as string,
    });
    expect((await fetch(String(ready.ui), { redirect: 'manual' })).status).toBe(303);
    expect(await stop()).toBe(0);
    expect((await readdir(ready.home)).sort()).toEqual([
      'backups',
      'cache',
      'drivers',
      'host.lock',
      'logs',
      'window-sessions.json',
    ]);
    await expect(fetch(String(ready.ui))).rejects.toThrow();
    expect(machine.running).toBe(0);
  });

  it('is refused while another host runs, and possible after it', async () => {
    const first = await serve();
    const { code, out, err } = await machine.run(['serve']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/A host already runs in .* \(process \d+\)\./);
    await first.stop();
    await serve();
  });

  it('ends with its standard input where that is asked for', async () => {
    const { code, out } = await machine.run(['serve', '--until-stdin-closes']);
    expect(code).toBe(0);
    expect(machine.running).toBe(0);
    expect(out === '' || out.includes('"ready":true')).toBe(true);
  });

  it('offers a sample connection', async () => {
    await (await serve()).stop();
    const file = join(machine.home, 'sample.json');
    await writeFile(file, JSON.stringify({ name: 'Sample', driver: 'fixture', settings: {} }));
    await serve(['--sample-connection', file]);
    expect(await machine.json(['connections', 'list'])).toMatchObject({ connections: [{ name: 'Sample' }] });
  });
});

describe('commands', () => {
  it('run in the host that owns the home, with its environment and its memory', async () => {
    await serve();
    const words = ['connections', 'add', '--driver', 'fixture', '--name', 'Attic', '--access-key-session', '--pin-code-env'];
    const { code, err } = await machine.run([...words, 'HOSTS_OWN'], { input: 'hunter2\n' });
    expect([code, err]).toEqual([0, '']);
    expect(machine.secrets).toEqual([
      { accessKey: { kind: 'session', value: 'hunter2' }, pin_code: { kind: 'environment', variable: 'HOSTS_OWN' } },
    ]);
    const mine = ['connections', 'add', '--driver', 'fixture', '--name', 'Two', '--access-key-env', 'MINE'];
    expect((await machine.run(mine, { env: { MINE: 'x' } })).err).toContain('The running host was started without it');
    expect(machine.started).toBe(1);
  });

  it('carry an error of the host as it is', async () => {
    await serve();
    expect(await machine.json(['tables', 'Nowhere'])).toMatchObject({
      error: { code: 'CONNECTION_UNKNOWN', message: 'There is no connection "Nowhere".' },
    });
  });

  it('get new addresses for the window, each for once', async () => {
    const { ready } = await serve();
    const { url } = (await machine.json(['url'])) as { url: string };
    expect(url).not.toBe(ready.ui);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(401);
  });

  it('run side by side without a host: one owns the home, the others go through it or come after it', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ended = await Promise.all(names.map((name) => machine.run(['tokens', 'create', '--name', name])));
    expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { tokens } = (await machine.json(['tokens', 'list'])) as { tokens: { name: string }[] };
    expect(tokens.map(({ name }) => name).sort()).toEqual(names);
    expect(machine.running).toBe(0);
  });

  it('let a host start as soon as they are done', async () => {
    const command = machine.run(['tokens', 'create', '--name', 'a']);
    const host = serve();
    expect((await command).code).toBe(0);
    expect((await host).ready.ready).toBe(true);
  });
});
