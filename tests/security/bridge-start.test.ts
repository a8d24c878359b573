import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgeHome, modern } from '../support/bridgeHome.ts';

let home: BridgeHome;

beforeEach(async () => {
  home = await BridgeHome.create();
});
afterEach(() => home[Symbol.asyncDispose]());

describe('starting the application', () => {
  /** An opener that writes down what it was asked, and may do something. */
  async function opener(script: string): Promise<{ env: Record<string, string>; asked: () => Promise<string> }> {
    const bin = join(home.folder, 'bin');
    await mkdir(bin, { recursive: true });
    const record = join(home.folder, 'asked');
    await writeFile(record, '');
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" >> '${record}'\n${script}\n`);
    await chmod(join(bin, 'xdg-open'), 0o755);
    return { env: { PATH: `${bin}:/usr/bin:/bin` }, asked: () => readFile(record, 'utf8') };
  }

  it('asks the opener once for the one address, however many wait', async () => {
    const { env, asked } = await opener('');
    const bridge = home.startBridge(env);
    for (const id of [1, 2, 3]) bridge.send(modern(id, 'tools/list'));
    await expect.poll(asked).not.toBe('');
    await home.startHost();
    for (const id of [1, 2, 3]) expect((await bridge.answer(id)).result).toBeDefined();
    expect(await asked()).toBe('tabularium://integrations/start-mcp\n');
  });

  it('says what hindered the opener, to a pinned client too', async () => {
    const { env } = await opener('exit 3');
    const bridge = home.startBridge(env);
    bridge.send(modern(1, 'server/discover'));
    bridge.send(modern(2, 'tools/list'));
    const message = expect.stringMatching(
      /^Tabularium isn't running\. xdg-open could not open tabularium:\/\/integrations\/start-mcp\./,
    ) as string;
    expect((await bridge.answer(2)).error).toMatchObject({ code: -33_009, message, data: { layer: 'launch' } });
    expect((await bridge.answer(1)).error).toMatchObject({ code: -32_022, message, data: { layer: 'launch', code: -33_009 } });
  });

  it('answers at once that the server is turned off, and again when it is on', async () => {
    const { env, asked } = await opener('');
    const host = await home.startHost();
    await host.fixture.server.stop();
    const bridge = home.startBridge(env);
    expect((await bridge.ask(modern(1, 'tools/list'))).error).toMatchObject({
      code: -33_006,
      message: expect.stringContaining('The MCP server is disabled.') as string,
      data: { layer: 'policy' },
    });
    expect(await asked()).toBe('');
    await host.fixture.server.start({ port: 0 });
    expect((await bridge.ask(modern(2, 'tools/list'))).result).toBeDefined();
    await host[Symbol.asyncDispose]();
    await expect(stat(join(home.folder, 'mcp-off.json'))).rejects.toThrow('ENOENT');
    await expect(stat(home.handshakeFile)).rejects.toThrow('ENOENT');
  });
});
