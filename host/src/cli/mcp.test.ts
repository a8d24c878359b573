import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let env: Record<string, string>;

beforeEach(async () => {
  machine = await FakeMachine.create();
  await mkdir(machine.home, { recursive: true });
  env = { HOME: machine.home, XDG_CONFIG_HOME: join(machine.home, '.config') };
});
afterEach(() => machine[Symbol.asyncDispose]());

describe('mcp config', () => {
  it('shows the entry with the path of the bridge, and starts nothing', async () => {
    const answer = await machine.json(['mcp', 'config', '--client', 'claude-desktop'], { env });
    expect(answer).toMatchObject({
      client: 'claude-desktop',
      format: 'json',
      key: 'mcpServers',
      file: join(machine.home, '.config', 'Claude', 'claude_desktop_config.json'),
      entry: { command: expect.stringMatching(/^\/.*\/host\/bin\/tabularium-mcp\.mjs$/) as string },
    });
    expect(machine.started).toBe(0);
    const { out, err } = await machine.run(['mcp', 'config', '--client', 'claude-desktop'], { env });
    expect(JSON.parse(out)).toEqual(JSON.parse((answer as { text: string }).text));
    expect(err).toContain('--with-home');
  });

  it('names the home where that is wanted', async () => {
    expect(await machine.json(['mcp', 'config', '--client', 'cursor', '--with-home'], { env })).toMatchObject({
      entry: { env: { TABULARIUM_HOME: machine.home } },
    });
  });

  it('asks the host for its address where the client speaks HTTP', async () => {
    machine.mcpUrl = 'http://127.0.0.1:4321/mcp';
    expect(await machine.json(['mcp', 'config', '--client', 'streamable-http'], { env })).toMatchObject({
      entry: { type: 'streamable-http', url: 'http://127.0.0.1:4321/mcp', headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } },
    });
    machine.mcpUrl = undefined;
    expect(await machine.json(['mcp', 'config', '--client', 'http'], { env })).toMatchObject({
      entry: { url: 'http://127.0.0.1:23508/mcp' },
    });
  });

  it('gives a client that signs in with OAuth no place for a token, and says where it is switched on', async () => {
    machine.mcpUrl = 'http://127.0.0.1:4321/mcp';
    expect(await machine.json(['mcp', 'config', '--client', 'oauth'], { env })).toMatchObject({
      entry: { type: 'http', url: 'http://127.0.0.1:4321/mcp' },
    });
    const { err, out } = await machine.run(['mcp', 'config', '--client', 'oauth'], { env });
    expect(out).not.toContain('Authorization');
    expect(err).toContain('Sign-in with OAuth');
  });

  it('lists the supported clients, and rejects others', async () => {
    const { clients } = (await machine.json(['mcp', 'config', '--list'])) as { clients: { id: string }[] };
    expect(clients.map(({ id }) => id)).toContain('vscode');
    const { code, err } = await machine.run(['mcp', 'config', '--client', 'nobody']);
    expect([code, err]).toEqual([2, expect.stringContaining('--client takes one of claude-desktop, cursor')]);
  });

  it('writes it with a diff and a backup, only when asked', async () => {
    const file = join(machine.home, 'mcp.json');
    await writeFile(file, '{"mcpServers":{}}');
    const words = ['mcp', 'config', '--client', 'cursor', '--file', file, '--write'];
    const asked = await machine.run(words, { env });
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--yes')]);
    expect(asked.err).toMatch(/^\+ .*tabularium-mcp\.mjs/m);
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers":{}}');
    const answer = await machine.json([...words, '--yes'], { env });
    expect(answer).toMatchObject({
      client: 'cursor',
      file,
      changed: true,
      backup: expect.stringContaining('.before-tabularium-') as string,
    });
    expect(await machine.json([...words, '--yes'], { env })).toMatchObject({ changed: false, backup: null, diff: '' });
    expect((await machine.run(['mcp', 'config', '--client', 'claude-code', '--write', '--yes'], { env })).code).toBe(2);
  });
});

describe('a host that was started for a client', () => {
  it('shows its window only to the first host that is started by hand', async () => {
    const stop = new AbortController();
    const hidden = machine.run(['open-url', 'tabularium://integrations/start-mcp'], { signal: stop.signal });
    await expect.poll(() => machine.running).toBe(1);
    await expect.poll(async () => (await machine.run(['tokens', 'list'])).code).toBe(0);
    expect((await machine.run(['open-url', 'tabularium://integrations/start-mcp'])).code).toBe(0);
    const byHand = new AbortController();
    let line = '';
    const shown = machine.run(['serve'], {
      signal: byHand.signal,
      onOutput: (text) => {
        line = text;
        byHand.abort();
      },
    });
    expect((await shown).code).toBe(0);
    const { ui } = JSON.parse(line) as { ui: string };
    expect((await fetch(ui, { redirect: 'manual' })).status).toBe(303);
    expect((await machine.run(['serve'])).err).toContain('A host already runs');
    expect(machine.started).toBe(1);
    stop.abort();
    expect(await hidden).toMatchObject({ code: 0, out: '' });
  });
});
