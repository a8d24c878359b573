import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientConnector } from './clientConnector.ts';

let folder: string;
const never = new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-connector-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function connector(home: string, bridge = '/opt/tabularium-mcp'): ClientConnector {
  return new ClientConnector({
    bridge,
    home,
    place: { platform: 'linux', userFolder: folder, env: { PATH: process.env['PATH'], HOME: folder } },
    url: () => 'http://127.0.0.1:1/mcp',
  });
}
const usual = (): ClientConnector => connector(join(folder, '.local', 'share', 'tabularium'));

describe('ClientConnector', () => {
  it('names one executable and nothing else, and the home only where a client could not find it', () => {
    const text = (of: ClientConnector): unknown => JSON.parse(of.list().find(({ id }) => id === 'cursor')?.text ?? '');
    expect(text(usual())).toEqual({ mcpServers: { tabularium: { command: '/opt/tabularium-mcp' } } });
    expect(text(connector('/elsewhere'))).toEqual({
      mcpServers: { tabularium: { command: '/opt/tabularium-mcp', env: { TABULARIUM_HOME: '/elsewhere' } } },
    });
  });

  it('offers to write only supported files', () => {
    const files = new Map(
      usual()
        .list()
        .map(({ id, file }) => [id, file]),
    );
    expect(files.get('cursor')).toBe(join(folder, '.cursor', 'mcp.json'));
    for (const id of ['claude-code', 'codex', 'copilot-cli', 'json', 'http', 'streamable-http'])
      expect(files.get(id)).toBeUndefined();
  });

  it('writes what was shown, and nothing that has changed since', async () => {
    const file = join(folder, '.cursor', 'mcp.json');
    const shown = await usual().plan('cursor');
    expect(shown).toMatchObject({ file, diff: expect.stringContaining('+       "command": "/opt/tabularium-mcp"') as string });
    expect(await usual().write('cursor', shown.diff)).toEqual({ file });
    expect(await usual().plan('cursor')).toEqual({ file, diff: '' });
    await writeFile(file, '{"mcpServers":{"other":{}}}');
    await expect(usual().write('cursor', shown.diff)).rejects.toThrow('was changed in the meantime');
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers":{"other":{}}}');
    for (const id of ['claude-code', 'http', 'nobody']) {
      await expect(usual().plan(id)).rejects.toThrow('no file that Tabularium can write');
    }
  });

  it('checks the bridge as a client runs it: without arguments, in the environment that clients pass on', async () => {
    const bridge = join(folder, 'bridge');
    const program = (answer: string): Promise<void> =>
      writeFile(
        bridge,
        `#!/usr/bin/env node
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const { id } = JSON.parse(line);
          const seen = [process.argv.length, process.env.TABULARIUM_HOME, process.env.SECRET ?? 'none'];
          if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ${answer} }));
        });`,
      );
    await program('result: id === 1 ? {} : { tools: seen.map((value) => ({ name: String(value) })) }');
    await chmod(bridge, 0o755);
    expect(await connector('/my/home', bridge).check(never)).toMatchObject({ ok: true, tools: ['2', '/my/home', 'none'] });
    await program(`error: { code: -33009, message: "Tabularium isn't running.", data: { layer: 'launch' } }`);
    expect(await connector('/my/home', bridge).check(never)).toEqual({
      ok: false,
      layer: 'launch',
      message: "Tabularium isn't running.",
      origin: { sentence: { id: 'bridgeReported', values: { message: "Tabularium isn't running." } } },
    });
    await writeFile(bridge, `#!/bin/sh\necho 'no such thing' >&2; exit 1\n`);
    expect(await connector('/my/home', bridge).check(never)).toMatchObject({
      ok: false,
      layer: 'launch',
      message: 'no such thing',
    });
    expect(await connector('/my/home', join(folder, 'missing')).check(never)).toMatchObject({ ok: false, layer: 'launch' });
  });
});
